#include "bindings/marks.h"

#include <algorithm>
#include <functional>

namespace sluice::bindings {

namespace {

bool begins_with(const Path& path, const Path& part) {
    return path.size() >= part.size() && std::equal(part.begin(), part.end(), path.begin());
}

/// The same marks at the paths that `moved` makes of theirs; nullopt: there is no such place any more.
void move_marks(Graph& graph, const std::function<std::optional<Path>(const Path&)>& moved) {
    for (std::set<Path>* marks : {&graph.unpropagated, &graph.portless, &graph.implied_starts}) {
        std::set<Path> kept;
        for (const Path& path : *marks)
            if (auto place = moved(path)) kept.insert(*std::move(place));
        *marks = std::move(kept);
    }
    std::map<Path, ir::BlockId> starts;
    for (const auto& [path, start] : graph.given_starts)
        if (auto place = moved(path)) starts.emplace(*std::move(place), start);
    graph.given_starts = std::move(starts);
}

}  // namespace

void take_marks(Graph& graph, const Path& place, Graph& from, const Path& path) {
    const auto moved = [&](const Path& one) {
        Path result = place;
        result.insert(result.end(), one.begin() + std::ptrdiff_t(path.size()), one.end());
        return result;
    };
    const auto take = [&](const std::set<Path>& marks, std::set<Path>& into) {
        for (const Path& one : marks)
            if (begins_with(one, path)) into.insert(moved(one));
    };
    take(from.unpropagated, graph.unpropagated);
    take(from.portless, graph.portless);
    take(from.implied_starts, graph.implied_starts);
    for (const auto& [one, start] : from.given_starts)
        if (begins_with(one, path)) graph.given_starts.insert_or_assign(moved(one), start);
    for (Graph::Called& one : std::exchange(from.called, {})) {
        one.path = moved(one.path);
        graph.called.push_back(std::move(one));
    }
}

void forget_marks(Graph& graph, const Path& removed) {
    move_marks(graph, [&](const Path& path) { return begins_with(path, removed) ? std::nullopt : std::optional(path); });
}

void forget_branch(Graph& graph, const Path& conditional, std::uint32_t branch) {
    move_marks(graph, [&](const Path& path) -> std::optional<Path> {
        if (path.size() <= conditional.size() || !begins_with(path, conditional)) return path;
        Path place = path;
        std::uint32_t& at = place[conditional.size()];
        if (at == branch) return std::nullopt;
        at -= at > branch;
        return place;
    });
}

}  // namespace sluice::bindings
