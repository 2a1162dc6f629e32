// SDFG to loop IR: decides loops, parallelism, memory, conflicts and calls. One file each for maps, copies, reductions, streams,
// allocation, tasklets and control flow.
#pragma once

#include "ir/sdfg.h"
#include "library/choose.h"
#include "loop/ir.h"
#include "support/result.h"
#include "target/target.h"

namespace sluice::lower {

struct LowerOptions {
    const target::Target* target = &target::cpu();
    bool parallel = true;  ///< False: every map runs sequentially and no OpenMP construct appears.
    /// How library nodes that are left are expanded; `parallel` above holds for them too.
    library::ExpandOptions expansions = {};
    /// A deliberate fault for the test of the fuzzer: updates that meet are not kept apart.
    bool drop_atomics = false;
};
/// The SDFG must be verified. Errors L001..L0nn: a construct that the target cannot carry out, with its graph path and span.
Result<loop::Module> lower(const ir::Sdfg& sdfg, const LowerOptions& options = {});

}  // namespace sluice::lower
