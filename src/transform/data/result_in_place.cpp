// ResultInPlace: what ends as a copy of a transient is that transient from the beginning.
//     { B -> t } { t -> C } ... { t -> R }   ->   { B -> R } { R -> C } ...
// P1 the array is a result of the program, which nobody sees before its end, touched by this copy alone. P2 the transient has its
// element type, shape, strides and storage. P3 one plain copy moves all elements, each to its own place. P4 every run comes to the
// copy, and nothing is written to the transient behind it. Unlike RedundantArray it asks of no single state what happens to the
// elements: it may be written in any of them, in loops and branches.
#include <algorithm>

#include "analysis/projection.h"
#include "ir/query.h"
#include "ir/strides.h"
#include "ir/walk.h"
#include "rewrite/wires.h"
#include "transform/data/data.h"
#include "transform/kept_order.h"

namespace sluice::transform {

namespace {

using ir::NodeId;
using rewrite::Refusal;

struct Result {
    std::string transient, result;
    NodeId node;
};

class ResultPlanner {
public:
    explicit ResultPlanner(const rewrite::Site& site)
        : site_(site), state_(site.state()), from_(site.node("transient")), to_(site.node("result")) {}

    rewrite::Planned<Result> run() {
        plan_ = {site_.get<ir::Access>("transient").data, site_.get<ir::Access>("result").data, to_};
        if (auto refusal = check_result()) return *refusal;
        if (auto refusal = check_layout()) return *refusal;
        if (auto refusal = check_copy()) return *refusal;
        if (auto refusal = check_order()) return *refusal;
        return plan_;
    }

private:
    Refusal refuse(std::string code, std::string why) const {
        return {.code = std::move(code), .why = std::move(why), .nodes = {from_, to_}};
    }

    /// P1
    std::optional<Refusal> check_result() const {
        const ir::Sdfg& sdfg = site_.sdfg();
        const ir::Container* result = sdfg.containers.find(plan_.result);
        const bool is_result =
            site_.match().place.nested.empty() && result && !result->transient && plan_.result.starts_with("__return");
        if (!is_result) return refuse("P1", plan_.result + " is no result of the program");
        if (rewrite::count_accesses(sdfg, plan_.result) != 1 || rewrite::used_in_control(sdfg, plan_.result) ||
            !aliases(sdfg, plan_.result).empty() || site_.view().adjacency.in(to_).size() != 1 ||
            !site_.view().adjacency.out(to_).empty())
            return refuse("P1", plan_.result + " is touched elsewhere, too");
        return {};
    }

    /// P2
    std::optional<Refusal> check_layout() const {
        const ir::Container* transient = site_.sdfg().containers.find(plan_.transient);
        const ir::Container& result = site_.sdfg().containers.at(plan_.result);
        const bool plain = transient && transient->transient && transient->binding == ir::Binding::Own &&
                           (transient->lifetime == ir::Lifetime::Scope || transient->lifetime == ir::Lifetime::SDFG) &&
                           result.binding == ir::Binding::Own;
        if (!plain) return refuse("P2", plan_.transient + " is no array that the program allocates for one run");
        const auto* one = std::get_if<ir::Array>(&transient->kind);
        const auto* other = std::get_if<ir::Array>(&result.kind);
        const bool same = one && other && transient->dtype == result.dtype && transient->shape == result.shape &&
                          transient->storage == result.storage && ir::strides_of(*transient) == ir::strides_of(result);
        if (!same || has_room(*one) || has_room(*other))
            return refuse("P2", plan_.transient + " and " + plan_.result + " differ in type, shape, strides or storage");
        return {};
    }
    /// Elements beside those of the shape, or promises about the first one's address.
    static bool has_room(const ir::Array& array) {
        return !array.start_offset.is_integer(0) || !array.total_size.is_integer(0) || array.alignment != 0 ||
               std::ranges::any_of(array.offset, [](const symbolic::Expr& offset) { return !offset.is_integer(0); });
    }

    /// P3
    std::optional<Refusal> check_copy() const {
        if (site_.view().scopes.parent(from_).valid()) return refuse("P3", "the copy is part of a scope");
        const ir::Edge& copy = state_.edges[site_.view().adjacency.in(to_)[0]];
        const bool plain = copy.src == from_ && !copy.memlet.empty() && !copy.memlet.wcr && !copy.memlet.dynamic &&
                           copy.src_connector.empty() && copy.dst_connector.empty();
        const symbolic::Subset all = analysis::whole(site_.sdfg().containers.at(plan_.result));
        const auto says = [&](const std::optional<symbolic::Subset>& side) { return !side || *side == all; };
        if (!plain || !copy.memlet.subset || !says(copy.memlet.subset) || !says(copy.memlet.other_subset))
            return refuse("P3", "the copy does not move every element to its own place");
        return {};
    }

    /// P4
    std::optional<Refusal> check_order() const {
        const ir::Region& body = site_.sdfg().body;
        bool behind = false;
        std::set<ir::BlockId> seen;
        for (ir::BlockId at = body.start; at.valid(); at = next(body, at)) {
            if (!seen.insert(at).second) return refuse("P4", "the program comes back to where it was");
            const ir::Block& block = body.blocks[at];
            if (ir::as_state(block) == &state_) {
                if (written_late()) return refuse("P4", plan_.transient + " is written behind the copy");
                behind = true;
            } else if (behind ? writes(block) : !ir::jumps_out(block).empty()) {
                return refuse(
                    "P4", behind ? plan_.transient + " is written behind the copy" : "the program may end in front of the copy");
            }
        }
        if (!behind) return refuse("P4", "not every run comes to the copy");
        if (starts_at_zero()) return refuse("P4", plan_.transient + " is zero where the program begins");
        return {};
    }
    /// The one block that follows in every run; invalid: the program ends, or goes on in several ways.
    static ir::BlockId next(const ir::Region& body, ir::BlockId at) {
        ir::BlockId found;
        for (const auto& [id, transition] : body.transitions) {
            if (transition.src != at) continue;
            if (found.valid() || !transition.condition.text.empty()) return {};
            found = transition.dst;
        }
        return found;
    }
    bool starts_at_zero() const {
        return ir::any_block(site_.sdfg().body, [&](const ir::Block& block) {
            const ir::State* state = ir::as_state(block);
            return state && std::ranges::any_of(state->nodes, [&](const auto& entry) {
                       const auto* access = std::get_if<ir::Access>(&entry.second.kind);
                       return access && access->data == plan_.transient && access->setzero;
                   });
        });
    }
    /// In the state of the copy.
    bool written_late() const {
        return std::ranges::any_of(state_.nodes, [&](const auto& entry) {
            const auto* access = std::get_if<ir::Access>(&entry.second.kind);
            return access && access->data == plan_.transient && entry.first != from_ &&
                   !site_.view().adjacency.in(entry.first).empty() &&
                   !reached_from(state_, site_.view().adjacency, entry.first, true).contains(from_);
        });
    }
    bool writes(const ir::Block& block) const {
        const auto writes_in = [&](const ir::State& state) {
            const ir::Adjacency adjacency(state);
            return std::ranges::any_of(state.nodes, [&](const auto& entry) {
                const auto* access = std::get_if<ir::Access>(&entry.second.kind);
                return access && access->data == plan_.transient && !adjacency.in(entry.first).empty();
            });
        };
        const auto is_writer = [&](const ir::Block& inner) {
            const ir::State* state = ir::as_state(inner);
            return state && writes_in(*state);
        };
        bool found = is_writer(block);
        ir::for_each_inner_region(block, [&](const ir::Region& inner) { found = found || ir::any_block(inner, is_writer); });
        return found;
    }

    const rewrite::Site& site_;
    const ir::State& state_;
    const NodeId from_, to_;
    Result plan_;
};

rewrite::Planned<Result> plan_result_in_place(const rewrite::Site& site) {
    return ResultPlanner(site).run();
}

void apply_result_in_place(rewrite::Draft& draft, const Result& plan) {
    rewrite::erase_node(draft.state(), plan.node);
    rewrite::rename_data(draft.sdfg().body, plan.transient, plan.result);
    rewrite::erase_isolated_accesses(draft.state());
    rewrite::erase_container(draft.sdfg(), plan.transient);
}

}  // namespace

rewrite::Transformation result_in_place() {
    return rewrite::transformation(
        {
            .name = "ResultInPlace",
            .summary = "Computes a result where it is returned, in place of a transient that is copied there in the end.",
            .drawing = "{ B -> t } { t -> C } ... { t -> R }   ->   { B -> R } { R -> C } ...",
            .decided_by = {.structural =
                               "Nobody sees the result before the copy, and behind it nothing is written to the transient."},
            .patterns = {rewrite::chain({{"transient", rewrite::kind::access}, {"result", rewrite::kind::access}})},
            .conditions = {{"P1",
                            "the array is a result of the program, which nobody sees before its end, touched by this copy alone"},
                           {"P2", "the transient has its element type, shape, strides and storage"},
                           {"P3", "one plain copy moves all elements, each to its own place"},
                           {"P4", "every run comes to the copy, and nothing is written to the transient behind it"}},
        },
        plan_result_in_place, apply_result_in_place);
}

}  // namespace sluice::transform
