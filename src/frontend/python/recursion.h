// Functions of numbers that call themselves anywhere, as a loop over the calls that wait for a result.
#pragma once

#include "code/ast.h"

namespace sluice::frontend {

/// In the names of lists that the translation makes, whose elements may be indices.
inline constexpr const char* kKept = "__kept_";
/// The function with a stack of its own; null for one that does not call itself, or that hands itself other things than numbers and
/// what it was given.
code::StmtPtr with_call_stack(const code::StmtPtr& function);

}  // namespace sluice::frontend
