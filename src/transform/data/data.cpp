#include "transform/data/data.h"

#include "ir/query.h"
#include "ir/walk.h"
#include "target/target.h"

namespace sluice::transform {

using ir::NodeId;

bool used_only_at(const ir::Sdfg& sdfg, const ir::State& state, NodeId access) {
    const std::string& name = std::get<ir::Access>(state.nodes[access].kind).data;
    const ir::Container* container = sdfg.containers.find(name);
    if (!container || !container->transient) return false;
    if (container->lifetime != ir::Lifetime::Scope && container->lifetime != ir::Lifetime::State &&
        container->lifetime != ir::Lifetime::SDFG)
        return false;
    if (rewrite::count_accesses(sdfg, name) != 1 || rewrite::used_in_control(sdfg, name)) return false;
    bool mapped = false;
    ir::for_each_state(sdfg.body, [&](const ir::State& other) {
        for (const auto& [id, node] : other.nodes)
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind))
                for (const auto& [symbol, value] : nested->symbol_mapping) mapped = mapped || symbolic::depends_on(value, name);
    });
    return !mapped;
}

std::set<std::string> aliases(const ir::Sdfg& sdfg, const std::string& name) {
    const auto may_alias = [](const ir::Container& one) {
        const auto* array = std::get_if<ir::Array>(&one.kind);
        return !one.transient && array && array->may_alias;
    };
    std::set<std::string> found;
    const ir::Container* container = sdfg.containers.find(name);
    if (!container || !may_alias(*container)) return found;
    for (const auto& [other, one] : sdfg.containers)
        if (other != name && may_alias(one)) found.insert(other);
    return found;
}

std::optional<ir::Storage> storage_of(const std::string& name) {
    const auto storage = ir::parse_enum<ir::Storage>(name);
    return storage && target::holds(target::every(&target::Target::storages), *storage) ? storage : std::nullopt;
}

}  // namespace sluice::transform
