// Launches and copies beside what does not need them:
//     copy x -> gx                        event gx_copied, k_done
//     copy y -> gy                        copy x -> gx  on queue 1, with gx_copied
//     launch k(gy)                 ->     copy y -> gy
//     launch l(gx)                        launch k(gy)  on queue 2, with k_done
//     copy gy -> y                        await gx_copied
//                                         launch l(gx)
//                                         await k_done
//                                         copy gy -> y
// One is put on a queue of its own where straight code leads to the first statement that uses what it writes or changes what it
// uses, and something else of the device stands between; on the queue of what it needs itself, if that is one. All that it touches
// are names that the whole program sees and nothing else reaches.
#pragma once

#include "loop/ir.h"

namespace sluice::loop {

/// Of the program; its functions are as they were.
void overlap_on_device(Module& module);

}  // namespace sluice::loop
