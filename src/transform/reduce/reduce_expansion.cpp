// ReduceExpansion: write a Reduce node out as maps.
//     X -> Reduce f -> Y   ->   X -> nested { Y = identity; map { X[i, k] -wcr f-> Y[i] } } -> Y
// E1 the node has a resolution, one input and one output, and the axes and shapes that it names fit together.
// It is ExpandLibraryNode with the expansion `native`, under DaCe's name.
#include "rewrite/transformation.h"
#include "transform/library/library.h"

namespace sluice::transform {

namespace {

const library::ExpandOptions kNative{.implementation = "native", .recursive = false};

rewrite::Planned<ir::Sdfg> plan_reduce_expansion(const rewrite::Site& site) {
    Result<ir::Sdfg> program = expanded(site, "reduce", kNative);
    if (program) return std::move(program).value();
    return rewrite::Refusal{.code = "E1", .why = program.error().message, .nodes = {site.node("reduce")}};
}

void apply_reduce_expansion(rewrite::Draft& draft, const ir::Sdfg& program) {
    draft.root() = program;
}

}  // namespace

rewrite::Transformation reduce_expansion() {
    return rewrite::transformation(
        {.name = "ReduceExpansion",
         .summary = "Writes a Reduce node out as maps that resolve conflicts.",
         .drawing = "X -> Reduce f -> Y   ->   X -> nested { Y = identity; map { X[i, k] -wcr f-> Y[i] } } -> Y",
         .decided_by = {.structural = "The maps that come out are what the node means."},
         .patterns = {{.nodes = {{"reduce", rewrite::kind::library, "Reduce"}}, .edges = {}}},
         .conditions = {{"E1", "the node has a resolution, one input, one output, and axes and shapes that fit"}}},
        plan_reduce_expansion, apply_reduce_expansion);
}

}  // namespace sluice::transform
