// May each iteration of a loop have a copy of its own of something?
#pragma once

#include <string>

#include "analysis/legality/verdict.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

struct AccessModel;
struct Group;

/// `name` is a container or a symbol that the loop uses; the loop is a block of `region`, which lies in `sdfg`. Yes if no iteration
/// reads what an earlier one left in it, and nobody looks at it after the loop. No: a witness, where two iterations are the reason.
/// `known` holds where the loop stands.
Verdict privatisable(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId loop, const std::string& name,
                     const symbolic::Assumptions& known);

/// The same of executions of the group, all of a block of `region` that the model describes: why not, or nothing. For the room.
std::string not_private(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId block, const AccessModel& model,
                        const Group& group, const std::string& name, const symbolic::Assumptions& known);

}  // namespace sluice::analysis
