// What single edges of a state move, from the innermost memlets outwards: through scopes by the same projection that propagates
// memlets and into nested SDFGs, so that outer memlets need not be up to date.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "analysis/access_sets.h"
#include "analysis/projection.h"
#include "analysis/scopes.h"
#include "ir/adjacency.h"

namespace sluice::analysis {

/// The container that `data` names, members of structures included, or a constant's. It must exist.
const ir::Container& container_at(const ir::Sdfg& sdfg, const std::string& data);

struct EdgeAccess {
    Moved moved;           ///< Exact and not dynamic: these elements for certain, in every execution of the access node's scope.
    bool updates = false;  ///< A write in which what stood there takes part: a resolution, a reduction without identity.
};

class EdgeAccesses {
public:
    /// `known` holds at the top of the state.
    EdgeAccesses(const ir::Sdfg& sdfg, const ir::State& state, symbolic::Assumptions known);

    const ir::Adjacency& adjacency() const { return adjacency_; }

    /// What an edge at an access node of `data` reads (or writes) of it in one execution of the node's scope; nullopt: nothing.
    std::optional<EdgeAccess> at(ir::EdgeId edge, const std::string& data, bool reading) const;
    /// The same in one execution of the state.
    std::optional<EdgeAccess> at_top(ir::EdgeId edge, const std::string& data, bool reading) const;
    /// What is known where the node stands.
    symbolic::Assumptions known_at(ir::NodeId node) const { return inside(scopes_.parent(node)); }

private:
    symbolic::Assumptions inside(ir::NodeId scope) const;
    std::optional<EdgeAccess> at_scope(ir::NodeId node, const std::string& connector, const std::string& data, bool reading,
                                       const symbolic::Assumptions& here) const;
    std::optional<EdgeAccess> at_nested(const ir::Node& node, const ir::Memlet& memlet, const std::string& connector,
                                        const std::string& data, bool reading, const symbolic::Assumptions& here) const;
    const Accesses& nested_accesses(const ir::NestedSdfg& nested) const;
    /// Does the nested SDFG need what stood behind the connector before the call?
    bool continues(const ir::NestedSdfg& nested, const std::string& connector) const;

    const ir::Sdfg& sdfg_;
    const ir::State& state_;
    ir::Adjacency adjacency_;
    ScopeTree scopes_;
    symbolic::Assumptions known_;
    mutable std::map<const ir::Sdfg*, Accesses> nested_;
    mutable std::map<const ir::Sdfg*, std::set<std::string>> needed_;
};

}  // namespace sluice::analysis
