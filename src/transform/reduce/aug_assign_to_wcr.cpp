// AugAssignToWCR: let a memlet update what a tasklet reads, changes and writes back.
//     A[s] -> tasklet { out = a + e } -> A[s]   ->   tasklet { out = e } -wcr +-> A[s]
// A1 the tasklet is one assignment in Python whose value is `a + e`, `a - e`, `a * e`, `a & e`, `a | e`, `a ^ e`, `min(a, e)` or
// `max(a, e)`, for + * & | ^ in either order, and `e` does not read `a`. A2 `a` surely reads the one element that `out` surely
// writes. A3 `e` converted to the type of the elements gives the same result. A loop or a map around it may then update in any
// order, atomically where points meet.
#include "rewrite/edit.h"
#include "transform/reduce/reduce.h"
#include "transform/reduce/update.h"

namespace sluice::transform {

namespace {

rewrite::Planned<TaskletUpdate> plan_aug_assign_to_wcr(const rewrite::Site& site) {
    auto found = find_update(site.sdfg(), site.state(), site.view().adjacency, site.node("tasklet"));
    if (auto* none = std::get_if<NoUpdate>(&found))
        return rewrite::Refusal{.code = std::move(none->first), .why = std::move(none->second), .nodes = {site.node("tasklet")}};
    return std::get<TaskletUpdate>(std::move(found));
}

void apply_aug_assign_to_wcr(rewrite::Draft& draft, const TaskletUpdate& found) {
    make_update(draft.state(), draft.before().view().adjacency, draft.node("tasklet"), found);
}

}  // namespace

rewrite::Transformation aug_assign_to_wcr() {
    return rewrite::transformation(
        {.name = "AugAssignToWCR",
         .summary = "Lets a memlet update what a tasklet reads, changes and writes back.",
         .drawing = "A[s] -> tasklet { out = a + e } -> A[s]   ->   tasklet { out = e } -wcr +-> A[s]",
         .decided_by = {.structural = "The element that is read is the one that is written: both become one update of it."},
         .patterns = {{.nodes = {{"tasklet", rewrite::kind::tasklet}}, .edges = {}}},
         .conditions = {{"A1", "the code is one assignment that updates an input by an operator that commutes"},
                        {"A2", "the input surely is the one element that the output surely writes"},
                        {"A3", "what it is updated by may be converted to the type of the elements first"}}},
        plan_aug_assign_to_wcr, apply_aug_assign_to_wcr);
}

}  // namespace sluice::transform
