// Copies between containers: N-dimensional and strided, with contiguous runs moved at once.
#pragma once

#include <optional>
#include <vector>

#include "lower/layout.h"

namespace sluice::lower {

/// A nest of sequential loops over the elements of a location, open for statements.
class ElementLoops {
public:
    ElementLoops(StateContext& state, const Location& location);
    ElementLoops(const ElementLoops&) = delete;
    Body& innermost() { return inner_; }
    /// Wraps the statements into the loops and appends them.
    void close(Body& body);

    ValuePtr index;  ///< Flat index of the present element.

private:
    FunctionContext& function_;
    std::vector<loop::For> loops_;
    Body inner_;
};
inline ElementLoops over_elements(StateContext& state, const Location& location) {
    return ElementLoops(state, location);
}

/// The copy along an edge between two access nodes, directly or through scope nodes.
void lower_copy(StateContext& state, ir::EdgeId edge, Body& body);

}  // namespace sluice::lower
