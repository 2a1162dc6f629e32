#include "rewrite/aliases.h"

#include <set>
#include <string>
#include <vector>

#include "analysis/symbols.h"
#include "ir/adjacency.h"
#include "ir/query.h"
#include "ir/views.h"

namespace sluice::rewrite {

namespace {

struct Argument {
    std::string connector;
    const ir::Memlet* memlet;
    bool written;
    std::optional<std::string> memory;  ///< Whose memory it lies in; missing: nobody knows.
};

bool may_alias(const ir::Sdfg& sdfg, const std::string& data) {
    const ir::Container* container = ir::find_container(sdfg, data);
    const auto* array = container ? std::get_if<ir::Array>(&container->kind) : nullptr;
    return !container || (array && array->may_alias && !container->transient);
}

bool may_overlap(const ir::Sdfg& sdfg, const Argument& a, const Argument& b) {
    if (a.connector == b.connector || !(a.written || b.written)) return false;
    if (!a.memory || !b.memory) return true;
    if (*a.memory != *b.memory) return may_alias(sdfg, *a.memory) && may_alias(sdfg, *b.memory);
    if (a.memlet->data != b.memlet->data || !a.memlet->subset || !b.memlet->subset) return true;
    return !symbolic::is_yes(symbolic::disjoint(*a.memlet->subset, *b.memlet->subset, analysis::assumptions_wherever_called(sdfg)));
}

/// Connectors of the call whose memory may overlap that of another one.
std::set<std::string> overlapping(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId call) {
    const ir::Adjacency adjacency(state);
    std::vector<Argument> arguments;
    const auto add = [&](ir::EdgeId id, const std::string& connector, bool written) {
        const ir::Memlet& memlet = state.edges[id].memlet;
        if (memlet.empty()) return;
        arguments.push_back({connector, &memlet, written, ir::memory_of_argument(sdfg, state, adjacency, id, call)});
    };
    for (const ir::EdgeId id : adjacency.in(call)) add(id, state.edges[id].dst_connector, false);
    for (const ir::EdgeId id : adjacency.out(call)) add(id, state.edges[id].src_connector, true);
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
