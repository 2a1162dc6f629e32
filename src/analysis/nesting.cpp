#include "analysis/nesting.h"

#include "analysis/symbols.h"

namespace sluice::analysis {

symbolic::Assumptions assumptions_inside(const ir::NestedSdfg& nested, const symbolic::Assumptions& outside) {
    symbolic::Assumptions inside = assumptions_of(*nested.sdfg);
    for (const auto& [symbol, value] : nested.symbol_mapping) {
        if (symbolic::is_yes(symbolic::decide(symbolic::less(0, value), outside))) continue;
        inside.assume_any(symbol);
        if (const auto least = symbolic::lower_bound(value, outside))
            inside.assume(symbolic::less_equal(*least, symbolic::symbol(symbol)));
    }
    return inside;
}

}  // namespace sluice::analysis
