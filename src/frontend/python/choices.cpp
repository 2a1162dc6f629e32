#include "frontend/python/choices.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/lazy.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// Attributes and methods that are views of arrays.
constexpr std::string_view kViews[] = {"T",       "mT",        "real",     "imag",     "reshape", "ravel",
                                       "squeeze", "transpose", "swapaxes", "diagonal", "view"};

bool selects_part(const ExprPtr& item) {
    const auto* constant = std::get_if<ConstantExpr>(&item->node);
    return std::holds_alternative<SliceExpr>(item->node) || is_none(item) ||
           (constant && std::holds_alternative<EllipsisValue>(constant->value));
}

}  // namespace

/// Whether the value may be an array that has a name, or holds one.
bool Choices::names_array(const ExprPtr& e) {
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) {
        const auto items = elements_of(subscript->index);
        const auto known = t_.variables_.find(std::string(name_of(subscript->object)));
        const bool element =
            known != t_.variables_.end() && known->second.value.rank() == items.size() && std::ranges::none_of(items, selects_part);
        return !element && names_array(subscript->object);
    }
    if (const auto* attribute = std::get_if<AttributeExpr>(&e->node))
        return std::ranges::find(kViews, attribute->name) != std::end(kViews) && names_array(attribute->object);
    if (const auto* choice = std::get_if<ConditionalExpr>(&e->node))
        return names_array(choice->if_true) || names_array(choice->if_false);
    if (const auto* call = std::get_if<CallExpr>(&e->node))
        return std::holds_alternative<AttributeExpr>(call->function->node) && names_array(call->function);
    std::vector<ExprPtr> parts;
    if (const auto* keyed = std::get_if<DictExpr>(&e->node)) parts = keyed->values;
    if (std::holds_alternative<TupleExpr>(e->node) || std::holds_alternative<ListExpr>(e->node)) parts = elements_of(e);
    if (!parts.empty()) return std::ranges::any_of(parts, [&](const ExprPtr& part) { return names_array(part); });
    const auto known = t_.variables_.find(std::string(name_of(e)));
    if (known == t_.variables_.end()) return false;
    const Value& value = known->second.value;
    return value.rank() > 0 || std::ranges::any_of(value.elements, [](const Value& one) { return one.rank() > 0; });
}

/// Whether the value is known now, and is no number or array: where paths meet, a name means one on each.
bool Choices::names_object(const ExprPtr& e) {
    if (const auto* choice = std::get_if<ConditionalExpr>(&e->node))
        return names_object(choice->if_true) || names_object(choice->if_false);
    const auto known = t_.variables_.find(std::string(name_of(e)));
    if (known == t_.variables_.end()) return is_none(e) || text_of(e) || std::holds_alternative<LambdaExpr>(e->node);
    const Value::Kind kind = known->second.value.kind;
    return kind == Value::Kind::None || kind == Value::Kind::Text || kind == Value::Kind::Function;
}

/// Whether the value is read from an array, be it one element: of an element that is not there nothing is read.
bool Choices::reads_array(const ExprPtr& e) {
    ExprPtr base = e;
    while (const auto* subscript = std::get_if<SubscriptExpr>(&base->node)) base = subscript->object;
    if (const auto* inner = std::get_if<ConditionalExpr>(&base->node)) base = inner->if_true;
    const auto known = t_.variables_.find(std::string(name_of(base)));
    return known != t_.variables_.end() && known->second.value.rank() > 0;
}

ExprPtr Choices::choice_in(const ExprPtr& e) {
    if (const auto* choice = std::get_if<ConditionalExpr>(&e->node))
        return !t_.decided(choice->condition) && (names_array(e) || names_object(e)) ? e : nullptr;
    std::vector<ExprPtr> parts;
    if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) parts = {subscript->object};
    if (const auto* attribute = std::get_if<AttributeExpr>(&e->node)) parts = {attribute->object};
    if (const auto* keyed = std::get_if<DictExpr>(&e->node)) parts = keyed->values;
    if (std::holds_alternative<TupleExpr>(e->node) || std::holds_alternative<ListExpr>(e->node)) parts = elements_of(e);
    if (const auto* call = std::get_if<CallExpr>(&e->node)) {
        if (std::holds_alternative<AttributeExpr>(call->function->node)) parts = {call->function};
        parts.insert(parts.end(), call->arguments.begin(), call->arguments.end());
        for (const Keyword& keyword : call->keywords) parts.push_back(keyword.value);
    }
    for (const ExprPtr& part : parts)
        if (const ExprPtr found = choice_in(part)) return found;
    return nullptr;
}

/// A conditional expression, or what Python's min and max of several numbers are: `max(a, b)` is `b if b > a else a`. Else null.
ExprPtr Choices::as_conditional(const ExprPtr& e) const {
    if (std::holds_alternative<ConditionalExpr>(e->node)) return e;
    if (const auto* both = std::get_if<BoolExpr>(&e->node)) {  // `a and b` is `b if a else a`.
        const ExprPtr first = both->operands[0];
        if (t_.has_effects(first)) return nullptr;
        const std::vector<ExprPtr> others(both->operands.begin() + 1, both->operands.end());
        const ExprPtr rest = others.size() == 1
                                 ? others[0]
                                 : std::make_shared<const code::Expr>(code::Expr{BoolExpr{both->is_and, others}, e->span});
        return make_conditional(first, both->is_and ? rest : first, both->is_and ? first : rest, e->span);
    }
    const auto* call = std::get_if<CallExpr>(&e->node);
    const std::string name = call ? std::string(name_of(call->function)) : std::string();
    if ((name != "min" && name != "max") || !call->keywords.empty() || call->arguments.size() < 2) return nullptr;
    if (t_.bindings_.contains(name) || t_.variables_.contains(name)) return nullptr;
    const ExprPtr last = call->arguments.back();
    ExprPtr others = call->arguments[0];
    if (call->arguments.size() > 2) {
        CallExpr rest = *call;
        rest.arguments.pop_back();
        others = std::make_shared<const code::Expr>(code::Expr{std::move(rest), e->span});
    }
    return make_conditional(make_compare(last, name == "max" ? CompareOp::Gt : CompareOp::Lt, others, e->span), last, others,
                            e->span);
}

/// Python's sum of no elements is its start, the integer 0: `sum(x)` is `sum(x, 0) if len(x) > 0 else 0`. Else null.
ExprPtr Choices::sum_or_zero(const ExprPtr& e) const {
    const auto* call = std::get_if<CallExpr>(&e->node);
    if (!call || name_of(call->function) != "sum" || call->arguments.size() != 1 || !call->keywords.empty()) return nullptr;
    if (t_.bindings_.contains("sum") || t_.variables_.contains("sum")) return nullptr;
    const auto called = [&](const char* name, std::vector<ExprPtr> arguments) {
        return std::make_shared<const code::Expr>(
            code::Expr{CallExpr{make_name(name, e->span), std::move(arguments), {}}, e->span});
    };
    const ExprPtr zero = make_integer(0, e->span);
    ExprPtr some;
    ExprPtr counted = call->arguments[0];
    if (const auto* elements = std::get_if<ComprehensionExpr>(&counted->node)) {
        const ComprehensionClause& first = elements->clauses[0];
        const auto* range = std::get_if<CallExpr>(&first.iterable->node);
        const bool all = elements->clauses.size() == 1 && first.conditions.empty();
        if (all && range && name_of(range->function) == "range" && (range->arguments.size() == 1 || range->arguments.size() == 2))
            some = make_compare(range->arguments.back(), CompareOp::Gt, range->arguments.size() == 1 ? zero : range->arguments[0],
                                e->span);
        ComprehensionExpr list = *elements;
        list.is_list = true;
        counted = make_expression(std::move(list), e->span);
    }
    if (!some && t_.has_effects(e)) return nullptr;
    if (!some) some = make_compare(called("len", {counted}), CompareOp::Gt, zero, e->span);
    return make_conditional(some, called("sum", {call->arguments[0], zero}), zero, e->span);
}

/// The types that a number may have by the choices in it; false where it may be something else.
bool Choices::add_types(const ExprPtr& e, std::vector<code::Type>& types) {
    if (t_.has_effects(e) || Lazy(t_).must_wait(e)) return false;
    if (const ExprPtr choice = as_conditional(e)) {
        const auto& arms = std::get<ConditionalExpr>(choice->node);
        return add_types(arms.if_true, types) && add_types(arms.if_false, types);
    }
    const Restored unsure(t_.sure_loops_, {});
    const Restored lazy(t_.lazy_, true);
    const Value value = t_.evaluate(e);
    if (value.is_scalar()) types.push_back(value.type);
    return value.is_scalar();
}

bool Choices::has_several_types(const ExprPtr& e) {
    std::vector<code::Type> types;
    if (!as_conditional(e) || !add_types(e, types)) return false;
    return std::ranges::any_of(types, [&](const code::Type& type) { return !(type == types[0]); });
}

/// The value, or one of a few elements of a tuple, that is a number of several types.
ExprPtr Choices::part_of_several_types(const ExprPtr& value) {
    if (!std::holds_alternative<TupleExpr>(value->node)) return has_several_types(value) ? value : nullptr;
    if (t_.has_effects(value)) return nullptr;
    constexpr std::ptrdiff_t kFew = 3;  // The statement is translated for each combination.
    const std::vector<ExprPtr> elements = elements_of(value);
    const auto several = [&](const ExprPtr& e) { return has_several_types(e); };
    const auto first = std::ranges::find_if(elements, several);
    return first != elements.end() && std::count_if(first, elements.end(), several) <= kFew ? *first : nullptr;
}

void Choices::put_apart(const ExprPtr& choice) {
    const CallPlace place{choice->span.line, choice->span.column, t_.inline_prefix_};
    if (std::holds_alternative<ConditionalExpr>(choice->node) && t_.context_.inlined_calls.insert(place).second) throw StartAgain{};
}

ExprPtr Choices::choice_of_arrays_in(const ExprPtr& e) {
    if (std::holds_alternative<LambdaExpr>(e->node) || std::holds_alternative<ComprehensionExpr>(e->node)) return nullptr;
    const bool apart = t_.context_.inlined_calls.contains({e->span.line, e->span.column, t_.inline_prefix_});
    if (apart && (as_conditional(e) || sum_or_zero(e))) return e;
    if (std::holds_alternative<ConditionalExpr>(e->node) || std::holds_alternative<BoolExpr>(e->node)) return nullptr;
    ExprPtr found;
    for_each_child(*e, [&](const ExprPtr& part) {
        if (!found) found = choice_of_arrays_in(part);
    });
    return found;
}

/// The statement, once for each arm of the choice in its value; null where something else has to come before the condition.
StmtPtr Choices::branches_for(const StmtPtr& statement, const ExprPtr& value, const ExprPtr& choice) {
    bool effects = false;  // The condition comes before what else the value calls.
    for_each_child(*value, [&](const ExprPtr& part) { effects = effects || t_.has_effects(part); });
    const ExprPtr sum = sum_or_zero(choice), conditional = sum ? sum : as_conditional(choice);
    if (choice != value && effects && !(sum && !t_.has_effects(std::get<ConditionalExpr>(sum->node).condition))) return nullptr;
    const auto& arms = std::get<ConditionalExpr>(conditional->node);
    const auto* assign = std::get_if<AssignStmt>(&statement->node);
    const std::string name(assign && assign->targets.size() == 1 ? name_of(assign->targets[0]) : "");
    const auto with = [&](const ExprPtr& arm) {
        if (!name.empty() && choice == value && name_of(arm) == name) return Body{};  // It stays what it is.
        const auto replace = [&](const ExprPtr& e) {
            return e == value ? replace_parts(e, [&](const ExprPtr& part) { return part == choice ? arm : nullptr; }) : e;
        };
        return Body{with_parts(statement, replace, [](const Body& body) { return body; })};
    };
    return std::make_shared<const Stmt>(Stmt{IfStmt{arms.condition, with(arms.if_true), with(arms.if_false)}, statement->span});
}

StmtPtr Choices::returned_apart(const StmtPtr& statement) {
    const ExprPtr& value = std::get<ReturnStmt>(statement->node).value;
    const ExprPtr choice = value ? choice_of_arrays_in(value) : nullptr;
    return choice ? branches_for(statement, value, choice) : nullptr;
}

bool Choices::translate(const StmtPtr& statement) {
    if (t_.flat_) return false;
    ExprPtr value;
    const auto* assign = std::get_if<AssignStmt>(&statement->node);
    if (assign) value = assign->value;
    if (const auto* s = std::get_if<ExprStmt>(&statement->node)) value = s->value;
    if (const auto* s = std::get_if<ReturnStmt>(&statement->node)) value = s->value;
    const auto* update = std::get_if<AugAssignStmt>(&statement->node);
    if (update && !t_.has_effects(update->target)) value = update->value;
    if (!value || (update && !choice_of_arrays_in(value))) return false;
    const bool named = assign && assign->targets.size() == 1 && !name_of(assign->targets[0]).empty();
    const bool tells = std::holds_alternative<ReturnStmt>(statement->node) || (named && !t_.frame_ && !t_.enclosing_loop_);
    const ExprPtr mixed = tells && t_.context_.tells_places && !t_.parent_ ? part_of_several_types(value) : nullptr;
    if (mixed) {
        const ExprPtr choice = as_conditional(mixed);
        const auto& arms = std::get<ConditionalExpr>(choice->node);
        const auto with = [&](const ExprPtr& arm) {
            ExprPtr whole = arm;
            if (mixed != value) {
                std::vector<ExprPtr> elements = elements_of(value);
                std::ranges::replace(elements, mixed, arm);
                whole = std::make_shared<const code::Expr>(code::Expr{TupleExpr{std::move(elements)}, value->span});
            }
            const auto replace = [&](const ExprPtr& e) { return e == value ? whole : e; };
            return Body{with_parts(statement, replace, [](const Body& body) { return body; })};
        };
        t_.translate(
            std::make_shared<const Stmt>(Stmt{IfStmt{arms.condition, with(arms.if_true), with(arms.if_false)}, statement->span}));
        return true;
    }
    const auto* direct = std::get_if<ConditionalExpr>(&value->node);
    const bool binds = direct && named;
    const auto waits = [&](const ExprPtr& arm) { return Lazy(t_).must_wait(arm) || reads_array(arm); };
    const bool whole = binds || (direct && std::holds_alternative<ReturnStmt>(statement->node));
    const bool apart = whole && (waits(direct->if_true) || waits(direct->if_false) || (binds && t_.has_effects(value)));
    ExprPtr choice = apart ? value : choice_of_arrays_in(value);
    if (!choice) choice = choice_in(value);
    if (!choice) return false;
    const StmtPtr branches = branches_for(statement, value, choice);
    if (!branches) return false;
    t_.translate(branches);
    return true;
}

}  // namespace sluice::frontend
