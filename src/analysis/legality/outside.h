// Is a value that a part of the program computes looked at by the rest?
#pragma once

#include <string>

#include "ir/sdfg.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// May a block other than the one given observe what the block leaves in the transient? Uses that are always preceded by a whole
/// write after the block do not count. `known` holds everywhere in the SDFG.
bool observed_outside(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId block, const std::string& container,
                      const symbolic::Assumptions& known);

/// Does anything outside of the block use the symbol's value, other than under a loop or a map that binds it anew?
bool symbol_observed_outside(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId block, const std::string& symbol);

}  // namespace sluice::analysis
