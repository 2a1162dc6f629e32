// RedundantWriteSlice: write the slice of an array itself in place of a view of it.
//     B -> v -views-> A[s]   ->   B -> A[s]
// V1 the view is used here only, and nothing is read through it. V2 it is a slice: an array of the same element type, whose
// dimensions run along dimensions of the other by the strides of a slice. V3 users who count dimensions see as many as before, and
// copies say which elements they move.
#include "transform/data/copy_plan.h"

namespace sluice::transform {

namespace {

rewrite::Planned<CopyPlan> plan_redundant_write_slice(const rewrite::Site& site) {
    return plan_slice(site, site.node("out_array"), site.node("in_array"));
}

void apply_redundant_write_slice(rewrite::Draft& draft, const CopyPlan& plan) {
    const rewrite::Site& site = draft.before();
    leave_out_copy(draft.sdfg(), draft.state(), plan);
    rewrite::erase_isolated_accesses(draft.state());
    draft.forward(site.node("in_array"), site.node("out_array"));
}

}  // namespace

rewrite::Transformation redundant_write_slice() {
    return rewrite::transformation(
        {.name = "RedundantWriteSlice",
         .summary = "Writes the slice of an array itself in place of a view of it.",
         .drawing = "B -> v -views-> A[s]   ->   B -> A[s]",
         .decided_by = {.predicates = {"copy_redundant"}},
         .patterns = {rewrite::chain({{"in_array", rewrite::kind::access}, {"out_array", rewrite::kind::access}})},
         .conditions = {{"V1", "the view is used here only, and nothing is read through it"},
                        {"V2", "it is a slice of what it views, of the same element type"},
                        {"V3", "users see as many dimensions as before, and copies say which elements they move"}},
         .simplifies = true},
        plan_redundant_write_slice, apply_redundant_write_slice);
}

}  // namespace sluice::transform
