// SetStorage: say in which memory a container lies.
//     t @old   ->   t @storage
// S1 a target has the storage, and it is another one than before. S2 the container has memory of its own, and in registers lie
// transients only. S3 what lies in the memory of a thread is used in one scope only, by no other thread.
#include "analysis/liveness.h"
#include "target/target.h"
#include "transform/data/data.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

/// Each execution of a scope has a container of its own.
bool in_one_scope(const ir::Sdfg& sdfg, const std::string& name) {
    const auto allocated = analysis::allocation_scopes(sdfg);
    const auto allocation = allocated.find(name);
    return allocation != allocated.end() && allocation->second.level == analysis::AllocationScope::Level::Scope;
}

rewrite::Planned<ir::Storage> plan_set_storage(const rewrite::Site& site) {
    const ir::NodeId node = site.node("data");
    const std::string& name = site.get<ir::Access>("data").data;
    const ir::Container* container = site.sdfg().containers.find(name);
    const auto refuse = [&](std::string code, std::string why) {
        return Refusal{.code = std::move(code), .why = std::move(why), .nodes = {node}};
    };
    const auto wanted = storage_of(site.text("storage"));
    if (!wanted) return refuse("S1", "no target has a storage " + site.text("storage"));
    if (!container || container->binding != ir::Binding::Own) return refuse("S2", name + " has no memory of its own");
    if (container->storage == *wanted) return refuse("S1", name + " lies there already");
    if (*wanted == ir::Storage::Register && !container->transient) return refuse("S2", name + " is an argument");
    if (*wanted == ir::Storage::CPU_ThreadLocal && !in_one_scope(site.sdfg(), name))
        return refuse("S3", name + " is used beyond one scope, where other threads may look for it");
    return *wanted;
}

void apply_set_storage(rewrite::Draft& draft, ir::Storage storage) {
    const std::string& name = draft.before().get<ir::Access>("data").data;
    draft.sdfg().containers.at(name).storage = storage;
}

}  // namespace

rewrite::Transformation set_storage() {
    return rewrite::transformation(
        {.name = "SetStorage",
         .summary = "Says in which memory a container lies.",
         .drawing = "t @old   ->   t @storage",
         .decided_by = {.structural = "No access moves: the container lies elsewhere."},
         .patterns = {{.nodes = {{"data", rewrite::kind::access}}, .edges = {}}},
         .conditions = {{"S1", "a target has the storage, and it is another one than before"},
                        {"S2", "the container has memory of its own, and in registers lie transients only"},
                        {"S3", "what lies in the memory of a thread is used in one scope only"}},
         .parameters = {{"storage", std::string("Register"), target::listed(target::every(&target::Target::storages)) + "."}}},
        plan_set_storage, apply_set_storage);
}

}  // namespace sluice::transform
