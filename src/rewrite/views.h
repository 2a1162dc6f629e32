// What is known of a program while transformations are looked for in it: who is joined to whom, which scope holds what, what holds
// of symbols. Made on demand, shared by all sites, and carried over an edit where it did not touch them.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/scopes.h"
#include "rewrite/changes.h"
#include "rewrite/effort.h"

namespace sluice::rewrite {

/// Analyses of one state.
struct StateView {
    explicit StateView(const ir::State& state) : adjacency(state), scopes(state, adjacency) {}
    // The scopes look at the adjacency beside them.
    StateView(const StateView&) = delete;
    StateView& operator=(const StateView&) = delete;
    /// After an edit of the state. Returns how many nodes and edges were looked at.
    std::size_t follow(const ir::State& before, const ir::State& after, const StateChange& change) {
        adjacency.follow(before, after, change.edges);
        return change.edges.size() + scopes.follow(before, after, adjacency, change.nodes);
    }

    ir::Adjacency adjacency;
    analysis::ScopeTree scopes;
};

/// Transitions of a region by block, in id order.
class RegionView {
public:
    explicit RegionView(const ir::Region& region);

    std::span<const ir::TransitionId> in(ir::BlockId block) const { return at(in_, block); }
    std::span<const ir::TransitionId> out(ir::BlockId block) const { return at(out_, block); }
    /// After an edit that touched these transitions.
    void follow(const ir::Region& before, const ir::Region& after, std::span<const ir::TransitionId> changed);

private:
    using Lists = std::unordered_map<ir::BlockId, std::vector<ir::TransitionId>>;
    static std::span<const ir::TransitionId> at(const Lists& lists, ir::BlockId block);
    void add(ir::TransitionId id, const ir::Transition& transition);
    void remove(ir::TransitionId id, const ir::Transition& transition);

    Lists in_, out_;
};

/// The views of one program, each valid until follow() or clear() says that the program is another. States must stay where they
/// are until then.
class Views {
public:
    Views() = default;
    Views(Views&&) = default;
    Views& operator=(Views&&) = default;
    /// A copy knows nothing yet.
    Views(const Views&) {}
    Views& operator=(const Views&) {
        clear();
        return *this;
    }
    ~Views() = default;

    const StateView& of(const ir::State& state);
    const RegionView& of(const ir::Sdfg& root, const Place& region);
    /// What is known of symbols everywhere in the SDFG at the place.
    const symbolic::Assumptions& known(const ir::Sdfg& root, const Place& place);

    void follow(const ir::Sdfg& before, const ir::Sdfg& after, const Changes& changes);
    void forget(const ir::State& state) { states_.erase(&state); }
    void clear();
    /// Fails where what was followed of these states is not what is found by looking at them anew.
    void check_followed(const ir::Sdfg& program, const Changes& changes);

    std::size_t indexed = 0;  ///< Nodes and edges that were looked at (Effort).

private:
    std::unordered_map<const ir::State*, std::unique_ptr<StateView>> states_;
    std::map<Place, std::unique_ptr<RegionView>> regions_;
    std::map<std::vector<NestedStep>, symbolic::Assumptions> known_;
};

}  // namespace sluice::rewrite
