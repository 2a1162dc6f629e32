// ChooseAllocation: put a small transient of constant size on the stack, everything else on the heap, and there once for all
// iterations of a loop, or for all calls of the program.
//     t @Default   ->   t @Register   or   t @CPU_Heap   or   t @CPU_Heap lifetime=SDFG   or   t @CPU_Heap lifetime=Persistent
// An array lives as long as the SDFG if a state in a loop allocates it anew each time, writes all that it reads of it before, and
// its size is known when the SDFG begins. It is kept from one call to the next only where somebody wishes so: freed blocks are
// handed out again anyway (runtime/memory.h), and a program that keeps nothing may be run by several threads at once.
// A1 the container has memory of its own in the SDFG, and its storage is not decided. A2 what is kept between calls is an array
// whose size follows from the program's arguments, outside of scopes, of which a call reads only what it wrote.
#include <algorithm>
#include <set>

#include "analysis/symbols.h"
#include "ir/query.h"
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

namespace {

/// Would each iteration of a loop allocate an array of one size, of which none sees what another has left?
bool is_allocated_again(const ir::Sdfg& sdfg, const std::string& name,
                        const std::map<std::string, analysis::AllocationScope>& scopes) {
    const ir::Container& container = sdfg.containers.at(name);
    const auto scope = scopes.find(name);
    if (!std::holds_alternative<ir::Array>(container.kind) || container.lifetime != ir::Lifetime::Scope || scope == scopes.end() ||
        scope->second.level != analysis::AllocationScope::Level::State || !scope->second.repeats)
        return false;
    const std::set<std::string> names = analysis::free_symbols(container);
    const std::vector<std::string> assigned = ir::assigned_symbols(sdfg);
    return std::ranges::none_of(assigned, [&](const std::string& symbol) { return names.contains(symbol); }) &&
           std::ranges::none_of(names, [&](const std::string& symbol) { return sdfg.containers.contains(symbol); });
}

}  // namespace

StorageChoice allocated(const ir::Sdfg& sdfg, const std::string& name,
                        const std::map<std::string, analysis::AllocationScope>& scopes, const analysis::Machine& machine) {
    const ir::Container& container = sdfg.containers.at(name);
    const auto size = size_of(container);
    StorageChoice choice;
    if (size && *size <= machine.largest_on_stack) choice.storage = ir::Storage::Register;
    choice.choice = ir::to_string(choice.storage);
    choice.why = !size ? "its size is known only when it runs"
                       : (choice.storage == ir::Storage::Register ? "it is small" : "it is too large for the stack") +
                             (", " + std::to_string(*size) + " bytes");
    if (choice.storage != ir::Storage::CPU_Heap || !is_allocated_again(sdfg, name, scopes)) return choice;
    choice.lifetime = ir::Lifetime::SDFG;
    choice.choice += " lifetime=SDFG", choice.why += ", and iterations of a loop would each allocate it";
    return choice;
}

void take(ir::Container& container, const StorageChoice& choice) {
    container.storage = choice.storage;
    if (choice.lifetime) container.lifetime = *choice.lifetime;
}

namespace {

/// Why the array cannot be kept from one call to the next; empty if it can.
std::string why_not_kept(const rewrite::Site& site, const std::string& name) {
    const ir::Sdfg& sdfg = site.sdfg();
    const ir::Container& container = sdfg.containers.at(name);
    if (!std::holds_alternative<ir::Array>(container.kind)) return "it is no array";
    const std::set<std::string> names = analysis::free_symbols(container);
    if (!site.match().place.nested.empty() && !names.empty()) return "its size is an argument of a call";
    const std::vector<std::string> assigned = ir::assigned_symbols(sdfg);
    for (const std::string& symbol : names)
        if (sdfg.containers.contains(symbol) || std::ranges::binary_search(assigned, symbol))
            return "its size depends on `" + symbol + "`, which the program computes";
    const auto scopes = analysis::allocation_scopes(sdfg);
    const auto scope = scopes.find(name);
    if (scope != scopes.end() && scope->second.level == analysis::AllocationScope::Level::Scope)
        return "each point of a scope has one of its own";
    if (analysis::needed_at_start(sdfg, site.assumptions()).contains(name))
        return "something of it may be read before it is written";
    return {};
}

rewrite::Planned<StorageChoice> plan_choose_allocation(const rewrite::Site& site) {
    const std::string& name = site.get<ir::Access>("data").data;
    const ir::Container* container = site.sdfg().containers.find(name);
    const auto wish = ir::parse_enum<ir::Lifetime>(site.text("lifetime"));
    if (!container || !storage_is_open(*container))
        return Refusal{.code = "A1", .why = "its storage is decided, or elsewhere", .nodes = {site.node("data")}};
    if (site.text("lifetime").empty()) return allocated(site.sdfg(), name, analysis::allocation_scopes(site.sdfg()), decided_for());
    if (wish != ir::Lifetime::Persistent)
        return Refusal{.code = "A2", .why = "a lifetime can be wished for that is Persistent, and nothing else", .nodes = {}};
    if (const std::string why = why_not_kept(site, name); !why.empty())
        return Refusal{.code = "A2", .why = why, .nodes = {site.node("data")}};
    StorageChoice choice;
    choice.choice = "CPU_Heap lifetime=Persistent";
    choice.why = "somebody wishes so";
    choice.lifetime = ir::Lifetime::Persistent;
    return choice;
}

void apply_choose_allocation(rewrite::Draft& draft, const StorageChoice& choice) {
    take(draft.sdfg().containers.at(draft.before().get<ir::Access>("data").data), choice);
}

}  // namespace

rewrite::Transformation choose_allocation() {
    return rewrite::transformation(
        {.name = "ChooseAllocation",
         .summary = "Puts a small transient of constant size on the stack, everything else on the heap, once for all iterations.",
         .drawing = "t @Default   ->   t @Register   or   t @CPU_Heap   or   t @CPU_Heap lifetime=SDFG   or   t @CPU_Heap "
                    "lifetime=Persistent",
         .decided_by = {.structural =
                            "No access moves: the container lies elsewhere. It outlives an iteration only where each writes "
                            "what it reads (allocation_scopes)."},
         .patterns = {{.nodes = {{"data", rewrite::kind::access}}, .edges = {}}},
         .conditions = {{"A1", "the container has memory of its own in the SDFG, and its storage is not decided"},
                        {"A2",
                         "what is kept between calls is an array whose size follows from the program's arguments, outside of "
                         "scopes, of which a call reads only what it wrote"}},
         .parameters = {{"lifetime", std::string(),
                         "Persistent: allocated at the first call, and kept until a call has other sizes or the program is "
                         "released; empty: what pays."}}},
        plan_choose_allocation, apply_choose_allocation);
}

}  // namespace sluice::transform
