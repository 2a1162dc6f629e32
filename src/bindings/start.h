// Where control enters a region that Python edits.
#pragma once

#include "bindings/graph.h"

namespace sluice::bindings {

/// After an edit of the region's transitions: the only block that none enters is the start, as in DaCe, provided that it leads to
/// the block that was. Where there is no such block the start is the one that was given, or the first.
void settle_start(Graph& graph, const Path& path);
/// Somebody says which block it is.
void give_start(Graph& graph, const Path& path, ir::BlockId block);
/// A block was added, nothing being said of the start: the first one is it.
void imply_start(Graph& graph, const Path& path, ir::BlockId block);

}  // namespace sluice::bindings
