// The front end's diagnostics: one place for their codes, so that docs, tests and code agree.
#pragma once

#include <string>

#include "support/diagnostic.h"

namespace sluice::frontend {

// F001 unsupported construct          F002 unknown name                F003 parameter without a usable type
// F004 shapes do not go together      F005 wrong arguments of a call   F006 unknown function
// F007 index out of range             F008 names of arrays mean too many things where control flow meets
// F009 types do not go together       F010 not an integer expression of symbols
// F011 call of a program does not fit F012 malformed explicit dataflow F013 no such program in the text
[[noreturn]] void refuse(const std::string& code, const std::string& message, const Span& where, const std::string& remedy);
/// F001.
[[noreturn]] void unsupported(const std::string& construct, const Span& where, const std::string& remedy);

}  // namespace sluice::frontend
