#include "transform/device/host_parts.h"

#include <algorithm>

#include "ir/adjacency.h"
#include "ir/query.h"
#include "ir/views.h"
#include "library/extern_call.h"
#include "transform/device/device.h"

namespace sluice::transform {

namespace {

bool is_array(const ir::Container* container) {
    return container && !std::holds_alternative<ir::Scalar>(container->kind);
}

const ir::Access* access_at(const ir::State& state, ir::NodeId node) {
    return std::get_if<ir::Access>(&state.nodes[node].kind);
}

/// Does an edge at the node touch anything but scalars?
bool touches_arrays(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, ir::NodeId node) {
    for (const bool out : {false, true})
        for (const ir::EdgeId edge : out ? adjacency.out(node) : adjacency.in(node)) {
            const ir::Memlet& memlet = state.edges[edge].memlet;
            if (!memlet.empty() && is_array(ir::find_container(sdfg, memlet.data))) return true;
        }
    return false;
}

}  // namespace

HostParts::Work HostParts::Work::operator|(const Work& other) const {
    return {host || other.host, scopes || other.scopes, tasklets || other.tasklets};
}

HostParts::HostParts(const ir::Sdfg& sdfg) : sdfg_(sdfg) {
    for (const auto& [name, container] : sdfg.containers) {
        const auto* array = std::get_if<ir::Array>(&container.kind);
        if (auto reason = why_no_kernel(container, name))
            kept_[name] = *reason;
        else if (array && array->may_alias && !container.transient)
            kept_[name] = "`" + name + "` may share memory with another argument";
    }
    if (!kept_.empty()) keep_views();
}

/// A view, or a reference, and what it views lie on one side.
void HostParts::keep_views() {
    std::vector<std::pair<std::string, std::string>> joined;
    ir::for_each_state(sdfg_.body, [&](const ir::State& state) {
        const ir::Adjacency adjacency(state);
        for (auto [id, edge] : state.edges)
            if (access_at(state, edge.src) && access_at(state, edge.dst) &&
                (edge.dst_connector == "set" || ir::is_view_edge(sdfg_, state, adjacency, id)))
                joined.emplace_back(ir::root_name(access_at(state, edge.src)->data),
                                    ir::root_name(access_at(state, edge.dst)->data));
    });
    for (bool again = true; again;) {
        again = false;
        for (const auto& [one, other] : joined)
            for (const auto& [from, to] : {std::pair(one, other), std::pair(other, one)})
                if (kept_.contains(from) && kept_.try_emplace(to, "it shares memory with what stays: " + kept_.at(from)).second)
                    again = true;
    }
}

std::optional<std::string> HostParts::why(const ir::State& state, const analysis::ScopeTree& scopes, const ir::Adjacency& adjacency,
                                          ir::NodeId id) const {
    const ir::Node& node = state.nodes[id];
    if (const auto* library = std::get_if<ir::LibraryNode>(&node.kind))
        return library::is_extern(*library) ? "it calls `" + library::extern_call(*library).function + "`"
                                            : std::string("a message");
    if (std::holds_alternative<ir::ConsumeEntry>(node.kind)) return "a consume scope";
    const bool is_map = std::holds_alternative<ir::MapEntry>(node.kind);
    std::vector<ir::NodeId> ends{id};
    if (is_map) ends.push_back(scopes.exit_of(id));
    for (const ir::NodeId end : ends)
        for (const bool out : {false, true})
            for (const ir::EdgeId edge : out ? adjacency.out(end) : adjacency.in(end))
                if (const auto kept = kept_.find(std::string(ir::root_name(state.edges[edge].memlet.data))); kept != kept_.end())
                    return kept->second;
    if (is_map) return why_no_kernel(sdfg_, state, scopes, id, {});
    if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) return why_no_kernel(sdfg_, state, adjacency, id, *tasklet, {});
    if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind))
        if (const Work inside = HostParts(*nested->sdfg).work(); inside.host && !inside.scopes)
            return "what it calls has no map for the device, and parts for the host";
    return std::nullopt;
}

std::optional<std::string> HostParts::why(const ir::State& state, ir::EdgeId copy) const {
    const ir::Edge& edge = state.edges[copy];
    const ir::Access *from = access_at(state, edge.src), *to = access_at(state, edge.dst);
    if (!from || !to || edge.memlet.empty()) return std::nullopt;
    for (const ir::Access* end : {from, to})
        if (const auto kept = kept_.find(std::string(ir::root_name(end->data))); kept != kept_.end()) return kept->second;
    // Between an array of the device and a scalar of the host elements cross as they are.
    const ir::Container *source = ir::find_container(sdfg_, from->data), *destination = ir::find_container(sdfg_, to->data);
    const bool crosses = source && destination && is_array(source) != is_array(destination);
    if (crosses && (edge.memlet.wcr || source->dtype != destination->dtype))
        return "a copy between an array and a scalar that converts elements or resolves conflicts";
    return std::nullopt;
}

HostParts::Work HostParts::work_of(const ir::State& state) const {
    const ir::Adjacency adjacency(state);
    const analysis::ScopeTree scopes(state, adjacency);
    Work work;
    for (auto [id, node] : state.nodes) {
        if (scopes.parent(id).valid() || ir::is_exit(node) || access_at(state, id)) continue;
        if (why(state, scopes, adjacency, id)) {
            work.host = true;
        } else if (std::holds_alternative<ir::MapEntry>(node.kind)) {
            work.scopes = true;
        } else if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) {
            const Work inside = HostParts(*nested->sdfg).work();
            (inside.scopes ? work.scopes : work.tasklets) = true;
        } else {
            work.tasklets |= touches_arrays(sdfg_, state, adjacency, id);
        }
    }
    for (auto [id, edge] : state.edges) {
        const ir::Access *from = access_at(state, edge.src), *to = access_at(state, edge.dst);
        if (!from || !to) continue;
        if (why(state, id))
            work.host = true;
        else if (is_array(ir::find_container(sdfg_, from->data)) || is_array(ir::find_container(sdfg_, to->data)))
            work.tasklets = true;
    }
    return work;
}

HostParts::Work HostParts::work_of(const ir::Block& block) const {
    if (const ir::State* state = ir::as_state(block)) return work_of(*state);
    Work work;
    ir::for_each_inner_region(block, [&](const ir::Region& inner) {
        for (auto [id, one] : inner.blocks) work = work | work_of(one);
    });
    return work;
}

HostParts::Work HostParts::work() const {
    Work work;
    for (auto [id, block] : sdfg_.body.blocks) work = work | work_of(block);
    return work;
}

bool HostParts::keeps(const ir::Block& block) const {
    const Work work = work_of(block);
    const bool takes_tasklets = ir::as_state(block) || std::holds_alternative<ir::LoopRegion>(block.kind);
    return work.host && !work.scopes && (takes_tasklets || !work.tasklets);
}

namespace {

using Reason = std::optional<std::string>;
constexpr const char* kAround = "the host runs what is around it, in which no map is for the device";

void add_kept(const ir::Sdfg& sdfg, const Reason& around, std::vector<KeptPart>& found);

/// `around`: why the host keeps all of it.
void add_kept(const ir::Sdfg& sdfg, const HostParts& parts, const ir::State& state, const Reason& around,
              std::vector<KeptPart>& found) {
    const ir::Adjacency adjacency(state);
    const analysis::ScopeTree scopes(state, adjacency);
    for (const ir::NodeId id : scopes.children({})) {
        const ir::Node& node = state.nodes[id];
        const auto* map = std::get_if<ir::MapEntry>(&node.kind);
        const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
        const bool scope = map || std::holds_alternative<ir::ConsumeEntry>(node.kind);
        const bool tasklet = std::holds_alternative<ir::Tasklet>(node.kind) && touches_arrays(sdfg, state, adjacency, id);
        Reason reason = parts.why(state, scopes, adjacency, id);
        if (!reason) reason = around;
        if (nested) add_kept(*nested->sdfg, reason, found);
        if (!(scope || tasklet || std::holds_alternative<ir::LibraryNode>(node.kind))) continue;
        if (map && map->schedule == ir::Schedule::GPU_Device) continue;
        if (!reason && map) reason = "it has the schedule " + std::string(ir::to_string(map->schedule));
        if (!reason) continue;
        const std::string kind = map ? "map" : scope ? "consume scope" : tasklet ? "tasklet" : "call";
        found.push_back({kind + " `" + ir::label_of(state, id) + "`", node.metadata.where, *reason});
    }
}

void add_kept(const ir::Sdfg& sdfg, const HostParts& parts, const ir::Region& region, const Reason& around,
              std::vector<KeptPart>& found) {
    for (auto [id, block] : region.blocks) {
        const Reason kept = around || !parts.keeps(block) ? around : Reason(kAround);
        if (const ir::State* state = ir::as_state(block)) add_kept(sdfg, parts, *state, kept, found);
        ir::for_each_inner_region(block, [&](const ir::Region& inner) { add_kept(sdfg, parts, inner, kept, found); });
    }
}

void add_kept(const ir::Sdfg& sdfg, const Reason& around, std::vector<KeptPart>& found) {
    add_kept(sdfg, HostParts(sdfg), sdfg.body, around, found);
}

}  // namespace

std::vector<KeptPart> kept_parts(const ir::Sdfg& sdfg) {
    std::vector<KeptPart> found;
    add_kept(sdfg, {}, found);
    return found;
}

}  // namespace sluice::transform
