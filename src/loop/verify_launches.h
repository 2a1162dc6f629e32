// The rules of launches and of memory spaces. Private to the room.
#pragma once

#include <string>
#include <vector>

#include "loop/ir.h"

namespace sluice::loop {

/// One sentence per violation, each with the code of its rule (docs/loop-text.md): D1 to D8.
std::vector<std::string> verify_launches(const Module& module);

}  // namespace sluice::loop
