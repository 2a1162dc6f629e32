// Names that the papers and DaCe have for what is called otherwise here.
#pragma once

#include <vector>

#include "rewrite/registry.h"

namespace sluice::transform {

/// Of Table 4 of "Stateful Dataflow Multigraphs" (SC'19), of the talk that came with it, and of DaCe.
const std::vector<rewrite::Synonym>& other_names();

}  // namespace sluice::transform
