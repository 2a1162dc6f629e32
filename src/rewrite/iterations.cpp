#include "rewrite/iterations.h"

#include <algorithm>

#include "analysis/liveness.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "rewrite/edit.h"
#include "rewrite/nest.h"
#include "rewrite/views.h"

namespace sluice::rewrite {

using ir::EdgeId;
using ir::NodeId;

std::set<std::string> privatise(ir::Sdfg& sdfg, ir::Region& body, const std::vector<std::string>& names) {
    std::set<std::string> own;
    ir::Sdfg within = sdfg;
    within.body = body;
    for (const auto& [name, allocation] : analysis::allocation_scopes(within)) {
        const std::size_t here = count_accesses(within, name);
        if (allocation.level == analysis::AllocationScope::Level::Scope && here == count_accesses(sdfg, name)) own.insert(name);
    }
    for (const std::string& name : names) {
        if (!sdfg.containers.contains(name)) continue;
        if (count_accesses(within, name) == count_accesses(sdfg, name)) {
            own.insert(name);
            continue;
        }
        const std::string copy = fresh_symbol(sdfg, name);
        sdfg.containers.set(copy, ir::Container(sdfg.containers.at(name)));
        rename_data(body, name, copy);
        own.insert(copy);
    }
    for (const std::string& name : own) sdfg.containers.at(name).lifetime = ir::Lifetime::Scope;
    return own;
}

namespace {

/// Resolutions that nobody competed with in the loop are shared by the points of the map.
void resolve_conflicts(ir::Region& body) {
    ir::edit_each_state(body, [](ir::State& state) {
        for (auto [id, edge] : state.edges) edge.memlet.wcr_nonatomic = false;
        for (auto [id, node] : state.nodes)
            if (auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) resolve_conflicts(nested->sdfg.edit().body);
    });
}

/// Continuing the loop is returning from one iteration.
void return_instead(ir::Region& body) {
    for (auto [id, block] : body.blocks) {
        if (std::holds_alternative<ir::ContinueBlock>(block.kind)) {
            block.kind = ir::ReturnBlock{};
            continue;
        }
        if (auto* choice = std::get_if<ir::ConditionalBlock>(&block.kind))
            for (ir::Branch& branch : choice->branches) return_instead(branch.body);
        if (auto* named = std::get_if<ir::NamedRegion>(&block.kind)) return_instead(named->body);
    }
}

/// Top-level access nodes of containers that the points share are where data comes from or where it goes, never both, and are
/// joined to something that can lie in a scope by memlets that name them.
bool can_lie_in_map(const ir::Sdfg& sdfg, const ir::State& state, const std::string& parameter, const std::set<std::string>& own) {
    const StateView view(state);
    for (const NodeId id : view.scopes.children({})) {
        const auto* access = std::get_if<ir::Access>(&state.nodes[id].kind);
        if (!access || own.contains(access->data)) continue;
        const ir::Container* container = sdfg.containers.find(access->data);
        if (!container || container->binding != ir::Binding::Own || access->setzero) return false;
        if (!std::holds_alternative<ir::Array>(container->kind) && !std::holds_alternative<ir::Scalar>(container->kind))
            return false;
        const auto in = view.adjacency.in(id), out = view.adjacency.out(id);
        if (!in.empty() && !out.empty()) return false;
        for (const auto& side : {in, out})
            for (const EdgeId at : side) {
                const ir::Edge& edge = state.edges[at];
                const NodeId other = edge.src == id ? edge.dst : edge.src;
                const auto* beyond = std::get_if<ir::Access>(&state.nodes[other].kind);
                if (edge.memlet.data != access->data || (beyond && !own.contains(beyond->data))) return false;
            }
    }
    return std::ranges::none_of(own, [&](const std::string& name) {
        const ir::Container& container = sdfg.containers.at(name);
        return std::ranges::any_of(container.shape,
                                   [&](const ir::Expr& extent) { return symbolic::depends_on(extent, parameter); });
    });
}

/// Moves everything at the top of the state into the map, but the access nodes of what the points share.
class Wrapper {
public:
    Wrapper(ir::State& state, const std::set<std::string>& own, ir::MapEntry map, const ir::Metadata& place)
        : state_(state), own_(own) {
        ir::Metadata here = place;
        here.guid.clear();
        scope_.entry = state.nodes.add({.kind = std::move(map), .in = {}, .out = {}, .metadata = here});
        scope_.exit = state.nodes.add({.kind = ir::MapExit{scope_.entry}, .in = {}, .out = {}, .metadata = here});
    }

    void run(const StateView& view, const std::vector<NodeId>& top) {
        for (const NodeId id : top) {
            const auto* access = std::get_if<ir::Access>(&state_.nodes[id].kind);
            const std::string name = access && !own_.contains(access->data) ? access->data : std::string();
            const auto in = view.adjacency.in(id), out = view.adjacency.out(id);
            if (name.empty())
                enclose(id, view);
            else if (!out.empty())
                for (const EdgeId edge : out) bring(name, id, edge);
            else
                for (const EdgeId edge : in) take(name, id, edge);
            const auto stays = [&](const auto& ends) { return ends.contains(name) && ends.at(name) == id; };
            if (!name.empty() && !stays(sources_) && !stays(sinks_)) erase_node(state_, id);
        }
    }

private:
    void enclose(NodeId id, const StateView& view) {
        const bool opens = ir::is_entry(state_.nodes[id]);
        const NodeId end = opens ? view.scopes.exit_of(id) : id;
        if (view.adjacency.in(id).empty()) state_.edges.add({scope_.entry, "", id, "", ir::no_memlet()});
        if (view.adjacency.out(end).empty()) state_.edges.add({end, "", scope_.exit, "", ir::no_memlet()});
    }
    void bring(const std::string& name, NodeId id, EdgeId at) {
        std::string& x = passing_[name];
        if (x.empty()) {
            sources_[name] = id;
            x = add_passing_connector(state_.nodes[scope_.entry], name);
            ir::Edge outer = state_.edges[at];
            outer.memlet.other_subset.reset();
            outer.memlet.prefetch.reset();
            outer.dst = scope_.entry;
            outer.dst_connector = ir::port_in(x);
            state_.edges.add(std::move(outer));
        }
        ir::Edge& inner = state_.edges[at];
        inner.src = scope_.entry;
        inner.src_connector = ir::port_out(x);
    }
    void take(const std::string& name, NodeId id, EdgeId at) {
        sinks_.try_emplace(name, id);
        const std::string x = add_passing_connector(state_.nodes[scope_.exit], name);
        ir::Edge outer = state_.edges[at];
        outer.memlet.other_subset.reset();
        outer.src = scope_.exit;
        outer.src_connector = ir::port_out(x);
        outer.dst = sinks_[name];
        ir::Edge& inner = state_.edges[at];
        inner.dst = scope_.exit;
        inner.dst_connector = ir::port_in(x);
        state_.edges.add(std::move(outer));
    }

    ir::State& state_;
    const std::set<std::string>& own_;
    struct {
        NodeId entry, exit;
    } scope_;
    std::map<std::string, NodeId> sources_, sinks_;
    std::map<std::string, std::string> passing_;
};

}  // namespace

ir::State all_iterations(ir::Sdfg& sdfg, ir::Region body, ir::MapEntry map, const std::set<std::string>& own,
                         const ir::Metadata& place) {
    resolve_conflicts(body);
    ir::State state;
    const ir::State* only = body.blocks.size() == 1 ? ir::as_state(body.blocks[body.start]) : nullptr;
    if (body.blocks.size() == 0 || (only && only->nodes.size() == 0)) return state;
    const std::set<std::string>* inside = &own;
    const std::set<std::string> none;
    if (only && can_lie_in_map(sdfg, *only, map.params.front(), own)) {
        state = *only;
    } else {
        return_instead(body);
        state = nest_region(sdfg, std::move(body), map.label + "_body", own);
        inside = &none;
    }
    const StateView view(std::as_const(state));
    const auto children = view.scopes.children({});
    const std::vector<NodeId> top(children.begin(), children.end());
    Wrapper(state, *inside, std::move(map), place).run(view, top);
    return state;
}

}  // namespace sluice::rewrite
