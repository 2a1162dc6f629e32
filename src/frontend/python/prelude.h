// NumPy's functions that are written in the Python subset: prelude/<module>/*.py, embedded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/python/signatures.h"

namespace sluice::frontend {

struct PreludeFile {
    std::string_view path;  ///< `numpy.linalg/norms.py`: functions of numpy.linalg.
    std::string_view text;
};
const std::vector<PreludeFile>& prelude_files();

struct PreludeFunction {
    code::StmtPtr statement;  ///< A FunctionStmt.
    CallSignature signature;
};
/// By the qualified name, `numpy.linalg.norm`; null for what the prelude does not have.
const PreludeFunction* find_in_prelude(const std::string& name);
/// What a method of numpy.random.Generator is called there, or one of numpy.random.RandomState if `legacy`; empty: programs have
/// none.
std::string function_of_generator(const std::string& method, bool legacy);
bool is_method_of_legacy_generator(const std::string& method);
/// Refuses a call that gives an iterator in Python where the statement keeps it: once it has been walked it is empty there.
void refuse_kept_iterator(const code::Stmt* statement, const Span& span);

}  // namespace sluice::frontend
