// A call of another program is a nested SDFG: its size symbols follow from the shapes of the arguments.
#include <algorithm>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/python/diagnostics.h"
#include "frontend/python/nested.h"
#include "frontend/python/program_build.h"
#include "frontend/python/syntax.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// C-order strides of a shape.
std::vector<Expr> row_major(const std::vector<Expr>& shape) {
    std::vector<Expr> strides(shape.size(), Expr(1));
    for (std::size_t dim = shape.size(); dim-- > 1;) strides[dim - 1] = strides[dim] * shape[dim];
    return strides;
}

}  // namespace

Value Translator::call_program(const Program& program, const CallExpr& node, const Span& span) {
    refuse_flat();
    const auto& function = std::get<FunctionStmt>(program.function->node);
    if (context_.callers.contains(program.function.get()))
        unsupported("recursion of " + function.name, span, "Write it as a loop or a consume scope");
    const std::vector<ProgramParameter> list = parameters(program).or_fail();
    std::vector<std::pair<std::string, Value>> actuals;
    std::map<std::string, ArgumentType> types;
    for (std::size_t at = 0; at < list.size(); ++at) {
        const ExprPtr e = argument({node.arguments, node.keywords, std::nullopt}, at, list[at].name);
        if (!e) refuse("F011", "the argument " + list[at].name + " of " + function.name + " is missing", span, "Pass it");
        Value value = evaluate(e);
        if (!value.is_elements()) unsupported("an argument of this kind", e->span, "Pass arrays and numbers");
        const bool wants_array = list[at].type ? list[at].type->shape.has_value() : value.rank() > 0;
        if (wants_array && list[at].type && value.rank() != list[at].type->shape->size())
            refuse("F011", "the argument " + list[at].name + " of " + function.name + " has another number of dimensions", e->span,
                   "Pass an array of " + std::to_string(list[at].type->shape->size()) + " dimensions");
        if (!wants_array && value.rank() > 0)
            refuse("F011", "the argument " + list[at].name + " of " + function.name + " is a number, not an array", e->span,
                   "Pass an element");
        if (!list[at].type) types[list[at].name] = {strong(value.type), wants_array ? std::optional(value.shape) : std::nullopt};
        actuals.emplace_back(list[at].name, std::move(value));
    }
    if (node.arguments.size() + node.keywords.size() > list.size())
        refuse("F011", function.name + " takes " + std::to_string(list.size()) + " arguments", span, "Remove the others");
    ir::Sdfg inner = translate_program(program, types, context_.callers);
    ir::NestedSdfg nested;
    nested.label = function.name;
    PlannedCode code{{}, {}, {}, span};
    const Touched touched = containers_touched(inner);
    for (auto& [name, value] : actuals) {
        ir::Container* formal = inner.containers.find(name);
        if (!formal) {  // A symbol.
            nested.symbol_mapping[name] = integer_of(value, span);
            continue;
        }
        const bool written = touched.writes.contains(name);
        const Operand* view = as_view(value);
        auto subset = view ? subset_of_view(*view, value.shape) : std::nullopt;
        bool in_order = subset.has_value();
        std::vector<Expr> strides;
        if (subset && !formal->shape.empty()) {
            const std::vector<Expr> outer = row_major(container(view->data).shape);
            for (std::size_t dim = 0; dim < value.rank() && in_order; ++dim) {
                const std::string symbol = iteration_of(dim, value.rank()).name();
                Expr stride = 0;
                for (std::size_t d = 0; d < view->index.size(); ++d)
                    if (symbolic::depends_on(view->index[d], symbol)) stride = outer[d] * subset->dims[d].step;
                in_order = !symbolic::is_yes(symbolic::decide(symbolic::less(stride, 0), assumptions_));
                strides.push_back(stride);
            }
        }
        const bool same_type = formal->dtype == strong(value.type);
        if (!in_order || !same_type) {
            if (written)
                refuse("F011",
                       "the argument " + name + " of " + function.name + " is written and must be a view of one array of its type",
                       span, "Pass an array or a regular slice of type " + code::to_string(formal->dtype));
            const Value value_before = value;
            value = read_container(
                add_temporary(name + "_argument", formal->dtype, formal->shape.empty() ? std::vector<Expr>() : value.shape));
            assign(target_of(value, span), broadcast_to(value_before, value.shape, span), "argument");
            view = as_view(value);
            subset = subset_of_view(*view, value.shape);
            strides = row_major(value.shape);
        }
        if (!formal->shape.empty())
            match_sizes(*formal, value.shape, nested.symbol_mapping, name, function.name, span, assumptions_);
        if (!formal->shape.empty() && strides != row_major(value.shape)) give_strides(inner, name, strides, nested.symbol_mapping);
        const ir::Memlet memlet = subset_memlet(view->data, *subset);
        if (touched.reads.contains(name) || !written) code.in.push_back({name, memlet});
        if (written) code.out.push_back({name, memlet});
    }
    std::vector<Value> results;
    map_symbols(inner, nested.symbol_mapping, span);
    for (const auto& [name, formal] : inner.containers) {
        if (!name.starts_with("__return") || formal.transient) continue;
        std::vector<Expr> shape;
        symbolic::Substitution outward(nested.symbol_mapping.begin(), nested.symbol_mapping.end());
        for (const Expr& extent : formal.shape) shape.push_back(symbolic::substitute(extent, outward));
        const Value place = read_container(add_temporary(function.name + "_result", formal.dtype, shape));
        code.out.push_back({name, subset_memlet(as_view(place)->data, symbolic::Subset::extents(shape))});
        if (touched.reads.contains(name)) code.in.push_back({name, code.out.back().memlet});
        // A single number came back as an array of one element.
        Value result = place;
        if (shape.size() == 1 && shape[0].is_integer(1)) {
            result = substitute(place, {{iteration_name(0), Expr(0)}});
            result.shape.clear();
        }
        results.push_back(result);
    }
    nested.sdfg = Cow<ir::Sdfg>(std::move(inner));
    code.node = std::move(nested);
    emit_state("call_" + function.name, {std::move(code)});
    if (results.empty()) {
        Value none;
        none.kind = Value::Kind::None;
        return none;
    }
    return results.size() == 1 ? results[0] : tuple(std::move(results));
}

}  // namespace sluice::frontend
