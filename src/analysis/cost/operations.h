// Operations of tasklet code, counted in its tree. Private to the room.
#pragma once

#include <map>
#include <string>

#include "code/ast.h"

namespace sluice::analysis {

struct CodeCost {
    std::int64_t operations = 0, calls = 0;
    std::map<std::string, std::int64_t> subscripts;  ///< Element accesses of each connector.
    bool loops = false;                              ///< Repeats itself: counted once.
    bool branches = false;                           ///< The dearer side of each branch is counted.
};
CodeCost cost_of(const code::Body& body);

}  // namespace sluice::analysis
