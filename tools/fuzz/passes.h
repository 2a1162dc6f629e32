// The registry of what a graph is sent through before it is compiled: everything that must not change what a graph means.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::fuzz {

struct Pass {
    std::string name;
    /// Changes the graph, or leaves it as it was and returns false. Choices follow from the seed. Throws Failure for a graph that
    /// it cannot take, InternalError where it notices a bug of its own.
    std::function<bool(ir::Sdfg& sdfg, std::uint64_t seed)> apply;
};

/// All that are registered, in order. A room that is not below this one registers its passes from above.
std::vector<Pass>& passes();
const Pass* find_pass(const std::string& name);

}  // namespace sluice::fuzz
