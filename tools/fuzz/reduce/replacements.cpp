// Calls and library nodes replaced by tasklets, calls with fewer arguments, and numbers without holes.
#include <algorithm>

#include "fuzz/reduce/edits.h"

namespace sluice::fuzz {

namespace {

struct PlacedNode {
    ir::State* state;
    ir::NodeId id;
    ir::Node* node;
};

template <class Kind> std::vector<PlacedNode> nodes_of(TestCase& test) {
    std::vector<PlacedNode> found;
    for (const auto& [graph, state] : states_of(test.sdfg))
        for (auto [id, node] : state->nodes)
            if (std::holds_alternative<Kind>(node.kind)) found.push_back({state, id, &node});
    return found;
}

/// An argument of a call, with all its edges: inside it is a transient, or gone if nothing names it.
bool drop_argument(TestCase& test, std::size_t at) {
    for (const PlacedNode& placed : nodes_of<ir::NestedSdfg>(test)) {
        std::vector<std::string> names;
        for (const ir::Connectors* connectors : {&placed.node->in, &placed.node->out})
            for (const auto& [name, type] : *connectors)
                if (std::ranges::find(names, name) == names.end()) names.push_back(name);
        if (at >= 2 * names.size()) {
            at -= 2 * names.size();
            continue;
        }
        const std::string& name = names[at / 2];
        std::vector<ir::EdgeId> gone;
        for (auto [id, edge] : placed.state->edges)
            if ((edge.src == placed.id && edge.src_connector == name) || (edge.dst == placed.id && edge.dst_connector == name))
                gone.push_back(id);
        for (const ir::EdgeId id : gone) placed.state->edges.erase(id);
        placed.node->in.erase(name);
        placed.node->out.erase(name);
        ir::Sdfg& callee = std::get<ir::NestedSdfg>(placed.node->kind).sdfg.edit();
        if (at % 2 == 0)
            callee.containers.erase(name);
        else
            callee.containers.at(name).transient = true;
        std::erase(callee.arg_names, name);
        prune(*placed.state);
        return true;
    }
    return false;
}

/// The node keeps its edges and sets what it writes, or the first element of it, to 1.
void become_tasklet(ir::Node& node, bool element) {
    ir::Tasklet tasklet;
    tasklet.label = "one";
    for (const auto& [name, type] : node.out) {
        if (!tasklet.code.text.empty()) tasklet.code.text += "\n";
        tasklet.code.text += name + (element ? "[0] = 1" : " = 1");
    }
    for (auto& [name, type] : node.in) type = {};
    for (auto& [name, type] : node.out) type = {};
    std::erase_if(node.in, [&](const auto& connector) { return node.out.contains(connector.first); });
    node.kind = std::move(tasklet);
}

template <class Kind> bool replace_by_tasklet(TestCase& test, std::size_t at) {
    for (const PlacedNode& placed : nodes_of<Kind>(test)) {
        if (at >= 2) {
            at -= 2;
            continue;
        }
        std::vector<ir::EdgeId> gone;
        for (auto [id, edge] : placed.state->edges)
            if (edge.dst == placed.id && placed.node->out.contains(edge.dst_connector)) gone.push_back(id);
        for (const ir::EdgeId id : gone) placed.state->edges.erase(id);
        become_tasklet(*placed.node, at == 1);
        prune(*placed.state);
        return true;
    }
    return false;
}

template <class Id, class T> std::vector<Id> close_holes(Table<Id, T>& table) {
    std::vector<Id> moved(table.id_bound());
    Table<Id, T> dense;
    for (auto [id, value] : table) moved[id.value] = dense.add(std::move(value));
    table = std::move(dense);
    return moved;
}

void renumber(ir::State& state) {
    const std::vector<ir::NodeId> nodes = close_holes(state.nodes);
    close_holes(state.edges);
    for (auto [id, edge] : state.edges) edge.src = nodes[edge.src.value], edge.dst = nodes[edge.dst.value];
    for (auto [id, node] : state.nodes) {
        if (auto* exit = std::get_if<ir::MapExit>(&node.kind)) exit->entry = nodes[exit->entry.value];
        if (auto* exit = std::get_if<ir::ConsumeExit>(&node.kind)) exit->entry = nodes[exit->entry.value];
    }
}

/// All ids of the case, once nothing else is left to do.
bool renumber_all(TestCase& test, std::size_t at) {
    if (at > 0) return false;
    std::vector<ir::Region*> regions = regions_of(test.sdfg);
    std::ranges::reverse(regions);  // moving a block moves the regions inside
    for (ir::Region* region : regions) {
        const std::vector<ir::BlockId> blocks = close_holes(region->blocks);
        close_holes(region->transitions);
        for (auto [id, transition] : region->transitions)
            transition.src = blocks[transition.src.value], transition.dst = blocks[transition.dst.value];
        if (region->start.valid()) region->start = blocks[region->start.value];
    }
    for (const auto& [graph, state] : states_of(test.sdfg)) renumber(*state);
    return true;
}

bool drop_application(TestCase& test, std::size_t at) {
    if (at >= test.recipe.size()) return false;
    test.recipe.erase(test.recipe.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
}

}  // namespace

std::vector<EditFamily> recipe_edits() {
    return {{"drop applications", drop_application}};
}

std::vector<EditFamily> replacement_edits() {
    return {{"drop arguments", drop_argument},
            {"replace calls", replace_by_tasklet<ir::NestedSdfg>},
            {"replace library nodes", replace_by_tasklet<ir::LibraryNode>},
            {"renumber", renumber_all}};
}

}  // namespace sluice::fuzz
