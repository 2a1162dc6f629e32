#include "driver/for_device.h"

#include <algorithm>
#include <optional>

#include "analysis/scopes.h"
#include "code/reduction.h"
#include "driver/pipelines/pipeline.h"
#include "driver/transformations.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "library/expand.h"
#include "rewrite/session.h"
#include "target/device.h"
#include "target/fpga.h"

namespace sluice::driver {

namespace {

/// Has each point of the map an array of a size that only the run knows? No thread of a device has memory for it.
bool has_unsized_arrays(const ir::Sdfg& root, const rewrite::Match& map) {
    const ir::State& state = rewrite::state_at(root, map.place);
    const ir::Adjacency adjacency(state);
    const analysis::ScopeTree scopes(state, adjacency);
    bool found = false;
    const auto look = [&](const ir::Sdfg& sdfg) {
        for (const auto& [name, container] : sdfg.containers)
            found |= container.transient && container.binding == ir::Binding::Own &&
                     std::holds_alternative<ir::Array>(container.kind) &&
                     !std::ranges::all_of(container.shape, [](const symbolic::Expr& extent) { return extent.is_integer(); });
    };
    for (const auto& [id, node] : state.nodes)
        if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind); nested && scopes.encloses(map.nodes.front(), id))
            ir::for_each_sdfg(*nested->sdfg, look);
    return found;
}

/// Applies the transformation wherever it can be and `wanted` holds, until there is no such place.
void apply_wherever(rewrite::Session& session, const std::string& name, bool (*wanted)(const ir::Sdfg&, const rewrite::Match&)) {
    const rewrite::Transformation& transformation = session.registry().at(name);
    const auto next = [&]() -> std::optional<rewrite::Match> {
        for (const rewrite::Match& match : rewrite::find_matches(session.program(), transformation.descriptor))
            if (wanted(session.program(), match) && !rewrite::can_apply(session.program(), transformation, match).or_fail())
                return match;
        return std::nullopt;
    };
    while (const auto match = next()) session.apply(name, *match).or_fail();
}

/// Does the inner map of a perfect nest only add up, by an operator that begins somewhere, elements that stay the same in it? What
/// blocks and their threads share by the graph stays as it is.
bool is_fold(const ir::Sdfg& root, const rewrite::Match& nest) {
    const ir::Sdfg& sdfg = rewrite::sdfg_at(root, nest.place);
    const ir::State& state = rewrite::state_at(root, nest.place);
    const ir::Adjacency adjacency(state);
    const analysis::ScopeTree scopes(state, adjacency);
    const auto& inner = std::get<ir::MapEntry>(state.nodes[nest.nodes.back()].kind);
    for (auto [id, node] : state.nodes)
        if (const auto* map = std::get_if<ir::MapEntry>(&node.kind);
            map && map->schedule == ir::Schedule::GPU_ThreadBlock &&
            (id == nest.nodes.front() || scopes.encloses(nest.nodes.back(), id)))
            return false;
    return std::ranges::all_of(adjacency.in(scopes.exit_of(nest.nodes.back())), [&](ir::EdgeId id) {
        const ir::Memlet& memlet = state.edges[id].memlet;
        const ir::Container* container = memlet.wcr && memlet.subset ? ir::find_container(sdfg, memlet.data) : nullptr;
        if (!container || code::identity_of(memlet.wcr->type(), container->dtype) == code::Identity::None) return false;
        const auto symbols = symbolic::free_symbols(*memlet.subset);
        return std::ranges::none_of(inner.params, [&](const std::string& name) { return symbols.contains(name); });
    });
}

}  // namespace

Result<ir::Sdfg> for_device(ir::Sdfg sdfg, library::ExpandOptions expansions, const target::Target& target) {
    return capture([&] {
        const bool of_threads = target::holds(target.maps, ir::Schedule::GPU_Device);
        if ((target.fpga && target::has_fpga_parts(sdfg)) || (of_threads && target::has_device_parts(sdfg))) return std::move(sdfg);
        expansions.libraries = expansions.loops_first = of_threads;  // What a GPU has no loops for, the host calls.
        expansions.parallel = expansions.parallel && of_threads;
        expansions.recursive = true;
        expansions.preferences.insert(expansions.preferences.begin(),
                                      {.names = {of_threads ? "GPU" : "FPGA"}, .origin = "the target"});
        library::expand_library_nodes(sdfg, expansions).or_fail();
        rewrite::Session session(std::move(sdfg), Transformations().registry());
        session.apply_repeated(simplification().transformations).or_fail();
        if (of_threads) {
            apply_wherever(session, "MapCollapse", is_fold);              // Threads share each dimension as it fits the memory.
            apply_wherever(session, "MapToForLoop", has_unsized_arrays);  // The device may run the bodies of these loops.
        }
        const std::string name = of_threads ? "GPUTransformSDFG" : "FPGATransformSDFG";
        const rewrite::Transformation& transformation = session.registry().at(name);
        const auto matches = rewrite::find_matches(session.program(), transformation.descriptor);
        check(!matches.empty(), "a program is no place for ", name);
        const auto refusal = rewrite::can_apply(session.program(), transformation, matches.front()).or_fail();
        // A program without arrays and maps is the host's.
        if (refusal && refusal->code == (of_threads ? "G1" : "F1")) return ir::Sdfg(session.program());
        if (refusal) fail(rewrite::to_diagnostic(session.program(), transformation.descriptor, matches.front(), *refusal));
        session.apply(name, matches.front()).or_fail();
        return ir::Sdfg(session.program());
    });
}

}  // namespace sluice::driver
