// A transformation of one's own in C++: the dimension of a map that walks along rows becomes the innermost one.
//
//     g++ -std=c++20 -O2 -fPIC -shared -I ../../src unit_stride_innermost.cpp -o unit_stride_innermost.so
//     sluice opt program.py --load ./unit_stride_innermost.so --repeat UnitStrideInnermost
//
//     map i, j { A[j, i] }   ->   map j, i { A[j, i] }
// U1 the map has several dimensions. U2 another dimension than the last one walks along the rows of more memlets. U3 no range uses
// the parameter that moves to the end.
#include <algorithm>

#include "rewrite/edit.h"
#include "rewrite/plugin.h"

namespace {

using namespace sluice;

/// Does the last index of the memlet grow by one with the parameter?
bool walks_along_rows(const ir::Memlet& memlet, const std::string& parameter) {
    if (!memlet.subset || memlet.subset->rank() == 0) return false;
    const symbolic::Expr& last = memlet.subset->dims.back().begin;
    return symbolic::free_symbols(last).contains(parameter) &&
           !symbolic::free_symbols(last - symbolic::symbol(parameter)).contains(parameter);
}

/// The position of the dimension that walks along the rows of most memlets of tasklets in the map; the last one if none is better.
std::size_t best_last(const rewrite::Site& site) {
    const auto& map = site.get<ir::MapEntry>("map");
    std::vector<std::size_t> rows(map.params.size());
    const std::vector<ir::NodeId> inside = rewrite::nodes_inside(site.view().scopes, site.node("map"));
    for (const ir::EdgeId id : rewrite::edges_at(site.state(), inside)) {
        const ir::Edge& edge = site.state().edges[id];
        const auto is_tasklet = [&](ir::NodeId node) { return std::holds_alternative<ir::Tasklet>(site.state().nodes[node].kind); };
        if (!is_tasklet(edge.src) && !is_tasklet(edge.dst)) continue;
        for (std::size_t d = 0; d < rows.size(); ++d) rows[d] += walks_along_rows(edge.memlet, map.params[d]);
    }
    const auto best = std::ranges::max_element(rows);
    return *best > rows.back() ? static_cast<std::size_t>(best - rows.begin()) : rows.size() - 1;
}

std::optional<rewrite::Refusal> can_apply(const rewrite::Site& site) {
    const auto& map = site.get<ir::MapEntry>("map");
    const auto refuse = [&](const char* code, std::string why) {
        return rewrite::Refusal{.code = code, .why = std::move(why), .nodes = {site.node("map")}};
    };
    if (map.params.size() < 2) return refuse("U1", "the map has one dimension");
    const std::size_t best = best_last(site);
    if (best + 1 == map.params.size()) return refuse("U2", map.params[best] + " walks along as many rows as any other dimension");
    for (const symbolic::Range& range : map.range.dims)
        if (symbolic::free_symbols(range).contains(map.params[best]))
            return refuse("U3", "the range `" + symbolic::to_string(range) + "` uses " + map.params[best]);
    return {};
}

void apply(rewrite::Draft& draft) {
    const auto best = static_cast<std::ptrdiff_t>(best_last(draft.before()));
    auto& map = draft.get<ir::MapEntry>("map");
    std::rotate(map.params.begin() + best, map.params.begin() + best + 1, map.params.end());
    std::rotate(map.range.dims.begin() + best, map.range.dims.begin() + best + 1, map.range.dims.end());
}

}  // namespace

SLUICE_TRANSFORMATIONS(registry) {
    registry.add({.descriptor = {.name = "UnitStrideInnermost",
                                 .group = "user",
                                 .summary = "Makes the dimension of a map that walks along rows the innermost one.",
                                 .drawing = "map i, j { A[j, i] }   ->   map j, i { A[j, i] }",
                                 .patterns = {rewrite::chain({{"map", rewrite::kind::map_entry}})},
                                 .conditions = {{"U1", "the map has several dimensions"},
                                                {"U2", "another dimension than the last one walks along more rows"},
                                                {"U3", "no range uses the parameter that moves to the end"}}},
                  .can_apply = can_apply,
                  .apply = apply});
}
