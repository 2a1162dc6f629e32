#include "library/contract.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "library/shared/blas.h"

namespace sluice::library {

namespace {

bool same_value(const ir::Property* a, const ir::Property& b) {
    return a && *a == b;
}

bool holds(const NodeContext& context, const Form& form) {
    return std::ranges::all_of(form.properties,
                               [&](const auto& wanted) { return same_value(context.property(wanted.first), wanted.second); });
}

std::string shape_text(const Operand& operand) {
    std::vector<std::string> sizes;
    for (const ir::Expr& size : operand.shape) sizes.push_back(symbolic::to_string(size));
    return fmt::format("[{}]", fmt::join(sizes, ", "));
}

/// Fits one form to the node; what does not fit is the failure's message.
class Fitting {
public:
    Fitting(const NodeContext& context, const Form& form) : context_(context) { binding_.form = form; }

    Binding fit() {
        for (const FormOperand& one : binding_.form.inputs) binding_.inputs.push_back(bound(one, context_.input(one.connector)));
        for (const FormOperand& one : binding_.form.outputs) binding_.outputs.push_back(bound(one, context_.output(one.connector)));
        for (const BoundOperand& one : binding_.outputs) {
            if (context_.operation->update_factor.empty()) continue;
            const ir::EdgeId old = context_.find_input(one.connector);
            if (old.valid()) binding_.old_values.emplace(one.connector, old);
        }
        refuse_others();
        return std::move(binding_);
    }

private:
    BoundOperand bound(const FormOperand& one, ir::EdgeId edge) {
        const std::size_t rank = one.sizes.size();
        BoundOperand result{.connector = one.connector, .sizes = one.sizes, .edge = edge, .dims = {}, .operand = {}};
        result.dims = context_.dims(edge, std::max<std::size_t>(rank, 1));
        result.operand = context_.operand(edge, result.dims);
        const bool single = rank == 0 && result.dims.size() == 1 && result.operand.shape[0].is_integer(1);
        if (result.dims.size() != rank && !single)
            refuse(fmt::format("{} has {} dimension{}, not {}", one.connector, result.dims.size(),
                               result.dims.size() == 1 ? "" : "s", rank));
        for (std::size_t dim = 0; dim < rank; ++dim) note_size(one, dim, result.operand.shape[dim]);
        return result;
    }
    void note_size(const FormOperand& one, std::size_t dim, const ir::Expr& size) {
        const std::string& name = one.sizes[dim];
        const bool number = std::isdigit(static_cast<unsigned char>(name[0])) != 0;
        const ir::Expr wanted =
            number ? ir::Expr(std::int64_t{std::stoll(name)}) : binding_.sizes.emplace(name, size).first->second;
        if (!symbolic::is_no(symbolic::decide(symbolic::equal(wanted, size)))) return;
        refuse(fmt::format("{} is {} at {} and {} elsewhere", number ? "the size " + name : name, symbolic::to_string(size),
                           one.connector, symbolic::to_string(wanted)));
    }
    /// What reaches the node and no operand takes.
    void refuse_others() {
        const auto taken = [](const std::vector<BoundOperand>& operands, ir::EdgeId id) {
            return std::ranges::any_of(operands, [&](const BoundOperand& one) { return one.edge == id; });
        };
        for (const auto& [id, edge] : context_.state.edges) {
            if (edge.memlet.empty() || (edge.dst != context_.node && edge.src != context_.node)) continue;
            const bool input = edge.dst == context_.node;
            const bool old = input && std::ranges::any_of(binding_.old_values, [&](const auto& one) { return one.second == id; });
            if (old || taken(input ? binding_.inputs : binding_.outputs, id)) continue;
            context_.refuse("B002",
                            fmt::format("{} has no {} {}", context_.operation->name, input ? "input" : "output",
                                        input ? edge.dst_connector : edge.src_connector),
                            "it is called as " + to_string(binding_.form));
        }
    }
    [[noreturn]] void refuse(const std::string& why) const {
        std::vector<std::string> shapes;
        for (const FormOperand& one : binding_.form.inputs) {
            const ir::EdgeId edge = context_.find_input(one.connector);
            if (edge.valid())
                shapes.push_back(one.connector + shape_text(context_.operand(
                                                     edge, context_.dims(edge, std::max<std::size_t>(one.sizes.size(), 1)))));
        }
        context_.refuse("B003",
                        fmt::format("{} is called as {}: {} ({})", context_.operation->name, to_string(binding_.form), why,
                                    fmt::join(shapes, ", ")),
                        "correct the shapes of its operands");
    }

    const NodeContext& context_;
    Binding binding_;
};

bool is_number_type(code::Scalar scalar) {
    return scalar == code::Scalar::Bool || code::is_integer(scalar) || code::is_floating(scalar) || code::is_complex(scalar);
}

void check_types(const NodeContext& context, const Binding& binding) {
    const Operation& operation = *context.operation;
    std::optional<code::DType> first;
    for (const auto* operands : {&binding.inputs, &binding.outputs})
        for (const BoundOperand& one : *operands) {
            const code::DType& type = one.operand.type;
            const auto own = operation.operand_types.find(one.connector);
            const std::vector<code::Scalar> types =
                own == operation.operand_types.end() ? operation.types : std::vector{own->second};
            const bool listed = types.empty() || std::ranges::find(types, type.scalar) != types.end();
            if (type.compound || !is_number_type(type.scalar) || !listed)
                context.refuse("B005", fmt::format("{} does not take elements of type {}", operation.name, code::to_string(type)),
                               types.empty() ? "use numbers" : fmt::format("use {}", code::to_string(code::DType(types[0]))));
            if (own != operation.operand_types.end()) continue;
            if (operation.one_type && first && !(*first == type))
                context.refuse("B005",
                               fmt::format("{} takes operands of one type, not {} and {}", operation.name, code::to_string(*first),
                                           code::to_string(type)),
                               "convert an operand first");
            first = type;
        }
}

/// A number may be given by any property that is one.
void check_properties(const NodeContext& context) {
    const auto kind = [](const ir::Property& value) -> std::string {
        if (std::holds_alternative<bool>(value)) return "a truth value";
        if (std::holds_alternative<std::vector<std::int64_t>>(value)) return "a list of integers";
        if (std::holds_alternative<std::monostate>(value)) return "";
        return "a number or text";
    };
    for (const PropertyRule& rule : context.operation->properties) {
        const auto at = context.library().properties.find(rule.name);
        if (at == context.library().properties.end()) continue;
        const std::string given = kind(at->second), wanted = kind(rule.default_value);
        if (given.empty() || wanted.empty() || given == wanted) continue;
        context.refuse("B005", fmt::format("the property {} of {} is {}", rule.name, context.operation->name, given),
                       "give it " + wanted);
    }
}

/// Elements of one stream cannot be distinguished by who reads them.
void check_streams(const NodeContext& context, const Binding& binding) {
    std::set<std::string> read;
    for (const BoundOperand& one : binding.inputs)
        if (one.operand.is_stream && !read.insert(context.state.edges[one.edge].memlet.data).second)
            context.refuse("B002", "two operands of " + context.operation->name + " come from one stream",
                           "give each a stream of its own");
}

}  // namespace

const BoundOperand& Binding::input(const std::string& connector) const {
    const auto at = std::ranges::find(inputs, connector, &BoundOperand::connector);
    check(at != inputs.end(), "the form has no input ", connector);
    return *at;
}

const BoundOperand& Binding::output(const std::string& connector) const {
    const auto at = std::ranges::find(outputs, connector, &BoundOperand::connector);
    check(at != outputs.end(), "the form has no output ", connector);
    return *at;
}

Binding bind(const NodeContext& context) {
    check(context.operation, "a node is read without its contract");
    check_properties(context);
    std::vector<Form> candidates = context.operation->forms_of ? context.operation->forms_of(context) : context.operation->forms;
    std::erase_if(candidates, [&](const Form& form) { return !holds(context, form); });
    if (candidates.empty())
        context.refuse("B005", "no form of " + context.operation->name + " has these properties", "see its contract");
    std::optional<Diagnostic> why;
    for (const Form& form : candidates) {
        Result<Binding> fitted = capture([&] { return Fitting(context, form).fit(); });
        if (fitted.ok()) {
            check_types(context, *fitted);
            check_streams(context, *fitted);
            return std::move(*fitted);
        }
        why = fitted.error();
    }
    fail(*why);
}

Cost cost_of(const NodeContext& context, const Binding& binding) {
    Cost cost{.flops = {}, .bytes = 0};
    if (context.operation->flops)
        cost.flops = symbolic::substitute(symbolic::parse(context.operation->flops(binding.form)).or_fail(),
                                          symbolic::Substitution(binding.sizes.begin(), binding.sizes.end()));
    const auto bytes = [](const BoundOperand& one) {
        ir::Expr elements = static_cast<std::int64_t>(code::size_in_bytes(one.operand.type));
        for (const ir::Expr& size : one.operand.shape) elements = elements * size;
        return elements;
    };
    for (const BoundOperand& one : binding.inputs) cost.bytes = cost.bytes + bytes(one);
    for (const BoundOperand& one : binding.outputs) cost.bytes = cost.bytes + bytes(one) * (context.updates() ? 2 : 1);
    return cost;
}

bool is_large_product(const NodeContext& context) {
    const Binding binding = bind(context);
    const auto is_extent = [](const std::string& size) { return size != "1"; };
    if (binding.sizes.size() < 3 || std::ranges::count_if(binding.outputs[0].sizes, is_extent) < 2) return false;
    const Cost cost = cost_of(context, binding);
    return cost.flops && !(cost.flops->is_integer() && cost.flops->integer() <= 2 * kSmallProduct);
}

}  // namespace sluice::library
