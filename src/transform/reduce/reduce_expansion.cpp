// ReduceExpansion: write a Reduce node out as maps.
//     X -> Reduce f -> Y   ->   X -> nested { Y = identity; map { X[i, k] -wcr f-> Y[i] } } -> Y
// E1 the node has a resolution, one input and one output, and the axes and shapes that it names fit together.
// The nested SDFG is what lowering would have made of the node; other transformations now see its maps.
#include "library/node_context.h"
#include "library/reduce/reduce.h"
#include "transform/reduce/reduce.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

void expand(ir::Sdfg& sdfg, ir::State& state, ir::NodeId node) {
    library::NodeContext context{.sdfg = sdfg, .state = state, .node = node, .path = sdfg.name};
    library::expand_reduce(context);
}

std::optional<Refusal> why_not_reduce_expansion(const rewrite::Site& site) {
    ir::Sdfg root = site.root();
    const auto done = capture([&] {
        expand(rewrite::sdfg_at(root, site.match().place), rewrite::state_at(root, site.match().place), site.node("reduce"));
        return Done{};
    });
    if (done) return {};
    return Refusal{.code = "E1", .why = done.error().message, .nodes = {site.node("reduce")}};
}

void apply_reduce_expansion(rewrite::Draft& draft) {
    expand(draft.sdfg(), draft.state(), draft.node("reduce"));
}

}  // namespace

rewrite::Transformation reduce_expansion() {
    return {
        .descriptor = {.name = "ReduceExpansion",
                       .group = "reduce",
                       .summary = "Writes a Reduce node out as maps that resolve conflicts.",
                       .drawing = "X -> Reduce f -> Y   ->   X -> nested { Y = identity; map { X[i, k] -wcr f-> Y[i] } } -> Y",
                       .decided_by = {.structural = "The maps that come out are what the node means."},
                       .patterns = {{.nodes = {{"reduce", rewrite::kind::library, "Reduce"}}, .edges = {}}},
                       .conditions = {{"E1", "the node has a resolution, one input, one output, and axes and shapes that fit"}}},
        .can_apply = why_not_reduce_expansion,
        .apply = apply_reduce_expansion};
}

}  // namespace sluice::transform
