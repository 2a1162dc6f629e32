#include "analysis/propagate.h"

#include <algorithm>

#include "analysis/loop_range.h"
#include "analysis/nesting.h"
#include "analysis/projection.h"
#include "analysis/scopes.h"
#include "analysis/symbols.h"
#include "code/walk.h"
#include "ir/adjacency.h"
#include "ir/query.h"

namespace sluice::analysis {

using code::Overloaded;
using symbolic::Assumptions;

namespace {

void propagate(ir::Sdfg& sdfg, const Assumptions& known);

class Propagation {
public:
    Propagation(const ir::Sdfg& sdfg, ir::State& state, const Assumptions& known)
        : sdfg_(sdfg), state_(state), adjacency_(state), scopes_(state, adjacency_), known_(known) {}

    void run() {
        const std::vector<ir::NodeId> order = ir::topological_order(state_, adjacency_);
        for (const ir::NodeId id : order)
            if (auto* nested = std::get_if<ir::NestedSdfg>(&state_.nodes[id].kind)) enter(id, *nested);
        for (auto [id, edge] : state_.edges) measure(edge);
        // A scope opens before what it holds, so the reverse of the order meets inner scopes first.
        for (auto at = order.rbegin(); at != order.rend(); ++at)
            if (is_entry(state_.nodes[*at])) leave_scope(*at);
    }

private:
    void enter(ir::NodeId id, ir::NestedSdfg& nested) {
        const Assumptions here = assumptions_in(state_, scopes_, scopes_.parent(id), known_);
        const Assumptions inside = assumptions_inside(nested, here);
        propagate(nested.sdfg.edit(), inside);
    }

    /// An edge that says no volume moves its whole subset.
    void measure(ir::Edge& edge) {
        ir::Memlet& memlet = edge.memlet;
        if (memlet.empty() || memlet.dynamic || !memlet.volume.is_integer(0)) return;
        if (memlet.subset)
            memlet.volume = symbolic::num_elements(*memlet.subset, known_);
        else if (const ir::Container* container = ir::find_container(sdfg_, memlet.data))
            memlet.volume = symbolic::num_elements(whole(*container), known_);
    }

    void leave_scope(ir::NodeId entry) {
        const ir::NodeId exit = scopes_.exit_of(entry);
        const Binder binder = binder_of(state_.nodes[entry]);
        const Assumptions inside = assumptions_in(state_, scopes_, entry, known_);
        const Assumptions outside = assumptions_in(state_, scopes_, scopes_.parent(entry), known_);
        pair_up(adjacency_.in(entry), adjacency_.out(entry), true, binder, inside, outside);
        if (exit.valid()) pair_up(adjacency_.out(exit), adjacency_.in(exit), false, binder, inside, outside);
    }

    /// Outer and inner edges of one scope node meet at IN_x / OUT_x.
    void pair_up(std::span<const ir::EdgeId> outer, std::span<const ir::EdgeId> inner, bool reading, const Binder& binder,
                 const Assumptions& inside, const Assumptions& outside) {
        std::map<std::string_view, std::vector<ir::EdgeId>> inner_at;
        for (const ir::EdgeId id : inner) {
            const ir::Edge& edge = state_.edges[id];
            inner_at[suffix(reading ? edge.src_connector : edge.dst_connector)].push_back(id);
        }
        for (const ir::EdgeId id : outer) {
            ir::Edge& edge = state_.edges[id];
            const std::string& connector = reading ? edge.dst_connector : edge.src_connector;
            if (!connector.starts_with(reading ? "IN_" : "OUT_")) continue;
            const auto at = inner_at.find(suffix(connector));
            if (at != inner_at.end()) recompute(id, at->second, reading, binder, inside, outside);
        }
    }
    static std::string_view suffix(std::string_view connector) {
        const std::size_t at = connector.find('_');
        return at == std::string_view::npos ? std::string_view() : connector.substr(at + 1);
    }

    void recompute(ir::EdgeId outer_id, const std::vector<ir::EdgeId>& inner, bool reading, const Binder& binder,
                   const Assumptions& inside, const Assumptions& outside) {
        ir::Edge& outer = state_.edges[outer_id];
        const std::string data = end_of_path(outer_id, reading);
        const ir::Container* container = ir::find_container(sdfg_, data);
        if (!container) return;
        std::optional<Moved> all;
        std::optional<std::string> wcr;
        bool nonatomic = true, out_of_bounds = false;
        for (const ir::EdgeId id : inner) {
            const ir::Memlet& memlet = state_.edges[id].memlet;
            if (memlet.empty()) continue;
            Moved moved = leave(side_of(memlet, data, *container, reading, inside), binder, *container, inside);
            all = all ? together(*all, moved, *container, outside) : std::move(moved);
            if (memlet.wcr) {
                wcr = memlet.wcr;
                nonatomic &= memlet.wcr_nonatomic;
            }
            out_of_bounds |= memlet.allow_oob;
        }
        if (!all) return;
        ir::Memlet& memlet = outer.memlet;
        memlet.data = data;
        memlet.subset = std::move(all->subset);
        memlet.other_subset.reset();
        memlet.is_data_src.reset();
        memlet.volume = all->volume;
        memlet.dynamic = all->dynamic;
        memlet.wcr_nonatomic = wcr && nonatomic;
        memlet.wcr = std::move(wcr);
        memlet.allow_oob = out_of_bounds;
    }

    /// The container at the outer end: the access node, through the scopes in between.
    std::string end_of_path(ir::EdgeId id, bool reading) const {
        for (;;) {
            const ir::Edge& edge = state_.edges[id];
            const ir::NodeId end = reading ? edge.src : edge.dst;
            if (const auto* access = std::get_if<ir::Access>(&state_.nodes[end].kind)) return access->data;
            const std::string next =
                (reading ? "IN_" : "OUT_") + std::string(suffix(reading ? edge.src_connector : edge.dst_connector));
            const auto further = reading ? adjacency_.in_at(end, next) : adjacency_.out_at(end, next);
            if (!further) return edge.memlet.data;
            id = *further;
        }
    }

    const ir::Sdfg& sdfg_;
    ir::State& state_;
    ir::Adjacency adjacency_;
    ScopeTree scopes_;
    const Assumptions& known_;
};

void propagate(const ir::Sdfg& sdfg, ir::Region& region, const Assumptions& known) {
    for (auto [id, block] : region.blocks)
        std::visit(Overloaded{
                       [&](Cow<ir::State>& state) { Propagation(sdfg, state.edit(), known).run(); },
                       [&](ir::LoopRegion& loop) {
                           Assumptions inside = known;
                           if (const auto range = loop_range(loop)) assume_in(inside, loop.variable, *range);
                           propagate(sdfg, loop.body, inside);
                       },
                       [&](ir::ConditionalBlock& conditional) {
                           for (ir::Branch& branch : conditional.branches) propagate(sdfg, branch.body, known);
                       },
                       [](ir::BreakBlock&) {},
                       [](ir::ContinueBlock&) {},
                       [](ir::ReturnBlock&) {},
                       [&](ir::NamedRegion& named) { propagate(sdfg, named.body, known); },
                   },
                   block.kind);
}

void propagate(ir::Sdfg& sdfg, const Assumptions& known) {
    propagate(sdfg, sdfg.body, known);
}

}  // namespace

void propagate_memlets(ir::Sdfg& sdfg) {
    propagate(sdfg, assumptions_of(sdfg));
}

void propagate_memlets(ir::Sdfg& sdfg, const Assumptions& known) {
    propagate(sdfg, known);
}

void propagate_memlets(const ir::Sdfg& sdfg, ir::State& state, const Assumptions& known) {
    Propagation(sdfg, state, known).run();
}

}  // namespace sluice::analysis
