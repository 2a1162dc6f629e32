// Reductions. A whole container becomes a Reduce node; an element-wise value is accumulated where it is computed, so that no
// temporary is made: kept dimensions form the outer map, reduced ones the inner, sequential map.
#include <algorithm>
#include <cmath>
#include <limits>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/array_program.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/products.h"
#include "frontend/array/syntax.h"
#include "library/reduce/reduce.h"
#include "library/registry.h"

namespace sluice::frontend {

using namespace code;
using symbolic::Subset;

namespace {

struct Operation {
    std::string wcr;
    enum class Start { Zero, One, Lowest, Highest, False, True } start;
};

const std::map<std::string, Operation>& operations() {
    using Start = Operation::Start;
    static const std::map<std::string, Operation> kAll{
        {"sum", {"lambda a, b: a + b", Start::Zero}},       {"prod", {"lambda a, b: a * b", Start::One}},
        {"max", {"lambda a, b: max(a, b)", Start::Lowest}}, {"min", {"lambda a, b: min(a, b)", Start::Highest}},
        {"any", {"lambda a, b: a or b", Start::False}},     {"all", {"lambda a, b: a and b", Start::True}},
    };
    return kAll;
}

std::int64_t extreme(Scalar scalar, bool lowest) {
    const bool is_signed = code::is_signed(scalar);
    const auto bits = static_cast<unsigned>(8 * code::size_in_bytes(DType(scalar)));
    if (lowest)
        return is_signed ? (bits == 64 ? std::numeric_limits<std::int64_t>::min() + 1 : -(std::int64_t(1) << (bits - 1))) : 0;
    if (bits == 64) return std::numeric_limits<std::int64_t>::max();
    return (std::int64_t(1) << (is_signed ? bits - 1 : bits)) - 1;
}

/// The value that a reduction starts from.
Value start_value(Operation::Start start, const DType& type) {
    using Start = Operation::Start;
    const bool real = code::is_floating(type.scalar) || code::is_complex(type.scalar);
    const Type strong{type, false};
    switch (start) {
        case Start::Zero:
            return number(real ? make_real(0) : make_integer(0), strong);
        case Start::One:
            return number(real ? make_real(1) : make_integer(1), strong);
        case Start::False:
            return number(make_boolean(false), strong);
        case Start::True:
            return number(make_boolean(true), strong);
        case Start::Lowest:
        case Start::Highest:
            break;
    }
    const bool lowest = start == Start::Lowest;
    const ExprPtr infinity = make_attribute(make_name("math"), "inf");
    if (type == DType(Scalar::Bool)) return number(make_boolean(!lowest), strong);
    if (real) return number(lowest ? make_unary(UnaryOp::Minus, infinity) : infinity, strong);
    return number(make_integer(extreme(type.scalar, lowest)), strong);
}

}  // namespace

bool ArrayProgram::is_reduction(const std::string& operation) {
    return operations().contains(operation);
}

Value ArrayProgram::neutral(const std::string& operation, const DType& type) {
    return start_value(operations().at(operation).start, type);
}

/// NumPy adds small integers and booleans in 64 bits.
DType accumulator(const std::string& operation, const DType& type) {
    if (operation == "any" || operation == "all") return Scalar::Bool;
    if (operation == "max" || operation == "min") return type;
    if (type == DType(Scalar::Bool)) return Scalar::Int64;
    if (code::is_integer(type.scalar)) return code::is_signed(type.scalar) ? Scalar::Int64 : Scalar::UInt64;
    return type;
}

namespace {

/// What NumPy computes means in, and what we add in: sums of short floats would lose what is small beside them.
DType wide(const DType& type) {
    if (type == DType(Scalar::Float32) || type == DType(Scalar::Float16)) return Scalar::Float64;
    return type == DType(Scalar::Complex64) ? DType(Scalar::Complex128) : type;
}

}  // namespace

/// mean, var and std: sums in two passes, divided by the number of elements less `lost`.
Value ArrayProgram::statistic(const Value& value, const std::string& operation, const Reduction& how, const Value& lost,
                              const Span& span) {
    const DType own = strong(value.type);
    const bool exact = code::is_floating(own.scalar) || code::is_complex(own.scalar);
    const DType result_type = how.dtype.value_or(exact ? own : DType(Scalar::Float64));
    hint_.reset();
    name_.clear();
    const auto divided = [&](const Value& sum, const Value& count) {
        return combine({sum, count}, span, [&](const auto& c) { return make_binary(BinaryOp::Div, c[0], c[1], span); });
    };
    Value count;
    if (how.where) {
        const Value chosen = broadcast_to(*how.where, broadcast({value.shape, how.where->shape}, span), span);
        count = reduce(chosen, "sum", {.axes = how.axes, .keepdims = how.keepdims, .initial = {}, .where = {}, .dtype = {}}, span);
    } else {
        Expr elements = 1;
        for (const std::int64_t dim : how.axes) elements = elements * value.shape[static_cast<std::size_t>(dim)];
        count = symbolic_value(elements, span);
    }
    const auto total = [&](const Value& of, bool keepdims) {
        const DType type = wide(strong(of.type));
        return reduce(cast(of, type, span), "sum",
                      {.axes = how.axes, .keepdims = keepdims, .initial = {}, .where = how.where, .dtype = type}, span);
    };
    const Value floating = exact || how.dtype ? cast(value, wide(result_type), span) : cast(value, Scalar::Float64, span);
    if (operation == "mean") return cast(divided(total(floating, how.keepdims), count), result_type, span);
    if (how.where) unsupported(operation + " with where", span, "compute it from np.mean with where");
    const Value mean = materialise(divided(total(floating, true), count), "mean");
    const Value apart =
        combine({floating, mean}, span, [&](const auto& c) { return make_binary(BinaryOp::Sub, c[0], c[1], span); });
    Value squares = call_ufunc("square", {apart}, span);
    if (code::is_complex(apart.type.dtype.scalar)) {
        const Value re = call_ufunc("real", {apart}, span), im = call_ufunc("imag", {apart}, span);
        squares = combine({call_ufunc("square", {re}, span), call_ufunc("square", {im}, span)}, span,
                          [&](const auto& c) { return make_binary(BinaryOp::Add, c[0], c[1], span); });
    }
    const Value degrees = combine({count, lost}, span, [&](const auto& c) {
        return make_call("maximum", {make_binary(BinaryOp::Sub, c[0], c[1], span), make_integer(0)}, span);
    });
    Value result = divided(total(squares, how.keepdims), degrees);
    if (operation == "std") result = call_ufunc("sqrt", {result}, span);
    static const std::map<Scalar, Scalar> kReal{{Scalar::Complex64, Scalar::Float32}, {Scalar::Complex128, Scalar::Float64}};
    const auto real = kReal.find(result_type.scalar);
    return cast(result, real == kReal.end() ? result_type : DType(real->second), span);
}

Value ArrayProgram::reduce(const Value& given, const std::string& operation, const Reduction& how, const Span& span) {
    Value value = given;
    const bool truth = operation == "any" || operation == "all";
    const DType type = how.dtype && !truth ? *how.dtype : accumulator(operation, strong(value.type));
    if (how.dtype && !truth && !(strong(value.type) == type)) value = cast(value, type, span);
    if (how.where) {
        const Operation::Start start = operations().at(operation).start;
        const Value neutral = how.initial && (operation == "max" || operation == "min") ? *how.initial : start_value(start, type);
        value = combine({*how.where, cast(value, type, span), cast(neutral, type, span)}, span,
                        [&](const auto& c) { return make_conditional(c[0], c[1], c[2], span); });
        if (value.rank() != given.rank())
            refuse("F004", "where has more dimensions than the array", span, "reduce an array of its shape");
    }
    if (how.axes.empty()) {
        const Value one = truth ? call_ufunc("not_equal", {value, cast(integer(0), strong(value.type), span)}, span) : value;
        if (!how.initial) return cast(one, type, span);
        const std::map<std::string, std::string> kAgain{
            {"sum", "add"}, {"prod", "multiply"}, {"max", "maximum"}, {"min", "minimum"}};
        return cast(call_ufunc(kAgain.at(operation), {one, *how.initial}, span), type, span);
    }
    const DType computed = operation == "sum" ? wide(type) : type;
    if (computed == type) return accumulate(value, operation, how, type, span);
    hint_.reset();
    name_.clear();
    return cast(accumulate(cast(value, computed, span), operation, how, computed, span), type, span);
}

/// The result of a reduction over at least one axis, accumulated in a container of its own type.
Value ArrayProgram::accumulate(const Value& value, const std::string& operation, const Reduction& how, const DType& type,
                               const Span& span) {
    std::vector<bool> reduced(value.rank(), false);
    for (const std::int64_t axis : how.axes) reduced[static_cast<std::size_t>(axis)] = true;
    std::vector<Expr> kept, shape;
    for (std::size_t dim = 0; dim < value.rank(); ++dim) {
        if (!reduced[dim]) kept.push_back(value.shape[dim]);
        if (!reduced[dim]) shape.push_back(value.shape[dim]);
        if (reduced[dim] && how.keepdims) shape.emplace_back(1);
    }
    const Operation& with = operations().at(operation);
    const std::size_t removed = static_cast<std::size_t>(std::ranges::count(reduced, true));
    const bool same_shape = kept == shape;
    if (!same_shape) hint_.reset();
    const Value place = result_place(operation, type, shape, {value});
    const Value start = how.initial ? *how.initial : start_value(with.start, type);
    assign(target_of(place, span), start, operation + "_start");
    // The accumulation addresses the result in the iteration symbols of the operand.
    Target target = target_of(place, span);
    target.shape = value.shape;
    symbolic::Substitution to_operand;
    std::size_t at = 0;
    for (std::size_t dim = 0; dim < value.rank(); ++dim) {
        if (reduced[dim] && !how.keepdims) continue;
        to_operand.emplace(iteration_of(at, shape.size()).name(), reduced[dim] ? Expr(0) : iteration_of(dim, value.rank()));
        ++at;
    }
    for (Expr& index : target.view.index) index = symbolic::substitute(index, to_operand);
    const Operand* whole = as_view(value);
    const bool complete = whole && is_identity(*whole, value.rank()) && container(whole->data).shape == value.shape &&
                          !how.keepdims && as_view(place) && is_identity(*as_view(place), place.rank()) &&
                          strong(value.type) == type && container(as_view(place)->data).shape == shape;
    if (complete) {
        ir::LibraryNode node;
        node.operation = "Reduce";
        node.classpath = "dace.libraries.standard.nodes.reduce.Reduce";
        node.label = operation;
        node.properties["wcr"] = with.wcr;
        if (removed < value.rank()) node.properties["axes"] = how.axes;
        PlannedCode code{node, {}, {}, span};
        code.in.push_back({"", subset_memlet(whole->data, Subset::extents(value.shape))});
        code.out.push_back({"", subset_memlet(as_view(place)->data, Subset::extents(shape))});
        emit_state(operation, {std::move(code)});
        return place;
    }
    emit_state(operation, reduction_plan(target, value, reduced, with.wcr, operation));
    return place;
}

namespace {

/// The dimension along which elements of all operands are neighbours in memory; the last one where they differ in that.
std::size_t neighbour_dimension(const Value& value) {
    const std::size_t last = value.rank() - 1;
    std::optional<std::size_t> found;
    for (const auto& [id, operand] : value.operands) {
        if (operand.whole || operand.index.empty()) continue;
        const auto symbols = symbolic::free_symbols(operand.index.back());
        for (std::size_t dim = 0; dim < value.rank(); ++dim) {
            const std::string along = iteration_of(dim, value.rank()).name();
            if (!symbols.contains(along)) continue;
            const Expr step = symbolic::substitute(operand.index.back(), {{along, Expr(1)}}) -
                              symbolic::substitute(operand.index.back(), {{along, Expr(0)}});
            if (!step.is_integer(1) || (found && *found != dim)) return last;
            found = dim;
        }
    }
    return found.value_or(last);
}

/// The dimension is the last of the map.
void move_last(ir::MapEntry& map, const std::string& param) {
    const auto at = std::ranges::find(map.params, param) - map.params.begin();
    if (at == std::ssize(map.params)) return;
    std::rotate(map.params.begin() + at, map.params.begin() + at + 1, map.params.end());
    std::rotate(map.range.dims.begin() + at, map.range.dims.begin() + at + 1, map.range.dims.end());
}

/// The last dimension, along which elements are neighbours, becomes blocks around the folded dimensions and a row inside of them.
void split_rows(ir::MapEntry& outer, ir::MapEntry& row, const std::string& block) {
    symbolic::Range& last = outer.range.dims.back();
    const auto length = symbolic::count(last).constant();
    if (length && *length < library::kShortRow) return;
    const Expr begin = symbolic::symbol(block), end = last.end;
    row.params.push_back(outer.params.back());
    row.range.dims.push_back({begin, symbolic::minimum(begin + library::kRowBlock, end), 1, 1});
    outer.params.back() = block;
    last.step = library::kRowBlock;
}

}  // namespace

Plan ArrayProgram::reduction_plan(const Target& target, const Value& value, const std::vector<bool>& reduced,
                                  const std::string& wcr, const std::string& label) {
    ir::MapEntry outer, inner, row;
    symbolic::Substitution iteration;
    std::set<std::string> used;
    const bool full = std::ranges::all_of(reduced, [](bool r) { return r; });
    for (std::size_t dim = 0; dim < reduced.size(); ++dim) {
        const std::string param = fresh_param(used);
        ir::MapEntry& map = reduced[dim] && !full ? inner : outer;
        map.params.push_back(param);
        map.range.dims.push_back(symbolic::Range::extent(value.shape[dim]));
        iteration.emplace(iteration_name(reduced.size() - 1 - dim), symbolic::symbol(param));
    }
    const std::size_t neighbour = neighbour_dimension(value);
    for (ir::MapEntry* map : {&outer, &inner}) move_last(*map, iteration.at(iteration_name(reduced.size() - 1 - neighbour)).name());
    if (!inner.params.empty() && !reduced[neighbour]) split_rows(outer, row, fresh_param(used));
    Wired wired = wire(value, iteration);
    std::vector<Expr> index;
    for (const Expr& e : target.view.index) index.push_back(symbolic::substitute(e, iteration));
    std::string out = "out";
    for (int suffix = 0; name_taken(out); ++suffix) out = "out_" + std::to_string(suffix);
    PlannedCode tasklet{python_tasklet(label, out + " = " + code::to_string(*wired.code)), std::move(wired.in), {}, where_};
    ir::Memlet memlet = element_memlet(target.view.data, std::move(index));
    memlet.wcr = wcr;
    memlet.wcr_nonatomic = !row.params.empty();  // blocks are apart, and one thread walks over the rows of each
    tasklet.out.push_back({out, std::move(memlet)});
    PlanItem body = std::move(tasklet);
    if (!row.params.empty()) {
        row.label = label + "_row";
        row.schedule = ir::Schedule::Sequential;
        body = PlannedScope{std::move(row), {}, {std::move(body)}, {}, where_};
    }
    if (!inner.params.empty()) {
        inner.label = label + "_along";
        inner.schedule = ir::Schedule::Sequential;
        body = PlannedScope{std::move(inner), {}, {std::move(body)}, {}, where_};
    }
    if (!outer.params.empty()) {
        outer.label = label;
        body = PlannedScope{std::move(outer), {}, {std::move(body)}, {}, where_};
    }
    return {std::move(body)};
}

Value ArrayProgram::arg_reduce(const Value& value, bool maximum, std::optional<std::int64_t> axis, bool keepdims,
                               const Span& span) {
    Value operand = value;
    const std::size_t rank = value.rank();
    if (!axis && rank > 1) operand = reshape(value, {Expr(-1)}, span);
    if (rank == 0) return cast(integer(0), Scalar::Int64, span);
    const std::size_t dim = static_cast<std::size_t>(axis.value_or(0));
    hint_.reset();
    name_.clear();
    require_positive(operand.shape[dim], std::string("attempt to get arg") + (maximum ? "max" : "min") + " of an empty sequence",
                     span);
    const DType type = strong(operand.type);
    const auto& taken = library::operations().find("ArgMin")->types;
    if (dim + 1 == operand.rank() && is_in_order(operand) && std::ranges::count(taken, type.scalar) == 1) {
        std::vector<Expr> shape(operand.shape.begin(), operand.shape.end() - 1);
        const Value place = result_place(maximum ? "argmax" : "argmin", Scalar::Int64, shape, {operand});
        run_operation(maximum ? "ArgMax" : "ArgMin", {}, {{"_a", operand}}, {{"_b", place}}, span);
        if (!keepdims) return place;
        if (axis) shape.emplace_back(1);
        return reshape(place, axis ? shape : std::vector<Expr>(rank, Expr(1)), span);
    }
    // The first position that holds the extreme value, or the first that holds NaN: the least among those that do.
    const std::vector<std::int64_t> along{static_cast<std::int64_t>(dim)};
    const Value best =
        reduce(operand, maximum ? "max" : "min", {.axes = along, .keepdims = true, .initial = {}, .where = {}, .dtype = {}}, span);
    Value position = symbolic_value(iteration_of(dim, operand.rank()), span);
    position.shape = operand.shape;
    position.type = {Scalar::Int64, false};
    const Value beyond = symbolic_value(operand.shape[dim], span);
    const bool ordered = !code::is_floating(operand.type.dtype.scalar);
    const Value where_best = combine({operand, best, position, beyond}, span, [&](const auto& c) {
        ExprPtr holds = make_compare(c[0], CompareOp::Eq, c[1], span);
        if (!ordered)
            holds = std::make_shared<const code::Expr>(
                code::Expr{BoolExpr{false, {holds, make_compare(c[0], CompareOp::Ne, c[0], span)}}, span});
        return make_conditional(holds, c[2], c[3], span);
    });
    Value result = reduce(where_best, "min", {.axes = along, .keepdims = keepdims, .initial = {}, .where = {}, .dtype = {}}, span);
    if (!axis && keepdims && rank > 1) result = reshape(result, std::vector<Expr>(rank, Expr(1)), span);
    return result;
}
}  // namespace sluice::frontend
