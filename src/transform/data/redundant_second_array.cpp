// RedundantSecondArray: leave out a transient that holds a copy of an array: what reads it reads the array.
//     A[s] -> t -> B   ->   A[s] -> B
// R1 the transient is used here only, and nothing but one plain copy leads to it. R2 both are arrays or scalars of one element type
// in one storage. R3 copies say which elements they move. R4 no write to an element of the array comes between the copy and a read
// of the transient's, and all that is read was copied. R5 who takes the transient by its address finds the array's elements at the
// same strides; else the transient becomes a view of the array. The array may be a slice (A[k, 0:N]); the memlets of those who read
// count from its begin.
#include "transform/data/copy_plan.h"

namespace sluice::transform {

namespace {

rewrite::Planned<CopyPlan> plan_redundant_second_array(const rewrite::Site& site) {
    return plan_copy(site, site.node("in_array"), site.node("out_array"));
}

void apply_redundant_second_array(rewrite::Draft& draft, const CopyPlan& plan) {
    const rewrite::Site& site = draft.before();
    leave_out_copy(draft.sdfg(), draft.state(), plan);
    rewrite::erase_isolated_accesses(draft.state());
    if (!plan.becomes_view) draft.forward(site.node("out_array"), site.node("in_array"));
}

}  // namespace

rewrite::Transformation redundant_second_array() {
    return rewrite::transformation(
        {.name = "RedundantSecondArray",
         .summary = "Leaves out a transient that holds a copy of an array.",
         .drawing = "A[s] -> t -> B   ->   A[s] -> B",
         .decided_by = {.predicates = {"copy_redundant"}},
         .patterns = {rewrite::chain({{"in_array", rewrite::kind::access}, {"out_array", rewrite::kind::access}})},
         .conditions = {{"R1", "the transient is used here only, and nothing but one plain copy leads to it"},
                        {"R2", "both are arrays or scalars of one element type in one storage"},
                        {"R3", "copies say which elements they move"},
                        {"R4", "nothing writes the array's elements between the copy and those who read them"},
                        {"R5", "who takes the transient by its address finds the array's elements there"}},
         .simplifies = true},
        plan_redundant_second_array, apply_redundant_second_array);
}

}  // namespace sluice::transform
