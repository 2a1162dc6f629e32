// Messages between ranks: operations without expansions, of which lowering makes statements of the loop IR. They have no reference:
// one process alone cannot say what they mean (interpret_ranks of interpret/loop does).
#pragma once

#include "library/operation.h"

namespace sluice::library {

struct MessageContract {
    std::string name, summary;
    std::vector<std::string> inputs, outputs;  ///< Connectors; operands have any number of dimensions.
    std::vector<std::string> properties;       ///< Among `peer`, `tag`, `root` and `op`.
};
Operation message(const MessageContract& contract);

}  // namespace sluice::library
