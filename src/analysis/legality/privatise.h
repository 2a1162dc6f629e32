// May each iteration of a loop have a copy of its own of something?
#pragma once

#include <string>

#include "ir/sdfg.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

struct AccessModel;
struct Group;

/// Why what the container (or symbol, or order) of that name is rules out copies, or nothing.
std::string shared_by_its_kind(const ir::Sdfg& sdfg, const std::string& name);

/// `name` is a container or a symbol that executions of the group use, all of a block of `region` that the model describes. Why
/// each execution may not have a copy of its own, or nothing: one reads what an earlier one left in it, or somebody looks at it
/// after the block. `known` holds where the block stands. Private to the room.
std::string not_private(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId block, const AccessModel& model,
                        const Group& group, const std::string& name, const symbolic::Assumptions& known);

}  // namespace sluice::analysis
