// The second oracle beside the first: the loops that a graph is lowered to, interpreted with threads in two orders.
#pragma once

#include "fuzz/check.h"

namespace sluice::fuzz {

struct LoopOutcome {
    bool ran = false;  ///< Not where the loop IR holds what only a target carries out (I007).
    std::optional<Finding> finding = {};
};

/// Lowers the graph as the configuration compiles it and runs its loops: threads one after the other, then in the order of the
/// seed. A deadlock, or other values than the graph's interpreter leaves, is a finding; with `detect` so is a race or a read of
/// what nobody wrote.
LoopOutcome check_loops(const Interpreted& interpreted, const Configuration& configuration, std::uint64_t seed, bool detect = true);

}  // namespace sluice::fuzz
