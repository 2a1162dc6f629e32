// Arguments of nested SDFGs that share memory. Analyses take containers of different names for different memory unless they say
// `may_alias`; a graph of another tool may pass one container under two names without saying so.
#pragma once

#include <optional>

#include "rewrite/place.h"

namespace sluice::rewrite {

/// The program with `may_alias` on every array of the nested SDFGs on the way to the place that may overlap another argument of its
/// call, one of the two written. Missing if there is none that does not say so already.
std::optional<ir::Sdfg> with_aliases_declared(const ir::Sdfg& root, const Place& place);

}  // namespace sluice::rewrite
