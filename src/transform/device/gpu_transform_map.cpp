// GPUTransformMap: move one map to a device, with copies of what it uses around it.
//     A -> map i { B } -> C   ->   A => gpu_A -> map i @GPU_Device { B } -> gpu_C => C
// Arrays that it uses, and scalars that it writes, get a transient on the device, unless they lie there. One that is written is
// copied there first if the map leaves something of it as it was, and back as a whole. Scalars that are read come as values. M1 the
// map is in no scope and not on a device yet. M2 a kernel can hold it. M3 copies of whole containers may stand around it: what
// else the state does with a container that the map writes, and where it writes one that the map reads, comes earlier or later.
#include <algorithm>

#include "analysis/counted_loops.h"
#include "analysis/liveness.h"
#include "analysis/symbols.h"
#include "ir/builder.h"
#include "ir/port.h"
#include "ir/query.h"
#include "rewrite/device_copy.h"
#include "rewrite/edit.h"
#include "transform/device/device.h"
#include "transform/map/boundary.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;

/// A container of the host that the map uses.
struct Used {
    bool read = false, written = false;
    bool copied_in = false;  ///< Something of it is needed on the device.
};
struct MapMove {
    KernelOptions options;
    std::map<std::string, Used> containers;
};

bool lies_on_device(const ir::Container& container) {
    return container.storage == ir::Storage::GPU_Global || container.storage == ir::Storage::GPU_Shared;
}

/// Edges through which data enter and leave the scope; not those of ranges that are read from data.
std::vector<EdgeId> boundary(const ir::State& state, const ir::Adjacency& adjacency, NodeId entry, NodeId exit) {
    std::vector<EdgeId> edges;
    for (const EdgeId id : adjacency.in(entry))
        if (ir::is_port_in(state.edges[id].dst_connector)) edges.push_back(id);
    for (const EdgeId id : adjacency.out(exit))
        if (!state.edges[id].memlet.empty()) edges.push_back(id);
    return edges;
}

/// Does another part of the state touch the container where a copy of all of it would meet that? What comes earlier leads to the
/// node that is copied from, what comes later is led to by the node that is copied to.
bool is_in_the_way(const ir::State& state, const ir::Adjacency& adjacency, NodeId entry, NodeId exit, const std::string& name,
                   const Used& used) {
    std::vector<NodeId> before, after, others;
    for (auto [id, node] : state.nodes) {
        const auto* access = std::get_if<ir::Access>(&node.kind);
        if (!access || access->data != name) continue;
        const auto in = adjacency.in(id), out = adjacency.out(id);
        const bool feeds = std::ranges::any_of(out, [&](EdgeId edge) { return state.edges[edge].dst == entry; });
        const bool is_fed = std::ranges::any_of(in, [&](EdgeId edge) { return state.edges[edge].src == exit; });
        if (is_fed && in.size() != 1) return true;
        if (feeds && used.written && std::ranges::any_of(out, [&](EdgeId edge) { return state.edges[edge].dst != entry; }))
            return true;
        (feeds ? before : is_fed ? after : others).push_back(id);
    }
    if (after.size() > 1) return true;
    if (before.size() > 1 && std::ranges::any_of(before, [&](NodeId id) { return !adjacency.in(id).empty(); })) return true;
    return std::ranges::any_of(others, [&](NodeId id) {
        if (!used.written && adjacency.in(id).empty()) return false;
        if (reaches(state, adjacency, used.written ? after[0] : exit, id)) return false;
        if (before.empty()) return used.copied_in || !reaches(state, adjacency, id, entry);
        return !std::ranges::all_of(before, [&](NodeId one) { return reaches(state, adjacency, id, one); });
    });
}

/// Does something in the state of a call use a container of the call's, neither before nor after it, and one of the two writes?
bool shares_with_others(const ir::State& state, const analysis::ScopeTree&, NodeId call) {
    const ir::Adjacency adjacency(state);
    std::map<std::string, bool> written;
    for (const EdgeId id : adjacency.in(call)) written[state.edges[id].memlet.data];
    for (const EdgeId id : adjacency.out(call)) written[state.edges[id].memlet.data] = true;
    return std::ranges::any_of(state.edges, [&](const auto& entry) {
        const ir::Edge& edge = entry.second;
        const auto own = written.find(edge.memlet.data);
        if (edge.memlet.empty() || own == written.end() || edge.src == call || edge.dst == call) return false;
        if (!own->second && !std::holds_alternative<ir::Access>(state.nodes[edge.dst].kind)) return false;
        return !reaches(state, adjacency, edge.dst, call) && !reaches(state, adjacency, call, edge.src);
    });
}

/// Which of the written containers keep something that they held before the map.
std::set<std::string> kept(const ir::Sdfg& sdfg, const ir::State& state, const std::vector<NodeId>& scope,
                           const std::vector<EdgeId>& outside, const std::map<std::string, Used>& containers) {
    std::vector<NodeId> nodes = scope;
    for (const EdgeId edge : outside)
        for (const NodeId end : {state.edges[edge].src, state.edges[edge].dst})
            if (std::ranges::find(nodes, end) == nodes.end()) nodes.push_back(end);
    ir::Sdfg alone = sdfg;
    alone.body = {};
    ir::State map, copies;
    rewrite::copy_nodes(map, state, nodes);
    for (const auto& [name, used] : containers) {
        alone.containers.at(name).transient = false;
        if (!used.written) continue;
        const std::string back = ir::fresh_name(alone, "back_" + name);
        alone.containers.set(back, ir::Container(alone.containers.at(name)));
        rewrite::copy_whole(alone, copies, name, back);
    }
    const ir::BlockId first = ir::add_block(alone.body, {.label = "map", .kind = Cow<ir::State>(std::move(map)), .metadata = {}});
    const ir::BlockId second =
        ir::add_block(alone.body, {.label = "copies", .kind = Cow<ir::State>(std::move(copies)), .metadata = {}});
    alone.body.start = first;
    ir::add_transition(alone.body, first, second);
    return analysis::needed_at_start(alone, analysis::assumptions_of(sdfg));
}

rewrite::Planned<MapMove> plan_gpu_transform_map(const rewrite::Site& site) {
    const NodeId entry = site.node("map");
    const ir::Sdfg& sdfg = site.sdfg();
    const ir::State& state = site.state();
    const analysis::ScopeTree& scopes = site.view().scopes;
    const ir::Adjacency& adjacency = site.view().adjacency;
    const NodeId exit = scopes.exit_of(entry);
    const ir::Schedule schedule = site.get<ir::MapEntry>("map").schedule;
    if (scopes.parent(entry).valid()) return Refusal{.code = "M1", .why = "the map is inside of another scope", .nodes = {entry}};
    const auto in_scope = [](const ir::State&, const analysis::ScopeTree& around, NodeId call) {
        return around.parent(call).valid();
    };
    if (rewrite::any_call_around(site.root(), site.match().place, in_scope))
        return Refusal{.code = "M1", .why = "it is called from inside of a scope", .nodes = {entry}};
    if (rewrite::any_call_around(site.root(), site.match().place, shares_with_others))
        return Refusal{.code = "M3",
                       .why = "another part of a state that calls it uses the same memory, neither before nor after",
                       .nodes = {entry}};
    if (schedule == ir::Schedule::GPU_Device || schedule == ir::Schedule::GPU_ThreadBlock)
        return Refusal{.code = "M1", .why = "the map is on a device already", .nodes = {entry}};
    if (const auto why = why_no_kernel(sdfg, state, scopes, entry, {})) return Refusal{.code = "M2", .why = *why, .nodes = {entry}};

    MapMove move{{site.flag("sequential_innermaps"), site.flag("register_trans")}, {}};
    const std::vector<EdgeId> outside = boundary(state, adjacency, entry, exit);
    for (const EdgeId id : outside) {
        const ir::Edge& edge = state.edges[id];
        const bool out = edge.src == exit;
        const auto* access = std::get_if<ir::Access>(&state.nodes[out ? edge.dst : edge.src].kind);
        if (!access || access->data != edge.memlet.data)
            return Refusal{.code = "M3", .why = "data of another name than its memlet's cross the boundary", .nodes = {entry}};
        const ir::Container* container = sdfg.containers.find(access->data);
        if (!container) return Refusal{.code = "M2", .why = "`" + access->data + "` is a part of a structure", .nodes = {entry}};
        if (lies_on_device(*container)) continue;
        const auto* array = std::get_if<ir::Array>(&container->kind);
        if (!array && !out) continue;
        if (container->binding != ir::Binding::Own)
            return Refusal{.code = "M3", .why = "`" + access->data + "` has no memory of its own", .nodes = {entry}};
        if (array && array->may_alias && !container->transient)
            return Refusal{.code = "M3", .why = "`" + access->data + "` may share memory with another argument", .nodes = {entry}};
        (out ? move.containers[access->data].written : move.containers[access->data].read) = true;
    }
    std::vector<NodeId> scope = rewrite::nodes_inside(scopes, entry);
    scope.push_back(entry);
    scope.push_back(exit);
    const std::set<std::string> needed = kept(sdfg, state, scope, outside, move.containers);
    for (auto& [name, used] : move.containers) {
        used.copied_in = used.read || needed.contains(name);
        if (is_in_the_way(state, adjacency, entry, exit, name, used))
            return Refusal{
                .code = "M3", .why = "another part of the state uses `" + name + "`, neither before nor after", .nodes = {entry}};
    }
    return move;
}

void apply_gpu_transform_map(rewrite::Draft& draft, const MapMove& move) {
    const NodeId entry = draft.node("map");
    ir::Sdfg& sdfg = draft.sdfg();
    ir::State& state = draft.state();
    const analysis::ScopeTree& scopes = draft.before().view().scopes;
    const NodeId exit = scopes.exit_of(entry);
    const std::vector<EdgeId> outside = boundary(state, draft.before().view().adjacency, entry, exit);
    const std::vector<NodeId> inside = rewrite::nodes_inside(scopes, entry);
    const std::vector<EdgeId> edges_inside = rewrite::edges_at(state, inside);
    ir::StateBuilder builder(state);
    for (const auto& [name, used] : move.containers) {
        const std::string there = rewrite::add_device_copy(sdfg, name, "gpu_", ir::Storage::GPU_Global);
        for (const NodeId id : inside)
            if (auto* access = std::get_if<ir::Access>(&state.nodes[id].kind); access && access->data == name) access->data = there;
        for (const EdgeId id : edges_inside)
            if (state.edges[id].memlet.data == name) state.edges[id].memlet.data = there;
        NodeId before, after;
        for (const EdgeId id : outside) {
            const ir::Edge edge = state.edges[id];
            if (edge.memlet.data != name) continue;
            state.edges[id].memlet.data = there;
            if (edge.src == exit) {
                after = builder.access(there);
                builder.edge(after, {}, edge.dst, {}, rewrite::whole_of(sdfg, there));
                state.edges[id].dst = after;
                continue;
            }
            if (!before.valid()) {
                before = builder.access(there);
                builder.edge(edge.src, {}, before, {}, rewrite::whole_of(sdfg, name));
            } else if (std::ranges::none_of(state.edges,
                                            [&](const auto& e) { return e.second.src == edge.src && e.second.dst == before; })) {
                builder.edge(edge.src, {}, before, {}, ir::no_memlet());
            }
            state.edges[id].src = before;
        }
        if (used.copied_in && !before.valid()) {
            NodeId from;  // What only comes earlier.
            for (auto [id, edge] : state.edges)
                if (const auto* access = std::get_if<ir::Access>(&state.nodes[edge.src].kind);
                    access && access->data == name && edge.dst == entry)
                    from = edge.src;
            if (!from.valid()) from = builder.access(name);
            before = builder.access(there);
            builder.edge(from, {}, before, {}, rewrite::whole_of(sdfg, name));
            builder.edge(before, {}, entry, {}, ir::no_memlet());
        }
    }
    make_kernel(sdfg, state, entry, move.options);
}

}  // namespace

rewrite::Transformation gpu_transform_map() {
    return rewrite::transformation(
        {.name = "GPUTransformMap",
         .summary = "Moves one map to a device, with copies of what it uses around it.",
         .drawing = "A -> map i { B } -> C   ->   A => gpu_A -> map i @GPU_Device { B } -> gpu_C => C",
         .decided_by = {.structural = "The points of a map may run in any order; what is copied as a whole is touched by nothing "
                                      "else between its copies."},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions = {{"M1", "the map is in no scope and not on a device yet"},
                        {"M2", "a kernel can hold it"},
                        {"M3", "copies of whole containers may stand around it"}},
         .parameters = {{"sequential_innermaps", true, "Maps inside of it are run by one thread each."},
                        {"register_trans", true, "Transients inside of it lie in the memory of a thread."}}},
        plan_gpu_transform_map, apply_gpu_transform_map);
}

}  // namespace sluice::transform
