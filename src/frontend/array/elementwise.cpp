// One assignment of an element-wise value is one map with one tasklet that reads every operand in place.
//     B[1:-1] = (A[:-2] + A[2:]) / 2     ->     map i in 1:N-1 { B[i] = (A[i - 1] + A[i + 1]) / 2 }
// The right side is evaluated before the assignment: a target that is also read elsewhere goes through a temporary.
#include <algorithm>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/array_program.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;
using symbolic::Subset;

ArrayProgram::Wired ArrayProgram::wire(const Value& value, const symbolic::Substitution& iteration,
                                       const std::set<std::string>& taken) {
    Wired wired;
    std::map<std::string, ExprPtr> names;
    std::set<std::string> used = taken;
    for (const auto& [name, with] : iteration) names.emplace(name, ir::to_code(with));
    for (const auto& [id, operand] : value.operands) {
        const std::string base = "in_" + operand.data;
        std::string connector = base;
        for (int suffix = 0; name_taken(connector) || !used.insert(connector).second; ++suffix)
            connector = base + "_" + std::to_string(suffix);
        names[id] = make_name(connector);
        if (operand.whole) {
            ir::Memlet memlet = subset_memlet(operand.data, Subset::extents(container(operand.data).shape));
            memlet.dynamic = true;
            memlet.volume = 1;
            wired.in.push_back({connector, std::move(memlet), DType::pointer(operand.dtype)});
            continue;
        }
        std::vector<Expr> index;
        for (const Expr& e : operand.index) index.push_back(symbolic::substitute(e, iteration));
        wired.in.push_back({connector, element_memlet(operand.data, std::move(index))});
    }
    wired.code = replace_names(value.code, [&](const NameExpr& name) -> ExprPtr {  // Functions are no operands: max(max, 0).
        const auto known = names.find(name.id);
        return known == names.end() ? nullptr : known->second;
    });
    return wired;
}

namespace {

/// `e` is `begin + symbol` with a begin free of iteration symbols: the map may run over the container's own indices.
std::optional<Expr> unit_offset(const Expr& e, const std::string& symbol) {
    const Expr begin = symbolic::substitute(e, {{symbol, Expr(0)}});
    if (!(begin + symbolic::symbol(symbol) == e)) return std::nullopt;
    for (const std::string& name : symbolic::free_symbols(begin))
        if (name.starts_with("__r")) return std::nullopt;
    return begin;
}

/// The size of a range that is empty when negative: `max(0, e)` is `e` there, and the loop's bound stays plain.
Expr range_size(const Expr& size) {
    if (size.kind() == symbolic::Kind::Maximum && size.operands().size() == 2)
        for (const std::size_t at : {0, 1})
            if (size.operands()[at].is_integer(0)) return size.operands()[1 - at];
    return size;
}

}  // namespace

Plan ArrayProgram::elementwise_plan(const Target& target, const Value& value, const std::string& label, const std::string& wcr) {
    ir::MapEntry map;
    symbolic::Substitution iteration;
    std::set<std::string> used;
    for (std::size_t dim = 0; dim < target.shape.size(); ++dim) {
        const std::string symbol = iteration_name(target.shape.size() - 1 - dim);
        if (target.shape[dim].is_integer(1)) {
            iteration.emplace(symbol, Expr(0));
            continue;
        }
        const std::string param = fresh_param(used);
        Expr begin = 0;
        for (const Expr& index : target.view.index)
            if (const auto offset = unit_offset(index, symbol)) begin = *offset;
        map.params.push_back(param);
        map.range.dims.push_back({begin, begin + range_size(target.shape[dim]), 1, 1});
        iteration.emplace(symbol, symbolic::symbol(param) - begin);
    }
    Value joined = value;
    joined.operands.insert(target.scatter_operands.begin(), target.scatter_operands.end());
    if (target.scatter && !value.operands.contains(target.view.id())) joined.operands.erase(target.view.id());
    Wired wired = wire(joined, iteration);
    std::string out = "out";
    for (int suffix = 0; name_taken(out); ++suffix) out = "out_" + std::to_string(suffix);
    ExprPtr place = make_name(out);
    ir::Memlet written;
    DType type;
    if (target.scatter) {
        Value index = joined;
        index.code = std::get<SubscriptExpr>(target.scatter->node).index;
        place = make_subscript(place, elements_of(wire(index, iteration).code));
        written = subset_memlet(target.view.data, Subset::extents(container(target.view.data).shape));
        written.dynamic = true;
        written.volume = 1;
        type = DType::pointer(target.view.dtype);
    } else {
        std::vector<Expr> index;
        for (const Expr& e : target.view.index) index.push_back(symbolic::substitute(e, iteration));
        written = element_memlet(target.view.data, std::move(index));
    }
    if (!wcr.empty()) written.wcr = wcr;
    PlannedCode tasklet{
        python_tasklet(label, code::to_string({make_assignment(place, wired.code)})), std::move(wired.in), {}, where_};
    while (!std::get<ir::Tasklet>(tasklet.node).code.text.empty() && std::get<ir::Tasklet>(tasklet.node).code.text.back() == '\n')
        std::get<ir::Tasklet>(tasklet.node).code.text.pop_back();
    tasklet.out.push_back({out, std::move(written), type});
    if (map.params.empty()) return {std::move(tasklet)};
    map.label = label;
    if (target.scatter && wcr.empty()) map.schedule = ir::Schedule::Sequential;  // Of equal indices the last one counts.
    return {PlannedScope{std::move(map), {}, {std::move(tasklet)}, {}, where_}};
}

/// What writing the target's elements one after the other would change before it is read.
std::vector<std::string> ArrayProgram::overwritten_operands(const Target& target, const Value& value) const {
    std::vector<std::string> ids;
    if (target.shape.empty()) return ids;
    const auto written = target.scatter ? std::nullopt : subset_of_view(target.view, target.shape);
    for (const auto& [id, operand] : value.operands) {
        if (root_of(operand.data) != root_of(target.view.data)) continue;
        const bool comparable = operand.data == target.view.data && !operand.whole && written;
        if (comparable && operand.index == target.view.index) continue;
        const auto read = comparable ? subset_of_view(operand, value.shape) : std::nullopt;
        if (!read || !symbolic::is_yes(symbolic::disjoint(*written, *read, assumptions_))) ids.push_back(id);
    }
    return ids;
}

namespace {

/// The shape of what an operand reads in an array of the given shape, with 1 where neighbours along a dimension read the same; none
/// where that is as large.
std::optional<std::vector<Expr>> smaller_shape(const Operand& operand, const std::vector<Expr>& shape) {
    if (operand.whole) return std::nullopt;
    std::vector<Expr> read = shape;
    for (std::size_t dim = 0; dim < shape.size(); ++dim)
        if (std::ranges::none_of(operand.index, [&](const Expr& index) {
                return symbolic::depends_on(index, iteration_name(shape.size() - 1 - dim));
            }))
            read[dim] = Expr(1);
    return read == shape ? std::nullopt : std::optional(std::move(read));
}

Value value_of_operand(const Operand& operand, std::vector<Expr> shape) {
    Value value;
    value.type = {operand.dtype};
    value.shape = std::move(shape);
    value.code = make_name(operand.id());
    value.operands.emplace(operand.id(), operand);
    return value;
}

}  // namespace

/// The value without a dimension of size 1.
static Value without_unit_dim(const Value& value, std::size_t at) {
    symbolic::Substitution moved{{iteration_name(value.rank() - 1 - at), Expr(0)}};
    for (std::size_t dim = 0; dim < at; ++dim)
        moved.emplace(iteration_name(value.rank() - 1 - dim), iteration_of(dim, value.rank() - 1));
    Value result = substitute(value, moved);
    result.shape.erase(result.shape.begin() + static_cast<std::ptrdiff_t>(at));
    return result;
}

void ArrayProgram::assign(const Target& place, const Value& given, const std::string& label, const std::string& wcr) {
    refuse_flat();
    Target target = place;
    if (!given.is_elements()) unsupported("an assignment of this value", where_, "assign numbers and arrays");
    note_assigned(place, given);
    Value value = given;
    // A[...] = value with leading dimensions of size 1 drops them, as NumPy does.
    while (value.rank() > target.shape.size() && value.shape.front().is_integer(1)) {
        value = substitute(value, {{iteration_name(value.rank() - 1), Expr(0)}});
        value.shape.erase(value.shape.begin());
    }
    for (std::size_t at = value.rank(); names_.drops_unit_dims && at-- > 0 && value.rank() > target.shape.size();)
        if (value.shape[at].is_integer(1)) value = without_unit_dim(value, at);
    const std::vector<Expr> joint = broadcast({target.shape, value.shape}, where_);
    for (std::size_t dim = 0; dim < joint.size(); ++dim)
        if (joint.size() != target.shape.size() ||
            (target.shape[dim].is_integer(1) && !joint[dim].is_integer(1) && !is_one_or_none(joint[dim], assumptions_)))
            refuse("F004", "the value does not fit its target", where_, "assign to a target of the value's shape");
    if (code::is_complex(value.type.dtype.scalar) && !code::is_complex(target.view.dtype.scalar))
        refuse("F009", "a complex value does not fit a real target", where_, "take its .real or .imag part");
    for (std::size_t dim = 0; dim < joint.size(); ++dim) {
        require_equal(target.shape[dim], joint[dim], "the value does not fit its target", where_);
        if (!target.shape[dim].is_integer(1)) target.shape[dim] = joint[dim];
    }
    value = broadcast_to(value, target.shape, where_);
    if (const Operand* view = as_view(value); view && wcr.empty() && !target.scatter && view->id() == target.view.id()) return;
    const std::vector<std::string> overwritten = overwritten_operands(target, value);
    const auto is_small = [&](const std::string& id) { return smaller_shape(value.operands.at(id), target.shape).has_value(); };
    if (!target.scatter && std::ranges::all_of(overwritten, is_small)) {
        for (const std::string& id : overwritten) {
            const Operand operand = value.operands.at(id);
            const Value part = value_of_operand(operand, *smaller_shape(operand, target.shape));
            const Value whole = read_container(add_temporary("copy", operand.dtype, part.shape));
            emit_state(label, elementwise_plan(target_of(whole, where_), part, label));
            const Value copy = broadcast_to(whole, target.shape, where_);
            value.code = replace_names(value.code, {{id, copy.code}});
            value.operands.erase(id);
            value.operands.insert(copy.operands.begin(), copy.operands.end());
        }
    } else if (!overwritten.empty()) {
        const Value copy = read_container(add_temporary("copy", target.view.dtype, target.shape));
        emit_state(label, elementwise_plan(target_of(copy, where_), value, label));
        value = copy;
    }
    emit_state(label, elementwise_plan(target, value, label, wcr));
}
Target ArrayProgram::target_of(const Value& value, const Span& span) const {
    if (value.read_only)
        refuse("F001", "assignment destination is read-only: what diagonal and broadcast_to return is a view", span,
               "copy it: x.copy(), or assign to the array itself");
    if (const Operand* view = as_view(value)) return {*view, value.shape, nullptr, {}};
    // A single subscript of a whole container: the index is computed from data.
    if (value.is_elements()) {
        const auto* subscript = std::get_if<SubscriptExpr>(&value.code->node);
        const auto whole = subscript ? value.operands.find(std::string(name_of(subscript->object))) : value.operands.end();
        if (whole != value.operands.end() && whole->second.whole) return {whole->second, value.shape, value.code, value.operands};
    }
    unsupported("an assignment to a computed value", span, "assign to a variable, an element or a slice of an array");
}
}  // namespace sluice::frontend
