// Branches that are seldom taken, looked for a block of iterations ahead:
//     for i in [b, e): if x[i] > m: m = x[i], k = i
// ->  for t in [b, e) by a block: simd of the block: hit |= x[i] > m
//                                 if hit: the block as it was
// An iteration that takes no branch changes nothing that another one compares, so a block in which none does, compared with what
// was there in front of it, is passed over: whatever the branches do, results are those of one iteration after the other, NaN,
// zeros of both signs and the first of equal ones included. That branches are seldom taken is assumed where one changes what it is
// compared with, as the search for an extreme does. Where they are taken block after block, more and more blocks run without a
// look.
#pragma once

#include "loop/ir.h"

namespace sluice::loop {

/// All innermost sequential loops of the host.
void look_ahead_for_rare_branches(Module& module);

}  // namespace sluice::loop
