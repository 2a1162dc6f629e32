// MapFission of a map around a nested SDFG: the map goes into its states, and the nested SDFG comes outside.
#pragma once

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "transform/map/scope_edits.h"

namespace sluice::transform {

struct NestedFission {
    std::vector<ir::BlockId> states;               ///< Of the nested SDFG, in their order.
    std::set<std::string> grown;                   ///< Its transients that hand values from state to state.
    std::vector<symbolic::Expr> extents, indices;  ///< Of the dimensions that they grow by; indices in the map's parameters.
};

/// Refusals F1, F2 and F4; the match has the nodes `map` and `nested`.
std::variant<NestedFission, rewrite::Refusal> plan_nested_fission(const rewrite::Site& site);

void split_nested(rewrite::Draft& draft, const NestedFission& plan);

}  // namespace sluice::transform
