// Can two iterations of a parallel loop nest write the same element?
#pragma once

#include <string>
#include <vector>

#include "symbolic/assumptions.h"
#include "symbolic/subset.h"

namespace sluice::analysis {

/// One loop of a nest, outermost first. `range` may use the parameters of the loops before it.
struct NestLoop {
    std::string parameter;
    symbolic::Range range;
    bool shared = false;  ///< Its iterations run at the same time.
};

/// Yes-or-unknown: true only if iterations that differ in a shared parameter provably write disjoint elements when each writes
/// `written`. First symbolically: every shared parameter has a dimension of its own in which its iterations are further apart than
/// what one of them, with all its inner loops, spans. Then by exact sets: no two such iterations have an element in common. Indices
/// read from memory (calls in the subset) and steps whose sign `known` does not tell count as unknown. Names that are no parameter
/// are the same in all iterations.
bool iterations_disjoint(const symbolic::Subset& written, const std::vector<NestLoop>& nest, symbolic::Assumptions known = {});

}  // namespace sluice::analysis
