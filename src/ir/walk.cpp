#include "ir/walk.h"

namespace sluice::ir {

std::set<std::string> assigned_symbols(const Region& region) {
    std::set<std::string> names;
    for_each_region(region, [&](const Region& each) {
        for (auto [id, transition] : each.transitions)
            for (const auto& [symbol, value] : transition.assignments) names.insert(symbol);
        for (auto [id, block] : each.blocks)
            if (const auto* loop = std::get_if<LoopRegion>(&block.kind); loop && !loop->variable.empty())
                names.insert(loop->variable);
    });
    return names;
}

std::vector<const Block*> jumps_out(const Block& block) {
    if (std::holds_alternative<BreakBlock>(block.kind) || std::holds_alternative<ContinueBlock>(block.kind) ||
        std::holds_alternative<ReturnBlock>(block.kind))
        return {&block};
    std::vector<const Block*> found;
    const bool loop = std::holds_alternative<LoopRegion>(block.kind);
    for_each_inner_region(block, [&](const Region& inner) {
        for (const Block* jump : jumps_out(inner))
            if (!loop || std::holds_alternative<ReturnBlock>(jump->kind)) found.push_back(jump);
    });
    return found;
}

std::vector<const Block*> jumps_out(const Region& region) {
    std::vector<const Block*> found;
    for (auto [id, block] : region.blocks)
        for (const Block* jump : jumps_out(block)) found.push_back(jump);
    return found;
}

}  // namespace sluice::ir
