#include "driver/construction.h"

#include "analysis/propagate.h"
#include "analysis/symbols.h"

namespace sluice::driver {

void propagate(ir::Sdfg& sdfg) {
    analysis::propagate_memlets(sdfg);
}

void propagate(const ir::Sdfg& sdfg, ir::State& state) {
    analysis::propagate_memlets(sdfg, state, analysis::assumptions_of(sdfg));
}

std::set<std::string> free_symbols(const ir::Sdfg& sdfg) {
    return analysis::free_symbols(sdfg);
}

std::vector<std::string> argument_order(const ir::Sdfg& sdfg) {
    return analysis::argument_order(sdfg);
}

}  // namespace sluice::driver
