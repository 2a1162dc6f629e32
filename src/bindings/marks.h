// What edits of Python's leave to be brought up to date, by path: it goes where the part of the graph goes.
#pragma once

#include "bindings/graph.h"

namespace sluice::bindings {

/// A part of `from`, named by `path`, became one of `graph`, named by `place`.
void take_marks(Graph& graph, const Path& place, Graph& from, const Path& path);
/// The block or region, and what is in it, is gone.
void forget_marks(Graph& graph, const Path& removed);
/// So is a branch of a conditional block; those behind it have its number and further ones.
void forget_branch(Graph& graph, const Path& conditional, std::uint32_t branch);

}  // namespace sluice::bindings
