// Puts a transient between two scopes: what InLocalStorage, OutLocalStorage and AccumulateTransient share.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "transform/data/rebase.h"

namespace sluice::transform {

struct LocalPlan {
    bool in = false;          ///< `outer` and `inner` are entries, else exits.
    ir::NodeId outer, inner;  ///< Scope nodes.
    std::string array;
    std::vector<ir::EdgeId> between;           ///< From one scope node to the other.
    std::vector<ir::EdgeId> inside;            ///< What carries the array's elements within the inner scope.
    std::optional<ir::Resolution> resolution;  ///< Of what is written, if it is updated.
    symbolic::Subset box;                      ///< Of the array: what one execution of the inner scope touches.
    std::vector<symbolic::Expr> extent;        ///< Of the transient: of the box, without parameters of scopes.
};

/// Which codes of the transformation the questions have, by letter: `I1`, `O1`, ... The numbers are those of in_local_storage.cpp.
struct LocalQuestion {
    char letter;
    ir::NodeId outer, inner;
    bool in;
    bool accumulates;  ///< What is written is updated by a resolution, else it is not.
};
std::variant<LocalPlan, rewrite::Refusal> plan_local(const rewrite::Site& site, const LocalQuestion& question);

/// The transient under the options `prefix` and `storage`; its name.
std::string add_local(ir::Sdfg& sdfg, const LocalPlan& plan, const std::string& prefix, ir::Storage storage);
/// Puts it between; returns its access node.
ir::NodeId insert_local(ir::State& state, const LocalPlan& plan, const std::string& local);

/// The parameters of such transformations: `array`, `prefix`, `storage`.
std::vector<rewrite::Parameter> local_parameters();

}  // namespace sluice::transform
