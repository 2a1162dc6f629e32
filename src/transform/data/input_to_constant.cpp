// InputToConstant: give an argument its values for good, so that they are part of the program: on an FPGA, of the chip.
//     f(w, x) { ... w[i] ... }   ->   constant w = [...]; f(x) { ... w[i] ... }
// A copy of it in the memory of a device goes with it. De Fine Licht et al., "Python FPGA Programming with Data-Centric
// Multi-Level Design", section 5.1.
// IC1 an argument that is never written and has no other name. IC2 an array or scalar of bool, integers or real numbers, of
// constant extents, row by row. IC3 one value of its type for each element.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "analysis/counted_loops.h"
#include "code/dtype.h"
#include "ir/walk.h"
#include "rewrite/device_copy.h"
#include "rewrite/edit.h"
#include "transform/data/data.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

struct Fixed {
    ir::Constant constant;
    std::set<std::string> copies;  ///< Transients of a device that hold the argument and nothing else.
};

/// `1`, `-2.5`, `inf`, `nan`, `True`.
template <class Number> std::optional<Number> parsed(const std::string& text) {
    if (text == "True" || text == "False") return static_cast<Number>(text == "True");
    Number number{};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    return status == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// An integer of the type; those of uint64 that no int64 holds keep their bits.
std::optional<std::int64_t> integer_of(const std::string& text, code::Scalar type) {
    const std::size_t bits = type == code::Scalar::Bool ? 1 : 8 * code::size_in_bytes(type);
    if (!code::is_signed(type)) {
        const auto value = parsed<std::uint64_t>(text);
        const bool fits = value && (bits == 64 || *value >> bits == 0);
        return fits ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
    }
    const auto value = parsed<std::int64_t>(text);
    const bool fits = value && *value >> (bits - 1) == (*value < 0 ? -1 : 0);
    return fits ? value : std::nullopt;
}

/// The number of elements of a container whose extents are numbers and that lies row by row; nothing otherwise.
std::optional<std::int64_t> packed_size(const ir::Container& container) {
    std::int64_t size = 1;
    std::vector<symbolic::Expr> strides(container.shape.size());
    for (std::size_t d = container.shape.size(); d-- > 0;) {
        const auto extent = container.shape[d].constant();
        if (!extent) return std::nullopt;
        strides[d] = symbolic::Expr(size);
        size *= *extent;
    }
    const auto* array = std::get_if<ir::Array>(&container.kind);
    if (!array) return size;
    const auto is_zero = [](const symbolic::Expr& e) { return e.is_integer(0); };
    const bool packed = (array->strides.empty() || array->strides == strides) && std::ranges::all_of(array->offset, is_zero) &&
                        is_zero(array->start_offset) && (is_zero(array->total_size) || array->total_size.is_integer(size));
    return packed ? std::optional(size) : std::nullopt;
}

/// Whether the edge copies all of `from` to all of `to`.
bool copies_whole(const ir::Sdfg& sdfg, const ir::State& state, const ir::Edge& edge, const std::string& from,
                  const std::string& to) {
    const auto names = [&](ir::NodeId node, const std::string& data) {
        const auto* access = std::get_if<ir::Access>(&state.nodes[node].kind);
        return access && access->data == data;
    };
    if (!names(edge.src, from) || !names(edge.dst, to) || edge.memlet.wcr || edge.memlet.empty()) return false;
    const auto whole = [&](const std::optional<symbolic::Subset>& subset, const std::string& data) {
        return !subset || *subset == *rewrite::whole_of(sdfg, data).subset;
    };
    const std::string& other = edge.memlet.data == from ? to : from;
    return whole(edge.memlet.subset, edge.memlet.data) && whole(edge.memlet.other_subset, other);
}

bool is_copy_on_device(const ir::Sdfg& sdfg, const std::string& from, const std::string& name) {
    const ir::Container& container = sdfg.containers.at(name);
    const bool on_device = container.storage == ir::Storage::GPU_Global || container.storage == ir::Storage::FPGA_Global;
    if (!container.transient || container.binding != ir::Binding::Own || !on_device) return false;
    if (container.shape != sdfg.containers.at(from).shape || container.dtype != sdfg.containers.at(from).dtype) return false;
    std::size_t filled = 0, others = 0;
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        for (auto [id, edge] : state.edges)
            if (const auto* access = std::get_if<ir::Access>(&state.nodes[edge.dst].kind);
                access && access->data == name && !edge.memlet.empty())
                ++(copies_whole(sdfg, state, edge, from, name) ? filled : others);
    });
    return filled > 0 && others == 0;
}

rewrite::Planned<Fixed> plan_input_to_constant(const rewrite::Site& site) {
    const ir::Sdfg& sdfg = site.sdfg();
    const std::string& name = site.text("input");
    const auto refuse = [](std::string code, std::string why) { return Refusal{.code = std::move(code), .why = std::move(why)}; };
    const ir::Container* container = sdfg.containers.find(name);
    if (!container || container->transient || container->binding != ir::Binding::Own || !site.match().place.nested.empty())
        return refuse("IC1", "`" + name + "` is no argument of the program");
    if (analysis::written_containers(sdfg).contains(name)) return refuse("IC1", name + " is written");
    if (!aliases(sdfg, name).empty()) return refuse("IC1", name + " may be the same memory as another argument");

    const bool plain = std::holds_alternative<ir::Array>(container->kind) || std::holds_alternative<ir::Scalar>(container->kind);
    if (!plain || !container->dtype.is_scalar() || code::is_complex(container->dtype.scalar))
        return refuse("IC2", name + " holds " + code::to_string(container->dtype));
    const auto size = packed_size(*container);
    if (!size) return refuse("IC2", name + " has extents that are no numbers, or does not lie row by row");

    Fixed fixed;
    fixed.constant.container = *container;
    fixed.constant.container.storage = ir::Storage::Default;
    const std::vector<std::string>& values = site.texts("values");
    if (static_cast<std::int64_t>(values.size()) != *size)
        return refuse("IC3", fmt::format("{} has {} elements, and {} values are given", name, *size, values.size()));
    const code::Scalar type = container->dtype.scalar;
    for (const std::string& text : values) {
        const auto integer = code::is_integer(type) || type == code::Scalar::Bool ? integer_of(text, type) : std::nullopt;
        const auto real = code::is_floating(type) ? parsed<double>(text) : std::nullopt;
        if (!integer && !real) return refuse("IC3", text + " is no " + code::to_string(container->dtype));
        if (integer) fixed.constant.integers.push_back(*integer);
        if (real) fixed.constant.values.emplace_back(*real, 0.0);
    }
    for (const auto& [other, one] : sdfg.containers)
        if (other != name && is_copy_on_device(sdfg, name, other)) fixed.copies.insert(other);
    return fixed;
}

void apply_input_to_constant(rewrite::Draft& draft, const Fixed& fixed) {
    const std::string& name = draft.before().text("input");
    ir::Sdfg& sdfg = draft.sdfg();
    ir::edit_each_state(sdfg.body, [&](ir::State& state) {
        std::vector<ir::EdgeId> copies;
        for (auto [id, edge] : state.edges)
            for (const std::string& copy : fixed.copies)
                if (copies_whole(sdfg, state, edge, name, copy)) copies.push_back(id);
        for (const ir::EdgeId id : copies) state.edges.erase(id);
        if (!copies.empty()) rewrite::erase_isolated_accesses(state);
    });
    for (const std::string& copy : fixed.copies) {
        rewrite::rename_data(sdfg.body, copy, name);
        sdfg.containers.erase(copy);
    }
    std::erase(sdfg.arg_names, name);
    sdfg.containers.erase(name);
    sdfg.constants.set(name, fixed.constant);
}

}  // namespace

rewrite::Transformation input_to_constant() {
    return rewrite::transformation(
        {.name = "InputToConstant",
         .summary = "Gives an argument its values for good: they become part of the program.",
         .drawing = "f(w, x) { ... w[i] ... }   ->   constant w = [...]; f(x) { ... w[i] ... }",
         .decided_by = {.structural = "An argument that is never written has the values that it was given, wherever it is read."},
         .patterns = {{}},
         .conditions = {{"IC1", "an argument that is never written and has no other name"},
                        {"IC2", "an array or scalar of bool, integers or real numbers, of constant extents, row by row"},
                        {"IC3", "one value of its type for each element"}},
         .parameters = {{"input", std::string(), "The argument."},
                        {"values", std::vector<std::string>{}, "The elements, row by row, as Python writes numbers."}}},
        plan_input_to_constant, apply_input_to_constant);
}

}  // namespace sluice::transform
