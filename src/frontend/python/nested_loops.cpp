#include "frontend/python/nested_loops.h"

#include <algorithm>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/inlining.h"

namespace sluice::frontend {

using namespace code;

namespace {

bool is_triangular(const std::string& function) {
    return function.starts_with("itertools.combinations");
}

StmtPtr make_loop(const ExprPtr& target, std::vector<ExprPtr> range, Body body, const Span& span) {
    return std::make_shared<const Stmt>(
        Stmt{ForStmt{target, make_call("range", std::move(range), span), std::move(body), {}}, span});
}

/// The function over whose tuples the loop runs; empty if it is none of ours.
std::string function_of(const ForStmt& loop, const Bindings& bindings) {
    const auto* call = std::get_if<CallExpr>(&loop.iterable->node);
    const std::string function = call ? qualified_name(*call->function, bindings) : std::string();
    if (function == "numpy.ndindex" || function == "numpy.ndenumerate") return function;
    const auto is_range = [&](const ExprPtr& e) {
        const auto* range = std::get_if<CallExpr>(&e->node);
        return range && name_of(range->function) == "range" && !bindings.contains("range");
    };
    const bool known = function == "itertools.product" || is_triangular(function);  // Of others the prelude makes lists.
    const std::size_t ranges = is_triangular(function) ? 1 : call ? call->arguments.size() : 0;
    const bool of_ranges =
        known && call->arguments.size() >= ranges &&
        std::all_of(call->arguments.begin(), call->arguments.begin() + static_cast<std::ptrdiff_t>(ranges), is_range);
    return of_ranges ? function : std::string();
}

}  // namespace

std::vector<ExprPtr> NestedLoops::indices_of(const ForStmt& loop, const Bindings& bindings) {
    const std::string function = function_of(loop, bindings);
    const ExprPtr indices = function == "numpy.ndenumerate" ? elements_of(loop.target)[0] : loop.target;
    return function.empty() || !std::holds_alternative<TupleExpr>(indices->node) ? std::vector<ExprPtr>() : elements_of(indices);
}

std::int64_t NestedLoops::number(const ExprPtr& e) {
    const auto known = t_.known_integer(e);
    if (!known) refuse("F005", "how many loops there are is not known here", e->span, "write a literal");
    return *known;
}

/// An integer of the function's own.
std::string NestedLoops::new_integer(const std::string& base) {
    const std::string name = t_.inline_prefix_ + base + own_;
    t_.context_.bindings[name] = t_.context_.occurrences[name] = 3;
    t_.integer_locals_.insert(name);
    return name;
}

/// A bound as it is before the loop: a literal or a name that the body leaves alone stands for itself.
ExprPtr NestedLoops::kept(const ExprPtr& bound, const Body& body) {
    const bool literal = std::holds_alternative<ConstantExpr>(bound->node);
    if (literal || (!name_of(bound).empty() && !binding_counts(body).contains(std::string(name_of(bound))))) return bound;
    const ExprPtr name = make_name(new_integer("__bound" + std::to_string(before_.size()) + "_"), bound->span);
    before_.push_back(make_assignment(name, bound, bound->span));
    return name;
}

NestedLoops::Counter NestedLoops::counter_of(const ExprPtr& iterable) {
    const auto* range = std::get_if<CallExpr>(&iterable->node);
    if (!range || name_of(range->function) != "range" || t_.bindings_.contains("range") || range->arguments.empty() ||
        range->arguments.size() > 3 || !range->keywords.empty())
        unsupported("tuples of anything but ranges", iterable->span, "write range(n), or loops inside of one another");
    const auto& given = range->arguments;
    if (given.size() == 1) return {nullptr, given[0], nullptr};
    return {given[0], given[1], given.size() > 2 ? given[2] : nullptr};
}

/// The sizes of np.ndindex, or those of an array.
std::vector<NestedLoops::Counter> NestedLoops::sides_of(const CallExpr& given, bool of_array, const Span& span) {
    const CallExpr call = Inlining(t_).without_stars(given);
    if (call.arguments.empty() || !call.keywords.empty()) refuse("F005", "sizes are missing", span, "write np.ndindex(n, m)");
    std::vector<Counter> result;
    if (!of_array && call.arguments.size() > 1) {
        for (const ExprPtr& size : call.arguments) result.push_back({nullptr, size, nullptr});
        return result;
    }
    const Value value = t_.evaluate(call.arguments[0]);
    if (!of_array && value.kind != Value::Kind::Tuple) return {{nullptr, call.arguments[0], nullptr}};
    const std::size_t count = of_array ? value.rank() : value.elements.size();
    const ExprPtr sizes = of_array ? make_attribute(call.arguments[0], "shape", span) : call.arguments[0];
    for (std::size_t dim = 0; dim < count; ++dim)
        result.push_back({nullptr, make_subscript(sizes, {make_integer(static_cast<std::int64_t>(dim))}, span), nullptr});
    return result;
}

std::vector<NestedLoops::Counter> NestedLoops::counters_of(const CallExpr& call, const std::string& function, const Span& span) {
    if (function == "numpy.ndindex" || function == "numpy.ndenumerate")
        return sides_of(call, function == "numpy.ndenumerate", span);
    std::vector<Counter> result;
    if (!is_triangular(function)) {
        const bool repeats = call.keywords.size() == 1 && call.keywords[0].name == "repeat";
        if (!call.keywords.empty() && !repeats) refuse("F005", "product has the keyword repeat only", span, "write repeat=2");
        const std::int64_t times = repeats ? number(call.keywords[0].value) : 1;
        for (std::int64_t turn = 0; turn < times; ++turn)
            for (const ExprPtr& one : call.arguments) result.push_back(counter_of(one));
        return result;
    }
    if (call.arguments.size() != 2 || !call.keywords.empty())
        refuse("F005", "combinations takes a range and a number", span, "write itertools.combinations(range(n), 2)");
    const Counter each = counter_of(call.arguments[0]);
    if (each.step) unsupported("combinations of a range with a step", span, "write loops inside of one another");
    return std::vector<Counter>(static_cast<std::size_t>(number(call.arguments[1])), each);
}

Body NestedLoops::body_for(const Stmt& shared, const ForStmt& loop, std::vector<Counter> counters, const std::string& function) {
    const Span& span = shared.span;
    const bool with_values = function == "numpy.ndenumerate";
    const std::vector<ExprPtr> targets = elements_of(loop.target);
    if (with_values && targets.size() != 2)
        unsupported("this target of np.ndenumerate", span, "write `for index, value in np.ndenumerate(A)`");
    const ExprPtr indices = with_values ? targets[0] : loop.target;
    const bool apart = std::holds_alternative<TupleExpr>(indices->node);
    if (apart && elements_of(indices).size() != counters.size())
        refuse("F005",
               "tuples of " + std::to_string(counters.size()) + " are unpacked into " +
                   std::to_string(elements_of(indices).size()) + " names",
               span, "write a name for each");
    // A variable that is used around the loop, or changed in it, gets its values by assignments.
    const auto inside = occurrences(loop.body), bound = binding_counts(loop.body);
    Body body;
    std::vector<ExprPtr> variables;
    for (std::size_t at = 0; at < counters.size(); ++at) {
        const std::string name(apart ? name_of(elements_of(indices)[at]) : std::string_view());
        const auto uses = inside.find(name);
        const bool direct = !name.empty() && !bound.contains(name) &&
                            t_.context_.occurrences.at(name) == 1 + (uses == inside.end() ? 0 : uses->second);
        variables.push_back(make_name(direct ? name : new_integer("__index" + std::to_string(at) + "_"), span));
        if (apart && !direct) body.push_back(make_assignment(elements_of(indices)[at], variables[at], span));
    }
    const ExprPtr tuple = std::make_shared<const code::Expr>(code::Expr{TupleExpr{variables}, span});
    if (!apart) body.push_back(make_assignment(indices, tuple, span));
    if (with_values) {
        const ExprPtr array = std::get<CallExpr>(loop.iterable->node).arguments[0];
        body.push_back(make_assignment(targets[1], make_subscript(array, variables, span), span));
    }
    body.insert(body.end(), loop.body.begin(), loop.body.end());
    ExprPtr left;
    if (has_break(loop.body) && counters.size() > 1) {
        left = make_name(new_integer("__left"), span);
        body = before_breaks(body, make_assignment(left, make_integer(1), span));
        before_.push_back(make_assignment(left, make_integer(0), span));
    }
    for (Counter& counter : counters)
        for (ExprPtr* bound_of : {&counter.begin, &counter.end, &counter.step})
            if (*bound_of) *bound_of = kept(*bound_of, loop.body);
    for (std::size_t at = counters.size(); at-- > 0;) {
        const Counter& counter = counters[at];
        ExprPtr begin = counter.begin ? counter.begin : make_integer(0);
        if (is_triangular(function) && at > 0)
            begin = function == "itertools.combinations" ? make_binary(BinaryOp::Add, variables[at - 1], make_integer(1))
                                                         : variables[at - 1];
        std::vector<ExprPtr> range{begin, counter.end};
        if (counter.step) range.push_back(counter.step);
        body = {make_loop(variables[at], std::move(range), std::move(body), span)};
        if (left && at > 0) {
            const ExprPtr has_left = make_compare(left, CompareOp::Eq, make_integer(1), span);
            body.push_back(std::make_shared<const Stmt>(
                Stmt{IfStmt{has_left, {std::make_shared<const Stmt>(Stmt{BreakStmt{}, span})}, {}}, span}));
        }
    }
    body.insert(body.begin(), before_.begin(), before_.end());
    return body;
}

bool NestedLoops::translate(const Stmt& shared, const ForStmt& loop) {
    const std::string function = function_of(loop, t_.bindings_);
    if (function.empty()) return false;
    const auto known = t_.context_.rewritten.find(&shared);
    if (known == t_.context_.rewritten.end()) {
        own_ = std::to_string(shared.span.line) + "_" + std::to_string(shared.span.column);
        Body body = body_for(shared, loop, counters_of(std::get<CallExpr>(loop.iterable->node), function, shared.span), function);
        t_.context_.rewritten.emplace(&shared, std::move(body));
    } else {  // The names of starred arguments are bound again.
        static_cast<void>(Inlining(t_).without_stars(std::get<CallExpr>(loop.iterable->node)));
    }
    t_.translate_from(t_.context_.rewritten.at(&shared), 0);
    return true;
}

}  // namespace sluice::frontend
