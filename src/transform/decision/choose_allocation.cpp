// ChooseAllocation: put a small transient of constant size on the stack, everything else on the heap.
//     t @Default   ->   t @Register   or   t @CPU_Heap
// A1 the container has memory of its own in the SDFG, and its storage is not decided.
#include <algorithm>

#include "transform/decision/decision.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;
using symbolic::Expr;

Expr elements_of(const ir::Container& container, const Expr& total_size) {
    if (!total_size.is_integer(0)) return total_size;
    Expr total = 1;
    for (const Expr& extent : container.shape) total = total * extent;
    return total;
}

/// Bytes of the container with everything in it; nullopt: not a constant, or nothing that has bytes.
std::optional<std::int64_t> size_of(const ir::Container& container) {
    const auto scaled = [&](const Expr& elements) {
        return (elements * static_cast<std::int64_t>(std::max<std::size_t>(code::size_in_bytes(container.dtype), 1))).constant();
    };
    if (const auto* array = std::get_if<ir::Array>(&container.kind)) return scaled(elements_of(container, array->total_size));
    if (std::holds_alternative<ir::Scalar>(container.kind)) return scaled(1);
    std::int64_t sum = 0;
    const auto add = [&](const ir::Container& part, std::int64_t copies) {
        const auto size = size_of(part);
        if (size) sum += copies * *size;
        return size.has_value();
    };
    if (const auto* structure = std::get_if<ir::Structure>(&container.kind)) {
        for (const auto& [name, member] : structure->members)
            if (!add(*member, 1)) return std::nullopt;
        return sum;
    }
    const auto* array = std::get_if<ir::ContainerArray>(&container.kind);
    const auto copies = array && array->element ? elements_of(container, array->layout.total_size).constant() : std::nullopt;
    if (!copies || !add(**array->element, *copies)) return std::nullopt;
    return sum + *copies * 8;
}

}  // namespace

bool storage_is_open(const ir::Container& container) {
    const bool buffer = !std::holds_alternative<ir::Stream>(container.kind) &&
                        !std::holds_alternative<ir::Scalar>(container.kind) &&
                        !std::holds_alternative<ir::ForeignContainer>(container.kind);
    return buffer && container.transient && container.binding == ir::Binding::Own && container.storage == ir::Storage::Default &&
           container.lifetime != ir::Lifetime::Persistent && container.lifetime != ir::Lifetime::External;
}

StorageChoice allocated(const ir::Container& container, const analysis::Machine& machine) {
    const auto size = size_of(container);
    StorageChoice choice;
    if (size && *size <= machine.largest_on_stack) choice.storage = ir::Storage::Register;
    choice.choice = ir::to_string(choice.storage);
    choice.why = !size ? "its size is known only when it runs"
                       : (choice.storage == ir::Storage::Register ? "it is small" : "it is too large for the stack") +
                             (", " + std::to_string(*size) + " bytes");
    return choice;
}

namespace {

rewrite::Planned<StorageChoice> plan_choose_allocation(const rewrite::Site& site) {
    const ir::Container* container = site.sdfg().containers.find(site.get<ir::Access>("data").data);
    if (container && storage_is_open(*container)) return allocated(*container, decided_for());
    return Refusal{.code = "A1", .why = "its storage is decided, or elsewhere", .nodes = {site.node("data")}};
}

void apply_choose_allocation(rewrite::Draft& draft, const StorageChoice& choice) {
    draft.sdfg().containers.at(draft.before().get<ir::Access>("data").data).storage = choice.storage;
}

}  // namespace

rewrite::Transformation choose_allocation() {
    return rewrite::transformation(
        {.name = "ChooseAllocation",
         .summary = "Puts a small transient of constant size on the stack, everything else on the heap.",
         .drawing = "t @Default   ->   t @Register   or   t @CPU_Heap",
         .decided_by = {.structural = "No access moves: the container lies elsewhere."},
         .patterns = {{.nodes = {{"data", rewrite::kind::access}}, .edges = {}}},
         .conditions = {{"A1", "the container has memory of its own in the SDFG, and its storage is not decided"}}},
        plan_choose_allocation, apply_choose_allocation);
}

}  // namespace sluice::transform
