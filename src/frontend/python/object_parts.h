// The translation of objects to variables. Each object has a name that is known where it is translated; a method is written once
// for each object, and for each object among its arguments. Understood are
// - names that are bound to new objects of one class, fields that are, and lists of a length that is known of them;
// - fields, read and assigned, calls of methods of the class and of its bases, properties, operators that the class defines;
// - functions with such objects among their arguments;
// - methods, operators and functions that return new objects, also among other results, and the program that returns objects:
//       u = v + w        ->      def v_add_into_u(): u_init(v__x + w__x, v__y + w__y)
//                                v_add_into_u()
// - a second name, of what is never made anew; objects that nobody changes are copied instead.
// Loops over lists of objects are written out, one turn for each object. Nobody else can hold such an object, so that fields need
// no memory that is shared.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/python/classes.h"
#include "frontend/python/copies.h"

namespace sluice::frontend {

/// The method that gives the fields of a named tuple.
inline constexpr const char* kTuple = "__tuple__";
/// In front of the names of fields that nobody assigns, those of named tuples and frozen dataclasses (python/sluice/classes.py).
inline constexpr const char* kFieldOfTuple = "field_of_tuple_";
/// The constant of a class by which its objects among the arguments are distinguished (python/sluice/given_state.py).
inline constexpr const char* kGiven = "__given__";

class Objects {
public:
    Objects(const code::FunctionStmt& function, const Definition& definition);
    /// Whether the function may make an object.
    bool any();
    code::Body body();

private:
    /// What an expression is, where it is no value of the run.
    struct Meaning {
        enum class Kind : std::uint8_t { Nothing, Object, List, Class, Number };
        Kind kind = Kind::Nothing;
        std::string name;         ///< Of the object or the class, or of the list among `lists_`.
        std::int64_t number = 0;  ///< The turn of a loop that is written out.
        bool operator==(const Meaning&) const = default;
        explicit operator bool() const { return kind == Kind::Object || kind == Kind::List || kind == Kind::Class; }
    };
    struct Scope {
        std::map<std::string, Meaning> names;
        std::shared_ptr<const std::map<std::string, int>> bound;  ///< How often the body binds each name.
        const ObjectClass* of_class = nullptr;  ///< Of the method that is written, with its place among the bases.
        std::size_t owner = 0;
        std::string self;               ///< Its object.
        std::vector<std::string> into;  ///< Objects that take the places of what it returns, or of parts of that; empty: a value.
        bool returns_self = false;
        bool hands_out = false;  ///< What it returns goes to the program's caller.
    };
    /// A function with what it is called for.
    struct Call {
        const code::FunctionStmt* function = nullptr;
        std::string key;  ///< The same for the same function and object.
        const ObjectClass* of_class = nullptr;
        std::size_t owner = 0;
        Meaning self;            ///< The object or class that its first parameter is.
        code::ExprPtr receiver;  ///< The expression of that object.
        std::vector<code::ExprPtr> arguments;
        std::vector<code::Keyword> keywords;
    };
    /// An iteration of a loop that is written out.
    struct Turn {
        Scope scope;
        code::Body before;
        code::ExprPtr condition;  ///< Whether there is such an iteration; null: always.
    };

    // ---- what expressions mean (object_uses.cpp)
    const ObjectClass* class_named(const std::string& name);
    const ObjectClass* class_of_call(const code::ExprPtr& e, const Scope& scope);
    const code::FunctionStmt* helper_named(const std::string& name, const Scope& scope);
    const ObjectClass& class_of(const std::string& object) const { return *class_of_.at(object); }
    Meaning meaning(const code::ExprPtr& e, const Scope& scope);
    std::optional<std::int64_t> folded(const code::ExprPtr& e, const Scope& scope);
    /// The meaning, or that of an object that stands for any of the class that the expression makes.
    Meaning kind_of(const code::ExprPtr& e, const Scope& scope);
    Meaning any_of(const ObjectClass& of_class);
    const ObjectClass* new_class(const code::ExprPtr& e, const Scope& scope);
    const ObjectClass* made_by(const Call& call, const Scope& scope);
    Scope inside_of(const Call& call, const Scope& scope);
    bool makes(const code::FunctionStmt& function, const code::ExprPtr& returned, const Scope& inside);
    bool returns_self(const Call& call) const;
    std::optional<Call> call_of(const code::ExprPtr& e, const Scope& scope);
    std::optional<Call> method_call(const code::ExprPtr& receiver, const Meaning& object, const std::string& method,
                                    std::vector<code::ExprPtr> arguments);
    std::optional<Call> named_call(const code::CallExpr& call, const Scope& scope);
    std::optional<Call> attribute_call(const code::CallExpr& call, const code::AttributeExpr& function, const Scope& scope);
    bool is_unchanged(const ObjectClass& of_class);
    bool mentions_classes(const code::Body& body, std::set<std::string>& seen);

    // ---- expressions (object_uses.cpp)
    std::string own(const std::string& base);
    std::string variable(const std::string& object, const std::string& field);
    void meet(const std::string& object, const std::string& field);
    Meaning object_of(const code::ExprPtr& e, const Scope& scope, code::Body* out);
    code::ExprPtr field(const std::string& object, const std::string& name, const Span& span);
    code::ExprPtr written(const Call& call, const std::vector<std::string>& into, const Scope& scope, const Span& span,
                          code::Body* out);
    code::ExprPtr of(const code::ExprPtr& e, const Scope& scope, code::Body* out);
    code::ExprPtr as_tuple(const code::ExprPtr& e, const Scope& scope, code::Body* out);
    code::ExprPtr is_of_class(const Meaning& object, const code::ExprPtr& classes, const Scope& scope);
    std::optional<bool> decided(const code::ExprPtr& condition, const Scope& scope);
    code::ExprPtr compared(const code::CompareExpr& compare, const Scope& scope, const Span& span, code::Body* out);
    std::string function_of(const Call& call, const std::map<std::string, Meaning>& objects, const std::vector<std::string>& into);

    // ---- statements (objects.cpp)
    Scope entered(const code::Body& body, const std::vector<code::Parameter>& parameters, const std::string& prefix, Scope scope);
    code::Body of(const code::Body& body, Scope scope);
    void add(const code::StmtPtr& one, Scope& scope, code::Body& out);
    void assign(const code::ExprPtr& target, const code::ExprPtr& value, const code::StmtPtr& one, Scope& scope, code::Body& out);
    bool assign_field(const code::AttributeExpr& target, const code::ExprPtr& value, const Scope& scope, const Span& span,
                      code::Body& out);
    void make(const std::string& object, const code::ExprPtr& value, const Scope& scope, code::Body& out);
    void make_of(const std::string& object, const code::ExprPtr& value, const Scope& scope, code::Body& out);
    void copy(const std::string& from, const std::string& to, const Span& span, code::Body& out);
    std::string new_object(const std::string& base, const ObjectClass& of_class);
    void name_again(const Meaning& of, const Span& span);
    code::ExprPtr updated(const code::AugAssignStmt& s, const Scope& scope, const Span& span);
    bool is_plain_result(const Call& call, const Scope& scope);
    void refuse_property(const code::ExprPtr& target, const Scope& scope);

    // ---- objects among several results (object_tuples.cpp)
    std::vector<Meaning> made_in_tuple(const Call& call, const Scope& scope);
    std::vector<Meaning> made_in_tuple(const code::ExprPtr& value, const Scope& scope);
    std::vector<std::pair<Meaning, code::ExprPtr>> make_parts(const code::ExprPtr& value, const Scope& scope, code::Body& out);
    bool assign_parts(const std::vector<code::ExprPtr>& targets, const code::ExprPtr& value, Scope& scope, code::Body& out);
    code::StmtPtr return_parts(const code::ExprPtr& value, const Scope& scope, code::Body& out);

    // ---- objects that the program returns (object_results.cpp)
    bool holds_objects(const code::ExprPtr& e, const Scope& scope);
    bool is_only_returned(const std::string& function) const;
    void add_return(const code::ExprPtr& value, const Scope& scope, code::Body& out);
    code::ExprPtr handed_out(const code::ExprPtr& e, const Scope& scope, bool before, code::Body& out);
    code::ExprPtr with_class(const Meaning& object, const Span& span);
    std::vector<std::string> fields_by_now(const std::string& object, const Span& span);
    std::set<std::string> begun_by(const ObjectClass& of_class, const code::Body& body, const std::string& self, std::size_t owner);
    void note_begun(const std::vector<code::ExprPtr>& targets, const Scope& scope);
    void note_return(const code::Stmt& statement, const Scope& scope);

    // ---- lists of objects (object_lists.cpp)
    std::optional<std::vector<Meaning>> kinds_in_list(const code::ExprPtr& e, const Scope& scope);
    bool is_list_of_objects(const code::ExprPtr& e, const Scope& scope) { return kinds_in_list(e, scope).has_value(); }
    Meaning any_list(const code::ExprPtr& e, const Scope& scope);
    Meaning new_list(const code::ExprPtr& e, const Scope& scope, code::Body& out);
    bool append(const code::ExprPtr& e, Scope& scope, code::Body& out);
    static std::set<std::string> bound_by(const code::ExprPtr& target);
    static code::ExprPtr with_numbers(const code::ExprPtr& e, const Scope& scope);
    std::optional<std::vector<Turn>> turns(const code::ExprPtr& target, const code::ExprPtr& iterable, const Scope& scope,
                                           const std::set<std::string>& indices, code::Body* out);
    void bind(const code::ExprPtr& target, const Meaning& of, Turn& turn);
    bool add_loop(const code::ForStmt& loop, const Scope& scope, const Span& span, code::Body& out);
    code::ExprPtr listed(const code::ComprehensionExpr& e, const Scope& scope, const Span& span, code::Body* out);
    /// Of a comprehension: not over objects; each with its place; of which the run decides how many there are.
    enum class Elements : std::uint8_t { OfOthers, Known, OfRun };
    Elements add_elements(const code::ComprehensionExpr& e, std::size_t clause, const Scope& scope,
                          std::vector<code::ExprPtr>& result, code::Body* out);
    Elements add_turns(const code::ComprehensionExpr& e, std::size_t clause, const std::vector<Turn>& all,
                       std::vector<code::ExprPtr>& result, code::Body* out);
    bool with_plain_parts(const code::ComprehensionClause& clause, const Scope& scope);
    void append_elements(const code::ComprehensionExpr& e, std::size_t clause, const Scope& scope, const code::ExprPtr& all,
                         code::Body& out);
    std::set<std::string> indices_of(const code::Body& body, const Scope& scope);

    const code::FunctionStmt& function_;
    const Definition& definition_;
    Copies copies_;
    std::map<std::string, int> bound_;
    std::set<std::string> taken_;
    std::map<std::string, ObjectClass> classes_;
    std::map<std::string, code::StmtPtr> helpers_;
    std::map<std::string, std::pair<const code::FunctionStmt*, Scope>> inner_;  ///< Functions inside of the function.
    std::set<const code::FunctionStmt*> entered_;
    std::map<std::string, const ObjectClass*> class_of_;                    ///< By object.
    std::map<std::pair<std::string, std::string>, std::string> variables_;  ///< By object and field.
    std::map<std::pair<std::string, std::string>, Meaning> fields_;         ///< Fields that are objects or lists of them.
    std::map<std::string, std::vector<Meaning>> lists_;
    std::map<std::string, std::vector<std::string>> met_;             ///< The fields of each object, in the order of the text.
    std::set<std::pair<std::string, std::string>> begun_;             ///< Fields that what follows finds assigned.
    std::set<std::string> handed_out_;                                ///< The objects of a return.
    std::set<std::string> tuples_;                                    ///< Among the lists.
    bool left_early_ = false;                                         ///< A return stands in front of what is translated.
    std::set<std::string> made_, made_again_, named_again_, copied_;  ///< Objects.
    std::set<std::string> empty_;                                     ///< Variables that are lists without elements so far.
    std::optional<std::set<std::string>> changed_;  ///< Fields that are assigned outside of the `__init__` of their objects.
    std::map<std::string, std::string> names_;      ///< Of functions that methods are, by what they are for.
    std::map<std::string, code::StmtPtr> written_;
    std::vector<std::string> order_;
    bool once_ = true;  ///< What is translated runs exactly once.
    std::size_t appended_ = 0, turns_ = 0;
};

}  // namespace sluice::frontend
