// What differs between two graphs, in words. Elements are paired by what they are and what they are joined to, not by their ids, so
// that graphs from two sources, or before and after a transformation, can be compared.
#pragma once

#include <string>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::ir {

struct Difference {
    std::string path;      ///< Where: `gemm/main/n3 (tasklet mul)`; of an element that only the second graph has, its path there.
    std::string sentence;  ///< `the property schedule is Sequential instead of CPU_Multicore`.
    bool operator==(const Difference&) const = default;
};

/// In the order of the first graph, then of what only the second one has. Empty if the graphs mean the same but for ids and the
/// order of their declarations, nodes and edges.
std::vector<Difference> differences(const Sdfg& before, const Sdfg& after);

}  // namespace sluice::ir
