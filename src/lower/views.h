// Views and references: other names for the memory of a container.
#pragma once

#include <span>

#include "lower/layout.h"

namespace sluice::lower {

/// Does the edge tie a view to what it views (and so moves nothing)?
bool is_view_edge(const StateContext& state, ir::EdgeId edge);
/// Names the memory that the views among the nodes look at.
void bind_views(StateContext& state, std::span<const NodeId> nodes, ScopedBindings& bindings, Body& body);
/// The edge into a reference's `set` connector.
void rebind_reference(StateContext& state, ir::EdgeId edge, Body& body);

}  // namespace sluice::lower
