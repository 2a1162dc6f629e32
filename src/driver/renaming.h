// Other names and values for what an SDFG declares.
#pragma once

#include <map>
#include <string>

#include "ir/sdfg.h"

namespace sluice::driver {

/// A container, symbol, constant, loop variable or assigned symbol gets another name wherever it is meant; nested SDFGs keep their
/// own names for it. Throws Failure D021: there is no such name, or the other is in use: as any name, so that nothing is captured.
void rename(ir::Sdfg& sdfg, const std::string& from, const std::string& to);

/// Free symbols become numbers and leave the signature. `values` are texts: `1000`, `0.5`. Throws Failure D022: no free symbol of
/// that name, or a text that is no number of its type.
void specialize(ir::Sdfg& sdfg, const std::map<std::string, std::string>& values);

}  // namespace sluice::driver
