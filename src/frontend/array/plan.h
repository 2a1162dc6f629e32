// The dataflow of one state before it is a graph: tasklets, library nodes and nested SDFGs in nested scopes, each with the
// elements that it reads and writes. Everything the front end computes goes through emit(), the one place that draws graphs.
//
// Items of one list must not depend on each other: none writes a container that another one accesses.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "ir/builder.h"

namespace sluice::frontend {

struct PlannedMemlet {
    std::string connector;
    ir::Memlet memlet;
    code::DType dtype = {};  ///< Type of the connector; Void: inferred.
    std::string identity =
        {};  ///< Of a conflict resolution: the number that its elements have before the plan; empty: what they have.
};
struct PlannedCode {
    std::variant<ir::Tasklet, ir::NestedSdfg, ir::LibraryNode> node;
    std::vector<PlannedMemlet> in, out;
    Span where;
};
struct PlannedScope;
using PlanItem = std::variant<PlannedCode, PlannedScope>;
using Plan = std::vector<PlanItem>;

/// A map, or with a stream a consume scope.
struct PlannedScope {
    std::variant<ir::MapEntry, ir::ConsumeEntry> entry;
    std::vector<PlannedMemlet> in;  ///< Map: values of its dynamic range. Consume: one, the stream, connector `stream`.
    Plan body;
    std::string element;  ///< Consume: the connector of the body's code that takes the popped element.
    Span where;
};

ir::Tasklet python_tasklet(const std::string& label, const std::string& code);
ir::Memlet element_memlet(const std::string& data, std::vector<ir::Expr> index);
ir::Memlet subset_memlet(const std::string& data, ir::Subset subset);

struct Touched {
    std::set<std::string> reads, writes;
    /// Whether one of the two writes what the other accesses.
    bool conflicts_with(const Touched& other) const;
};
Touched touched_by(const PlanItem& item);
/// Symbols that the plan reads from outside: of memlets, ranges and nested SDFGs.
std::set<std::string> symbols_of(const Plan& plan);

/// What runs before the plan: elements of memlets that have an identity become it. Failure F012 where iterations of the maps around
/// the plan, whose parameters are `around`, would undo each other's updates of a container that is not `own`, one for each of them.
Plan initial_values(const Plan& plan, const std::set<std::string>& around, const std::function<bool(const std::string&)>& own);

/// `views`: view container -> the container that it views as a whole; accesses of a view are tied to its base.
void emit(ir::StateBuilder state, const Plan& plan, const std::map<std::string, std::string>& views = {});

}  // namespace sluice::frontend
