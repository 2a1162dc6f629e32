// What RedundantArray and RedundantSecondArray share: a transient that is a copy of a part of an array, or is copied into one,
// goes.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "transform/data/rebase.h"

namespace sluice::transform {

struct CopyPlan {
    ir::NodeId array, transient;  ///< Access nodes.
    ir::EdgeId copy;
    bool from_array = false;  ///< `array -> transient`.
    std::string array_name, transient_name;
    symbolic::Subset section;                            ///< Of the array: what is copied.
    std::optional<Placement> placement;                  ///< Missing: the copy reshapes.
    bool becomes_view = false;                           ///< Users keep their memlets and see the section through a view.
    std::vector<symbolic::Expr> strides;                 ///< Of the view.
    std::vector<ir::EdgeId> edges;                       ///< That carry what lies in the transient, the copy aside.
    std::map<ir::EdgeId, symbolic::Subset> other_sides;  ///< Of copies that leave the other side open.
};

/// The conditions R1 to R5 of redundant_array.cpp.
std::variant<CopyPlan, rewrite::Refusal> plan_copy(const rewrite::Site& site, ir::NodeId array, ir::NodeId transient);

/// The conditions V1 to V3 of redundant_read_slice.cpp, for a view. The plan's `copy` is the edge that says what it views.
std::variant<CopyPlan, rewrite::Refusal> plan_slice(const rewrite::Site& site, ir::NodeId array, ir::NodeId view);

/// The edit: what carried the transient carries the section of `array` from the plan's access node.
void leave_out_copy(ir::Sdfg& sdfg, ir::State& state, const CopyPlan& plan);

}  // namespace sluice::transform
