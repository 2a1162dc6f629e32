#include "lower/sections.h"

#include "analysis/sections.h"
#include "ir/stream_join.h"
#include "lower/copies.h"
#include "lower/state.h"

namespace sluice::lower {

void lower_feeds(StateContext& state, std::span<const NodeId> members, const std::function<bool(NodeId)>& separates,
                 Body& section) {
    for (const NodeId member : members) {
        if (!std::holds_alternative<ir::Access>(state.node(member).kind)) continue;
        for (const ir::EdgeId id : state.adjacency.out(member)) {
            const ir::Edge& edge = state.state.edges[id];
            if (!edge.memlet.empty() && separates(edge.dst)) lower_copy(state, id, section);
        }
    }
}

bool lower_sections(StateContext& state, Body& body) {
    if (state.state.schedule != ir::Schedule::CPU_Multicore || !state.function.may_share()) return false;
    const auto parts = analysis::concurrent_parts(state.function.sdfg, state.state, state.adjacency, state.scopes);
    if (parts.size() < 2) return false;
    const auto joins = [&](NodeId node) { return ir::joins_parts(state.function.sdfg, state.state, state.adjacency, node); };
    loop::ParallelSections sections;
    state.function.loops.push_back({"", {}, true});
    for (const std::vector<NodeId>& part : parts) {
        Body section;
        ScopedBindings scope(state.function);
        for (const NodeId child : part) lower_node(state, child, part.size() == 1, section);
        lower_feeds(state, part, joins, section);
        if (!section.empty()) sections.sections.push_back(std::move(section));
    }
    state.function.loops.pop_back();
    emit(body, std::move(sections));
    return true;
}

}  // namespace sluice::lower
