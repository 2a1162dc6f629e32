#include "frontend/python/constants.h"

#include <algorithm>

#include "code/parse.h"
#include "code/walk.h"
#include "frontend/python/syntax.h"

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
    Constants(const std::map<std::string, ExprPtr>& values, const std::set<std::string>& objects)
        : values_(values), objects_(objects) {}

    Body in(const Body& body) const {
        Body result;
        for (const StmtPtr& statement : body)
            result.push_back(with_parts(
                statement, [&](const ExprPtr& e) { return in(e); }, [&](const Body& inside) { return in(inside); }));
        return result;
    }

private:
    ExprPtr in(const ExprPtr& e) const {
        return replace_parts(e, [&](const ExprPtr& part) -> ExprPtr {
            const auto value = values_.find(std::string(name_of(part)));
            if (value != values_.end()) return with_span(value->second, part->span);
            const auto* compare = std::get_if<CompareExpr>(&part->node);
            if (!compare || compare->ops.size() != 1) return nullptr;
            const bool is = compare->ops[0] == CompareOp::Is, is_not = compare->ops[0] == CompareOp::IsNot;
            const auto is_object = [&](const ExprPtr& one) { return objects_.contains(std::string(name_of(one))); };
            if ((is || is_not) && is_none(compare->operands[1]) && is_object(compare->operands[0]))
                return make_boolean(is_not, part->span);
            return nullptr;
        });
    }

    const std::map<std::string, ExprPtr>& values_;
    const std::set<std::string>& objects_;
};

}  // namespace

StmtPtr with_constants(const StmtPtr& function, const Definition& definition, Bindings& globals) {
    if (definition.constants.empty() && definition.objects.empty()) return function;
    const std::map<std::string, int> used = occurrences(std::get<FunctionStmt>(function->node).body);
    std::map<std::string, ExprPtr> values;
    Body front;
    for (const auto& [name, text] : definition.constants) {
        if (!used.contains(name)) continue;
        const ExprPtr value = parse_expr(text).or_fail();
        if (!can_change(value)) {
            values.emplace(name, value);
            continue;
        }
        const Span& span = function->span;
        front.push_back(make_assignment(make_name(name, span), make_call(kGiven, {with_span(value, span)}, span), span));
        globals.emplace(kGiven, FunctionBinding{"sluice.explicit.given"});
    }
    Stmt copy = *function;
    Body& body = std::get<FunctionStmt>(copy.node).body;
    body = Constants(values, definition.objects).in(body);
    body.insert(body.begin(), front.begin(), front.end());
    return std::make_shared<const Stmt>(std::move(copy));
}

}  // namespace sluice::frontend
