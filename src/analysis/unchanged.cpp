#include "analysis/unchanged.h"

#include "code/walk.h"

namespace sluice::analysis {

bool same_states(const ir::Region& a, const ir::Region& b) {
    for (const auto& [id, block] : a.blocks) {
        const auto& other = b.blocks[id].kind;
        const bool same = std::visit(
            code::Overloaded{
                [&](const Cow<ir::State>& state) { return &*state == &*std::get<Cow<ir::State>>(other); },
                [&](const ir::LoopRegion& loop) { return same_states(loop.body, std::get<ir::LoopRegion>(other).body); },
                [&](const ir::ConditionalBlock& conditional) {
                    const auto& branches = std::get<ir::ConditionalBlock>(other).branches;
                    for (std::size_t k = 0; k < branches.size(); ++k)
                        if (!same_states(conditional.branches[k].body, branches[k].body)) return false;
                    return true;
                },
                [&](const ir::NamedRegion& named) { return same_states(named.body, std::get<ir::NamedRegion>(other).body); },
                [](const auto&) { return true; },
            },
            block.kind);
        if (!same) return false;
    }
    return true;
}

}  // namespace sluice::analysis
