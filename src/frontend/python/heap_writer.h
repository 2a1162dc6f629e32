// The text of a function over objects as one over numbers: heap.h says what for. Everything is evaluated in Python's order, each
// part that may change or raise in a statement of its own.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/python/heap_types.h"

namespace sluice::frontend {

class HeapWriter : HeapTypes {
public:
    HeapWriter(const code::FunctionStmt& function, const Bindings& globals, const Definition& definition,
               const std::map<std::string, ArgumentType>& arguments, const std::string& given, bool with_arrays,
               const std::set<std::string>& special)
        : HeapTypes(function, globals, definition, arguments, given, with_arrays, special) {
        infer_all();
        find_checked_fields();
    }
    /// The whole function's text. Failure NotOfHeap.
    std::string text();
    /// The line of the function that each of the text's stands for.
    const std::vector<std::uint32_t>& lines() const { return lines_of_text_; }

private:
    using Lines = std::vector<std::string>;
    /// A value as text, or a tuple of such.
    struct Item {
        std::string text;
        std::vector<Item> parts = {};
    };
    /// A sequence whose elements have numbers.
    struct Indexed {
        std::string count;
        std::function<Item(const std::string&)> at;
    };

    // ---- types and functions (heap_kinds.cpp) ----
    std::string form(Type type);
    std::string pool(Type element);
    std::string list_name(Type element);
    std::string list_function(Type list, const std::string& name);
    std::string text_function(const std::string& name);
    std::string table_name(Type table);
    std::string table_function(Type table, const std::string& name);
    std::string key_of(Type type, const std::string& value);
    std::string number_of(Type type, const std::string& value);
    std::string same(Type type, const std::string& a, const std::string& b);
    std::string same_values(Type left, Type right, const std::string& a, const std::string& b);
    void require_alike(Type left, Type right);
    std::string equal_tables(Type type, const std::string& a, const std::string& b);
    std::string less(Type type, const std::string& a, const std::string& b);
    std::string type_key(Type type);
    std::string literal(const std::string& text);
    std::string with_names(std::string text, const std::string& own, Type element);
    std::string zero(Type type);
    std::string likeness(Type type);
    void declare(const std::string& list, const std::string& first = "0") { lists_.emplace(list, first); }
    std::string spec_of(Type type, std::vector<std::string>& parts, bool taken = false);
    void require_changeable(Type type);

    // ---- expressions (heap_values.cpp) ----
    std::string temporary() { return "__h" + std::to_string(temporaries_++); }
    static bool is_simple(const std::string& text);
    static std::string text_of(const Item& item);
    std::string kept(const std::string& value, Lines& out);
    std::string value(const code::ExprPtr& e, Scope& scope, Lines& out);
    std::string atom(const code::ExprPtr& e, Scope& scope, Lines& out) { return kept(value(e, scope, out), out); }
    std::vector<std::string> values(const std::vector<code::ExprPtr>& all, Scope& scope, Lines& out);
    std::string truth(const code::ExprPtr& e, Scope& scope, Lines& out);
    std::string truth_of(Type type, const std::string& value);
    std::string binary(code::BinaryOp op, const code::ExprPtr& left, const code::ExprPtr& right, Type type, Scope& scope,
                       Lines& out);
    std::string combined(code::BinaryOp op, Type type, Type left, Type right, const std::string& a, const std::string& b,
                         Lines& out);
    std::string boolean(const code::BoolExpr& n, bool as_truth, Type type, Scope& scope, Lines& out);
    std::string compare(const code::CompareExpr& n, Scope& scope, Lines& out);
    std::optional<std::string> chained(const code::CompareExpr& n, Scope& scope, Lines& out);
    std::string compared(code::CompareOp op, Type left, Type right, const std::string& a, const std::string& b,
                         const code::ExprPtr& container, Scope& scope, Lines& out);
    std::string subscript(const code::SubscriptExpr& n, Scope& scope, Lines& out);
    std::string sliced(Type type, const std::string& object, const code::SliceExpr& slice, Scope& scope, Lines& out);
    std::string element(Type table, const std::string& object, const std::string& index, Scope& scope, Lines& out);
    std::string call(const code::ExprPtr& e, const code::CallExpr& n, Type type, Scope& scope, Lines& out);
    std::string call_function(Routine& function, const code::CallExpr& n, Type type, Scope& scope, Lines& out);
    std::string applied_to(const code::ExprPtr& function, const std::vector<Item>& arguments, const std::vector<Type>& types,
                           Scope& scope, Lines& out);

    // ---- objects of the user's classes (heap_objects.cpp) ----
    std::string family_name(const HeapFamily& family);
    bool has_column(Type field);
    std::string column(const HeapFamily& family, const std::string& field);
    /// Which objects have the field.
    std::string flags(const HeapFamily& family, const std::string& field);
    void write_runtime(const Lines& lines);
    std::string there(const HeapFamily& family, const std::string& u);
    bool begin_fields(const HeapClass& of_class, const ObjectClass::Method& method, std::set<std::string>& begun);
    void find_checked_fields();
    std::string field_value(const code::AttributeExpr& n, const std::string& object, Scope& scope, Lines& out);
    std::string field_place(const code::AttributeExpr& n, const std::string& object, Scope& scope, Lines& out);
    std::string new_object(const HeapClass& of_class, Scope& scope, Lines& out);
    std::string arguments_text(const Routine& function, std::size_t first, const code::CallExpr& n, Scope& scope, Lines& out);
    void take_starred(const code::CallExpr& n, std::size_t by_place, Scope& scope, Lines& out);
    std::string tuple_made(const code::ExprPtr& e, const code::CallExpr& n, Scope& scope, Lines& out);
    std::string called(const Routine& function, const std::string& arguments, Type type, Lines& out);
    std::string object_call(const code::ExprPtr& e, const code::CallExpr& n, Type type, Scope& scope, Lines& out);
    std::string is_of_class(const code::CallExpr& n, Scope& scope, Lines& out);
    bool changes_nothing(const Routine& routine, std::set<const Routine*>& seen);
    std::string special_function(const HeapFamily& family, const std::string& method);
    std::string instance_truth(Type type, const std::string& value);
    std::string instance_equal(Type type, const std::string& a, const std::string& b, bool or_same);
    std::string instance_number(Type type, const std::string& value);
    std::string instance_less(Type type, const std::string& a, const std::string& b);
    std::string instance_compared(code::CompareOp op, Type left, Type right, const std::string& a, const std::string& b);

    // ---- NumPy's arrays and numbers (heap_arrays.cpp) ----
    /// Where elements lie along one dimension: at one index, or from `begin` to `end`.
    struct Along {
        std::string begin, end, step = "1";
        bool one = false;
    };
    using PlaceOf = std::function<std::string(const std::string&)>;
    std::string as_whole(Type type, const std::string& value) const;
    std::string whole_value(const code::ExprPtr& e, Scope& scope, Lines& out) { return as_whole(type_of(e), value(e, scope, out)); }
    std::string as_python(Type number, const std::string& value) const;
    std::string as_element(Type element, const std::string& value) const;
    std::string elements(Type array);
    bool is_of_given(Type array);
    bool is_one_array(Type type);
    bool holds_arrays(Type type);
    std::string spec_of_array(Type array, const PlaceOf& place, bool taken);
    std::string shape_of(Type array, const std::string& u) const;
    std::optional<std::string> element_place(const code::SubscriptExpr& n, Scope& scope, Lines& out);
    std::string array_part(const code::SubscriptExpr& n, Scope& scope, Lines& out);
    Along along(const code::ExprPtr& index, Type array, const std::string& size, Scope& scope, Lines& out);
    void fill_part(const code::SubscriptExpr& n, const std::string& item, Type type, Scope& scope, Lines& out);
    std::optional<std::string> array_function(const std::string& name, const code::CallExpr& n, Type type, Scope& scope,
                                              Lines& out);
    std::string array_method(const std::string& name, Type array, const std::string& u, const code::CallExpr& n, Type type,
                             Scope& scope, Lines& out);
    std::string filled_array(Type type, const code::ExprPtr& shape, const code::ExprPtr& value, const std::string& constant,
                             Scope& scope, Lines& out);
    void update_element(const code::AugAssignStmt& s, const code::SubscriptExpr& n, Scope& scope, Lines& out);
    void require_one_shape(Type left, Type right, const std::string& u, const std::string& v, Lines& out);
    std::string product(Type type, Type left, Type right, const std::string& u, const std::string& v, Lines& out);
    std::string element_by_element(const std::string& symbol, Type type, Type left, Type right, const std::string& u,
                                   const std::string& v, Lines& out);
    void update_array(const code::AugAssignStmt& s, const std::string& symbol, Scope& scope, Lines& out);
    std::string converted_array(Type type, Type from, const std::string& u, Lines& out);
    std::string array_from(const code::CallExpr& n, Type type, bool declared, Scope& scope, Lines& out);
    std::string list_of_array(Type array, const std::string& u, Type list, Lines& out);

    // ---- texts of values (heap_formats.cpp) ----
    std::string to_text(Type type, const std::string& value, Lines& out);
    std::string shown(const std::string& value, const std::string& spec, Lines& out);
    std::string formatted(Type type, const std::string& value, const std::string& text, Lines& out);
    std::string from_template(const std::string& text, const code::CallExpr& values, bool percent, Scope& scope, Lines& out);

    // ---- calls (heap_calls_written.cpp) ----
    std::string builtin(const std::string& name, const code::CallExpr& n, Type type, Scope& scope, Lines& out);
    std::string method(const code::AttributeExpr& of, const code::CallExpr& n, Type type, Scope& scope, Lines& out);
    std::string of_list(const std::string& name, Type object, const std::string& u, const code::CallExpr& n, Scope& scope,
                        Lines& out);
    std::string of_text(const std::string& name, const std::string& s, const code::CallExpr& n, Scope& scope, Lines& out);
    std::string of_table(const std::string& name, Type object, const std::string& d, const code::CallExpr& n, Type type,
                         Scope& scope, Lines& out);
    std::string extreme(const std::string& name, const code::CallExpr& n, Type type, Scope& scope, Lines& out);
    std::string sorted(const std::string& u, Type list, const code::CallExpr& n, bool copies, Scope& scope, Lines& out);
    std::string literal_list(Type type, const std::vector<std::string>& elements, Lines& out);
    std::string made_of(Type list, const code::ExprPtr& iterable, bool any_order, Scope& scope, Lines& out);
    void fill_table(Type table, const std::string& d, const code::ExprPtr& iterable, Scope& scope, Lines& out);
    void copy_elements(Type table, const std::string& from, const std::string& into, const std::string& other, bool found,
                       Lines& out);
    void require_one_table(Type left, Type right);
    std::string of_tables(code::BinaryOp op, Type left, Type right, const std::string& u, const std::string& v, Lines& out);
    std::string within(Type left, Type right, const std::string& u, const std::string& v);
    void fill_pairs(Type table, const std::string& d, const code::ExprPtr& iterable, Scope& scope, Lines& out);
    std::string ensured(Type table, const std::string& d, const std::string& key, Lines& out);

    // ---- loops (heap_loops.cpp) ----
    using Inside = std::function<void(const Item&, Lines&)>;
    std::string held(const std::string& value, Lines& out);
    std::optional<Indexed> indexed(const code::ExprPtr& iterable, Scope& scope, Lines& out);
    Indexed of_sequence(Type type, const std::string& object);
    void each(const code::ExprPtr& iterable, bool any_order, Scope& scope, Lines& out, const Inside& inside);
    void bind(const code::ExprPtr& target, const Item& item, Type type, Scope& scope, Lines& out);
    void add_loop(const code::ForStmt& s, Scope& scope, Lines& out);
    bool only_reads(const std::string& line) const;
    Type made_type(const code::ExprPtr& iterable);

    // ---- what loops change (heap_changes.cpp) ----
    static constexpr unsigned kGrows = 1, kShrinks = 2;
    /// An object that is read while a loop runs. backwards: not from its beginning, or not until its end.
    struct Source {
        Type type;
        bool backwards = false;
        bool alone = true;  ///< Its length is that of the loop.
    };
    struct Going {
        bool grows = false;   ///< A list may have another length after each turn.
        bool checks = false;  ///< A dictionary may have, which is an error.
    };
    std::vector<Source> sources_of(const code::ExprPtr& iterable, Scope& scope);
    unsigned changes(const code::Body& body, Type type, Scope& scope);
    unsigned changes(const std::vector<code::ExprPtr>& all, Type type, Scope& scope);
    unsigned changes(const code::ExprPtr& e, Type type, Scope& scope, std::set<const Routine*>& seen);
    unsigned changes(const code::Body& body, Type type, Scope& scope, std::set<const Routine*>& seen);
    Going going(const code::ForStmt& s, Scope& scope);
    void require_unchanged(const code::ExprPtr& iterable, const std::vector<code::ExprPtr>& parts, Scope& around, Scope& scope);

    // ---- statements (heap.cpp) ----
    void add(const code::Body& body, Scope& scope, Lines& out);
    void add(const code::StmtPtr& one, Scope& scope, Lines& out);
    void write(const code::StmtPtr& one, Scope& scope, Lines& out);
    void update(const code::AugAssignStmt& s, Scope& scope, Lines& out);
    std::string sentence(const code::ExprPtr& e, Scope& scope, Lines& out);
    const Routine* generator_of(const code::ExprPtr& e, Scope& scope);
    bool changes_objects(const code::ExprPtr& e, Scope& scope);
    void require_apart(const code::ForStmt& s, Scope& scope);
    void require_iterated(const code::ExprPtr& e, bool iterated, Scope& scope);
    void add_return(const code::ExprPtr& value, Scope& scope, Lines& out);
    void define(Routine& function, Lines& out);
    static void nest(const Lines& inside, Lines& out);
    Type iterated(const code::ExprPtr& iterable);

    std::vector<std::uint32_t> lines_of_text_;
    std::map<std::string, std::string> pools_;  ///< By form of the elements.
    std::map<std::string, std::string> names_;  ///< Prefixes of functions by type.
    std::map<std::string, std::string> texts_;  ///< Literals.
    std::map<std::string, Type> tables_;        ///< By prefix.
    std::map<std::string, std::string> lists_;  ///< To be made in front, and what an element of them is like; empty: nobody knows.
    std::set<std::string> functions_written_;
    Lines runtime_;
    std::size_t temporaries_ = 0;
    bool one_is_returned_ = false;  ///< Of what is being written as returned: one array at most is in it.
    std::string cache_;             ///< Of the function being written; empty: it has none.
    Type cache_type_ = nullptr;
    std::string cache_key_;
    std::map<const code::Expr*, std::string> known_texts_;     ///< Of expressions that stand for what is computed before.
    std::map<const HeapClass*, std::set<std::string>> begun_;  ///< Fields that all objects of the class have.
    std::set<std::string> rebound_;                            ///< By the body of the loop whose iterable is being written.
    std::string guard_;                                        ///< Under what loops over elements go on; empty: they all do.
};

}  // namespace sluice::frontend
