// How the contents of a map fall into parts: asked by MapFission, whose conditions these are.
#pragma once

#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "transform/map/scope_edits.h"

namespace sluice::transform {

struct FissionPlan {
    ir::NodeId entry, exit;
    std::vector<std::set<ir::NodeId>> parts;       ///< Whole inner scopes; in the order of their first nodes.
    std::set<ir::NodeId> between;                  ///< Access nodes that come to lie between the maps.
    std::set<std::string> grown;                   ///< Their containers: one element becomes one for each point.
    std::vector<symbolic::Expr> extents, indices;  ///< Of the dimensions that they grow by; indices in the map's parameters.
};

/// Refusals F1, F2 and F4.
std::variant<FissionPlan, rewrite::Refusal> plan_fission(const ir::Sdfg& sdfg, const ir::State& state,
                                                         const rewrite::StateView& view, ir::NodeId entry,
                                                         const symbolic::Assumptions& known);

}  // namespace sluice::transform
