// What transformations of loops share.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rewrite/edit.h"
#include "rewrite/transformation.h"

namespace sluice::transform {

/// The values that the variable takes, where the loop counts: bounds are expressions of symbols, the step is a number.
std::optional<symbolic::Range> counted_range(const ir::Sdfg& sdfg, const ir::LoopRegion& loop);
/// Containers that the loop uses and whose layout depends on one of the symbols.
std::vector<std::string> sized_by(const std::set<std::string>& symbols, const ir::Sdfg& sdfg, const ir::LoopRegion& loop);
/// The first of them that is an argument, or that is used outside of the loop too; empty if there is none.
std::string shared_and_sized_by(const std::set<std::string>& symbols, const ir::Sdfg& sdfg, const ir::LoopRegion& loop);
/// Why copies of the body would not do what the body does; empty if they would. A break or continue belongs to the loop, or a
/// container that is used outside of it too has a layout that changes from one iteration to the next.
std::string why_not_copied(const ir::Sdfg& sdfg, const ir::LoopRegion& loop);
/// Is the symbol read, or given a value, anywhere but in the block?
bool used_elsewhere(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId block, const std::string& symbol);

/// Sets the symbol on the way out of the block.
void assign_after(ir::Region& region, ir::BlockId block, const std::string& symbol, const symbolic::Expr& value);

/// Copies of a loop's body with the variable replaced. Each gets its own of the transients that it must not share with the loop:
/// those that a scope in the body has to itself, and those with a layout that changes from one iteration to the next. Branches that
/// the value of the variable decides against, where `known` holds, are left out.
class Iterations {
public:
    Iterations(ir::Sdfg& sdfg, const ir::LoopRegion& loop, const symbolic::Assumptions& known);
    ir::Region at(const symbolic::Expr& value);
    /// The transients of which there are copies.
    const std::set<std::string>& own() const { return own_; }

private:
    ir::Sdfg& sdfg_;
    const ir::LoopRegion& loop_;
    symbolic::Assumptions known_;
    std::set<std::string> own_;
};
/// Why the body with one of these values of the variable would be no valid graph; empty if it would with all. A memlet that data
/// guards may name elements that are not there.
std::string why_not_written_out(const ir::Sdfg& sdfg, const ir::LoopRegion& loop, const std::vector<symbolic::Expr>& values,
                                const symbolic::Assumptions& known);
/// Puts the bodies, one after the other, before or in the place of the block: control that came to the block comes to the first.
/// With `instead` the block is erased and what followed it follows the last; otherwise the block (or, with `behind`, what followed
/// it) comes after them. Blocks of a body lie in the region itself where control leaves the body in one way only, else in a region
/// of their own.
enum class Splice { Before, Instead, Behind };
void splice(ir::Region& region, ir::BlockId block, std::vector<ir::Region> bodies, Splice where);

}  // namespace sluice::transform
