// Where patterns occur. The search is VF2's (Cordella et al., 2004) for patterns of a handful of nodes: partial matches grow along
// the pattern's edges, so the cost is that of looking at each node's neighbours.
#pragma once

#include <functional>
#include <vector>

#include "rewrite/transformation.h"

namespace sluice::rewrite {

/// All matches of all alternatives, in a fixed order: by place, then alternative, then ids. `views` must belong to `root`.
std::vector<Match> find_matches(const ir::Sdfg& root, const Descriptor& descriptor, Views& views);
std::vector<Match> find_matches(const ir::Sdfg& root, const Descriptor& descriptor);
/// Those in one place: a state, a region or (for patterns without nodes) an SDFG.
std::vector<Match> find_matches_at(const ir::Sdfg& root, const Descriptor& descriptor, const Place& place, Views& views);

/// Those of one alternative that begin at the node or block, in a place; for patterns over SDFGs give no id.
/// `position`: those that have it there in the pattern, instead of at the beginning.
std::vector<Match> find_matches_from(const ir::Sdfg& root, const Descriptor& descriptor, std::size_t pattern, const Place& place,
                                     std::uint32_t id, Views& views, std::size_t position = 0);

/// Does the match still fit the program (after edits elsewhere)?
bool still_matches(const ir::Sdfg& root, const Descriptor& descriptor, const Match& match, Views& views);

}  // namespace sluice::rewrite
