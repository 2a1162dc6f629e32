// What code gives values to.
#pragma once

#include <string>

#include "code/ast.h"

namespace sluice::code {

/// Does the name get a value on every path through the body, alone or in a tuple of targets? `x += 1` reads what it had: no value.
bool assigned_on_every_path(const Body& body, const std::string& name);

}  // namespace sluice::code
