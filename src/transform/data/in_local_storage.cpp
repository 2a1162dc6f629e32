// InLocalStorage: copy what an inner scope reads into a transient before it begins.
//     map i { A -> map j { B } }   ->   map i { A[s] -> t -> map j { B } }
// I1 an array or scalar moves between the scopes, without resolutions, as much as a memlet says, and a target has the storage. I2
// the size of the transient depends on no parameter of the scopes. I3 who takes the array by its address finds the same strides
// in the transient, and no nested SDFG reads and writes it through one connector. I4 no write to what is copied comes between
// the copy and a read, or happens beside the copy.
#include "transform/data/local_storage.h"

namespace sluice::transform {

namespace {

LocalQuestion in_question(const rewrite::Site& site) {
    return {.letter = 'I', .outer = site.node("outer"), .inner = site.node("inner"), .in = true, .accumulates = false};
}

rewrite::Planned<LocalPlan> plan_in_local_storage(const rewrite::Site& site) {
    return plan_local(site, in_question(site));
}

void apply_in_local_storage(rewrite::Draft& draft, const LocalPlan& local) {
    const rewrite::Site& site = draft.before();
    const std::string name = add_local(draft.sdfg(), local, site.text("prefix"), *storage_of(site.text("storage")));
    insert_local(draft.state(), local, name);
}

}  // namespace

rewrite::Transformation in_local_storage() {
    constexpr rewrite::Kinds scope = rewrite::kind::map_entry | rewrite::kind::consume_entry;
    return rewrite::transformation(
        {.name = "InLocalStorage",
         .summary = "Copies what an inner scope reads into a transient before it begins.",
         .drawing = "map i { A -> map j { B } }   ->   map i { A[s] -> t -> map j { B } }",
         .decided_by = {.predicates = {"copy_insertable"}},
         .patterns = {rewrite::chain({{"outer", scope}, {"inner", scope}})},
         .conditions = {{"I1",
                         "an array or scalar moves between the scopes, as much as a memlet says, and a target has the storage"},
                        {"I2", "the size of the transient depends on no parameter"},
                        {"I3",
                         "who takes the array by its address finds the same strides in the transient, and no nested SDFG reads "
                         "and writes it through one connector"},
                        {"I4", "no conflicting access to the array comes between the copy and the scope"}},
         .parameters = local_parameters()},
        plan_in_local_storage, apply_in_local_storage);
}

}  // namespace sluice::transform
