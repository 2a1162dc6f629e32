// `and`, `or`, `not` and conditional expressions: Python's choice among operands, of which only those are evaluated that decide.
//     k or 5        ->   k if k else 5
//     a and f(x)    ->   r = a; if r: r = f(x)        where the call changes arrays
#include <algorithm>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/choices.h"
#include "frontend/python/lazy.h"
#include "frontend/python/lists.h"
#include "frontend/python/types_by_path.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

/// A value of which only the truth counts.
/// `of_each`: DaCe asks every element of an array of booleans, where Python refuses.
Value Translator::evaluate_truth(const ExprPtr& e, bool of_each) {
    if (const auto* boolean = std::get_if<BoolExpr>(&e->node)) return evaluate_boolean(e, *boolean, true);
    const Value value = evaluate(e);
    if (value.kind == Value::Kind::Tuple) return number(make_boolean(!value.elements.empty(), e->span), {Scalar::Bool, true});
    if (!value.list.empty())
        return number(make_compare(ir::to_code(value.shape[0]), CompareOp::Gt, make_integer(0), e->span), {Scalar::Bool, true});
    if (value.kind == Value::Kind::Function) return number(make_boolean(true, e->span), {Scalar::Bool, true});
    if (!of_each || !has_truth_of_each(value)) refuse_array_truth(value, e->span);
    return value;
}

bool Translator::has_truth_of_each(const Value& value) const {
    return context_.as_dace && value.is_elements() && value.list.empty() && value.type.dtype == DType(Scalar::Bool);
}

Value Translator::evaluate_boolean(const ExprPtr& e, const BoolExpr& n, bool truth_only) {
    std::vector<ExprPtr> open;  // What is decided now need not be asked, but as a value; behind what decides, nothing is evaluated.
    for (std::size_t at = 0; at < n.operands.size(); ++at) {
        const auto truth = decided(n.operands[at]);
        if (!truth || (*truth == n.is_and && at + 1 == n.operands.size() && (open.empty() || !truth_only))) {
            open.push_back(n.operands[at]);
        } else if (*truth != n.is_and) {
            open.push_back(truth_only ? make_boolean(*truth, e->span) : n.operands[at]);
            break;
        }
    }
    if (open.size() == 1) return truth_only ? evaluate_truth(open[0]) : evaluate(open[0]);
    if (open.size() < n.operands.size()) return evaluate_boolean(e, BoolExpr{n.is_and, open}, truth_only);
    const auto waits = [&](const ExprPtr& one) { return Lazy(*this).must_wait(one); };
    const auto operand = [&](const ExprPtr& one) {  // Of a list only its truth, where nothing else is asked for.
        const auto known = truth_only ? variables_.find(std::string(name_of(one))) : variables_.end();
        if (known == variables_.end() || known->second.value.list.empty()) return one;
        return make_unary(UnaryOp::Not, make_unary(UnaryOp::Not, one, one->span), one->span);
    };
    if (std::any_of(n.operands.begin() + 1, n.operands.end(), waits))
        return evaluate_lazily(e, [&](const ExprPtr& result) {
            Body body{make_assignment(result, operand(n.operands.back()), e->span)};
            for (std::size_t at = n.operands.size() - 1; at-- > 0;) {
                const ExprPtr go_on = n.is_and ? result : make_unary(UnaryOp::Not, result, e->span);
                const auto rest = std::make_shared<const Stmt>(Stmt{IfStmt{go_on, std::move(body), {}}, e->span});
                body = {make_assignment(result, operand(n.operands[at]), e->span), rest};
            }
            return body;
        });
    std::vector<Value> operands;
    bool truths = true;
    const Restored unsure(sure_loops_, sure_loops_);
    const Restored lazy(lazy_, lazy_);
    for (const ExprPtr& one : n.operands) {
        operands.push_back(truth_only ? evaluate_truth(one) : evaluate(one));
        if (truth_only || !has_truth_of_each(operands.back())) refuse_array_truth(operands.back(), one->span);
        truths = truths && operands.back().type.dtype == DType(Scalar::Bool);
        sure_loops_.clear();
        lazy_ = true;
    }
    if (!truths)
        for (const Value& value : operands) refuse_array_truth(value, e->span);
    if (truths || truth_only) {
        Value truth = combine(operands, e->span, [&](const auto& c) {
            return std::make_shared<const code::Expr>(code::Expr{BoolExpr{n.is_and, c}, e->span});
        });
        truth.other_types.clear();
        if (truth.rank() > 0) return truth;
        truth.type.weak = operands.back().type.weak;
        if (!truth_only) TypesByPath(*this).add_choice(truth, operands, e->span);
        return truth;
    }
    Value result = operands.back();
    for (std::size_t at = operands.size() - 1; at-- > 0;)
        result = combine({operands[at], result}, e->span, [&](const auto& c) {
            return n.is_and ? make_conditional(c[0], c[1], c[0], e->span) : make_conditional(c[0], c[0], c[1], e->span);
        });
    TypesByPath(*this).add_choice(result, operands, e->span);
    return result;
}

Value Translator::evaluate_conditional(const ExprPtr& e, const ConditionalExpr& n) {
    if (const auto truth = decided(n.condition)) return evaluate(*truth ? n.if_true : n.if_false);
    if (Lazy(*this).must_wait(n.if_true) || Lazy(*this).must_wait(n.if_false))
        return evaluate_lazily(e, [&](const ExprPtr& result) {
            const auto arm = [&](const ExprPtr& one) { return Body{make_assignment(result, one, e->span)}; };
            return Body{std::make_shared<const Stmt>(Stmt{IfStmt{n.condition, arm(n.if_true), arm(n.if_false)}, e->span})};
        });
    const Value condition = evaluate_truth(n.condition);
    const Restored unsure(sure_loops_, {});
    const Restored lazy(lazy_, true);
    const Value if_true = evaluate(n.if_true), if_false = evaluate(n.if_false);
    return choose(condition, if_true, if_false, e->span);
}

/// Of tuples, each element.
Value Translator::choose(const Value& condition, const Value& if_true, const Value& if_false, const Span& span) {
    if (if_true.kind == Value::Kind::Tuple && if_false.kind == Value::Kind::Tuple) {
        if (if_true.keys != if_false.keys || if_true.elements.size() != if_false.elements.size())
            unsupported("a conditional expression between tuples of different lengths", span, "write if and else");
        Value result = if_true;
        result.objects.insert(if_false.objects.begin(), if_false.objects.end());
        for (std::size_t at = 0; at < result.elements.size(); ++at)
            result.elements[at] = choose(condition, if_true.elements[at], if_false.elements[at], span);
        return result;
    }
    if (!if_true.is_elements() || !if_false.is_elements())
        unsupported("a conditional expression between these values", span, "write if and else");
    for (const Value& one : {if_true, if_false}) Lists::refuse_as_array(one, span);
    if (if_true.is_elements() && if_false.is_elements() && if_true.rank() != if_false.rank())
        unsupported("a conditional expression between values of different dimensions", span, "write if and else");
    Value result =
        combine({condition, if_true, if_false}, span, [&](const auto& c) { return make_conditional(c[0], c[1], c[2], span); });
    TypesByPath(*this).add_choice(result, {if_true, if_false}, span);
    return result;
}

/// The value that statements leave in a variable without a name in the source.
Value Translator::evaluate_lazily(const ExprPtr& e, const std::function<Body(const ExprPtr& result)>& write) {
    refuse_flat();
    const Span where = where_;
    const std::string name = "__value" + std::to_string(e->span.line) + "_" + std::to_string(e->span.column);
    const Restored held(held_, held_);
    const Restored inside(inside_expression_, true);
    const Restored hint(hint_, {});
    const Restored wanted(name_, {});
    const Restored lazy(lazy_, false);  // In branches.
    chosen_values_.insert(name);
    translate(write(make_name(name, e->span)));
    where_ = where;
    const auto known = variables_.find(name);
    if (endings_.size() > 1 || known == variables_.end()) {
        Choices(*this).put_apart(e);
        unsupported("a choice among such values inside of an expression", e->span, "assign it to a name first");
    }
    Value result = known->second.value;
    if (result.type_sources.erase({.name = name}) > 0) result.type_sources.insert({e->span.line, e->span.column, inline_prefix_});
    if (result.rank() > 0) {
        Choices(*this).put_apart(e);
        unsupported("a choice among arrays where a call changes arrays", e->span, "write if and else");
    }
    return settled(result);
}

}  // namespace sluice::frontend
