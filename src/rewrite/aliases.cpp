#include "rewrite/aliases.h"

#include <set>
#include <string>

#include "analysis/symbols.h"
#include "ir/query.h"

namespace sluice::rewrite {

namespace {

struct Argument {
    std::string connector;
    const ir::Memlet* memlet;
    bool written;
};

bool may_alias(const ir::Sdfg& sdfg, const std::string& data) {
    const ir::Container* container = ir::find_container(sdfg, data);
    if (!container || container->binding != ir::Binding::Own) return true;
    const auto* array = std::get_if<ir::Array>(&container->kind);
    return array && array->may_alias && !container->transient;
}

bool may_overlap(const ir::Sdfg& sdfg, const Argument& a, const Argument& b) {
    if (a.connector == b.connector || !(a.written || b.written)) return false;
    if (may_alias(sdfg, a.memlet->data) && may_alias(sdfg, b.memlet->data)) return true;
    if (ir::root_name(a.memlet->data) != ir::root_name(b.memlet->data)) {
        const ir::Container* first = ir::find_container(sdfg, a.memlet->data);
        const ir::Container* second = ir::find_container(sdfg, b.memlet->data);
        return !first || !second || first->binding != ir::Binding::Own || second->binding != ir::Binding::Own;
    }
    if (a.memlet->data != b.memlet->data || !a.memlet->subset || !b.memlet->subset) return true;
    return !symbolic::is_yes(symbolic::disjoint(*a.memlet->subset, *b.memlet->subset, analysis::assumptions_wherever_called(sdfg)));
}

/// Connectors of the call whose memory may overlap that of another one.
std::set<std::string> overlapping(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId call) {
    std::vector<Argument> arguments;
    for (const auto& [id, edge] : state.edges) {
        if (edge.memlet.empty()) continue;
        if (edge.dst == call) arguments.push_back({edge.dst_connector, &edge.memlet, false});
        if (edge.src == call) arguments.push_back({edge.src_connector, &edge.memlet, true});
    }
    std::set<std::string> found;
    for (const Argument& a : arguments)
        for (const Argument& b : arguments)
            if (may_overlap(sdfg, a, b)) found.insert(a.connector);
    return found;
}

}  // namespace

std::optional<ir::Sdfg> with_aliases_declared(const ir::Sdfg& root, const Place& place) {
    std::optional<ir::Sdfg> declared;
    Place at;
    for (const NestedStep& step : place.nested) {
        const ir::Sdfg& program = declared ? *declared : root;
        const ir::Sdfg& sdfg = sdfg_at(program, at);
        Place call = at;
        call.regions = step.regions;
        call.state = step.state;
        const std::set<std::string> names = overlapping(sdfg, state_at(program, call), step.node);
        at.nested.push_back(step);
        for (const std::string& name : names) {
            const ir::Container* container = sdfg_at(declared ? *declared : root, at).containers.find(name);
            const auto* array = container ? std::get_if<ir::Array>(&container->kind) : nullptr;
            if (!array || array->may_alias) continue;
            if (!declared) declared = root;
            std::get<ir::Array>(sdfg_at(*declared, at).containers.at(name).kind).may_alias = true;
        }
    }
    return declared;
}

}  // namespace sluice::rewrite
