// The one walk over control flow and nested graphs. Everything is visited before what it holds, blocks in id order. What is
// visited is const if the argument is; a walk that may write makes the states it passes the region's own (copy-on-write).
#pragma once

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::ir {

/// The regions that the block holds itself: a loop's body, the branches of a conditional, what a named region groups.
template <class BlockType, class Visit> void for_each_inner_region(BlockType& block, const Visit& visit) {
    if (auto* loop = std::get_if<LoopRegion>(&block.kind)) visit(loop->body);
    if (auto* named = std::get_if<NamedRegion>(&block.kind)) visit(named->body);
    if (auto* conditional = std::get_if<ConditionalBlock>(&block.kind))
        for (auto& branch : conditional->branches) visit(branch.body);
}

/// The region and all regions in it.
template <class RegionType, class Visit> void for_each_region(RegionType& region, const Visit& visit) {
    visit(region);
    for (auto [id, block] : region.blocks) for_each_inner_region(block, [&](auto& inner) { for_each_region(inner, visit); });
}

/// All blocks in the region, however deep.
template <class RegionType, class Visit> void for_each_block(RegionType& region, const Visit& visit) {
    for_each_region(region, [&](auto& each) {
        for (auto [id, block] : each.blocks) visit(block);
    });
}

/// All states in the region, however deep; nested SDFGs are not entered.
template <class Visit> void for_each_state(const Region& region, const Visit& visit) {
    for_each_block(region, [&](const Block& block) {
        if (const State* state = as_state(block)) visit(*state);
    });
}
template <class Visit> void edit_each_state(Region& region, const Visit& visit) {
    for_each_block(region, [&](Block& block) {
        if (State* state = as_state(block)) visit(*state);
    });
}

/// The SDFG and all that are nested in it, however deep.
template <class Visit> void for_each_sdfg(const Sdfg& sdfg, const Visit& visit) {
    visit(sdfg);
    for_each_state(sdfg.body, [&](const State& state) {
        for (auto [id, node] : state.nodes)
            if (const auto* nested = std::get_if<NestedSdfg>(&node.kind)) for_each_sdfg(*nested->sdfg, visit);
    });
}

/// Does `holds` say so of a block in the region, however deep? Stops at the first.
template <class Predicate> bool any_block(const Region& region, const Predicate& holds) {
    for (auto [id, block] : region.blocks) {
        bool found = holds(block);
        for_each_inner_region(block, [&](const Region& inner) { found = found || any_block(inner, holds); });
        if (found) return true;
    }
    return false;
}

/// What stands outside of dataflow in the region itself, not in the regions that its blocks hold: `statement` is given the code of
/// loops (`i = 0`), `expression` the text of conditions and of the values assigned on transitions.
template <class Statement, class Expression>
void for_each_code(const Region& region, const Statement& statement, const Expression& expression) {
    for (auto [id, transition] : region.transitions) {
        if (!transition.condition.text.empty()) expression(transition.condition.text);
        for (const auto& [symbol, value] : transition.assignments) expression(value);
    }
    for (auto [id, block] : region.blocks) {
        if (const auto* loop = std::get_if<LoopRegion>(&block.kind)) {
            for (const auto* code : {&loop->init, &loop->update})
                if (*code) statement(**code);
            if (loop->condition) expression(loop->condition->text);
        }
        if (const auto* conditional = std::get_if<ConditionalBlock>(&block.kind))
            for (const Branch& branch : conditional->branches)
                if (branch.condition) expression(branch.condition->text);
    }
}

/// Symbols that the region itself gives a value, however deep: targets of transitions, loop variables.
std::set<std::string> assigned_symbols(const Region& region);

/// The break, continue and return blocks that lead out of the block or region, in the order of the walk: a loop's own breaks and
/// continues do not, a return always does.
std::vector<const Block*> jumps_out(const Block& block);
std::vector<const Block*> jumps_out(const Region& region);

}  // namespace sluice::ir
