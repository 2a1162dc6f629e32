// What the values of a function and of those that it calls are, for heap.h: lists, texts, dictionaries, sets and tuples of them, at
// any depth. Types are found by unification (Milner, A Theory of Type Polymorphism in Programming, 1978), numbers by what flows
// into a variable; a function has one type for all of its calls.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "code/ast.h"
#include "frontend/python/frontend.h"
#include "frontend/python/heap_classes.h"

namespace sluice::frontend {

/// The function has something that objects of the run cannot be.
struct NotOfHeap {
    std::string what;
    Span where = {};  ///< Of the statement that has it.
};
/// Whether it is the body of a generator.
bool yields(const code::Body& body);
/// A generator as a function that returns the list of all that it yields. Throws NotOfHeap where it returns a value.
code::FunctionStmt with_list_of_yielded(const code::FunctionStmt& generator);
/// What `work` refuses is in this statement, unless it is in one inside of it.
void placed(const code::StmtPtr& one, const std::function<void()>& work);

enum class HeapKind : std::uint8_t { Unknown, Number, None, Text, List, Queue, Row, Tuple, Dict, Set, Other, Array, Object };

struct HeapType {
    HeapKind kind = HeapKind::Unknown;
    unsigned numbers = 0;               ///< Of what types: kInteger, kReal, kTruth, and NumPy's kInt64, kFloat64, kBool.
    std::vector<HeapType*> parts = {};  ///< Of an array: its elements, and with two dimensions its rows.
    HeapType* same = nullptr;
    std::size_t number = 0;        ///< Earlier types have lower ones.
    std::string missing = {};      ///< Of a dictionary: what a key has that is read first; `Counter` counts. Of a set: `frozenset`.
    bool frozen = false;           ///< The caller's own, which nobody may change or hand back.
    bool rows_given = false;       ///< Its elements are lists of the caller's.
    bool changes = false;          ///< Something may change it.
    unsigned rank = 0;             ///< Of an array: how many dimensions it has.
    bool view = false;             ///< An array that may lie in another one's memory.
    HeapFamily* family = nullptr;  ///< Of an object: the classes that it may be of.
};

class HeapTypes {
public:
    HeapTypes(const code::FunctionStmt& function, const Bindings& globals, const Definition& definition,
              const std::map<std::string, ArgumentType>& arguments, std::string given, bool with_arrays,
              const std::set<std::string>& special);

protected:
    using Type = HeapType*;
    static constexpr unsigned kInteger = 1, kReal = 2, kTruth = 4, kInt64 = 8, kFloat64 = 16, kBool = 32;
    static constexpr unsigned kOfNumPy = kInt64 | kFloat64 | kBool;

    struct Routine;
    struct Variable {
        Type type;
        std::string name;  ///< In what is written.
    };
    struct Scope {
        std::map<std::string, Variable> names;
        Scope* outer = nullptr;
        Routine* function = nullptr;
    };
    struct Routine {
        const code::FunctionStmt* statement;
        const Bindings* globals;
        std::string name;
        Scope scope;
        Type result;
        bool caches = false;     ///< lru_cache
        bool generates = false;  ///< A generator: it returns the list of all that it yields.
        std::map<std::string, Routine*> inner;
        const Definition* definition = nullptr;
        HeapClass* of_class = nullptr;  ///< Of a method: the class of the objects that it is called with.
        std::size_t owner = 0;          ///< The place of the class that it stands in, among that one and its bases.
        bool has_self = false;          ///< Its first parameter is the object.
        std::string class_name = {};    ///< The parameter that is the class, which is none of what is written.
    };
    /// A call of a class, or of a method.
    struct ObjectCall {
        HeapClass* made = nullptr;         ///< The class that is called.
        code::ExprPtr receiver = nullptr;  ///< The object that the first argument is; null: none.
        bool is_self = false;              ///< It is the object of the method around, which is there.
        std::vector<std::pair<Routine*, std::vector<std::int64_t>>> methods = {};  ///< With the tags of their classes.
        bool all = true;                                                           ///< One of them is meant whatever the class.
    };

    void infer_all();
    /// A list of integers, of texts.
    Type type_of_integers();
    Type type_of_texts();
    Type fresh(HeapKind kind = HeapKind::Unknown, std::vector<Type> parts = {});
    Type element_of(Type type);
    static Type root(Type type);
    HeapKind kind(Type type) const { return root(type)->kind; }
    Type part(Type type, std::size_t at = 0) { return root(root(type)->parts.at(at)); }
    bool is(Type type, HeapKind wanted) const { return kind(type) == wanted; }
    /// A list, or what is read as one.
    bool is_sequence(Type type) const { return is(type, HeapKind::List) || is(type, HeapKind::Queue) || is(type, HeapKind::Row); }
    bool is_object(Type type) const;
    /// An object of the user's classes.
    bool is_instance(Type type) const { return is(type, HeapKind::Object); }
    bool is_array(Type type, unsigned rank) const { return is(type, HeapKind::Array) && root(type)->rank == rank; }
    /// Integers, of Python's or NumPy's.
    bool is_whole(Type type) const {
        return is(type, HeapKind::Number) && root(type)->numbers != 0 && (root(type)->numbers & ~(kInteger | kInt64)) == 0;
    }
    /// Numbers of NumPy's may be among them.
    bool is_of_numpy(Type type) const { return is(type, HeapKind::Number) && (root(type)->numbers & kOfNumPy) != 0; }
    /// Numbers of Python's that are as these.
    static unsigned of_python(unsigned numbers) { return (numbers & ~kOfNumPy) | numbers >> 3U; }
    /// Something may change elements of the array, or of a view of it.
    bool may_change(Type array) const;
    /// The element type that a call's `dtype` says; nullopt where it says none.
    std::optional<unsigned> declared_element(const std::string& function, const code::CallExpr& n, Scope& scope);
    /// Arguments by their names, positions and keywords alike; nullptr for those that are not given.
    static std::vector<code::ExprPtr> arguments_of(const code::CallExpr& n, const std::vector<std::string>& names);
    /// The element type of an array of such values; 0 where nobody knows yet.
    unsigned element_for(Type value) const;
    bool holds_objects(Type type) const;
    Type type_of(const code::ExprPtr& e);
    /// Where it ends with an exception, the call is made again by Python, which knows what that says.
    bool raises_in_python() const { return !given_.empty(); }
    bool types_known(const code::ExprPtr& e) const { return types_.contains(e.get()); }
    Variable* variable(const std::string& name, Scope& scope);
    bool is_named_tuple(Type type) const { return is(type, HeapKind::Tuple) && root(type)->family; }
    Routine* function_named(const std::string& name, Scope& scope);
    Routine* routine_around(Scope& scope) const;

    // ---- objects of the user's classes (heap_object_types.cpp)
    HeapClass* class_named(const std::string& name, Scope& scope);
    /// The class that the object is of, where the text says it: the object of a method.
    HeapClass* exact_class(const code::ExprPtr& e, Scope& scope);
    Routine& method_routine(HeapClass& of_class, const ObjectClass::Method& method);
    Routine* special_method(HeapClass& of_class, const std::string& name);
    std::optional<std::vector<code::ExprPtr>> arguments_of_call(const code::CallExpr& n, std::size_t most, Scope& scope);
    const code::ExprPtr& in_place_of(const code::ExprPtr& e) const;
    const code::ExprPtr& iterable_of(const code::ExprPtr& e) const;
    code::ExprPtr constant_of(const HeapClass& of_class, const std::string& name);
    code::ExprPtr make_method(const code::ExprPtr& object, const std::string& name, std::vector<code::ExprPtr> arguments) const;
    bool has_method(Type type, const std::string& name) const;
    static bool is_pure(const code::ExprPtr& e);
    /// Functions that the expression calls, and that it does not name.
    std::vector<Routine*> called_by(const code::ExprPtr& e) const;
    /// The function's own name for one of Python's or of a module that programs know; empty: neither.
    std::string known_function(const code::ExprPtr& e, Scope& scope);
    /// As the written program says it; empty: it is none.
    static std::string known_constant(const std::string& name);
    Scope& scope_of(const code::ExprPtr& e, Scope& around, const std::vector<code::ExprPtr>& targets);
    /// What a function of the key gives for an element.
    Type key_type(const code::ExprPtr& key, Type element, Scope& scope) { return root(applied(key, {element}, scope)); }
    /// An expression that the writer made.
    void know_type(const code::ExprPtr& e, Type type) { types_[e.get()] = type, made_.push_back(e); }
    code::ExprPtr know_truth(bool truth);
    code::ExprPtr know_integer(std::int64_t value);
    static std::optional<std::int64_t> integer_in(const code::ExprPtr& e);

    const code::FunctionStmt& main_;
    const Definition& definition_;
    std::set<std::string> special_;  ///< Special methods that are needed.
    std::deque<HeapClass> classes_;
    std::deque<HeapFamily> families_;
    std::map<const code::Expr*, ObjectCall> object_calls_;
    std::map<const code::Expr*, code::ExprPtr> in_place_;  ///< What stands for an expression: a method's call for an operator.
    std::map<const code::Expr*, std::vector<code::ExprPtr>> starred_;  ///< By a starred value: what stands for its elements.
    std::map<const code::Expr*, code::ExprPtr> iterated_;  ///< By an object that a loop goes over: the call of `__iter__`.
    std::map<const code::Expr*, std::vector<code::ExprPtr>> tuples_made_;  ///< By the call of a named tuple: its fields.
    std::map<const code::Expr*, code::ExprPtr> updates_;                   ///< By the value of an update: the operation.
    std::map<const code::Expr*, code::ExprPtr> element_calls_;             ///< By the target `a[i]`: the call that stores there.
    std::map<std::pair<const HeapClass*, std::string>, code::ExprPtr> class_constants_;
    std::map<std::string, ArgumentType> arguments_;
    std::string given_;              ///< The form of all parameters, where they are objects of Python's.
    std::vector<Type> given_types_;  ///< Theirs.
    std::map<const code::FunctionStmt*, Routine> functions_;
    std::vector<Routine*> order_;  ///< As they were found.
    Routine* entry_ = nullptr;
    bool with_arrays_ = false;                   ///< NumPy's arrays are among the objects.
    std::vector<Type> arrays_;                   ///< Of two dimensions, as they were found.
    std::vector<std::pair<Type, Type>> views_;   ///< Types of slices, and of what they are slices of.
    std::deque<code::FunctionStmt> generators_;  ///< As functions that return lists.
    std::deque<code::FunctionStmt> methods_of_classes_;
    std::deque<code::StmtPtr> kept_functions_;
    std::map<const code::FunctionStmt*, Routine*> methods_;  ///< By the method in its class.
    std::map<const Routine*, code::ExprPtr> selves_;
    std::map<std::string, code::StmtPtr> helpers_read_;

private:
    HeapClass& class_of(const ClassSource& source, const std::string& name);
    code::StmtPtr prepared(const code::StmtPtr& function) const;
    void infer_special_methods();
    void make(HeapClass& of_class, Scope& scope);
    Type field_of(HeapFamily& family, const std::string& name);
    void make_tuple(const code::ExprPtr& e, HeapClass& of_class, const code::CallExpr& n, Type type, Scope& scope);
    void flow_arguments(Routine& called, std::size_t first, const code::CallExpr& n, Scope& scope);
    bool infer_object_call(const code::ExprPtr& e, const code::CallExpr& n, Type type, Scope& scope);
    bool infer_method_call(const code::ExprPtr& e, const code::AttributeExpr& method, const code::CallExpr& n, Type type,
                           Scope& scope);
    void infer_dispatch(const code::ExprPtr& e, HeapFamily& family, HeapClass* exact, const std::string& name,
                        const code::ExprPtr& receiver, const code::CallExpr& n, Type type, Scope& scope);
    bool infer_attribute(const code::ExprPtr& e, const code::AttributeExpr& n, Type type, Scope& scope);
    bool stands_for(const code::ExprPtr& e, const code::ExprPtr& other, Type type, Scope& scope);
    bool infer_operator(const code::ExprPtr& e, const std::string& method, const code::ExprPtr& left, const code::ExprPtr& right,
                        Type type, Scope& scope);
    void infer_one(const code::ExprPtr& e, HeapClass& of_class, const ObjectClass::Method* method, const code::ExprPtr& receiver,
                   const code::CallExpr& n, Type type, Scope& scope);
    Type known_text_type(const code::ExprPtr& e, Scope& scope);
    code::ExprPtr self_of(const Routine& method);
    void bind_field(const code::AttributeExpr& n, Type type, Scope& scope);
    Type number(unsigned numbers);
    void unify(Type a, Type b);
    void flow(Type from, Type to);
    void join(Type from, Type to);
    void like(Type object, Type type);
    void unify_elements(Type a, Type b);
    void freeze(Type type);
    Routine& function_of(const code::FunctionStmt& statement, const Bindings& globals, const Definition& definition, Scope* outer);
    void infer(Routine& function);
    void infer(const code::Body& body, Scope& scope);
    void infer(const code::StmtPtr& one, Scope& scope);
    Type infer(const code::ExprPtr& e, Scope& scope);
    void infer_sentence(const code::ExprPtr& e, Scope& scope);
    void infer_into(const code::ExprPtr& e, Type type, Scope& scope);
    void infer_call(const code::ExprPtr& e, const code::CallExpr& node, Type type, Scope& scope);
    void infer_builtin(const std::string& name, const code::CallExpr& node, Type type, Scope& scope);
    void infer_method(const code::AttributeExpr& method, const code::CallExpr& node, Type type, Scope& scope);
    Type array_of(unsigned element, unsigned rank);
    unsigned of_elements(code::BinaryOp op, Type left, Type right);
    void infer_product(Type left, Type right, Type type);
    bool infer_function_of_numbers(const std::string& name, const code::CallExpr& node, Type type, Scope& scope);
    bool infer_array_function(const std::string& name, const code::CallExpr& node, Type type, Scope& scope);
    void infer_array_method(const std::string& name, Type array, const code::CallExpr& node, Type type, Scope& scope);
    bool infer_array_attribute(const std::string& name, Type array, Type type);
    void infer_array_subscript(Type array, Type index, const code::SubscriptExpr& node, Type type);
    void infer_view(Type array, Type type);
    void made_array(Type type, unsigned element, unsigned rank);
    void infer_array_from(const std::string& name, const code::CallExpr& node, Type type, Scope& scope);
    void infer_shape(const code::ExprPtr& shape, Type type, unsigned element, Scope& scope);
    void infer_comparison(const code::CompareExpr& n, const std::vector<Type>& all, Type type);
    void infer_negation(code::UnaryOp op, Type operand, Type type);
    unsigned of_numbers(code::BinaryOp op, unsigned left, unsigned right) const;
    void infer_subscript(const code::ExprPtr& e, const code::SubscriptExpr& node, Type type, Scope& scope);
    void infer_binary(code::BinaryOp op, Type left, Type right, Type type);
    Type applied(const code::ExprPtr& function, const std::vector<Type>& arguments, Scope& scope);
    void bind(const code::ExprPtr& target, Type type, Scope& scope);
    /// What a loop over it binds.
    Type element_of(const code::ExprPtr& e, Scope& scope);
    /// Its elements are looked for among, or come into, what has elements of the type.
    void element_into(const code::ExprPtr& e, Type element, Scope& scope);
    Type of_argument(const ArgumentType& type);
    Type of_form(const std::string& form, std::size_t& at);

    std::vector<code::ExprPtr> made_;
    std::deque<HeapType> all_;
    std::map<const code::Expr*, Type> types_;
    std::map<const code::Expr*, Scope> scopes_;
    std::map<const code::Expr*, std::vector<code::ExprPtr>> lambda_parameters_;
    std::size_t own_names_ = 0;
    bool changed_ = false;
    std::size_t pass_begin_ = 0;  ///< Types from here on are of this pass.
    Type integers_ = nullptr, texts_list_ = nullptr;
};

}  // namespace sluice::frontend
