// Compiles the Python subset to programs: expressions and statements typed by NumPy's rules, lane by lane for vectors.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "code/ast.h"
#include "interpret/instructions.h"

namespace sluice::interpret {

/// A typed value in registers, one for each lane. `weak` as in code/infer.h.
struct Value {
    Scalar scalar = Scalar::Void;
    bool weak = false;
    std::vector<std::uint32_t> registers;

    code::Type type() const { return {DType(scalar, static_cast<std::uint32_t>(registers.size())), weak}; }
};

class CodeCompiler;

/// What names mean to a piece of code.
class Names {
public:
    virtual ~Names() = default;
    virtual std::optional<code::Type> type_of(const std::string& name) = 0;
    virtual std::optional<Value> name(CodeCompiler& compiler, const std::string& name) = 0;
    virtual std::optional<Value> element(CodeCompiler& compiler, const std::string& name, const std::vector<Value>& indices) = 0;
    virtual std::optional<Value> length(CodeCompiler& compiler, const std::string& name) = 0;
    /// False: the name is local to the code.
    virtual bool assign(CodeCompiler&, const std::string&, const Value&) { return false; }
    virtual bool assign_element(CodeCompiler&, const std::string&, const std::vector<Value>&, const Value&) { return false; }
};

class CodeCompiler {
public:
    CodeCompiler(Program& program, Names& names, std::string path) : program_(program), names_(names), path_(std::move(path)) {}

    Value expression(const code::Expr& e);
    /// A bool.
    Value condition(const code::Expr& e);
    void body(const code::Body& body);
    void finish();

    Value convert(const Value& value, const DType& type);
    Value constant(Scalar scalar, const Cell& cell, bool weak);
    Value fresh(const DType& type, bool weak = false);
    std::uint32_t new_register() {
        return program_.registers.emplace_back(), static_cast<std::uint32_t>(program_.registers.size() - 1);
    }
    std::size_t emit(Operation operation, std::uint32_t to, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0);
    void copy(const Value& from, const Value& to);
    /// Consecutive registers that hold the values as 64-bit integers; the first.
    std::uint32_t as_indices(const std::vector<Value>& indices);
    std::size_t here() const { return program_.instructions.size(); }
    void land(std::size_t jump_at);
    void jump_to(std::size_t target);
    std::optional<std::int64_t> known_integer(const Value& value) const;
    [[noreturn]] void refuse(const std::string& what, const Span& where);
    const std::string& path() const { return path_; }

private:
    Value literal(const code::ConstantExpr& e, const Span& where);
    Value unary(const code::UnaryExpr& e, const Span& where);
    Value binary(code::BinaryOp op, const Value& left, const Value& right, const Span& where);
    Value comparison(const code::CompareExpr& e, const Span& where);
    Value compare(code::CompareOp op, const Value& left, const Value& right, const Span& where);
    Value membership(bool negated, const Value& left, const code::Expr& right, const Span& where);
    Value boolean(const code::BoolExpr& e);
    Value conditional(const code::ConditionalExpr& e);
    Value subscript(const code::SubscriptExpr& e, const Span& where);
    Value attribute(const code::AttributeExpr& e, const code::Expr& whole);
    Value call(const code::CallExpr& e, const code::Expr& whole);
    std::optional<Value> method(const code::CallExpr& e);
    Value cast(const DType& type, const std::vector<Value>& arguments, bool python);
    Value apply(std::string_view function, const std::vector<Value>& arguments, const code::Type& result, const Span& where);
    Value negated(const Value& truth);
    Value truth(const Value& value);
    std::vector<Value> indices_of(const code::Expr& index);

    void statement(const code::Stmt& s);
    void assign(const code::Expr& target, const Value& value);
    void count(const code::ForStmt& loop, const Span& where);
    void repeat(const code::WhileStmt& loop);
    void declare_locals(const code::Body& body);

    Program& program_;
    Names& names_;
    std::string path_;
    std::map<std::string, Value> locals_;
    std::map<std::uint32_t, Cell> constants_;
    struct Loop {
        std::vector<std::size_t> breaks, continues;
    };
    std::vector<Loop> loops_;
};

}  // namespace sluice::interpret
