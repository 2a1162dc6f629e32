// Python's sum of floats adds one after the other, which rounds otherwise than a reduction that takes them in any order:
//     sum(f(x) for x in xs)   ->   total = 0.0; for k in range(n): total = total + f(xs[k])
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/numbers.h"

namespace sluice::frontend {

using namespace code;

bool Numbers::adds_in_order(const Value& elements) const {
    const Scalar scalar = elements.type.dtype.scalar;
    const bool has_loops = !t_.flat_ && !t_.lazy_ && !t_.parent_ && t_.map_params_.empty() && t_.prelude_prefix_.empty();
    return has_loops && elements.rank() == 1 && (code::is_floating(scalar) || code::is_complex(scalar));
}

Value Numbers::sum_in_order(const Value& given, const Value& start, const Span& span) {
    Value elements = given;
    elements.list.clear();
    elements.type.weak = false;
    const bool adapts = start.type.weak && !code::is_complex(start.type.dtype.scalar);
    const DType type = adapts ? strong(elements.type) : code::promote(strong(elements.type), strong(start.type));
    const std::string own = t_.inline_prefix_ + "__summed" + std::to_string(span.line) + "_" + std::to_string(span.column);
    t_.bind(own, elements);
    t_.bind(own + "_from", t_.cast(start, type, span));
    t_.bindings_.emplace("__numpy", ModuleBinding{"numpy"});
    Value sum = t_.evaluate(
        std::make_shared<const code::Expr>(code::Expr{CallExpr{make_attribute(make_name("__numpy", span), "_added_in_order", span),
                                                               {make_name(own, span), make_name(own + "_from", span)},
                                                               {}},
                                                      span}));
    t_.variables_.erase(own);
    t_.variables_.erase(own + "_from");
    sum.type.weak = given.type.weak && start.type.weak;
    return sum;
}

/// As the loop that it is: where xs is a list that the same loop makes, its sum would be asked for its shape in front of it.
Value Numbers::sum_of_arrays(const ComprehensionExpr& elements, const Value& start, const Span& span) {
    const ExprPtr total = make_name("__total", span);
    Body body{make_statement(AssignStmt{{total}, make_binary(BinaryOp::Add, total, elements.element, span)}, span)};
    for (std::size_t at = elements.clauses.size(); at-- > 0;) {
        const ComprehensionClause& clause = elements.clauses[at];
        for (std::size_t one = clause.conditions.size(); one-- > 0;)
            body = {make_statement(IfStmt{clause.conditions[one], std::move(body), {}}, span)};
        body = {make_statement(ForStmt{clause.target, clause.iterable, std::move(body), {}}, span)};
    }
    body.push_back(make_statement(ReturnStmt{total}, span));
    const std::string own = t_.inline_prefix_ + "__sum" + std::to_string(span.line) + "_" + std::to_string(span.column);
    const ExprPtr first = make_name(own + "_from", span);
    t_.bind(own + "_from", start);
    t_.translate(make_statement(FunctionStmt{own, {{"__total", nullptr, nullptr, span}}, nullptr, {}, std::move(body)}, span));
    Value sum = t_.evaluate(make_call(own, {first}, span));
    t_.variables_.erase(own);
    t_.variables_.erase(own + "_from");
    return sum;
}

}  // namespace sluice::frontend
