#include "analysis/legality/vectorise.h"

#include "analysis/legality/conflict.h"

namespace sluice::analysis {

Verdict map_vectorisable(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId entry, std::size_t dimension,
                         const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, ScopesRoot{.state = &state, .entries = {entry}}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    const auto depth = static_cast<unsigned>(std::get<ir::MapEntry>(state.nodes[entry].kind).params.size());
    const auto along = static_cast<unsigned>(dimension);
    poly::Map lanes = poly::Map::universe(executions(depth, "a"), executions(depth, "b")).order_less(along, along);
    for (unsigned d = 0; d < depth; ++d)
        if (d != along) lanes = lanes.equate(d, d);
    const Group all = everything(model, depth);
    Verdict verdict = verdict_of(find_conflicts({.model = model, .first = all, .second = all, .together = lanes}), "two lanes");
    if (verdict.yes()) verdict.reductions = reduced(all);
    return verdict;
}

}  // namespace sluice::analysis
