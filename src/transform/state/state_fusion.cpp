// StateFusion: make one state of two that follow each other.
//     state { A } -> state { B }   ->   state { A; B }
// F1 control goes from the first to the second only, without a condition or an assignment, and enters the second from nowhere else.
// F2 accesses of both to one element keep their order: where the second reads what the first wrote they meet in one access node,
// and every other pair is ordered by a path of the fused state or touches different elements: as boxes, else as exact sets. F3 code
// with effects besides its data, which may end the program, shares the fused state with nothing of the other.
#include <algorithm>

#include "analysis/legality/fuse.h"
#include "ir/query.h"
#include "ir/views.h"
#include "rewrite/edit.h"
#include "rewrite/transformation.h"
#include "transform/kept_order.h"
#include "transform/ordering.h"

namespace sluice::transform {

namespace {

using ir::NodeId;
using rewrite::Refusal;

/// What of the first state the second can go on from, by container: an access node each.
class Meetings {
public:
    Meetings(const ir::Sdfg& sdfg, const ir::State& first, const rewrite::StateView& view) : view_(view) {
        const Ordering ordering(sdfg, first);
        std::map<std::string, std::vector<NodeId>> written;
        std::set<std::string> roots;
        for (const Event& event : ordering.events()) {
            if (!event.writes) continue;
            std::vector<NodeId>& nodes = written[std::get<ir::Access>(first.nodes[event.access].kind).data];
            if (nodes.empty() || nodes.back() != event.access) nodes.push_back(event.access);
            roots.insert(event.data);
        }
        std::vector<std::size_t> position(first.nodes.id_bound());
        std::size_t next = 0;
        for (const NodeId id : ir::topological_order(first, view.adjacency)) position[id.value] = next++;
        for (const auto& [data, nodes] : written)
            if (const NodeId last = last_of(first, nodes, position); last.valid()) nodes_.emplace(data, last);
        // What both only read needs no second access node either.
        for (const auto& [id, node] : first.nodes)
            if (const auto* access = std::get_if<ir::Access>(&node.kind))
                if (!access->setzero && view.adjacency.in(id).empty() && !roots.contains(std::string(ir::root_name(access->data))))
                    nodes_.emplace(access->data, id);
    }

    /// An invalid id where there is none, or it lies in a scope.
    NodeId at(const std::string& data) const {
        const auto found = nodes_.find(data);
        return found == nodes_.end() || view_.scopes.parent(found->second).valid() ? NodeId() : found->second;
    }

private:
    /// The access node after which nothing writes the container; invalid if there are several.
    NodeId last_of(const ir::State& first, const std::vector<NodeId>& written, const std::vector<std::size_t>& position) const {
        const NodeId last = *std::ranges::max_element(written, {}, [&](NodeId id) { return position[id.value]; });
        if (written.size() == 1) return last;
        const std::set<NodeId> before = reached_from(first, view_.adjacency, last, false);
        return std::ranges::all_of(written, [&](NodeId id) { return before.contains(id); }) ? last : NodeId();
    }

    const rewrite::StateView& view_;
    std::map<std::string, NodeId> nodes_;
};

/// The first state with copies of the second's nodes: those with an id from `begin` on.
struct Fused {
    ir::State state;
    std::uint32_t begin = 0;
    std::map<NodeId, NodeId> copies = {};  ///< Second's node -> the fused state's.

    /// Does the event belong to what came from the second state? Its edges begin or end at a node of it.
    bool of_second(const Event& event) const {
        if (!event.edge.valid()) return event.access.value >= begin;
        const ir::Edge& edge = state.edges[event.edge];
        return edge.src.value >= begin || edge.dst.value >= begin;
    }
};

Fused fuse(const ir::Sdfg& sdfg, const ir::State& first, const rewrite::StateView& first_view, const ir::State& second,
           const rewrite::StateView& view) {
    Fused fused{.state = first, .begin = static_cast<std::uint32_t>(first.nodes.id_bound()), .copies = {}};
    const Meetings meetings(sdfg, first, first_view);
    std::map<NodeId, NodeId>& placed = fused.copies;
    for (const auto& [id, node] : second.nodes) {
        const auto* access = std::get_if<ir::Access>(&node.kind);
        const bool begins = access && !access->setzero && view.adjacency.in(id).empty() && !view.scopes.parent(id).valid();
        const NodeId meets = begins ? meetings.at(access->data) : NodeId();
        placed[id] = meets.valid() ? meets : fused.state.nodes.add(node);
        if (meets.valid()) fused.state.nodes[meets].out.merge(ir::Connectors(node.out));
    }
    for (const auto& [id, node] : second.nodes) {
        const NodeId entry = ir::entry_of_exit(node);
        if (!entry.valid()) continue;
        auto& kind = fused.state.nodes[placed.at(id)].kind;
        if (auto* map = std::get_if<ir::MapExit>(&kind)) map->entry = placed.at(entry);
        if (auto* consume = std::get_if<ir::ConsumeExit>(&kind)) consume->entry = placed.at(entry);
    }
    for (const auto& [id, edge] : second.edges) {
        ir::Edge copy = edge;
        copy.src = placed.at(edge.src);
        copy.dst = placed.at(edge.dst);
        fused.state.edges.add(std::move(copy));
    }
    return fused;
}

/// Events of one container, found by where their first dimension lies if that is known in numbers.
class Earlier {
public:
    void add(std::size_t event, const Event& of) {
        if (const auto lies = interval(of))
            known_.push_back({lies->first, lies->second, lies->second, event});
        else
            anywhere_.push_back(event);
    }
    void sort() {
        std::ranges::sort(known_, {}, &Known::begin);
        for (std::size_t at = 1; at < known_.size(); ++at)
            known_[at].furthest = std::max(known_[at].furthest, known_[at - 1].furthest);
    }
    /// Those that may touch what the event touches, in order.
    std::vector<std::size_t> unordered_with(const Event& event) const {
        std::vector<std::size_t> found = anywhere_;
        const auto lies = interval(event);
        auto at = lies ? std::ranges::upper_bound(known_, lies->second, {}, &Known::begin) : known_.end();
        while (at != known_.begin() && (!lies || (at - 1)->furthest >= lies->first)) {
            --at;
            if (!lies || at->end >= lies->first) found.push_back(at->event);
        }
        std::ranges::sort(found);
        return found;
    }

private:
    struct Known {
        std::int64_t begin, end, furthest;  ///< First and last index; the last index of all that begin no later.
        std::size_t event;
    };
    static std::optional<std::pair<std::int64_t, std::int64_t>> interval(const Event& event) {
        if (!event.subset || event.subset->rank() == 0) return {};
        const symbolic::Range& range = event.subset->dims[0];
        const auto begin = symbolic::min_index(range).constant(), end = symbolic::max_index(range).constant();
        if (!begin || !end || *begin > *end) return {};
        return std::pair(*begin, *end);
    }

    std::vector<Known> known_;
    std::vector<std::size_t> anywhere_;
};

/// A container that may stand for any other.
std::optional<std::string> reference_in(const ir::Sdfg& sdfg, const ir::State& state) {
    for (const auto& [id, node] : state.nodes)
        if (const auto* access = std::get_if<ir::Access>(&node.kind))
            if (const ir::Container* container = sdfg.containers.find(ir::root_name(access->data));
                container && container->binding == ir::Binding::Reference)
                return std::string(ir::root_name(access->data));
    return {};
}

/// A view that stands for one place in the first state and for another in the second: in one scope it has one.
std::optional<std::string> view_of_two_places(const ir::Sdfg& sdfg, const ir::State& first, const rewrite::StateView& first_view,
                                              const ir::State& second, const rewrite::StateView& second_view) {
    std::map<std::string, ir::Memlet> places;
    const auto place = [&](const ir::State& state, const rewrite::StateView& view, NodeId id) -> const ir::Memlet* {
        const auto edge = ir::view_edge(sdfg, state, view.adjacency, id);
        return edge ? &state.edges[*edge].memlet : nullptr;
    };
    for (const auto& [id, node] : first.nodes)
        if (const ir::Memlet* memlet = place(first, first_view, id)) places.emplace(std::get<ir::Access>(node.kind).data, *memlet);
    for (const auto& [id, node] : second.nodes) {
        const ir::Memlet* memlet = places.empty() ? nullptr : place(second, second_view, id);
        const auto other = memlet ? places.find(std::get<ir::Access>(node.kind).data) : places.end();
        if (other == places.end()) continue;
        const ir::Memlet& before = other->second;
        if (memlet->data != before.data || memlet->subset != before.subset || memlet->other_subset != before.other_subset)
            return other->first;
    }
    return {};
}

std::string sentence(const std::string& data, bool first_writes, bool second_writes) {
    const std::string order = ", and nothing in the fused state would keep the two in order";
    if (first_writes && second_writes) return "both states write " + data + order;
    if (first_writes) return "the second state reads " + data + ", which the first writes" + order;
    return "the first state reads " + data + ", which the second writes" + order;
}

/// The node at the top of the state that touches what the event does: code, a scope's entry, or where a copy goes.
NodeId toucher(const ir::State& state, const Event& event) {
    if (!event.edge.valid()) return event.start;
    const ir::Edge& edge = state.edges[event.edge];
    if (event.start != event.access && event.end != event.access) return event.start;  // In a scope.
    if (!event.writes || edge.src == event.access) return edge.dst;
    if (std::holds_alternative<ir::Access>(state.nodes[edge.src].kind)) return event.access;
    return event.start;
}

/// Pairs of nodes that may touch one element, as boxes, and that no path keeps in order. Seen without a model.
std::vector<std::pair<NodeId, NodeId>> unordered_pairs(const Fused& fused, const Ordering& together,
                                                       const symbolic::Assumptions& known) {
    const std::vector<Event>& events = together.events();
    std::map<std::string_view, Earlier> earlier;
    for (std::size_t at = 0; at < events.size(); ++at)
        if (!fused.of_second(events[at])) earlier[events[at].data].add(at, events[at]);
    for (auto& [data, of_first] : earlier) of_first.sort();
    std::vector<std::pair<NodeId, NodeId>> pairs;
    std::set<std::pair<NodeId, NodeId>> seen;
    for (const Event& late : events) {
        const auto of_first = earlier.find(late.data);
        if (of_first == earlier.end() || !fused.of_second(late)) continue;
        for (const std::size_t at : of_first->second.unordered_with(late)) {
            if (!may_conflict(events[at], late, known) || together.before(events[at], late)) continue;
            const NodeId first = toucher(fused.state, events[at]), second = toucher(fused.state, late);
            const NodeId exit = together.exit_of(first);
            if (!late.opens_state() && together.reaches(exit.valid() ? exit : first, second)) continue;
            if (seen.emplace(first, second).second) pairs.emplace_back(first, second);
        }
    }
    return pairs;
}

/// F2: a path of the fused state leads from the end of the one to the other, wherever two executions touch one element.
std::optional<Refusal> why_not_in_order(const rewrite::Site& site, const Fused& fused) {
    const Ordering together(site.sdfg(), fused.state);
    auto unordered = unordered_pairs(fused, together, site.assumptions());
    if (unordered.empty()) return {};
    std::map<NodeId, NodeId> of_second;
    for (const auto& [node, copy] : fused.copies) of_second[copy] = node;
    for (auto& [first, second] : unordered) second = of_second.at(second);
    const analysis::StateFusion fusion = analysis::states_fusible(site.sdfg(), site.region(), site.block("first"),
                                                                  site.block("second"), site.assumptions(), unordered);
    if (fusion.verdict.yes()) return {};
    if (!fusion.conflict) return Refusal{.code = "F2", .why = fusion.verdict.why};
    const auto& [first, second, container, first_writes, second_writes] = *fusion.conflict;
    Refusal refusal{.code = "F2", .why = sentence(container, first_writes, second_writes)};
    refusal.notes.push_back({fusion.verdict.witness ? analysis::to_string(*fusion.verdict.witness) : fusion.verdict.why, {}});
    return refusal;
}

std::optional<Refusal> check_control(const rewrite::Site& site) {
    const ir::BlockId a = site.block("first"), b = site.block("second");
    const ir::Region& region = site.region();
    if (region.start == b) return Refusal{.code = "F1", .why = "control begins in " + region.blocks[b].label};
    for (const ir::TransitionId id : site.region_view().out(a)) {
        const ir::Transition& transition = region.transitions[id];
        if (transition.dst != b) return Refusal{.code = "F1", .why = "control may go elsewhere after " + region.blocks[a].label};
        if (!transition.condition.text.empty() || !transition.assignments.empty())
            return Refusal{.code = "F1", .why = "the transition between the states has a condition or an assignment"};
    }
    for (const ir::TransitionId id : site.region_view().in(b))
        if (region.transitions[id].src != a)
            return Refusal{.code = "F1", .why = "control comes to " + region.blocks[b].label + " from elsewhere as well"};
    return {};
}

rewrite::Planned<Fused> plan_state_fusion(const rewrite::Site& site) {
    if (auto refusal = check_control(site)) return std::move(*refusal);
    const ir::State& first = *site.get_block<Cow<ir::State>>("first");
    const ir::State& second = *site.get_block<Cow<ir::State>>("second");
    if (first.nosync != second.nosync || first.instrument != second.instrument)
        return Refusal{.code = "F1", .why = "the states are synchronised or measured in different ways"};
    const auto effects = [](const ir::State& state) {
        return std::ranges::any_of(state.nodes, [](const auto& entry) { return has_effects(entry.second); });
    };
    for (const auto& [one, other] : {std::pair(&first, &second), std::pair(&second, &first)})
        if (effects(*one) && !other->nodes.empty())
            return Refusal{.code = "F3",
                           .why = "code of the " + std::string(one == &first ? "first" : "second") +
                                  " state has effects besides its data, and nothing would keep the other before or behind it"};
    for (const ir::State* state : {&first, &second})
        if (const auto name = reference_in(site.sdfg(), *state))
            return Refusal{.code = "F2", .why = *name + " is a reference, which may stand for anything"};
    if (const auto name = view_of_two_places(site.sdfg(), first, site.view(first), second, site.view(second)))
        return Refusal{.code = "F2", .why = *name + " views one place in the first state and another in the second"};

    Fused fused = fuse(site.sdfg(), first, site.view(first), second, site.view(second));
    if (first.schedule != second.schedule) fused.state.schedule = ir::Schedule::Default;
    if (auto refusal = why_not_in_order(site, fused)) return std::move(*refusal);
    return fused;
}

void apply_state_fusion(rewrite::Draft& draft, const Fused& fused) {
    const ir::BlockId a = draft.block("first"), b = draft.block("second");
    const rewrite::RegionView& before = draft.before().region_view();
    ir::Region& region = draft.region();
    region.blocks[a].kind = Cow<ir::State>(fused.state);
    for (const ir::TransitionId id : before.out(a)) region.transitions.erase(id);
    for (const ir::TransitionId id : before.out(b)) region.transitions[id].src = a;
    region.blocks.erase(b);
}

}  // namespace

rewrite::Transformation state_fusion() {
    return rewrite::transformation(
        {.name = "StateFusion",
         .summary = "Makes one state of two that follow each other.",
         .drawing = "state { A } -> state { B }   ->   state { A; B }",
         .decided_by = {.predicates = {"states_fusible"}},
         .patterns = {rewrite::chain({{"first", rewrite::kind::state}, {"second", rewrite::kind::state}})},
         .conditions = {{"F1", "control always goes from the first state straight to the second"},
                        {"F2", "accesses of both to one element keep their order in the fused state"},
                        {"F3", "where code of one has effects besides its data, the other is empty"}},
         .simplifies = true},
        plan_state_fusion, apply_state_fusion);
}

}  // namespace sluice::transform
