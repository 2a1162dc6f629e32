// Who comes before whom in a state: accesses to containers as events, ordered by the graph.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rewrite/transformation.h"

namespace sluice::transform {

/// An edge at an access node reads or writes. It happens after `start` and is over before whatever follows `end`; accesses inside a
/// scope begin with its outermost entry and end with its exit.
struct Event {
    std::string data;  ///< The container's root name; of a view, what it views.
    bool writes = false;
    ir::NodeId access;
    ir::NodeId start, end;
    std::optional<symbolic::Subset> subset;  ///< Missing: it may be all of it.
    ir::EdgeId edge;                         ///< Invalid where the access node itself writes (setzero).

    /// Zeroed at the top of the state, before anything else there.
    bool opens_state() const { return !edge.valid() && start == access; }
};

class Ordering {
public:
    Ordering(const ir::Sdfg& sdfg, const ir::State& state);

    const std::vector<Event>& events() const { return events_; }
    /// Is there a path from one node to the other, or are they the same? The sides of a bounded stream run at the same time: a path
    /// through it keeps nothing in order.
    bool reaches(ir::NodeId from, ir::NodeId to) const;
    bool before(const Event& first, const Event& second) const {
        if (first.opens_state() || second.opens_state()) return first.opens_state();
        return reaches(first.end, second.start);
    }
    /// Of a scope's entry; else invalid.
    ir::NodeId exit_of(ir::NodeId entry) const { return scopes_.exit_of(entry); }

private:
    ir::NodeId outermost(ir::NodeId node) const;
    void collect(const ir::Sdfg& sdfg, const ir::State& state);
    std::set<std::string> roots(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId access) const;

    ir::Adjacency adjacency_;
    analysis::ScopeTree scopes_;
    std::vector<std::vector<ir::NodeId>> successors_;
    std::set<ir::NodeId> joins_parts_;
    mutable std::map<ir::NodeId, std::vector<bool>> reached_;
    std::vector<Event> events_;
};

/// Does the code have effects besides its data, whose order somebody may see?
bool has_effects(const ir::Node& node);

/// May the two fight over an element? They touch one container, one of them writes, and their parts are not known to be apart.
bool may_conflict(const Event& a, const Event& b, const symbolic::Assumptions& known);

}  // namespace sluice::transform
