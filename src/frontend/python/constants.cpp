#include "frontend/python/constants.h"

#include <algorithm>

#include "code/parse.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr const char* kGiven = "__given";

/// A list or a dictionary, or a tuple that holds one.
bool can_change(const ExprPtr& e) {
    if (std::holds_alternative<ListExpr>(e->node) || std::holds_alternative<DictExpr>(e->node)) return true;
    bool found = false;
    for_each_child(*e, [&](const ExprPtr& one) { found = found || can_change(one); });
    return found;
}

ExprPtr with_span(const ExprPtr& e, const Span& span) {
    code::Expr copy = *e;
    copy.span = span;
    if (auto* tuple = std::get_if<TupleExpr>(&copy.node))
        for (ExprPtr& element : tuple->elements) element = with_span(element, span);
    if (auto* list = std::get_if<ListExpr>(&copy.node))
        for (ExprPtr& element : list->elements) element = with_span(element, span);
    if (auto* unary = std::get_if<UnaryExpr>(&copy.node)) unary->operand = with_span(unary->operand, span);
    return std::make_shared<const code::Expr>(std::move(copy));
}

class Constants {
public:
    Constants(const std::map<std::string, ExprPtr>& values, const Definition& definition)
        : values_(values), definition_(definition) {}

    Body in(const Body& body) const {
        return with_expressions(body, [&](const ExprPtr& e) { return in(e); });
    }

private:
    ExprPtr in(const ExprPtr& e) const {
        return replace_parts(e, [&](const ExprPtr& part) { return value_of(part); });
    }
    ExprPtr value_of(const ExprPtr& part) const {
        const Span& span = part->span;
        const auto known = definition_.known.find({span.line, span.column, span.end_line, span.end_column});
        if (known != definition_.known.end()) return value_of(part, known->second);
        const auto value = values_.find(std::string(name_of(part)));
        if (value != values_.end()) return with_span(value->second, span);
        const auto* compare = std::get_if<CompareExpr>(&part->node);
        if (!compare || compare->ops.size() != 1) return nullptr;
        const bool is = compare->ops[0] == CompareOp::Is, is_not = compare->ops[0] == CompareOp::IsNot;
        const bool of_object = definition_.objects.contains(std::string(name_of(compare->operands[0])));
        return (is || is_not) && is_none(compare->operands[1]) && of_object ? make_boolean(is_not, span) : nullptr;
    }
    ExprPtr value_of(const ExprPtr& part, const KnownExpression& known) const {
        if (!known.text.empty()) return with_span(parse_expr(known.text).or_fail(), part->span);
        const auto* call = std::get_if<CallExpr>(&part->node);
        if (!call) return nullptr;
        CallExpr rest{make_name(known.function, call->function->span), {}, {}};
        for (std::size_t at = 0; at < call->arguments.size(); ++at)
            if (!known.dropped.contains(at)) rest.arguments.push_back(in(call->arguments[at]));
        for (const Keyword& keyword : call->keywords)
            if (!known.dropped_keywords.contains(keyword.name)) {
                rest.keywords.push_back(keyword);
                rest.keywords.back().value = in(keyword.value);
            }
        return std::make_shared<const code::Expr>(code::Expr{std::move(rest), part->span});
    }

    const std::map<std::string, ExprPtr>& values_;
    const Definition& definition_;
};

}  // namespace

StmtPtr with_constants(const StmtPtr& function, const Definition& definition, Bindings& globals) {
    const auto& [name_of_function, parameters, returns, decorators, written] = std::get<FunctionStmt>(function->node);
    const std::map<std::string, int> used = occurrences(written), assigned = binding_counts(written);
    const std::set<std::string> inner = inner_names(written);
    Stmt copy = *function;
    Body& body = std::get<FunctionStmt>(copy.node).body;
    std::map<std::string, ExprPtr> values;
    Body front;
    for (const auto& [name, text] : definition.constants) {
        if (!used.contains(name)) continue;
        const ExprPtr value = parse_expr(text).or_fail();
        if (!can_change(value) && !assigned.contains(name) && !inner.contains(name)) {
            values.emplace(name, value);
            continue;
        }
        const Span& span = function->span;
        const ExprPtr here = with_span(value, span);
        front.push_back(make_assignment(make_name(name, span), can_change(value) ? make_call(kGiven, {here}, span) : here, span));
        globals.emplace(kGiven, FunctionBinding{"sluice.explicit.given"});
    }
    body = Constants(values, definition).in(body);
    body.insert(body.begin(), front.begin(), front.end());
    return std::make_shared<const Stmt>(std::move(copy));
}

}  // namespace sluice::frontend
