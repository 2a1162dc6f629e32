// ChooseLoopOrder: run the dimension innermost along which elements are neighbours.
//     map i, j, k { C[i, j] += A[i, k] * B[k, j] }   ->   map i, k, j { ... }
// R1 nothing else is decided about the map, which holds tasklets and what lies between them. R2 another dimension, on which no
// range depends, touches fewer lines of memory from one iteration to the next. R3 what then is shared by a team can be combined.
#include <algorithm>

#include "analysis/updates.h"
#include "ir/query.h"
#include "transform/decision/decision.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

struct OrderChoice : Choice {
    std::size_t innermost = 0;
};

bool is_open(const ir::MapEntry& map) {
    return map.schedule == ir::Schedule::Default && !map.unroll && !map.simd && map.collapse <= 1 && map.private_updates.empty();
}

/// Also what fusion left between them, one element for each point.
bool holds_tasklets_alone(const rewrite::Site& site, ir::NodeId entry) {
    return std::ranges::all_of(site.view().scopes.children(entry), [&](ir::NodeId child) {
        const ir::Node& node = site.state().nodes[child];
        return ir::is_exit(node) || std::holds_alternative<ir::Tasklet>(node.kind) || std::holds_alternative<ir::Access>(node.kind);
    });
}

/// Memlets of what the map holds; of elements between tasklets, which no dimension moves, at both ends.
template <class Visit> void for_each_access(const rewrite::Site& site, ir::NodeId entry, const Visit& visit) {
    for (const ir::NodeId child : site.view().scopes.children(entry)) {
        if (ir::is_exit(site.state().nodes[child])) continue;
        for (const bool output : {false, true})
            for (const ir::EdgeId id : output ? site.view().adjacency.out(child) : site.view().adjacency.in(child))
                if (const ir::Memlet& memlet = site.state().edges[id].memlet; !memlet.empty()) visit(memlet, output);
    }
}

/// Lines of memory that one iteration of the dimension brings, in eighths. An update where the last one was waits for it.
std::int64_t lines_per_iteration(const rewrite::Site& site, ir::NodeId entry, const std::string& parameter) {
    constexpr std::int64_t kNeighbour = 1, kLine = 8;
    std::int64_t lines = 0;
    for_each_access(site, entry, [&](const ir::Memlet& memlet, bool output) {
        const auto distance = analysis::element_stride(site.sdfg(), memlet, parameter);
        const bool one = !memlet.subset || symbolic::num_elements(*memlet.subset).is_integer(1);
        const std::int64_t sides = output && memlet.wcr ? 2 : 1;
        if (distance && *distance == 0)
            lines += output ? kNeighbour : 0;
        else
            lines += sides * (one && distance && std::abs(*distance) == 1 ? kNeighbour : kLine);
    });
    return lines;
}

/// May the dimension come last: is it long, and does no range depend on it?
bool may_be_innermost(const ir::MapEntry& map, std::size_t dimension) {
    constexpr std::int64_t kShort = 8;
    for (const symbolic::Range& range : map.range.dims)
        if (symbolic::free_symbols(range).contains(map.params[dimension])) return false;
    const auto count = symbolic::count(map.range.dims[dimension]).constant();
    return !count || *count >= kShort;
}

/// With `outermost` shared by a team: can updates of one element from different threads be combined?
bool can_be_shared(const rewrite::Site& site, ir::NodeId entry, const std::string& outermost) {
    bool combines = true;
    for_each_access(site, entry, [&](const ir::Memlet& memlet, bool output) {
        if (!output || !memlet.wcr || (memlet.subset && symbolic::free_symbols(*memlet.subset).contains(outermost))) return;
        const ir::Container* container = ir::find_container(site.sdfg(), memlet.data);
        combines = combines && container && analysis::openmp_combines(memlet.wcr->type(), container->dtype);
    });
    return combines;
}

rewrite::Planned<OrderChoice> plan_choose_loop_order(const rewrite::Site& site) {
    const ir::NodeId entry = site.node("map");
    const auto& map = site.get<ir::MapEntry>("map");
    if (!is_open(map)) return Refusal{.code = "R1", .why = "something is decided about the map already", .nodes = {entry}};
    if (!holds_tasklets_alone(site, entry))
        return Refusal{.code = "R1", .why = "there is more in the map than tasklets and elements between them", .nodes = {entry}};
    const std::size_t last = map.params.size() - 1;
    const std::int64_t now = lines_per_iteration(site, entry, map.params[last]);
    OrderChoice choice;
    choice.innermost = last;
    std::int64_t best = now;
    for (std::size_t dimension = 0; dimension < last; ++dimension) {
        if (!may_be_innermost(map, dimension)) continue;
        const std::int64_t lines = lines_per_iteration(site, entry, map.params[dimension]);
        if (lines < best) best = lines, choice.innermost = dimension;
    }
    if (choice.innermost == last)
        return Refusal{.code = "R2", .why = "no other dimension touches fewer lines of memory", .nodes = {entry}};
    if (choice.innermost == 0 && !can_be_shared(site, entry, map.params[1]))
        return Refusal{.code = "R3",
                       .why = "threads that share " + map.params[1] + " would update the same elements atomically",
                       .nodes = {entry}};
    choice.choice = map.params[choice.innermost] + " innermost";
    choice.why = "its iterations touch " + std::to_string(best) + " eighths of a line of memory, those of " + map.params[last] +
                 " " + std::to_string(now);
    return choice;
}

void apply_choose_loop_order(rewrite::Draft& draft, const OrderChoice& choice) {
    auto& map = draft.get<ir::MapEntry>("map");
    const auto at = static_cast<std::ptrdiff_t>(choice.innermost);
    std::rotate(map.params.begin() + at, map.params.begin() + at + 1, map.params.end());
    std::rotate(map.range.dims.begin() + at, map.range.dims.begin() + at + 1, map.range.dims.end());
}

}  // namespace

rewrite::Transformation choose_loop_order() {
    return rewrite::transformation(
        {.name = "ChooseLoopOrder",
         .summary = "Runs the dimension innermost along which elements are neighbours.",
         .drawing = "map i, j, k { C[i, j] += A[i, k] * B[k, j] }   ->   map i, k, j { ... }",
         .decided_by = {.structural = "Points of a map have no order, and each keeps what it does."},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions = {{"R1", "nothing else is decided about the map, which holds tasklets and elements between them"},
                        {"R2",
                         "another dimension, on which no range depends, touches fewer lines of memory from one "
                         "iteration to the next"},
                        {"R3", "what then is shared by a team can be combined"}}},
        plan_choose_loop_order, apply_choose_loop_order);
}

}  // namespace sluice::transform
