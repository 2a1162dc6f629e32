// NumPy's functions that are written in the Python subset: prelude/*.py, embedded.
#pragma once

#include <string>
#include <string_view>

#include "frontend/python/signatures.h"

namespace sluice::frontend {

std::string_view prelude_numpy();
std::string_view prelude_numpy_linalg();

struct PreludeFunction {
    code::StmtPtr statement;  ///< A FunctionStmt.
    CallSignature signature;
};
/// By the qualified name, `numpy.linalg.norm`; null for what the prelude does not have.
const PreludeFunction* find_in_prelude(const std::string& name);

}  // namespace sluice::frontend
