// Copies to a device beside what does not need them:
//     copy x -> gx                        event e
//     copy y -> gy                        copy x -> gx  on queue 1, with event e
//     launch k(gy)                 ->     copy y -> gy
//     launch l(gx)                        launch k(gy)
//                                         await e
//                                         launch l(gx)
// A copy is put on a queue of its own where straight code leads to the first statement that names its destination or changes its
// source, and something else of the device stands between. Both are names that the whole program sees and nothing else reaches.
#pragma once

#include "loop/ir.h"

namespace sluice::loop {

/// Of the program; its functions are as they were.
void overlap_copies(Module& module);

}  // namespace sluice::loop
