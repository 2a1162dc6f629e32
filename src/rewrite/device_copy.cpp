#include "rewrite/device_copy.h"

#include <algorithm>
#include <set>

#include "analysis/symbols.h"
#include "ir/builder.h"
#include "ir/query.h"
#include "ir/walk.h"

namespace sluice::rewrite {

std::string add_device_copy(ir::Sdfg& sdfg, const std::string& name, const std::string& prefix, ir::Storage memory) {
    ir::Container container = sdfg.containers.at(name);
    const std::set<std::string> symbols = analysis::free_symbols(container);
    const bool changes =
        std::ranges::any_of(ir::assigned_symbols(sdfg), [&](const std::string& one) { return symbols.contains(one); });
    // Where a device keeps it is the copy's to say.
    sdfg.containers.at(name).location.erase(ir::kMemoryLocation);
    container.transient = true;
    container.storage = memory;
    container.binding = ir::Binding::Own;
    container.lifetime = changes ? ir::Lifetime::Scope : ir::Lifetime::SDFG;
    if (auto* array = std::get_if<ir::Array>(&container.kind)) array->may_alias = false, array->optional.reset();
    const std::string there = ir::fresh_name(sdfg, prefix + name);
    sdfg.containers.set(there, std::move(container));
    return there;
}

ir::Memlet whole_of(const ir::Sdfg& sdfg, const std::string& name) {
    const ir::Container& container = sdfg.containers.at(name);
    ir::Memlet memlet;
    memlet.data = name;
    if (std::holds_alternative<ir::Array>(container.kind)) memlet.subset = symbolic::Subset::extents(container.shape);
    return memlet;
}

void copy_whole(const ir::Sdfg& sdfg, ir::State& state, const std::string& from, const std::string& to) {
    ir::StateBuilder builder(state);
    builder.edge(builder.access(from), {}, builder.access(to), {}, whole_of(sdfg, from));
}

void copy_part(const ir::Sdfg& sdfg, ir::State& state, const std::string& from, const std::string& to,
               const symbolic::Subset& part) {
    if (part == symbolic::Subset::extents(sdfg.containers.at(from).shape)) return copy_whole(sdfg, state, from, to);
    ir::Memlet memlet;
    memlet.data = from;
    memlet.subset = memlet.other_subset = part;
    memlet.volume = symbolic::num_elements(part);
    ir::StateBuilder builder(state);
    builder.edge(builder.access(from), {}, builder.access(to), {}, std::move(memlet));
}

}  // namespace sluice::rewrite
