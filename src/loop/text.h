// A short textual form of the loop IR, for people and tests.
#pragma once

#include <string>

#include "loop/ir.h"

namespace sluice::loop {

std::string to_text(const Module& module);
std::string to_text(const Value& value);

}  // namespace sluice::loop
