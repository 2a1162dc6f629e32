// ChooseVectorization: run the innermost dimension of a map in the lanes of vector registers.
//     map i { straight-line code on neighbouring elements }   ->   map i simd { ... }
// L1 it is not decided. L2 the scope holds straight-line tasklets and the scalars between them alone. L3 they touch neighbouring
// elements, or combine values in private copies, whose order alone keeps the compiler from it; integers, which need not wait for
// each other, would only be gathered.
#include "transform/decision/decision.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

struct LanesChoice : Choice {};

rewrite::Planned<LanesChoice> plan_choose_vectorization(const rewrite::Site& site) {
    const ir::NodeId entry = site.node("map");
    if (site.get<ir::MapEntry>("map").simd) return Refusal{.code = "L1", .why = "the map is vectorised", .nodes = {entry}};
    const analysis::Lanes lanes = analysis::lanes_of(site.sdfg(), site.state(), site.view().adjacency, site.view().scopes, entry);
    if (!lanes.in_loop) return Refusal{.code = "L1", .why = "the map is unrolled and has no loop", .nodes = {entry}};
    if (lanes.obstacle.valid())
        return Refusal{.code = "L2",
                       .why = "there is more in the scope than straight-line tasklets and scalars between them",
                       .nodes = {entry, lanes.obstacle}};
    if (!lanes.pays()) return Refusal{.code = "L3", .why = "its tasklets touch elements that are no neighbours", .nodes = {entry}};
    return LanesChoice{{"simd", why_lanes(lanes)}};
}

void apply_choose_vectorization(rewrite::Draft& draft, const LanesChoice&) {
    draft.get<ir::MapEntry>("map").simd = true;
}

}  // namespace

std::string why_lanes(const analysis::Lanes& lanes) {
    return lanes.neighbours ? "straight-line code on neighbouring elements" : "its values are combined in private copies";
}

rewrite::Transformation choose_vectorization() {
    return rewrite::transformation(
        {.name = "ChooseVectorization",
         .summary = "Runs the innermost dimension of a map in the lanes of vector registers.",
         .drawing = "map i { straight-line code on neighbouring elements }   ->   map i simd { ... }",
         .decided_by = {.structural = "Lanes are points of a map, which are independent."},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions = {{"L1", "it is not decided"},
                        {"L2", "the scope holds straight-line tasklets and the scalars between them alone"},
                        {"L3",
                         "they touch neighbouring elements, or combine values in private copies, whose order "
                         "alone keeps the compiler from it; integers, which need not wait for each other, would only be "
                         "gathered"}}},
        plan_choose_vectorization, apply_choose_vectorization);
}

}  // namespace sluice::transform
