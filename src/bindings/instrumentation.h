// What Python says about the parts that shall be measured.
#pragma once

#include <string>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::bindings {

struct Instrumentation {
    std::string how;  ///< A name of ir::Instrumentation; empty: nothing is asked for.
    std::vector<std::string> parts;
    std::string filter;
};
/// driver::instrument. ValueError: a name that there is not.
std::size_t instrument(ir::Sdfg& sdfg, const Instrumentation& wanted);

}  // namespace sluice::bindings
