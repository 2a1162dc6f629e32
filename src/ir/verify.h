// The verifier: every invariant of docs/spec.md, by its code. It reads, never mends.
#pragma once

#include <vector>

#include "ir/sdfg.h"

namespace sluice::ir {

/// All violations, in graph order; empty: the graph is valid. Linear in the size of the graph (but for the symbolic decisions).
std::vector<Diagnostic> verify(const Sdfg& sdfg);

struct Invariant {
    std::string_view code;      ///< `V101`
    std::string_view sentence;  ///< What must hold.
    std::string_view remedy;    ///< What the user should do.
};
/// The numbered list; docs/spec.md prints it.
const std::vector<Invariant>& invariants();

}  // namespace sluice::ir
