// Delta debugging of graphs (Zeller and Hildebrandt, TSE 2002): the smallest case found that still fails.
#pragma once

#include <functional>

#include "fuzz/test_case.h"

namespace sluice::fuzz {

using StillFails = std::function<bool(const TestCase&)>;

struct ReduceOptions {
    double seconds = 600;
    std::function<void(const TestCase& smaller, std::size_t attempts)> progress = {};
};

/// Tries edits from coarse to fine (drop blocks, nodes and edges, lift nested graphs, shrink ranges and shapes, simplify code) and
/// keeps each that leaves a valid graph which still fails, until none does. Deterministic but for the limit of time.
TestCase reduce(const TestCase& test, const StillFails& still_fails, const ReduceOptions& options = {});

}  // namespace sluice::fuzz
