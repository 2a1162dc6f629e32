// A list that holds integers of Python's beside floats holds floats here, and so does a variable that is assigned one of its
// elements:
//     dp = [math.inf] * n; dp[0] = 0          dp[0] is 0 in Python, and 0.0 here
// In arithmetic with floats both are one. Where the type itself is asked for, by returning the number, the program is refused.
#include <algorithm>
#include <array>
#include <string_view>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/lists.h"
#include "frontend/python/numbers.h"

namespace sluice::frontend {

using namespace code;

bool Numbers::is_open(const Value& value) const {
    return !t_.context_.open_numbers.empty() && value.is_elements() && value.code && is_open(value.code, value);
}

bool Numbers::is_integer(const ExprPtr& e, const Value& value) const {
    if (const auto operand = value.operands.find(std::string(name_of(e))); operand != value.operands.end())
        return code::is_integer(operand->second.dtype.scalar);
    if (const auto* constant = std::get_if<ConstantExpr>(&e->node)) return !std::holds_alternative<double>(constant->value);
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node))
        return binary->op != BinaryOp::Div && is_integer(binary->left, value) && is_integer(binary->right, value);
    if (const auto* unary = std::get_if<UnaryExpr>(&e->node)) return is_integer(unary->operand, value);
    return !name_of(e).empty();  // A symbol.
}

bool Numbers::is_open(const ExprPtr& e, const Value& value) const {
    if (const auto operand = value.operands.find(std::string(name_of(e))); operand != value.operands.end())
        return t_.context_.open_numbers.contains(operand->second.data);
    const auto both = [&](const ExprPtr& a, const ExprPtr& b) {
        return (is_open(a, value) && (is_open(b, value) || is_integer(b, value))) || (is_open(b, value) && is_integer(a, value));
    };
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node))
        return binary->op != BinaryOp::Div && both(binary->left, binary->right);
    if (const auto* unary = std::get_if<UnaryExpr>(&e->node)) return unary->op != UnaryOp::Not && is_open(unary->operand, value);
    if (const auto* choice = std::get_if<ConditionalExpr>(&e->node))
        return is_open(choice->if_true, value) || is_open(choice->if_false, value);
    static constexpr std::array<std::string_view, 3> kKeeping{"min", "max", "abs"};
    const auto* call = std::get_if<CallExpr>(&e->node);
    return call && std::ranges::find(kKeeping, name_of(call->function)) != kKeeping.end() &&
           std::ranges::any_of(call->arguments, [&](const ExprPtr& one) { return is_open(one, value); });
}

void Numbers::add_open(const std::string& data) {
    if (t_.context_.open_numbers.insert(data).second && t_.context_.returned_as_they_are.contains(data)) throw StartAgain{};
}

void Numbers::add_open(const Value& result, const Value& elements) {
    if (!is_open(elements)) return;
    for (const auto& [id, operand] : result.operands) add_open(operand.data);
}

void Numbers::note_open(const Target& target, const Value& value) {
    const std::string& data = target.view.data;
    const bool variable = target.view.index.empty() || (target.shape.empty() && data.starts_with("__return"));
    if (!variable || target.scatter || !is_open(value) || t_.context_.open_numbers.contains(data)) return;
    add_open(data);
}

void Translator::note_assigned(const Target& target, const Value& value) {
    Numbers(*this).note_open(target, value);
}

void Numbers::refuse_open(const Value& value, const Span& span) {
    if (!t_.context_.tells_places || value.rank() > 0) return;
    if (is_open(value) && Lists(t_).tell_open_types()) throw StartAgain{};
    if (is_open(value))
        refuse("F008", "a returned number that is an integer or a float of Python's, by an element of a list that holds both", span,
               "return float(x), or let the list hold floats alone");
    for (const auto& [id, operand] : value.operands) t_.context_.returned_as_they_are.insert(operand.data);
}

}  // namespace sluice::frontend
