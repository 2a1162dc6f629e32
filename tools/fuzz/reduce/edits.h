// The ways to make a graph smaller. Each edit family numbers what it can do to a graph: edit `k` is tried on a copy, and whoever
// tries verifies.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/test_case.h"

namespace sluice::fuzz {

struct EditFamily {
    std::string name;
    /// Applies edit number `at` to the graph; false when there are no more.
    std::function<bool(TestCase& test, std::size_t at)> apply;
};

std::vector<EditFamily> control_flow_edits();                 ///< control_flow.cpp
std::vector<EditFamily> dataflow_edits();                     ///< dataflow.cpp
std::vector<EditFamily> scope_edits();                        ///< scopes.cpp
std::vector<EditFamily> code_edits();                         ///< code.cpp
std::vector<EditFamily> replacement_edits(), recipe_edits();  ///< replacements.cpp
std::vector<EditFamily> declaration_edits();                  ///< declarations.cpp

/// The SDFG and all nested in it, outermost first; what is shared becomes the graph's own.
std::vector<ir::Sdfg*> graphs_of(ir::Sdfg& sdfg);
/// All states of all graphs, with the graph that holds each.
struct PlacedState {
    ir::Sdfg* sdfg;
    ir::State* state;
};
std::vector<PlacedState> states_of(ir::Sdfg& sdfg);
std::vector<ir::Region*> regions_of(ir::Sdfg& sdfg);

/// Takes connectors of scopes and access nodes away that no edge needs any more.
void prune(ir::State& state);

}  // namespace sluice::fuzz
