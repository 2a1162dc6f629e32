// Indices that only the run knows, compared in front of the iterations that use them:
//     for i in [b, e): B(x[checked_index(k[i], n)])
// ->  for t in [b, e) by a block: simd of the block: outside |= not 0 <= k[i] < n
//                                 if outside: the block as it was, else the block with B(x[k[i]])
// A loop that cannot fail has lanes, and needs no branch for each element. What lies outside or counts from the end takes the loop
// as it was: failures come in the same iteration, after the same stores. What is compared is what each iteration surely evaluates,
// out of memory that the loop leaves alone. In the second loop a rising variable that begins at 0 or later does not count from the
// end:
//     x[select(j < 0, n + j, j)]   ->   x[j]
#pragma once

#include "loop/ir.h"

namespace sluice::loop {

/// All innermost loops of the host.
void compare_indices_in_blocks(Module& module);

}  // namespace sluice::loop
