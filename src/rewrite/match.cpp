#include "rewrite/match.h"

#include <algorithm>

namespace sluice::rewrite {

namespace {

bool admits(const ir::Node& node, const PatternNode& wanted) {
    if ((kind_of(node) & wanted.kinds) == 0) return false;
    const auto* library = std::get_if<ir::LibraryNode>(&node.kind);
    return wanted.operation.empty() || !library || library->operation == wanted.operation;
}
bool admits(const ir::Block& block, const PatternNode& wanted) {
    return (kind_of(block) & wanted.kinds) != 0;
}

/// A state, as the search sees it.
class Dataflow {
public:
    using Id = ir::NodeId;
    Dataflow(const ir::State& state, Views& views) : state_(state), views_(views) {}

    std::vector<Id> successors(Id node) const {
        std::vector<Id> found;
        for (const ir::EdgeId edge : view().adjacency.out(node)) found.push_back(state_.edges[edge].dst);
        return found;
    }
    std::vector<Id> predecessors(Id node) const {
        std::vector<Id> found;
        for (const ir::EdgeId edge : view().adjacency.in(node)) found.push_back(state_.edges[edge].src);
        return found;
    }
    bool admits(Id id, const PatternNode& wanted) const {
        return state_.nodes.contains(id) && rewrite::admits(state_.nodes[id], wanted);
    }
    const auto& all() const { return state_.nodes; }

private:
    const StateView& view() const { return views_.of(state_); }
    const ir::State& state_;
    Views& views_;
};

/// The blocks of a region.
class ControlFlow {
public:
    using Id = ir::BlockId;
    ControlFlow(const ir::Sdfg& root, const ir::Region& region, const Place& place, Views& views)
        : root_(root), region_(region), place_(place), views_(views) {}

    std::vector<Id> successors(Id block) const {
        std::vector<Id> found;
        for (const ir::TransitionId id : view().out(block)) found.push_back(region_.transitions[id].dst);
        return found;
    }
    std::vector<Id> predecessors(Id block) const {
        std::vector<Id> found;
        for (const ir::TransitionId id : view().in(block)) found.push_back(region_.transitions[id].src);
        return found;
    }
    bool admits(Id id, const PatternNode& wanted) const {
        return region_.blocks.contains(id) && rewrite::admits(region_.blocks[id], wanted);
    }
    const auto& all() const { return region_.blocks; }

private:
    const RegionView& view() const { return views_.of(root_, place_); }
    const ir::Sdfg& root_;
    const ir::Region& region_;
    const Place& place_;
    Views& views_;
};

template <class Host> class Search {
    using Id = typename Host::Id;

public:
    Search(const Pattern& pattern, const Host& host) : pattern_(pattern), host_(host), bound_(pattern.nodes.size()) {}

    std::vector<std::vector<Id>> all() {
        for (const auto& [start, value] : host_.all()) begin(start, 0);
        return found();
    }
    /// Those that have the node or block at the position.
    std::vector<std::vector<Id>> with(Id id, std::uint32_t position) {
        begin(id, position);
        return found();
    }

private:
    void begin(Id id, std::uint32_t position) {
        if (host_.admits(id, pattern_.nodes[position])) bind(position, id);
    }
    std::vector<std::vector<Id>> found() {
        // Parallel edges lead to the same binding more than once.
        std::sort(found_.begin(), found_.end());
        found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
        return std::move(found_);
    }
    void bind(std::uint32_t position, Id id) {
        bound_[position] = id;
        if (edges_hold(position)) grow();
        bound_[position] = Id();
    }

    /// Every pattern edge between `position` and what is bound is there.
    bool edges_hold(std::uint32_t position) const {
        return std::ranges::all_of(pattern_.edges, [&](const auto& edge) {
            if (edge.first != position && edge.second != position) return true;
            if (!bound_[edge.first].valid() || !bound_[edge.second].valid()) return true;
            const std::vector<Id> next = host_.successors(bound_[edge.first]);
            return std::ranges::find(next, bound_[edge.second]) != next.end();
        });
    }

    void grow() {
        for (const auto& [from, to] : pattern_.edges) {
            if (bound_[from].valid() == bound_[to].valid()) continue;
            const bool forward = bound_[from].valid();
            const std::uint32_t open = forward ? to : from;
            for (const Id next : forward ? host_.successors(bound_[from]) : host_.predecessors(bound_[to]))
                if (host_.admits(next, pattern_.nodes[open]) && std::ranges::find(bound_, next) == bound_.end()) bind(open, next);
            return;
        }
        check(std::ranges::all_of(bound_, [](Id id) { return id.valid(); }), "a pattern that is not connected");
        found_.push_back(bound_);
    }

    const Pattern& pattern_;
    const Host& host_;
    std::vector<Id> bound_;
    std::vector<std::vector<Id>> found_;
};

void match_state(const ir::State& state, const Descriptor& descriptor, const Place& place, Views& views,
                 std::vector<Match>& found) {
    const Dataflow host(state, views);
    for (std::size_t i = 0; i < descriptor.patterns.size(); ++i) {
        const Pattern& pattern = descriptor.patterns[i];
        if (pattern.over_graph() || pattern.over_blocks()) continue;
        for (std::vector<ir::NodeId>& nodes : Search(pattern, host).all()) found.push_back({i, place, std::move(nodes), {}});
    }
}

void match_region(const ir::Sdfg& root, const ir::Region& region, const Descriptor& descriptor, const Place& place, Views& views,
                  std::vector<Match>& found) {
    const ControlFlow host(root, region, place, views);
    for (std::size_t i = 0; i < descriptor.patterns.size(); ++i) {
        const Pattern& pattern = descriptor.patterns[i];
        if (pattern.over_graph() && place.regions.empty()) found.push_back({i, place, {}, {}});
        if (!pattern.over_blocks()) continue;
        for (std::vector<ir::BlockId>& blocks : Search(pattern, host).all()) found.push_back({i, place, {}, std::move(blocks)});
    }
}

/// Does a pattern concern states (rather than only regions or graphs)?
bool over_states(const Descriptor& descriptor) {
    return std::ranges::any_of(descriptor.patterns,
                               [](const Pattern& pattern) { return !pattern.over_graph() && !pattern.over_blocks(); });
}

}  // namespace

std::vector<Match> find_matches(const ir::Sdfg& root, const Descriptor& descriptor, Views& views) {
    std::vector<Match> found;
    const bool states = over_states(descriptor);
    rewrite::for_each_region(root, [&](const Place& place, const ir::Region& region) {
        match_region(root, region, descriptor, place, views, found);
        if (!states) return;
        for (const auto& [id, block] : region.blocks)
            if (const ir::State* state = ir::as_state(block)) {
                Place inside = place;
                inside.state = id;
                match_state(*state, descriptor, inside, views, found);
            }
    });
    return found;
}

std::vector<Match> find_matches(const ir::Sdfg& root, const Descriptor& descriptor) {
    Views views;
    return find_matches(root, descriptor, views);
}

std::vector<Match> find_matches_at(const ir::Sdfg& root, const Descriptor& descriptor, const Place& place, Views& views) {
    std::vector<Match> found;
    if (place.state.valid())
        match_state(state_at(root, place), descriptor, place, views, found);
    else
        match_region(root, region_at(root, place), descriptor, place, views, found);
    return found;
}

std::vector<Match> find_matches_from(const ir::Sdfg& root, const Descriptor& descriptor, std::size_t pattern, const Place& place,
                                     std::uint32_t id, Views& views, std::size_t position) {
    const Pattern& wanted = descriptor.patterns[pattern];
    const auto at = static_cast<std::uint32_t>(position);
    std::vector<Match> found;
    if (wanted.over_graph()) {
        if (!place.state.valid() && place.regions.empty() && find_sdfg(root, place)) found.push_back({pattern, place, {}, {}});
    } else if (wanted.over_blocks()) {
        const ir::Region* region = place.state.valid() ? nullptr : find_region(root, place);
        if (!region) return found;
        const ControlFlow host(root, *region, place, views);
        for (auto& blocks : Search(wanted, host).with(ir::BlockId(id), at))
            found.push_back({pattern, place, {}, std::move(blocks)});
    } else if (const ir::State* state = place.state.valid() ? find_state(root, place) : nullptr) {
        const Dataflow host(*state, views);
        for (auto& nodes : Search(wanted, host).with(ir::NodeId(id), at)) found.push_back({pattern, place, std::move(nodes), {}});
    }
    return found;
}

namespace {

/// Do the edges of the pattern lie between what the match names?
template <class Host, class Id> bool holds(const Pattern& pattern, const Host& host, const std::vector<Id>& ids) {
    if (ids.size() != pattern.nodes.size()) return false;
    for (std::size_t at = 0; at < ids.size(); ++at)
        if (!host.admits(ids[at], pattern.nodes[at]) || std::find(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(at),
                                                                  ids[at]) != ids.begin() + static_cast<std::ptrdiff_t>(at))
            return false;
    return std::ranges::all_of(pattern.edges, [&](const auto& edge) {
        const std::vector<Id> next = host.successors(ids[edge.first]);
        return std::ranges::find(next, ids[edge.second]) != next.end();
    });
}

}  // namespace

bool still_matches(const ir::Sdfg& root, const Descriptor& descriptor, const Match& match, Views& views) {
    if (match.pattern >= descriptor.patterns.size()) return false;
    const Pattern& pattern = descriptor.patterns[match.pattern];
    if (match.place.state.valid()) {
        const ir::State* state = find_state(root, match.place);
        return state && !pattern.over_graph() && !pattern.over_blocks() && match.blocks.empty() &&
               holds(pattern, Dataflow(*state, views), match.nodes);
    }
    const ir::Region* region = find_region(root, match.place);
    if (!region || !match.nodes.empty()) return false;
    if (pattern.over_graph()) return match.place.regions.empty() && match.blocks.empty();
    return pattern.over_blocks() && holds(pattern, ControlFlow(root, *region, match.place, views), match.blocks);
}

}  // namespace sluice::rewrite
