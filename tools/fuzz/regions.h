// Visits every region or state of a control-flow tree, nested SDFGs excluded.
#pragma once

#include <variant>

#include "ir/sdfg.h"

namespace sluice::fuzz {

/// Regions directly inside a block. `Block` is `ir::Block` or `const ir::Block`.
template <class Block, class Visit> void for_each_inner_region(Block& block, const Visit& visit) {
    if (auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) visit(loop->body);
    if (auto* named = std::get_if<ir::NamedRegion>(&block.kind)) visit(named->body);
    if (auto* conditional = std::get_if<ir::ConditionalBlock>(&block.kind))
        for (auto& branch : conditional->branches) visit(branch.body);
}

template <class Region, class Visit> void for_each_region(Region& region, const Visit& visit) {
    visit(region);
    for (auto [id, block] : region.blocks) for_each_inner_region(block, [&](auto& inner) { for_each_region(inner, visit); });
}

template <class Visit> void for_each_state(const ir::Region& region, const Visit& visit) {
    for_each_region(region, [&](const ir::Region& each) {
        for (auto [id, block] : each.blocks)
            if (const ir::State* state = ir::as_state(block)) visit(*state);
    });
}

/// Each state becomes the region's own (copy-on-write).
template <class Visit> void edit_each_state(ir::Region& region, const Visit& visit) {
    for_each_region(region, [&](ir::Region& each) {
        for (auto [id, block] : each.blocks)
            if (ir::State* state = ir::as_state(block)) visit(*state);
    });
}

}  // namespace sluice::fuzz
