// Dataflow analysis: which write produced what a read sees (Feautrier, "Dataflow analysis of array and scalar references", 1991),
// by isl's implementation.
#pragma once

#include "poly/relation.h"

namespace sluice::poly {

struct FlowQuestion {
    UnionMap sinks;         ///< Instance -> elements that it reads.
    UnionMap must_sources;  ///< Instance -> elements that it certainly writes: what came before is gone.
    UnionMap may_sources;
    UnionMap schedule;  ///< Instance -> time, one space of vectors compared lexicographically.
};
struct FlowAnswer {
    UnionMap must;           ///< Writer -> reader, where this write and no other is read.
    UnionMap may;            ///< Writer -> reader, every other possibility, `must` included.
    UnionMap without_write;  ///< Reader -> element, where no certain write comes first.
    bool known() const { return must.known() && may.known() && without_write.known(); }
};
FlowAnswer flow(const FlowQuestion& question);

}  // namespace sluice::poly
