// Symbols of a program that may be negative.
#pragma once

#include <set>
#include <string>

#include "ir/sdfg.h"

namespace sluice::analysis {

/// Listed arguments that are symbols, but no sizes: no extent, stride or offset of another listed argument counts by them. They may
/// be any integers (docs/spec.md), like the number `k` of `def f(x, k): return x[k:]`.
std::set<std::string> signed_symbols(const ir::Sdfg& sdfg);

}  // namespace sluice::analysis
