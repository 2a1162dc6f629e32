#include "analysis/nesting.h"

#include <algorithm>

#include "analysis/symbols.h"
#include "ir/query.h"

namespace sluice::analysis {

symbolic::Assumptions assumptions_inside(const ir::NestedSdfg& nested, const symbolic::Assumptions& outside) {
    symbolic::Assumptions inside = assumptions_of(*nested.sdfg);
    const std::vector<std::string> assigned = ir::assigned_symbols(*nested.sdfg);
    for (const auto& [symbol, value] : nested.symbol_mapping) {
        if (std::ranges::find(assigned, symbol) != assigned.end()) continue;
        const bool positive = symbolic::is_yes(symbolic::decide(symbolic::less(0, value), outside));
        const auto least = symbolic::lower_bound(value, outside), most = symbolic::upper_bound(value, outside);
        if (positive && !most) continue;
        inside.assume_any(symbol);
        if (positive || least)
            inside.assume(
                symbolic::less_equal(positive ? std::max<std::int64_t>(1, least.value_or(1)) : *least, symbolic::symbol(symbol)));
        if (most) inside.assume(symbolic::less_equal(symbolic::symbol(symbol), *most));
    }
    return inside;
}

}  // namespace sluice::analysis
