// OutLocalStorage: collect what an inner scope writes in a transient that is copied when it ends.
//     map i { map j { B } -> A }   ->   map i { map j { B } -> t -> A[s] }
// O1 an array or scalar moves between the scopes, without resolutions, as much as a memlet says, and a target has the storage. O2
// the size of the transient depends on no parameter of the scopes. O3 who takes the array by its address finds the same strides
// in the transient, and no nested SDFG reads and writes it through one connector. O4 nothing touches what is copied between the
// write and the copy, or beside the copy. O5 the inner scope writes all that is copied, for certain.
#include "transform/data/local_storage.h"

namespace sluice::transform {

namespace {

LocalQuestion out_question(const rewrite::Site& site) {
    return {.letter = 'O', .outer = site.node("outer"), .inner = site.node("inner"), .in = false, .accumulates = false};
}

rewrite::Planned<LocalPlan> plan_out_local_storage(const rewrite::Site& site) {
    return plan_local(site, out_question(site));
}

void apply_out_local_storage(rewrite::Draft& draft, const LocalPlan& local) {
    const rewrite::Site& site = draft.before();
    const std::string name = add_local(draft.sdfg(), local, site.text("prefix"), *storage_of(site.text("storage")));
    insert_local(draft.state(), local, name);
}

}  // namespace

rewrite::Transformation out_local_storage() {
    constexpr rewrite::Kinds scope = rewrite::kind::map_exit | rewrite::kind::consume_exit;
    return rewrite::transformation(
        {.name = "OutLocalStorage",
         .summary = "Collects what an inner scope writes in a transient that is copied when it ends.",
         .drawing = "map i { map j { B } -> A }   ->   map i { map j { B } -> t -> A[s] }",
         .decided_by = {.predicates = {"all_written", "copy_insertable"}},
         .patterns = {rewrite::chain({{"inner", scope}, {"outer", scope}})},
         .conditions = {{"O1",
                         "an array or scalar moves between the scopes, as much as a memlet says, and a target has the storage"},
                        {"O2", "the size of the transient depends on no parameter"},
                        {"O3",
                         "who takes the array by its address finds the same strides in the transient, and no nested SDFG reads "
                         "and writes it through one connector"},
                        {"O4", "no conflicting access to the array comes between the copy and the scope"},
                        {"O5", "the inner scope writes all that is copied, for certain"}},
         .parameters = local_parameters()},
        plan_out_local_storage, apply_out_local_storage);
}

}  // namespace sluice::transform
