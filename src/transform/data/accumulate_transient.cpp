// AccumulateTransient: sum up (or reduce by another operator) in a transient and update the result once.
//     map i { map j { B -> A (sum) } }   ->   map i { t = 0; map j { B -> t (sum) } -> A (sum) }
// A1 a resolution of a known operator leaves the inner scope, on an array or scalar, as much as a memlet says, and a target has
// the storage. A2 the size of the transient depends on no parameter of the scopes. A3 who takes the array by its address finds
// the same strides in the transient, and no nested SDFG reads and writes it through one connector. A4 nothing but other updates
// by the same operator touches what is updated meanwhile.
// The transient begins at the operator's identity, so that elements the scope leaves alone stay as they are.
#include "ir/builder.h"
#include "ir/code_block.h"
#include "transform/data/local_storage.h"
#include "transform/map/map.h"
#include "transform/reduce/identity.h"

namespace sluice::transform {

namespace {

LocalQuestion question(const rewrite::Site& site) {
    return {.letter = 'A', .outer = site.node("outer"), .inner = site.node("inner"), .in = false, .accumulates = true};
}

struct Accumulation {
    LocalPlan local;
    std::string start;  ///< The operator's identity, as Python text.
};

rewrite::Planned<Accumulation> plan_accumulate_transient(const rewrite::Site& site) {
    auto plan = plan_local(site, question(site));
    if (auto* refusal = std::get_if<rewrite::Refusal>(&plan)) return std::move(*refusal);
    auto& local = std::get<LocalPlan>(plan);
    const code::DType& element = site.sdfg().containers.at(local.array).dtype;
    std::string start = identity_text(local.resolution->type(), element);
    if (start.empty())
        return rewrite::Refusal{.code = "A1",
                                .why = "`" + local.resolution->text() + "` is no operator with an identity",
                                .nodes = {local.outer, local.inner}};
    return Accumulation{std::move(local), std::move(start)};
}

/// Before the inner scope: every element of the transient is the identity.
void initialise(rewrite::Draft& draft, const LocalPlan& plan, const std::string& local, const std::string& value) {
    ir::State& state = draft.state();
    const ir::NodeId outer = entry_of(state, plan.outer), inner = entry_of(state, plan.inner);
    ir::StateBuilder builder(state);
    const ir::NodeId task = builder.tasklet("start", {}, {{"__o", code::DType()}}, "__o = " + value);
    const ir::NodeId begin = builder.access(local);
    ir::MapRanges ranges;
    ir::Memlet element;
    element.data = local;
    element.subset = symbolic::Subset{};
    element.volume = 1;
    for (std::size_t d = 0; d < plan.extent.size(); ++d) {
        const std::string name = rewrite::fresh_symbol(draft.sdfg(), "__s" + std::to_string(d));
        if (plan.extent[d].is_integer(1)) {
            element.subset->dims.push_back(symbolic::Range::index(0));
            continue;
        }
        ranges.emplace_back(name, symbolic::Range::extent(plan.extent[d]));
        element.subset->dims.push_back(symbolic::Range::index(symbolic::symbol(name)));
    }
    if (ranges.empty()) {
        builder.edge(outer, "", task, "", ir::no_memlet());
        builder.edge(task, "__o", begin, "", element);
    } else {
        const auto [entry, exit] = builder.map("start", ranges, ir::Schedule::Sequential);
        builder.edge(outer, "", entry, "", ir::no_memlet());
        builder.edge(entry, "", task, "", ir::no_memlet());
        builder.memlet_path({task, exit, begin}, "__o", "", element);
    }
    builder.edge(begin, "", inner, "", ir::no_memlet());
}

void apply_accumulate_transient(rewrite::Draft& draft, const Accumulation& plan) {
    const rewrite::Site& site = draft.before();
    const std::string name = add_local(draft.sdfg(), plan.local, site.text("prefix"), *storage_of(site.text("storage")));
    insert_local(draft.state(), plan.local, name);
    initialise(draft, plan.local, name, plan.start);
}

}  // namespace

rewrite::Transformation accumulate_transient() {
    return rewrite::transformation(
        {.name = "AccumulateTransient",
         .summary = "Reduces into a transient and updates the result once.",
         .drawing = "map i { map j { B -> A (sum) } }   ->   map i { t = 0; map j { B -> t (sum) } -> A (sum) }",
         .decided_by = {.predicates = {"copy_insertable"}},
         .patterns = {rewrite::chain({{"inner", rewrite::kind::map_exit}, {"outer", rewrite::kind::map_exit}})},
         .conditions = {{"A1", "a resolution with an identity leaves the inner scope, as much as a memlet says"},
                        {"A2", "the size of the transient depends on no parameter"},
                        {"A3",
                         "who takes the array by its address finds the same strides in the transient, and no "
                         "nested SDFG reads and writes it through one connector"},
                        {"A4", "nothing but updates by the same operator touches what is updated"}},
         .parameters = local_parameters()},
        plan_accumulate_transient, apply_accumulate_transient);
}

}  // namespace sluice::transform
