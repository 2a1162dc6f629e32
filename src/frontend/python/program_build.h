// Translation of a program as a step of another one: the graph before propagation and verification.
#pragma once

#include <set>

#include "frontend/python/frontend.h"

namespace sluice::frontend {

/// `callers`: the functions being translated around this one (recursion is refused by call_program).
ir::Sdfg translate_program(const Program& program, const std::map<std::string, ArgumentType>& argument_types,
                           const std::set<const code::Stmt*>& callers, const Sharing& sharing = {}, bool check_indices = false);

}  // namespace sluice::frontend
