#include "rewrite/match.h"

#include <algorithm>

namespace sluice::rewrite {

namespace {

/// What the search needs to know of a state or a region.
template <class Id> struct Host {
    std::function<std::vector<Id>(Id)> successors, predecessors;
    std::function<bool(Id, const PatternNode&)> admits;
    std::vector<Id> all;  ///< In id order.
};

bool admits(const ir::Node& node, const PatternNode& wanted) {
    if ((kind_of(node) & wanted.kinds) == 0) return false;
    const auto* library = std::get_if<ir::LibraryNode>(&node.kind);
    return wanted.operation.empty() || !library || library->operation == wanted.operation;
}

Host<ir::NodeId> host_of(const ir::State& state, const StateView& view) {
    Host<ir::NodeId> host;
    host.successors = [&](ir::NodeId node) {
        std::vector<ir::NodeId> found;
        for (const ir::EdgeId edge : view.adjacency.out(node)) found.push_back(state.edges[edge].dst);
        return found;
    };
    host.predecessors = [&](ir::NodeId node) {
        std::vector<ir::NodeId> found;
        for (const ir::EdgeId edge : view.adjacency.in(node)) found.push_back(state.edges[edge].src);
        return found;
    };
    host.admits = [&](ir::NodeId node, const PatternNode& wanted) { return admits(state.nodes[node], wanted); };
    for (const auto& [id, node] : state.nodes) host.all.push_back(id);
    return host;
}

Host<ir::BlockId> host_of(const ir::Region& region) {
    Host<ir::BlockId> host;
    host.successors = [&](ir::BlockId block) {
        std::vector<ir::BlockId> found;
        for (const auto& [id, transition] : region.transitions)
            if (transition.src == block) found.push_back(transition.dst);
        return found;
    };
    host.predecessors = [&](ir::BlockId block) {
        std::vector<ir::BlockId> found;
        for (const auto& [id, transition] : region.transitions)
            if (transition.dst == block) found.push_back(transition.src);
        return found;
    };
    host.admits = [&](ir::BlockId block, const PatternNode& wanted) { return (kind_of(region.blocks[block]) & wanted.kinds) != 0; };
    for (const auto& [id, block] : region.blocks) host.all.push_back(id);
    return host;
}

template <class Id> class Search {
public:
    Search(const Pattern& pattern, const Host<Id>& host) : pattern_(pattern), host_(host), bound_(pattern.nodes.size()) {}

    std::vector<std::vector<Id>> all() {
        for (const Id start : host_.all)
            if (host_.admits(start, pattern_.nodes[0])) bind(0, start);
        // Parallel edges lead to the same binding more than once.
        std::sort(found_.begin(), found_.end());
        found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
        return std::move(found_);
    }

private:
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
    const Host<Id>& host_;
    std::vector<Id> bound_;
    std::vector<std::vector<Id>> found_;
};

void match_state(const ir::State& state, const Descriptor& descriptor, const Place& place, Views& views,
                 std::vector<Match>& found) {
    std::optional<Host<ir::NodeId>> host;
    for (std::size_t i = 0; i < descriptor.patterns.size(); ++i) {
        const Pattern& pattern = descriptor.patterns[i];
        if (pattern.over_graph() || pattern.over_blocks()) continue;
        if (!host) host = host_of(state, views.of(state));
        for (std::vector<ir::NodeId>& nodes : Search(pattern, *host).all()) found.push_back({i, place, std::move(nodes), {}});
    }
}

void match_region(const ir::Region& region, const Descriptor& descriptor, const Place& place, std::vector<Match>& found) {
    for (std::size_t i = 0; i < descriptor.patterns.size(); ++i) {
        const Pattern& pattern = descriptor.patterns[i];
        if (pattern.over_graph() && place.regions.empty()) found.push_back({i, place, {}, {}});
        if (!pattern.over_blocks()) continue;
        const Host<ir::BlockId> host = host_of(region);
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
    for_each_region(root, [&](const Place& place, const ir::Region& region) {
        match_region(region, descriptor, place, found);
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
        match_region(region_at(root, place), descriptor, place, found);
    return found;
}

bool still_matches(const ir::Sdfg& root, const Descriptor& descriptor, const Match& match) {
    try {
        Views views;
        const std::vector<Match> now = find_matches_at(root, descriptor, match.place, views);
        return std::ranges::find(now, match) != now.end();
    } catch (const InternalError&) {
        return false;  // the place itself is gone
    }
}

}  // namespace sluice::rewrite
