// ComputeAt: compute what a loop's iterations read of a transient in each of them, some of it perhaps again in others.
//     for i { t[i] = f(i) }  for j { r[j] = t[j] + t[j + 1] }
//         ->   for j { for i = j:j+2 { t[i - j] = f(i) }  r[j] = t[0] + t[1] }
// U1 the part is a static control part. U2 no symbol that it gives a value is read elsewhere. U3 one write of one statement in
// front of the loop fills the transient, which is read in the loop alone, one element at a time, in the same iteration of the loops
// around both. U4 every dependence is respected: what the statement reads is the same there. The transient keeps what one iteration
// reads.
#include <algorithm>

#include <fmt/format.h>

#include "analysis/scop/place.h"
#include "transform/data/relayout.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

struct PlaceQuestion {
    std::string data, loop;
};

/// Transients and loops that the parameters leave open.
std::vector<PlaceQuestion> places_asked(const rewrite::Site& site, const OrderedPart& part, std::string& obstacle) {
    const std::string &data = site.text("data"), &loop = site.text("loop");
    std::vector<PlaceQuestion> asked;
    for (const auto& [name, container] : site.sdfg().containers) {
        if (!data.empty() && name != data) continue;
        if (const std::string why = why_not_relaid(site, part, name); !why.empty()) {
            if (!data.empty()) obstacle = why;
            continue;
        }
        for (const analysis::LoopTree* one : analysis::loops_in(part.scop.order))
            if (loop.empty() || one->name == loop) asked.push_back({name, one->name});
        if (asked.empty()) obstacle = fmt::format("there is no loop `{}`; {}", loop, loops_of_tree(part.scop.order));
    }
    if (!data.empty() && !site.sdfg().containers.contains(data)) obstacle = fmt::format("there is no container `{}`", data);
    return asked;
}

rewrite::Planned<Relaid> placed_loops(analysis::Placed placed, const PlaceQuestion& question) {
    OrderedPart moved{std::move(placed.scop), {}};
    moved.dependences = analysis::dependences(moved.scop);
    const poly::Schedule order = moved.scop.schedule;
    auto result = in_order(std::move(moved), order, 'U');
    if (auto* refusal = std::get_if<Refusal>(&result)) return std::move(*refusal);
    Relaid relaid{.order = std::get<Reordered>(std::move(result)), .data = question.data, .shape = std::move(placed.shape)};
    if (!analysis::allocates_in_loops(relaid.order.scop, relaid.order.loops))
        return Refusal{.code = "U4", .why = "the loops that isl finds do not keep all uses of the transient in one iteration"};
    relaid.order.chosen = {{"data", question.data}, {"loop", question.loop}};
    return relaid;
}

rewrite::Planned<Relaid> plan_compute_at(const rewrite::Site& site) {
    const auto is_transient = [](const auto& entry) { return entry.second.transient; };
    if (site.text("data").empty() && std::ranges::none_of(site.sdfg().containers, is_transient))
        return Refusal{.code = "U3", .why = "there is no transient"};  // Known before anything is looked into.
    const poly::Budget budget(kOrderOperations);
    auto found = part_of(site, 'U');
    if (auto* refusal = std::get_if<Refusal>(&found)) return std::move(*refusal);
    const OrderedPart part{std::get<analysis::Scop>(std::move(found)), {}};
    std::string obstacle = "no transient is used by tasklets of the part alone";
    std::optional<Refusal> first;
    const auto tried = [&](const PlaceQuestion& question) {
        return analysis::place_at(part.scop, question.data, site.sdfg().containers.at(question.data).shape, question.loop);
    };
    const std::vector<PlaceQuestion> asked = places_asked(site, part, obstacle);
    for (const PlaceQuestion& question : asked) {
        auto result = tried(question);
        if (auto* placed = std::get_if<analysis::Placed>(&result)) return placed_loops(std::move(*placed), question);
        const auto& refused = std::get<analysis::NotPlaced>(result);
        if (first) continue;
        first = Refusal{.code = refused.by_dependence ? "U4" : "U3", .why = refused.why};
        if (refused.witness) first->notes.push_back({analysis::to_string(*refused.witness), {}});
    }
    if (!first) return Refusal{.code = "U3", .why = obstacle};
    std::string legal;
    for (const analysis::LoopTree* loop : analysis::loops_in(part.scop.order))
        if (legal.empty() && std::holds_alternative<analysis::Placed>(tried({asked.front().data, loop->name})))
            legal = fmt::format("data=\"{}\" loop=\"{}\"", asked.front().data, loop->name);
    first->notes.push_back({legal.empty() ? "no legal alternative was found near to it" : "legal instead: " + legal, {}});
    return std::move(*first);
}

}  // namespace

rewrite::Transformation compute_at() {
    return rewrite::transformation(
        {.name = "ComputeAt",
         .summary = "Computes what a loop's iterations read of a transient in each of them, some of it perhaps again in others.",
         .drawing = "for i { t[i] = f(i) }  for j { r[j] = t[j] + t[j + 1] }\n"
                    "    ->   for j { for i = j:j+2 { t[i - j] = f(i) }  r[j] = t[0] + t[1] }",
         .decided_by = {.predicates = {"reorder"}},
         .patterns = order_patterns(),
         .conditions = {{"U1", "the part is a static control part"},
                        {"U2", "no symbol that it gives a value is read elsewhere"},
                        {"U3",
                         "one write of one statement in front of the loop fills the transient, which is read in the loop alone, "
                         "one element at a time, in the same iteration of the loops around both"},
                        {"U4", "every dependence is respected: what the statement reads is the same there"}},
         .parameters = {{"data", std::string(), "The transient; empty: the first that may be computed in a loop."},
                        {"loop", std::string(), "The variable of the loop of its readers; empty: the first, outermost."}}},
        plan_compute_at, apply_layout);
}

}  // namespace sluice::transform
