// Where a dictionary is read by a key that it has whatever the run brings: one that a loop over the dictionary has just given.
#pragma once

#include <set>
#include <string>

#include "code/ast.h"

namespace sluice::frontend {

/// `d[k]` in the loops and comprehensions over the keys of `dictionary` whose key is k, and that give k no other value.
std::set<const code::Expr*> reads_of_keys(const code::Body& body, const std::string& dictionary);

}  // namespace sluice::frontend
