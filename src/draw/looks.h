// The look of each kind of element: colours, line styles, labels.
#pragma once

#include "draw/picture.h"

namespace sluice::draw {

/// Shape, line and label of a node of dataflow.
Attributes look_of(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId id);
Attributes look_of(const ir::Sdfg& sdfg, const ir::Memlet& memlet);
Attributes look_of(const ir::Transition& transition);

/// A box: the colours of its area and of its border.
Attributes area(const std::string& title, const char* fill, const char* border);

/// What all pictures share: defaults of the graph, of its nodes and of its edges.
const Attributes& graph_look();
const Attributes& node_look();
const Attributes& edge_look();

}  // namespace sluice::draw
