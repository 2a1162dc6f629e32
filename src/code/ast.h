// The syntax tree of the Python subset that tasklets, conditions, lambdas and @program sources are written in.
// Trees are immutable and shared; every node carries its Span.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "support/diagnostic.h"

namespace sluice::code {

struct Expr;
struct Stmt;
using ExprPtr = std::shared_ptr<const Expr>;
using StmtPtr = std::shared_ptr<const Stmt>;
using Body = std::vector<StmtPtr>;

enum class UnaryOp : std::uint8_t { Plus, Minus, Not, Invert };
enum class BinaryOp : std::uint8_t { Add, Sub, Mul, Div, FloorDiv, Mod, Pow, MatMul, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight };
enum class CompareOp : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge, Is, IsNot, In, NotIn };

// ---- expressions --------------------------------------------------------------------------------------------------------
struct NameExpr {
    std::string id;
};
struct NoneValue {
    bool operator==(const NoneValue&) const = default;
};
struct EllipsisValue {
    bool operator==(const EllipsisValue&) const = default;
};
/// `3j`
struct ImaginaryValue {
    double value;
    bool operator==(const ImaginaryValue&) const = default;
};
/// Integers beyond 64 bits are a syntax error (P012).
struct ConstantExpr {
    std::variant<NoneValue, EllipsisValue, bool, std::int64_t, double, ImaginaryValue, std::string> value;
};
struct UnaryExpr {
    UnaryOp op;
    ExprPtr operand;
};
struct BinaryExpr {
    BinaryOp op;
    ExprPtr left, right;
};
/// `a and b and c` has three operands.
struct BoolExpr {
    bool is_and;
    std::vector<ExprPtr> operands;
};
/// `a < b <= c`: ops.size() + 1 == operands.size().
struct CompareExpr {
    std::vector<CompareOp> ops;
    std::vector<ExprPtr> operands;
};
struct ConditionalExpr {
    ExprPtr condition, if_true, if_false;
};
struct Keyword {
    std::string name;  ///< Empty: `**value`.
    ExprPtr value;
};
/// The name under which an f-string is a call: of its texts and values in order.
constexpr std::string_view kFormatted = "f-string";
/// Likewise of `{value!r}`.
constexpr std::string_view kRepr = "!r";
struct CallExpr {
    ExprPtr function;
    std::vector<ExprPtr> arguments;
    std::vector<Keyword> keywords;
};
struct AttributeExpr {
    ExprPtr object;
    std::string name;
};
/// `object[index]`; several dimensions are a TupleExpr.
struct SubscriptExpr {
    ExprPtr object;
    ExprPtr index;
};
/// Only inside a subscript; each part may be null.
struct SliceExpr {
    ExprPtr begin, end, step;
};
struct TupleExpr {
    std::vector<ExprPtr> elements;
};
struct ListExpr {
    std::vector<ExprPtr> elements;
};
struct LambdaExpr {
    std::vector<std::string> parameters;
    ExprPtr body;
};
/// `*value` among arguments, elements or targets.
struct StarredExpr {
    ExprPtr value;
};
/// `(name := value)`
struct NamedExpr {
    ExprPtr target, value;
};
/// `{key: value}`
struct DictExpr {
    std::vector<ExprPtr> keys, values;
};
/// `for target in iterable if condition ...` of a comprehension.
struct ComprehensionClause {
    ExprPtr target, iterable;
    std::vector<ExprPtr> conditions;
};
/// `[element for ... in ...]`, or in parentheses as a generator.
struct ComprehensionExpr {
    ExprPtr element;
    std::vector<ComprehensionClause> clauses;
    bool is_list;
};
struct Expr {
    std::variant<NameExpr, ConstantExpr, UnaryExpr, BinaryExpr, BoolExpr, CompareExpr, ConditionalExpr, CallExpr, AttributeExpr,
                 SubscriptExpr, SliceExpr, TupleExpr, ListExpr, LambdaExpr, StarredExpr, NamedExpr, DictExpr, ComprehensionExpr>
        node;
    Span span;
};

// ---- statements ---------------------------------------------------------------------------------------------------------
/// `a = b = value` has two targets.
struct AssignStmt {
    std::vector<ExprPtr> targets;
    ExprPtr value;
};
struct AugAssignStmt {
    ExprPtr target;
    BinaryOp op;
    ExprPtr value;
};
struct AnnAssignStmt {
    ExprPtr target;
    ExprPtr annotation;
    ExprPtr value;  ///< May be null.
};
struct ExprStmt {
    ExprPtr value;
};
struct IfStmt {
    ExprPtr condition;
    Body then_body, else_body;  ///< `elif` is an IfStmt alone in else_body.
};
struct ForStmt {
    ExprPtr target, iterable;
    Body body, else_body;
};
struct WhileStmt {
    ExprPtr condition;
    Body body, else_body;
};
struct WithItem {
    ExprPtr context;
    ExprPtr target;  ///< May be null.
};
struct WithStmt {
    std::vector<WithItem> items;
    Body body;
};
struct Parameter {
    enum class Kind : std::uint8_t { Either, KeywordOnly, Variadic };  ///< Variadic: `*name`; with a default, `{}`: `**name`.
    std::string name;
    ExprPtr annotation;     ///< May be null.
    ExprPtr default_value;  ///< May be null.
    Span span;
    Kind kind = Kind::Either;
};
struct FunctionStmt {
    std::string name;
    std::vector<Parameter> parameters;
    ExprPtr returns;  ///< May be null.
    std::vector<ExprPtr> decorators;
    Body body;
};
struct ReturnStmt {
    ExprPtr value;  ///< May be null.
};
/// `raise message` is an assertion that never holds.
struct AssertStmt {
    ExprPtr condition, message;
    bool raises = false;
};
/// `del a, b`
struct DeleteStmt {
    std::vector<ExprPtr> targets;
};
struct ImportStmt {
    std::string module;                                      ///< `numpy`
    std::vector<std::pair<std::string, std::string>> names;  ///< from-import: (name, local name), `*` for all; else empty.
    std::string alias;                                       ///< Local name of `import m as a`; the module itself without `as`.
};
struct PassStmt {};
struct BreakStmt {};
struct ContinueStmt {};
/// A construct outside the subset at module level (class, try, comprehension, ...): kept as text so that the rest of the file
/// can be used; a program that needs it is refused with its span.
struct UnsupportedStmt {
    std::string keyword;  ///< `class`, `dict`, `comprehension`, ...
    std::string text;     ///< Without the indentation of its first line.
};
struct Stmt {
    std::variant<AssignStmt, AugAssignStmt, AnnAssignStmt, ExprStmt, IfStmt, ForStmt, WhileStmt, WithStmt, FunctionStmt, ReturnStmt,
                 AssertStmt, ImportStmt, PassStmt, BreakStmt, ContinueStmt, UnsupportedStmt, DeleteStmt>
        node;
    Span span;
};

/// Structural equality; spans do not count.
bool equal(const Expr& a, const Expr& b);
bool equal(const Body& a, const Body& b);

}  // namespace sluice::code
