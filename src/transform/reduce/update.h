// A tasklet that updates the element that it reads and writes.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "code/ast.h"
#include "ir/adjacency.h"
#include "ir/sdfg.h"

namespace sluice::transform {

struct TaskletUpdate {
    ir::EdgeId in, out;
    std::string connector;  ///< The input that is the old value.
    code::ExprPtr rest;     ///< What it is updated by.
    std::string wcr;
};
/// Code and sentence of AugAssignToWCR's condition that does not hold.
using NoUpdate = std::pair<std::string, std::string>;

std::variant<TaskletUpdate, NoUpdate> find_update(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency,
                                                  ir::NodeId tasklet);
/// The memlet that leaves the tasklet updates.
void make_update(ir::State& state, const ir::Adjacency& adjacency, ir::NodeId tasklet, const TaskletUpdate& found);

}  // namespace sluice::transform
