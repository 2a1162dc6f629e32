// The memo of parsed texts, and what the grammar needs to know of Python code: symbolic value, free names, reductions.
#include "ir/code_block.h"

#include <mutex>
#include <unordered_map>

#include "code/parse.h"
#include "symbolic/connectives.h"

namespace sluice::ir {

// ---- parsing ------------------------------------------------------------------------------------------------------------
namespace {

/// Results by text and place. A mutex guards the table; it is emptied when it has grown large, since texts can come without end
/// in a long-lived process and trees in use are shared by their users.
template <class T> class Memo {
public:
    template <class Parse> Result<T> get(const std::string& text, const Span& where, Parse&& parse) {
        std::string key = text;
        if (where.known())
            key.append(1, '\0').append(std::to_string(where.line)).append(1, ':').append(where.file ? *where.file : "");
        {
            const std::lock_guard lock(mutex_);
            if (const auto at = results_.find(key); at != results_.end()) return at->second;
        }
        code::ParseOptions options;
        if (where.known()) {
            options.file = where.file ? *where.file : "";
            options.first_line = where.line;
        }
        Result<T> result = parse(text, options);
        const std::lock_guard lock(mutex_);
        if (results_.size() >= kMost) results_.clear();
        results_.emplace(std::move(key), result);
        return result;
    }

private:
    static constexpr std::size_t kMost = 1u << 16;
    std::mutex mutex_;
    std::unordered_map<std::string, Result<T>> results_;
};

Diagnostic error_at(std::string code, std::string message, const Span& where, std::string remedy) {
    return {.code = std::move(code),
            .message = std::move(message),
            .where = where,
            .path = {},
            .remedy = std::move(remedy),
            .notes = {}};
}

}  // namespace

Result<code::Body> parsed_body(const CodeBlock& block, const Span& where) {
    if (block.language != Language::Python)
        return error_at("R002", "the code is " + std::string(to_string(block.language)) + ", not Python", where,
                        "ask for the tree of Python code only; code in other languages is opaque");
    static Memo<code::Body> memo;
    return memo.get(block.text, where,
                    [](const std::string& text, const code::ParseOptions& options) { return code::parse_body(text, options); });
}

Result<code::ExprPtr> parsed_expr(const std::string& text, const Span& where) {
    static Memo<code::ExprPtr> memo;
    return memo.get(text, where,
                    [](const std::string& source, const code::ParseOptions& options) { return code::parse_expr(source, options); });
}

// ---- to symbolic --------------------------------------------------------------------------------------------------------
namespace {

[[noreturn]] void no_symbolic_form(const char* what, const Span& where) {
    fail(error_at("R001", std::string(what) + " has no symbolic form", where,
                  "compute the value in a tasklet or an assignment and use its name here"));
}

Expr symbolic_of(const code::Expr& e);

/// `np.minimum` of a chain of attributes on a name, empty for anything else.
std::string dotted_name(const code::Expr& e) {
    if (const auto* name = std::get_if<code::NameExpr>(&e.node)) return name->id;
    const auto* attribute = std::get_if<code::AttributeExpr>(&e.node);
    if (!attribute) return {};
    std::string object = dotted_name(*attribute->object);
    return object.empty() ? object : object + "." + attribute->name;
}

Expr compare(code::CompareOp op, const Expr& left, const Expr& right, const Span& where) {
    switch (op) {
        case code::CompareOp::Eq:
            return symbolic::equal(left, right);
        case code::CompareOp::Ne:
            return symbolic::not_equal(left, right);
        case code::CompareOp::Lt:
            return symbolic::less(left, right);
        case code::CompareOp::Le:
            return symbolic::less_equal(left, right);
        case code::CompareOp::Gt:
            return symbolic::less(right, left);
        case code::CompareOp::Ge:
            return symbolic::less_equal(right, left);
        case code::CompareOp::Is:
        case code::CompareOp::IsNot:
        case code::CompareOp::In:
        case code::CompareOp::NotIn:
            break;
    }
    no_symbolic_form("a test of identity or membership", where);
}

struct ToSymbolic {
    const Span& where;

    Expr operator()(const code::NameExpr& e) const { return symbolic::symbol(e.id); }
    Expr operator()(const code::ConstantExpr& e) const {
        if (const auto* value = std::get_if<bool>(&e.value)) return symbolic::boolean(*value);
        if (const auto* value = std::get_if<std::int64_t>(&e.value)) return symbolic::integer(*value);
        if (const auto* value = std::get_if<double>(&e.value)) return symbolic::real(*value);
        no_symbolic_form("a constant that is not a real number", where);
    }
    Expr operator()(const code::UnaryExpr& e) const {
        const Expr operand = symbolic_of(*e.operand);
        switch (e.op) {
            case code::UnaryOp::Plus:
                return operand;
            case code::UnaryOp::Minus:
                return -operand;
            case code::UnaryOp::Not:
                return symbolic::logical_not(operand);
            case code::UnaryOp::Invert:
                break;
        }
        return symbolic::call("bitwise_invert", {operand});
    }
    Expr operator()(const code::BinaryExpr& e) const {
        const Expr left = symbolic_of(*e.left), right = symbolic_of(*e.right);
        switch (e.op) {
            case code::BinaryOp::Add:
                return left + right;
            case code::BinaryOp::Sub:
                return left - right;
            case code::BinaryOp::Mul:
                return left * right;
            case code::BinaryOp::Div:
                return symbolic::true_divide(left, right);
            case code::BinaryOp::FloorDiv:
                return symbolic::floor_divide(left, right);
            case code::BinaryOp::Mod:
                return symbolic::modulo(left, right);
            case code::BinaryOp::Pow:
                return symbolic::power(left, right);
            case code::BinaryOp::BitAnd:
                return symbolic::call("bitwise_and", {left, right});
            case code::BinaryOp::BitOr:
                return symbolic::call("bitwise_or", {left, right});
            case code::BinaryOp::BitXor:
                return symbolic::call("bitwise_xor", {left, right});
            case code::BinaryOp::ShiftLeft:
                return symbolic::call("left_shift", {left, right});
            case code::BinaryOp::ShiftRight:
                return symbolic::call("right_shift", {left, right});
            case code::BinaryOp::MatMul:
                break;
        }
        no_symbolic_form("a matrix product", where);
    }
    Expr operator()(const code::BoolExpr& e) const {
        std::vector<Expr> operands;
        for (const code::ExprPtr& operand : e.operands) operands.push_back(symbolic_of(*operand));
        return e.is_and ? symbolic::logical_and(operands) : symbolic::logical_or(operands);
    }
    Expr operator()(const code::CompareExpr& e) const {
        std::optional<Expr> result;
        Expr left = symbolic_of(*e.operands.front());
        for (std::size_t at = 0; at < e.ops.size(); ++at) {
            const Expr right = symbolic_of(*e.operands[at + 1]);
            const Expr one = compare(e.ops[at], left, right, where);
            result = result ? symbolic::logical_and(*result, one) : one;
            left = right;
        }
        return *result;
    }
    Expr operator()(const code::ConditionalExpr& e) const {
        return symbolic::select(symbolic_of(*e.condition), symbolic_of(*e.if_true), symbolic_of(*e.if_false));
    }
    Expr operator()(const code::CallExpr& e) const {
        const std::string name = dotted_name(*e.function);
        if (name.empty() || !e.keywords.empty()) no_symbolic_form("a call of a computed function or with keyword arguments", where);
        std::vector<Expr> arguments;
        for (const code::ExprPtr& argument : e.arguments) arguments.push_back(symbolic_of(*argument));
        return symbolic::call(name, std::move(arguments));
    }
    Expr operator()(const code::AttributeExpr& e) const {
        return symbolic::call("Attr", {symbolic_of(*e.object), symbolic::symbol(e.name)});
    }
    Expr operator()(const code::SubscriptExpr& e) const {
        std::vector<Expr> arguments{symbolic_of(*e.object)};
        if (const auto* tuple = std::get_if<code::TupleExpr>(&e.index->node))
            for (const code::ExprPtr& element : tuple->elements) arguments.push_back(symbolic_of(*element));
        else
            arguments.push_back(symbolic_of(*e.index));
        return symbolic::call("Subscript", std::move(arguments));
    }
    Expr operator()(const code::SliceExpr&) const { no_symbolic_form("a slice", where); }
    Expr operator()(const code::TupleExpr&) const { no_symbolic_form("a tuple", where); }
    Expr operator()(const code::ListExpr&) const { no_symbolic_form("a list", where); }
    Expr operator()(const code::LambdaExpr&) const { no_symbolic_form("a lambda", where); }
    Expr operator()(const code::StarredExpr&) const { no_symbolic_form("a starred expression", where); }
    Expr operator()(const code::NamedExpr&) const { no_symbolic_form("an assignment", where); }
    Expr operator()(const code::DictExpr&) const { no_symbolic_form("a dictionary", where); }
    Expr operator()(const code::ComprehensionExpr&) const { no_symbolic_form("a comprehension", where); }
};

Expr symbolic_of(const code::Expr& e) {
    return std::visit(ToSymbolic{e.span}, e.node);
}

}  // namespace

Result<Expr> to_symbolic(const code::Expr& e) {
    return capture([&] { return symbolic_of(e); });
}

code::ExprPtr to_code(const Expr& e) {
    const std::string text = symbolic::to_string(e);
    Result<code::ExprPtr> tree = parsed_expr(text);
    check(tree.ok(), "the symbolic expression ", text, " does not print as Python");
    return std::move(tree).value();
}

}  // namespace sluice::ir
