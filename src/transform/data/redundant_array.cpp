// RedundantArray: leave out a transient that is copied into an array: what writes it writes the array.
//     B -> t -> A[s]   ->   B -> A[s]
// R1 the transient is used here only, filled without resolutions, and nothing but one plain copy leads from it. R2 both are arrays
// or scalars of one element type in one storage. R3 copies say which elements they move. R4 nothing touches the elements of the
// array between the write of the transient's and the copy, and all that is written is copied. R5 who writes the transient by its
// address finds the array's elements at the same strides; else the transient becomes a view of the array. The array may be a slice
// (A[k, 0:N]); the memlets of those who write count from its begin.
#include "transform/data/copy_plan.h"

namespace sluice::transform {

namespace {

rewrite::Planned<CopyPlan> plan_redundant_array(const rewrite::Site& site) {
    return plan_copy(site, site.node("out_array"), site.node("in_array"));
}

void apply_redundant_array(rewrite::Draft& draft, const CopyPlan& plan) {
    const rewrite::Site& site = draft.before();
    leave_out_copy(draft.sdfg(), draft.state(), plan);
    rewrite::erase_isolated_accesses(draft.state());
    if (!plan.becomes_view) draft.forward(site.node("in_array"), site.node("out_array"));
}

}  // namespace

rewrite::Transformation redundant_array() {
    return rewrite::transformation(
        {.name = "RedundantArray",
         .summary = "Leaves out a transient that is copied into an array.",
         .drawing = "B -> t -> A[s]   ->   B -> A[s]",
         .decided_by = {.predicates = {"copy_redundant"}},
         .patterns = {rewrite::chain({{"in_array", rewrite::kind::access}, {"out_array", rewrite::kind::access}})},
         .conditions = {{"R1", "the transient is used here only, and nothing but one plain copy leads from it"},
                        {"R2", "both are arrays or scalars of one element type in one storage"},
                        {"R3", "copies say which elements they move"},
                        {"R4", "nothing touches the array's elements before the copy would have written them"},
                        {"R5", "who writes the transient by its address finds the array's elements there"}},
         .simplifies = true},
        plan_redundant_array, apply_redundant_array);
}

}  // namespace sluice::transform
