#include "analysis/propagate.h"

#include <algorithm>
#include <functional>
#include <set>

#include "analysis/loop_range.h"
#include "analysis/nesting.h"
#include "analysis/projection.h"
#include "analysis/scopes.h"
#include "analysis/symbols.h"
#include "code/walk.h"
#include "ir/adjacency.h"
#include "ir/port.h"
#include "ir/query.h"

namespace sluice::analysis {

using code::Overloaded;
using symbolic::Assumptions;

namespace {

void propagate(ir::Sdfg& sdfg, const Assumptions& known);

/// Reads through `before_`, so that nothing is copied that does not change.
class Propagation {
public:
    Propagation(const ir::Sdfg& sdfg, ir::State& state, const Assumptions& known, const ir::Adjacency& adjacency,
                const ScopeTree& scopes)
        : sdfg_(sdfg), state_(state), before_(state), adjacency_(adjacency), scopes_(scopes), known_(known) {}

    void run() {
        for (const auto& [id, node] : before_.nodes) enter(id);
        for (const auto& [id, edge] : before_.edges) measure(id);
        leave_scopes_in({});
    }

    std::size_t run(std::span<const ir::NodeId> touched) {
        std::set<ir::NodeId> opened, around;
        std::size_t nodes = 0;
        for (const ir::NodeId id : touched) {
            if (!before_.nodes.contains(id)) continue;
            ++nodes;
            enter(id);
            for (const auto edges : {adjacency_.in(id), adjacency_.out(id)})
                for (const ir::EdgeId edge : edges) measure(edge);
            if (is_entry(before_.nodes[id])) opened.insert(id);
            for (ir::NodeId at = scopes_.parent(id); at.valid(); at = scopes_.parent(at)) around.insert(at);
        }
        for (const ir::NodeId entry : opened)
            if (!inside_of_one(entry, opened)) nodes += enter_contents(entry);
        for (const ir::NodeId entry : opened)
            if (!inside_of_one(entry, opened)) leave_scopes_in(entry);
        leave_inside_out(opened, around);
        return nodes;
    }

private:
    bool inside_of_one(ir::NodeId id, const std::set<ir::NodeId>& entries) const {
        for (ir::NodeId at = scopes_.parent(id); at.valid(); at = scopes_.parent(at))
            if (entries.contains(at)) return true;
        return false;
    }
    /// What is known inside of the scope may be new.
    std::size_t enter_contents(ir::NodeId entry) {
        std::size_t nodes = 0;
        for (const ir::NodeId id : scopes_.children(entry)) {
            ++nodes;
            enter(id);
            if (is_entry(before_.nodes[id])) nodes += enter_contents(id);
        }
        return nodes;
    }
    /// Inner scopes first.
    void leave_scopes_in(ir::NodeId entry) {
        const auto children = scopes_.children(entry);
        for (auto at = children.rbegin(); at != children.rend(); ++at)
            if (is_entry(before_.nodes[*at])) {
                leave_scopes_in(*at);
                leave_scope(*at);
            }
    }
    /// Those that were opened anew, and those around what was touched, from the inside out.
    void leave_inside_out(const std::set<ir::NodeId>& opened, const std::set<ir::NodeId>& around) {
        std::vector<std::pair<std::size_t, ir::NodeId>> by_depth;
        for (const auto* entries : {&opened, &around})
            for (const ir::NodeId entry : *entries) {
                std::size_t depth = 0;
                for (ir::NodeId at = scopes_.parent(entry); at.valid(); at = scopes_.parent(at)) ++depth;
                by_depth.emplace_back(depth, entry);
            }
        std::ranges::sort(by_depth, std::greater<>());
        by_depth.erase(std::unique(by_depth.begin(), by_depth.end()), by_depth.end());
        for (const auto& [depth, entry] : by_depth) leave_scope(entry);
    }

    void enter(ir::NodeId id) {
        const auto* nested = std::get_if<ir::NestedSdfg>(&before_.nodes[id].kind);
        if (!nested) return;
        const Assumptions here = assumptions_in(before_, scopes_, scopes_.parent(id), known_);
        ir::Sdfg inner = *nested->sdfg;
        propagate(inner, assumptions_inside(*nested, here));
        if (!(inner == *nested->sdfg)) std::get<ir::NestedSdfg>(state_.nodes[id].kind).sdfg = Cow<ir::Sdfg>(std::move(inner));
    }

    /// An edge that says no volume moves its whole subset.
    void measure(ir::EdgeId id) {
        const ir::Memlet& memlet = before_.edges[id].memlet;
        if (memlet.empty() || memlet.dynamic || !memlet.volume.is_integer(0)) return;
        symbolic::Expr volume = 0;
        if (memlet.subset)
            volume = symbolic::num_elements(*memlet.subset, known_);
        else if (const ir::Container* container = ir::find_container(sdfg_, memlet.data))
            volume = symbolic::num_elements(whole(*container), known_);
        if (!volume.is_integer(0)) state_.edges[id].memlet.volume = volume;
    }

    void leave_scope(ir::NodeId entry) {
        const ir::NodeId exit = scopes_.exit_of(entry);
        const Binder binder = binder_of(before_.nodes[entry]);
        const Assumptions inside = assumptions_in(before_, scopes_, entry, known_);
        const Assumptions outside = assumptions_in(before_, scopes_, scopes_.parent(entry), known_);
        pair_up(adjacency_.in(entry), adjacency_.out(entry), true, binder, inside, outside);
        if (exit.valid()) pair_up(adjacency_.out(exit), adjacency_.in(exit), false, binder, inside, outside);
    }

    /// Outer and inner edges of one scope node meet at IN_x / OUT_x.
    void pair_up(std::span<const ir::EdgeId> outer, std::span<const ir::EdgeId> inner, bool reading, const Binder& binder,
                 const Assumptions& inside, const Assumptions& outside) {
        std::map<std::string_view, std::vector<ir::EdgeId>> inner_at;
        for (const ir::EdgeId id : inner) {
            const ir::Edge& edge = before_.edges[id];
            inner_at[ir::port_name(reading ? edge.src_connector : edge.dst_connector)].push_back(id);
        }
        for (const ir::EdgeId id : outer) {
            const ir::Edge& edge = before_.edges[id];
            const std::string& connector = reading ? edge.dst_connector : edge.src_connector;
            if (!(reading ? ir::is_port_in(connector) : ir::is_port_out(connector))) continue;
            const auto at = inner_at.find(ir::port_name(connector));
            if (at != inner_at.end()) recompute(id, at->second, reading, binder, inside, outside);
        }
    }

    void recompute(ir::EdgeId outer_id, const std::vector<ir::EdgeId>& inner, bool reading, const Binder& binder,
                   const Assumptions& inside, const Assumptions& outside) {
        const std::string data = end_of_path(outer_id, reading);
        const ir::Container* container = ir::find_container(sdfg_, data);
        if (!container) return;
        std::optional<Moved> all;
        std::optional<ir::Resolution> wcr;
        bool nonatomic = true, out_of_bounds = false;
        for (const ir::EdgeId id : inner) {
            const ir::Memlet& memlet = before_.edges[id].memlet;
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
        ir::Memlet memlet = before_.edges[outer_id].memlet;
        memlet.data = data;
        memlet.subset = std::move(all->subset);
        memlet.other_subset.reset();
        memlet.prefetch.reset();
        memlet.is_data_src.reset();
        memlet.volume = all->volume;
        memlet.dynamic = all->dynamic;
        memlet.wcr_nonatomic = wcr && nonatomic;
        memlet.wcr = std::move(wcr);
        memlet.allow_oob = out_of_bounds;
        if (!(memlet == before_.edges[outer_id].memlet)) state_.edges[outer_id].memlet = std::move(memlet);
    }

    /// The container at the outer end: the access node, through the scopes in between.
    std::string end_of_path(ir::EdgeId id, bool reading) const {
        for (;;) {
            const ir::Edge& edge = before_.edges[id];
            const ir::NodeId end = reading ? edge.src : edge.dst;
            if (const auto* access = std::get_if<ir::Access>(&before_.nodes[end].kind)) return access->data;
            const std::string next = ir::across(reading ? edge.src_connector : edge.dst_connector);
            const auto further = reading ? adjacency_.in_at(end, next) : adjacency_.out_at(end, next);
            if (!further) return edge.memlet.data;
            id = *further;
        }
    }

    const ir::Sdfg& sdfg_;
    ir::State& state_;
    const ir::State& before_;  ///< The same state.
    const ir::Adjacency& adjacency_;
    const ScopeTree& scopes_;
    const Assumptions& known_;
};

/// A copy, where something in it changes.
void propagate(const ir::Sdfg& sdfg, Cow<ir::State>& held, const Assumptions& known) {
    ir::State state = *held;
    propagate_memlets(sdfg, state, known);
    if (!(state == *held)) held.edit() = std::move(state);
}

void propagate(const ir::Sdfg& sdfg, ir::Region& region, const Assumptions& known) {
    for (auto [id, block] : region.blocks)
        std::visit(Overloaded{
                       [&](Cow<ir::State>& state) { propagate(sdfg, state, known); },
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
    const ir::Adjacency adjacency(state);
    const ScopeTree scopes(state, adjacency);
    Propagation(sdfg, state, known, adjacency, scopes).run();
}

std::size_t propagate_memlets(const ir::Sdfg& sdfg, ir::State& state, const Assumptions& known, const ir::Adjacency& adjacency,
                              const ScopeTree& scopes, std::span<const ir::NodeId> touched) {
    return Propagation(sdfg, state, known, adjacency, scopes).run(touched);
}

}  // namespace sluice::analysis
