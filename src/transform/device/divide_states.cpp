// States with parts for both sides become a row of states, each with parts for one.
//     { A -> map -> B -> call -> C -> map -> D }   ->   { A -> map -> B } { B -> call -> C } { C -> map -> D }
#include <algorithm>
#include <map>
#include <set>

#include "ir/adjacency.h"
#include "ir/query.h"
#include "ir/views.h"
#include "rewrite/edit.h"
#include "support/check.h"
#include "transform/device/host_parts.h"

namespace sluice::transform {

namespace {

/// Stages of the nodes at the top level and of the copies between them, even ones the device's.
class Stages {
public:
    Stages(const ir::Sdfg& sdfg, const ir::State& state, const HostParts& parts)
        : sdfg_(sdfg), state_(state), parts_(parts), adjacency_(state), scopes_(state, adjacency_) {
        join_code();
        // A unit of code begins when all of it can: what its first node waits for does not hold the last one's inputs.
        for (bool again = true; again;) {
            again = false;
            for (const ir::NodeId id : scopes_.children({})) again |= node(id);
        }
    }
    int last() const {
        int last = 0;
        for (const auto& [id, stage] : of_code_) last = std::max(last, stage);
        for (const auto& [id, stage] : of_copy_) last = std::max(last, stage);
        return last;
    }
    /// The part of the state that a stage holds; empty where it holds nothing.
    ir::State part(int stage) const {
        std::set<ir::NodeId> nodes;
        std::set<ir::EdgeId> copies;
        for (auto [id, node] : state_.nodes)
            if (!is_access(outermost(id)) && of_code_.at(unit(outermost(id))) == stage) nodes.insert(id);
        for (auto [id, edge] : state_.edges) {
            const auto copy = of_copy_.find(id);
            if (copy != of_copy_.end() && copy->second == stage)
                nodes.insert({edge.src, edge.dst}), copies.insert(id);
            else if (copy == of_copy_.end() && is_top_access(edge.src) && nodes.contains(edge.dst))
                nodes.insert(edge.src);
            else if (copy == of_copy_.end() && is_top_access(edge.dst) && nodes.contains(edge.src))
                nodes.insert(edge.dst);
        }
        add_viewed(nodes);
        ir::State part = state_;
        std::vector<ir::EdgeId> other;
        for (auto [id, edge] : part.edges)
            if (of_copy_.contains(id) && !copies.contains(id)) other.push_back(id);
        for (const ir::EdgeId id : other) part.edges.erase(id);
        std::vector<ir::NodeId> elsewhere;
        for (auto [id, node] : part.nodes)
            if (!nodes.contains(id)) elsewhere.push_back(id);
        for (const ir::NodeId id : elsewhere) rewrite::erase_node(part, id);
        return part;
    }

private:
    bool is_access(ir::NodeId id) const { return std::holds_alternative<ir::Access>(state_.nodes[id].kind); }
    bool is_top_access(ir::NodeId id) const { return is_access(id) && !scopes_.parent(id).valid(); }
    bool is_view(ir::EdgeId edge) const { return ir::is_view_edge(sdfg_, state_, adjacency_, edge); }
    /// The node of the top level that is the node or holds it; of an exit its entry.
    ir::NodeId outermost(ir::NodeId id) const {
        while (scopes_.parent(id).valid()) id = scopes_.parent(id);
        return id;
    }
    /// Code that exchanges values without an access node in between is one unit, known by its first node.
    ir::NodeId unit(ir::NodeId id) const {
        const auto joined = units_.find(id);
        return joined == units_.end() || joined->second == id ? id : unit(joined->second);
    }
    void join_code() {
        for (auto [id, edge] : state_.edges) {
            const ir::NodeId from = outermost(edge.src), to = outermost(edge.dst);
            if (from != to && !edge.memlet.empty() && !is_access(from) && !is_access(to)) units_[unit(to)] = unit(from);
        }
        for (const ir::NodeId id : scopes_.children({}))
            if (!is_access(id) && !ir::is_exit(state_.nodes[id]) && parts_.why(state_, scopes_, adjacency_, id))
                kept_.insert(unit(id));
    }
    /// The first stage of a side that is not before `earliest`.
    static int stage_of(bool host, int earliest) { return earliest % 2 == (host ? 1 : 0) ? earliest : earliest + 1; }
    static bool raise(int& stage, int to) { return stage < to ? (stage = to, true) : false; }

    /// Has any stage changed?
    bool node(ir::NodeId id) {
        int earliest = is_access(id) ? 0 : of_code_[unit(id)];
        bool changed = false;
        for (const ir::EdgeId edge : adjacency_.in(id)) {
            const ir::NodeId from = outermost(state_.edges[edge].src);
            if (from == id) continue;
            int before = is_access(from) ? of_access_[from] : of_code_[unit(from)];
            if (is_access(from) && is_access(id) && !state_.edges[edge].memlet.empty() && !is_view(edge)) {
                int& copy = of_copy_.try_emplace(edge, 0).first->second;
                changed |= raise(copy, before = stage_of(parts_.why(state_, edge).has_value(), before));
            }
            earliest = std::max(earliest, before);
        }
        if (is_access(id)) return raise(of_access_[id], earliest) || changed;
        return raise(of_code_[unit(id)], stage_of(kept_.contains(unit(id)), earliest)) || changed;
    }
    /// A view comes with what it views.
    void add_viewed(std::set<ir::NodeId>& nodes) const {
        for (std::size_t before = 0; before != nodes.size();) {
            before = nodes.size();
            for (const ir::NodeId id : std::set(nodes))
                if (is_top_access(id))
                    if (const auto edge = ir::view_edge(sdfg_, state_, adjacency_, id))
                        nodes.insert({state_.edges[*edge].src, state_.edges[*edge].dst});
        }
    }

    const ir::Sdfg& sdfg_;
    const ir::State& state_;
    const HostParts& parts_;
    const ir::Adjacency adjacency_;
    const analysis::ScopeTree scopes_;
    std::map<ir::NodeId, ir::NodeId> units_;
    std::set<ir::NodeId> kept_;
    std::map<ir::NodeId, int> of_code_, of_access_;
    std::map<ir::EdgeId, int> of_copy_;
};

std::string unused_label(const ir::Region& region, const std::string& base) {
    for (int at = 1;; ++at) {
        const std::string label = base + "_part_" + std::to_string(at);
        if (std::ranges::none_of(region.blocks, [&](const auto& entry) { return entry.second.label == label; })) return label;
    }
}

void divide(ir::Sdfg& sdfg, ir::Region& region, const HostParts& parts) {
    std::vector<ir::BlockId> blocks;
    for (auto [id, block] : region.blocks) blocks.push_back(id);
    for (const ir::BlockId id : blocks) {
        ir::for_each_inner_region(region.blocks[id], [&](ir::Region& inner) { divide(sdfg, inner, parts); });
        const ir::State* state = ir::as_state(std::as_const(region.blocks[id]));
        if (!state) continue;
        if (const HostParts::Work work = parts.work_of(*state); !work.host || !work.scopes) continue;
        std::vector<ir::State> states;
        const Stages stages(sdfg, *state, parts);
        for (int stage = 0; stage <= stages.last(); ++stage)
            if (ir::State part = stages.part(stage); part.nodes.size() > 0) states.push_back(std::move(part));
        check(!states.empty(), "a state with work has no part");
        *ir::as_state(region.blocks[id]) = std::move(states.front());
        ir::BlockId before = id;
        for (std::size_t at = 1; at < states.size(); ++at) {
            ir::Block block = region.blocks[id];
            block.label = unused_label(region, region.blocks[id].label);
            block.kind = Cow<ir::State>(std::move(states[at]));
            const ir::BlockId added = ir::add_block(region, std::move(block));
            for (auto [edge, transition] : region.transitions)
                if (transition.src == before) transition.src = added;
            ir::add_transition(region, before, added);
            before = added;
        }
    }
}

}  // namespace

void divide_states(ir::Sdfg& sdfg) {
    // What the parts are asked about is not what is edited.
    const ir::Sdfg before = sdfg;
    divide(sdfg, sdfg.body, HostParts(before));
}

}  // namespace sluice::transform
