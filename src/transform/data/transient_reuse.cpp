// TransientReuse: let two transients that are never needed at the same time share one memory.
//     B -> t -> C; D -> u -> E   ->   B -> t -> C; D -> t -> E
// U1 both are allocated by the SDFG in the same way: element type, shape, layout, storage, lifetime. U2 no element of one is still
// needed where the other is used: in states of their own, neither is live in the other's; in one state, element by element, every
// use of one is bound to be over before the other is written. U3 no condition, range or subset reads them, and no view or structure
// is among them.
#include <algorithm>

#include "analysis/legality/share.h"
#include "analysis/liveness.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "transform/data/data.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

struct Uses {
    std::set<const ir::State*> states;
};

std::map<std::string, Uses> uses_of(const ir::Sdfg& sdfg) {
    std::map<std::string, Uses> uses;
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes)
            if (const auto* access = std::get_if<ir::Access>(&node.kind))
                uses[std::string(ir::root_name(access->data))].states.insert(&state);
    });
    return uses;
}

bool same_memory(const ir::Container& a, const ir::Container& b) {
    return a.dtype == b.dtype && a.shape == b.shape && a.storage == b.storage && a.lifetime == b.lifetime && a.kind == b.kind &&
           a.location == b.location;
}

bool shareable(const ir::Container& container) {
    const bool plain = std::holds_alternative<ir::Array>(container.kind) || std::holds_alternative<ir::Scalar>(container.kind);
    const bool scoped = container.lifetime == ir::Lifetime::Scope || container.lifetime == ir::Lifetime::State ||
                        container.lifetime == ir::Lifetime::SDFG;
    return container.transient && plain && scoped && container.binding == ir::Binding::Own;
}

class Sharing {
public:
    Sharing(const ir::Sdfg& sdfg, const symbolic::Assumptions& known)
        : sdfg_(sdfg), known_(known), uses_(uses_of(sdfg)), allocation_scopes_(analysis::allocation_scopes(sdfg, known)) {
        for (const auto& [state, names] : analysis::live_in(sdfg, known)) live_[state] = {names.begin(), names.end()};
    }

    /// The condition that forbids it, and why.
    std::optional<std::pair<std::string, std::string>> why_not(const std::string& kept, const std::string& gone) {
        const ir::Container *a = sdfg_.containers.find(kept), *b = sdfg_.containers.find(gone);
        if (!a || !b || kept == gone) return {{"U1", kept + " and " + gone + " are not two containers of the SDFG"}};
        if (!shareable(*a) || !shareable(*b))
            return {{"U1", (shareable(*a) ? gone : kept) + " is no array or scalar that the SDFG allocates"}};
        if (!same_memory(*a, *b)) return {{"U1", kept + " and " + gone + " differ in type, shape or storage"}};
        for (const std::string& name : {kept, gone})
            if (rewrite::used_in_control(sdfg_, name) || viewed(name))
                return {{"U3", name + " is read by an expression or seen by a view"}};
        for (const std::string& name : {kept, gone})
            if (const auto allocation = allocation_scopes_.find(name);
                allocation != allocation_scopes_.end() && allocation->second.level == analysis::AllocationScope::Level::Scope)
                return {{"U2", "each execution of a scope has a " + name + " of its own"}};
        for (const ir::State* state : uses_[kept].states)
            if (auto why = conflict(kept, gone, *state)) return {{"U2", *why}};
        for (const ir::State* state : uses_[gone].states)
            if (auto why = conflict(gone, kept, *state)) return {{"U2", *why}};
        return {};
    }
    std::vector<std::string> candidates() const {
        std::vector<std::string> names;
        for (const auto& [name, container] : sdfg_.containers)
            if (shareable(container) && uses_.contains(name)) names.push_back(name);
        return names;
    }

private:
    bool viewed(const std::string& name) {
        bool found = false;
        ir::for_each_state(sdfg_.body, [&](const ir::State& state) {
            if (!uses_[name].states.contains(&state)) return;
            for (const auto& [id, node] : state.nodes)
                if (const auto* access = std::get_if<ir::Access>(&node.kind)) {
                    const ir::Container* container = ir::find_container(sdfg_, access->data);
                    found = found || !container || container->binding != ir::Binding::Own;
                }
            for (const auto& [id, edge] : state.edges)
                found = found || edge.src_connector == "views" || edge.dst_connector == "views" || edge.dst_connector == "set";
        });
        return found;
    }

    /// In a state that uses `here`, is `other` needed?
    std::optional<std::string> conflict(const std::string& here, const std::string& other, const ir::State& state) {
        if (!uses_[other].states.contains(&state)) {
            if (!live_[&state].contains(other)) return {};
            return other + " is still needed where " + here + " is used";
        }
        for (const std::string& name : {here, other}) {
            const auto allocation = allocation_scopes_.find(name);
            if (allocation == allocation_scopes_.end() || allocation->second.level == analysis::AllocationScope::Level::Sdfg)
                return name + " keeps its elements beyond the state in which both are used";
        }
        const analysis::Verdict one_way = analysis::used_before(sdfg_, state, here, other, known_);
        if (one_way.yes() || analysis::used_before(sdfg_, state, other, here, known_).yes()) return {};
        return one_way.why;
    }

    const ir::Sdfg& sdfg_;
    const symbolic::Assumptions known_;
    std::map<std::string, Uses> uses_;
    std::map<std::string, analysis::AllocationScope> allocation_scopes_;
    std::map<const ir::State*, std::set<std::string>> live_;
};

using Pair = std::pair<std::string, std::string>;

rewrite::Planned<Pair> plan_transient_reuse(const rewrite::Site& site) {
    Sharing sharing(site.sdfg(), site.assumptions());
    const std::string &kept = site.text("kept"), &gone = site.text("gone");
    if (!kept.empty() && !gone.empty()) {
        if (auto why = sharing.why_not(kept, gone)) return Refusal{.code = why->first, .why = why->second};
        return Pair(kept, gone);
    }
    std::optional<std::pair<std::string, std::string>> first;
    const std::vector<std::string> names = sharing.candidates();
    for (const std::string& a : names)
        for (const std::string& b : names) {
            if (a == b || (!kept.empty() && a != kept) || (!gone.empty() && b != gone)) continue;
            const auto why = sharing.why_not(a, b);
            if (!why) return Pair(a, b);
            if (!first) first = why;
        }
    if (first) return Refusal{.code = first->first, .why = first->second};
    return Refusal{.code = "U1", .why = "there are no two transients"};
}

void apply_transient_reuse(rewrite::Draft& draft, const Pair& pair) {
    const auto& [kept, gone] = pair;
    rewrite::rename_data(draft.sdfg().body, gone, kept);
    draft.sdfg().containers.erase(gone);
}

}  // namespace

rewrite::Transformation transient_reuse() {
    return rewrite::transformation({.name = "TransientReuse",
                                    .summary = "Lets two transients that are never needed at the same time share one memory.",
                                    .drawing = "B -> t -> C; D -> u -> E   ->   B -> t -> C; D -> t -> E",
                                    .decided_by = {.predicates = {"used_before"}},
                                    .patterns = {rewrite::Pattern{}},
                                    .conditions = {{"U1", "both are allocated in the same way"},
                                                   {"U2", "neither is needed where the other is used"},
                                                   {"U3", "no expression reads them, and no view looks at them"}},
                                    .parameters = {{"kept", std::string(), "The transient that stays; empty: any."},
                                                   {"gone", std::string(), "The one whose uses it takes over; empty: any."}}},
                                   plan_transient_reuse, apply_transient_reuse);
}

}  // namespace sluice::transform
