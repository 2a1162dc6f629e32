// A program over one memory (heap.h) as functions of C++: what heap.cpp writes is a small language, of integers, floats, truths,
// tuples of them and lists that only its own functions know, so that each of its functions becomes one of C++, called where it is
// called. Types are inferred by what flows into a variable; a number that may be an integer or a float knows which (heap::Open).
// The graph is a tasklet around it; what Python raises is a check behind the tasklet.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "code/ast.h"
#include "frontend/python/frontend.h"

namespace sluice::frontend {

class HeapCode {
public:
    /// Failure NotOfHeap, where something in it has no such form.
    /// objects: the parameters are objects of Python's, which the program takes.
    HeapCode(const Program& written, const std::map<std::string, ArgumentType>& arguments, bool objects = false);
    ir::Sdfg graph(ReturnedForms& forms);

private:
    /// `i`, `f`, `b` and `o` are numbers: integers, floats, truths, and the first two; `I`, `F` and `B` those of NumPy's, `p` any
    /// of these integers and floats, `Q` a truth of either; `(if)` a tuple, `[i` a list, `k(ii)` one whose elements are looked for,
    /// `n` None. Empty: nobody knows yet.
    using Type = std::string;
    using Lines = std::vector<std::string>;
    struct Function {
        const code::FunctionStmt* statement = nullptr;
        Function* outer = nullptr;
        std::string name;
        std::map<std::string, Type> types = {};  ///< Of its variables.
        std::set<std::string> parameters = {};
        Type result = {};
        std::map<std::string, Function*> inner = {};
        std::vector<Function*> in_order = {};
        std::set<std::string> unsure = {};  ///< Variables that may be read before they have a value.
        std::set<Function*> calls = {};
        bool recursive = false, used = false;
    };
    struct Tuple {
        Type type;
        std::string name, definition;
    };
    struct Raise {
        std::string message;
        std::uint32_t line;
    };

    // ---- types (heap_code_types.cpp) ----
    void add_function(const code::FunctionStmt& statement, Function* outer);
    Function* holder(const std::string& name, Function& in) const;
    Function* called(const code::ExprPtr& e, Function& in) const;
    void merge(Type& into, const Type& from);
    static std::vector<Type> parts_of(const Type& tuple);
    static std::string element_of(const Type& list);
    /// `float("inf")`, `float("nan")`
    static bool is_beyond_numbers(const code::CallExpr& call);
    void infer(const code::Body& body, Function& in);
    void infer(const code::Stmt& one, Function& in);
    void infer_store(const code::ExprPtr& target, const Type& type, Function& in);
    Type type_of(const code::ExprPtr& e, Function& in);
    Type type_of_call(const code::CallExpr& call, Function& in);
    Type type_of_number(code::BinaryOp op, const Type& a, const Type& b) const;

    // ---- NumPy's numbers (heap_code_arrays.cpp) ----
    static bool is_number(const Type& type) { return type.size() == 1 && std::string("ifoIFp").find(type[0]) != std::string::npos; }
    /// NumPy's, or maybe.
    static bool is_of_numpy(const Type& type) { return type == "I" || type == "F" || type == "B" || type == "p"; }
    static Type type_of_numpy(code::BinaryOp op, const Type& a, const Type& b);
    Type type_of_comparison(const code::CompareExpr& n, Function& in);
    Type type_of_array_function(const std::string& name, const code::CallExpr& n, Function& in);
    std::string arithmetic_of_numpy(code::BinaryOp op, const std::string& name, const std::string& a, const std::string& b,
                                    const Type& left, const Type& right) const;
    std::string comparison_of_numpy(const std::string& a, const std::string& b, const Type& left, const Type& right,
                                    const std::string& op) const;
    std::string as_element(const code::CallExpr& e, Function& in);
    std::string array_function(const code::CallExpr& e, Function& in);
    static Type type_of_function_of_numpy(const std::string& name, const Type& type);
    static std::string function_of_numpy(const std::string& name, const std::string& text);
    static std::string as_scalar(const std::string& text, const Type& type);
    static std::string form_of_number(const Type& type);
    std::vector<std::pair<std::string, code::ExprPtr>> bound(const code::CallExpr& call, const Function& function) const;
    void find_unsure(Function& function);
    void find_uses();
    Type infer_taken(const std::string& spec, std::size_t& at, const std::vector<std::string>& parts, Function& in);

    // ---- expressions (heap_code_values.cpp) ----
    std::string cpp(const Type& type);
    std::string converted(const std::string& text, const Type& from, const Type& to);
    std::string way(Function& in, const Function* owner) const;
    std::string place(const std::string& name, Function& in) const;
    std::string value(const code::ExprPtr& e, Function& in);
    std::string value_as(const code::ExprPtr& e, const Type& type, Function& in) {
        return converted(value(e, in), type_of(e, in), type);
    }
    std::string truth(const code::ExprPtr& e, Function& in);
    std::string arithmetic(code::BinaryOp op, const std::string& a, const std::string& b, const Type& left,
                           const Type& right) const;
    std::string comparison(code::CompareOp op, const code::ExprPtr& left, const code::ExprPtr& right, Function& in);
    std::string call(const code::CallExpr& e, Function& in);
    std::string call_function(const code::CallExpr& e, Function& function, Function& in);

    // ---- statements (heap_code.cpp) ----
    void print(const code::Body& body, Function& in, Lines& out);
    void print(const code::StmtPtr& one, Function& in, Lines& out);
    void print_loop(const code::ForStmt& s, Function& in, Lines& out);
    void print_loop(const std::string& head, const Lines& first, const code::Body& body, const code::Body& otherwise, Function& in,
                    Lines& out);
    void print_call(const code::CallExpr& call, Function& in, Lines& out);
    void store(const code::ExprPtr& target, const std::string& text, const Type& type, Function& in, Lines& out);
    std::string raise(const code::AssertStmt& s, const Span& span);
    void print_return(const code::ExprPtr& value, Function& in, Lines& out);
    void print_function(Function& function, Lines& out);
    std::string signature(const Function& function, const std::string& name);
    Lines variables(const Function& function);
    std::string program_text();

    // ---- results (heap_results.cpp) ----
    void print_result(const code::ExprPtr& value, Function& in, Lines& out);
    std::string put(const std::string& spec, std::size_t& at, const Type& type, const std::vector<std::string>& parts,
                    std::string& form);
    std::size_t result_number(const std::string& form);
    std::string take(const std::string& spec, std::size_t& at, const std::vector<std::string>& parts);
    std::string take_parameter(const code::CallExpr& call);
    std::string keeps_changes() const;

    const Program& program_;
    std::map<std::string, ArgumentType> arguments_;
    std::vector<std::unique_ptr<Function>> functions_;
    Function* main_ = nullptr;
    bool changed_ = false, objects_ = false;
    std::vector<std::pair<std::string, std::string>> changing_;  ///< Forms of arguments that may change, and what writes one.
    std::vector<Tuple> tuples_;                                  ///< Structs, in the order of their definitions.
    std::vector<Raise> raises_;
    std::vector<std::string> results_;            ///< Forms of what is returned.
    std::map<std::string, std::string> writers_;  ///< Functions that write an object, by what they read.
    Lines writer_functions_;
    std::vector<std::string> loops_;  ///< Of each loop around: what says that it was left; empty: nobody asks.
    std::size_t names_ = 0;
};

}  // namespace sluice::frontend
