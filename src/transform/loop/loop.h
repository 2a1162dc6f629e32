// Transformations of loops and of the machines that are loops, and what they share.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rewrite/edit.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

std::vector<rewrite::Transformation> loop_transformations();

rewrite::Transformation loop_lifting();
rewrite::Transformation loop_peeling();
rewrite::Transformation loop_to_map();
rewrite::Transformation loop_unroll();

/// The values that the variable takes, where the loop counts: bounds are expressions of symbols, the step is a number.
std::optional<symbolic::Range> counted_range(const ir::Sdfg& sdfg, const ir::LoopRegion& loop);
/// Label of a break or continue in the body that belongs to this loop; empty if there is none.
std::string jump_in(const ir::Region& body);
/// Is the symbol read, or given a value, anywhere but in the block?
bool used_elsewhere(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId block, const std::string& symbol);

/// A copy of the loop's body with the variable replaced.
ir::Region iteration(const ir::LoopRegion& loop, const symbolic::Expr& value);
/// Transients that a scope in the body has to itself would be shared by that scope and its copies: each copy gets its own.
void separate_scopes(ir::Sdfg& sdfg, std::span<ir::Region> copies);
/// Puts the bodies, one after the other, before or in the place of the block: control that came to the block comes to the first.
/// With `instead` the block is erased and what followed it follows the last; otherwise the block (or, with `behind`, what followed
/// it) comes after them. Blocks of a body lie in the region itself where control leaves the body in one way only, else in a region
/// of their own.
enum class Splice { Before, Instead, Behind };
void splice(ir::Region& region, ir::BlockId block, std::vector<ir::Region> bodies, Splice where);

}  // namespace sluice::transform
