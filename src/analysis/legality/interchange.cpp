#include "analysis/legality/interchange.h"

#include "analysis/legality/conflict.h"

namespace sluice::analysis {

Verdict loop_moves_into_map(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId loop, std::size_t dimensions,
                            const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, LoopRoot{.region = &region, .loop = loop}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    const auto depth = static_cast<unsigned>(dimensions + 1);
    const poly::Map any = poly::Map::universe(executions(depth, "a"), executions(depth, "b"));
    const poly::Map earlier = any.order_less(0, 0);
    poly::Map elsewhere = any.subtract(any);
    for (unsigned d = 1; d < depth; ++d) elsewhere = elsewhere.unite(earlier.order_less(d, d)).unite(earlier.order_greater(d, d));
    const Group all = everything(model, depth);
    return verdict_of(find_conflicts({.model = model, .first = all, .second = all, .together = elsewhere}),
                      "two points of the map in different iterations");
}

}  // namespace sluice::analysis
