// Maps of fewer and shorter dimensions, without tuning, without the map; nested graphs on their own.
#include <algorithm>

#include "fuzz/reduce/edits.h"
#include "ir/code_block.h"
#include "ir/port.h"
#include "ir/query.h"

namespace sluice::fuzz {

namespace {

using symbolic::Range;
using symbolic::Substitution;

struct PlacedMap {
    ir::Sdfg* sdfg;
    ir::State* state;
    ir::NodeId entry;
    ir::MapEntry* map;
};

std::vector<PlacedMap> maps_of(TestCase& test) {
    std::vector<PlacedMap> found;
    for (const auto& [graph, state] : states_of(test.sdfg))
        for (auto [id, node] : state->nodes)
            if (auto* map = std::get_if<ir::MapEntry>(&node.kind)) found.push_back({graph, state, id, map});
    return found;
}

/// Puts a value in the place of a parameter, everywhere in the state: names of parameters differ within a state.
void substitute(ir::State& state, const std::string& name, const ir::Expr& value) {
    const Substitution replacement = {{name, value}};
    for (auto [id, edge] : state.edges) {
        if (edge.memlet.subset) edge.memlet.subset = symbolic::substitute(*edge.memlet.subset, replacement);
        if (edge.memlet.other_subset) edge.memlet.other_subset = symbolic::substitute(*edge.memlet.other_subset, replacement);
        edge.memlet.volume = symbolic::substitute(edge.memlet.volume, replacement);
    }
    for (auto [id, node] : state.nodes) {
        if (auto* map = std::get_if<ir::MapEntry>(&node.kind)) map->range = symbolic::substitute(map->range, replacement);
        if (auto* nested = std::get_if<ir::NestedSdfg>(&node.kind))
            for (auto& [symbol, outer] : nested->symbol_mapping) outer = symbolic::substitute(outer, replacement);
        auto* tasklet = std::get_if<ir::Tasklet>(&node.kind);
        if (!tasklet || tasklet->code.text.find(name) == std::string::npos) continue;
        tasklet->code.text = name + " = " + symbolic::to_string(value) + "\n" + tasklet->code.text;
    }
}

bool drop_dimension(TestCase& test, std::size_t at) {
    for (const PlacedMap& placed : maps_of(test)) {
        const std::size_t count = placed.map->params.size();
        if (at >= count) {
            at -= count;
            continue;
        }
        if (count == 1) return true;
        const std::string name = placed.map->params[at];
        const ir::Expr begin = placed.map->range.dims[at].begin;
        placed.map->params.erase(placed.map->params.begin() + static_cast<std::ptrdiff_t>(at));
        placed.map->range.dims.erase(placed.map->range.dims.begin() + static_cast<std::ptrdiff_t>(at));
        substitute(*placed.state, name, begin);
        return true;
    }
    return false;
}

bool shrink_range(TestCase& test, std::size_t at) {
    for (const PlacedMap& placed : maps_of(test))
        for (Range& range : placed.map->range.dims) {
            if (at >= 5) {
                at -= 5;
                continue;
            }
            if (at == 0) range = Range::extent(1);
            if (at == 1) range = Range::index(range.begin);
            if (at == 2) range = Range::extent(2);
            if (at == 3) range.step = 1;
            if (at == 4) range.begin = 0;
            return true;
        }
    return false;
}

bool drop_tuning(TestCase& test, std::size_t at) {
    for (const PlacedMap& placed : maps_of(test)) {
        if (at-- > 0) continue;
        ir::MapEntry plain;
        plain.label = placed.map->label, plain.params = placed.map->params, plain.range = placed.map->range;
        *placed.map = plain;
        return true;
    }
    return false;
}

/// Leads edges past a scope node.
void bypass(ir::State& state, ir::NodeId scope) {
    std::vector<ir::Edge> direct;
    std::vector<ir::EdgeId> gone;
    for (auto [id, edge] : state.edges) {
        if (edge.src == scope || edge.dst == scope) gone.push_back(id);
        if (edge.src != scope || !ir::is_port_out(edge.src_connector)) continue;
        for (auto [other, outer] : state.edges) {
            if (outer.dst != scope || outer.dst_connector != ir::across(edge.src_connector)) continue;
            const bool entry = std::holds_alternative<ir::MapEntry>(state.nodes[scope].kind);
            direct.push_back({outer.src, outer.src_connector, edge.dst, edge.dst_connector, entry ? edge.memlet : outer.memlet});
        }
    }
    for (const ir::EdgeId id : gone) state.edges.erase(id);
    for (ir::Edge& edge : direct) state.edges.add(std::move(edge));
}

bool remove_map(TestCase& test, std::size_t at) {
    for (const PlacedMap& placed : maps_of(test)) {
        if (at-- > 0) continue;
        ir::State& state = *placed.state;
        ir::NodeId exit;
        for (auto [id, node] : state.nodes)
            if (const auto* found = std::get_if<ir::MapExit>(&node.kind); found && found->entry == placed.entry) exit = id;
        if (!exit.valid()) return true;
        const ir::MapEntry map = *placed.map;
        bypass(state, placed.entry);
        bypass(state, exit);
        state.nodes.erase(placed.entry);
        state.nodes.erase(exit);
        for (std::size_t d = map.params.size(); d-- > 0;) substitute(state, map.params[d], map.range.dims[d].begin);
        return true;
    }
    return false;
}

/// A nested graph as the whole case; its symbols keep values that are known.
bool lift_nested(TestCase& test, std::size_t at) {
    for (const auto& [graph, state] : states_of(test.sdfg))
        for (auto [id, node] : state->nodes) {
            const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
            if (!nested || at-- > 0) continue;
            TestCase lifted{*nested->sdfg, {}, test.inputs, test.indices, test.recipe};
            for (const auto& [name, value] : nested->symbol_mapping) {
                const Result<std::int64_t> known = symbolic::evaluate(value, test.symbols);
                lifted.symbols[name] = known ? *known : 1;
            }
            lifted.sdfg.name = test.sdfg.name;
            test = std::move(lifted);
            return true;
        }
    return false;
}

bool drop_library_properties(TestCase& test, std::size_t at) {
    for (const auto& [graph, state] : states_of(test.sdfg))
        for (auto [id, node] : state->nodes) {
            auto* library = std::get_if<ir::LibraryNode>(&node.kind);
            if (!library) continue;
            if (at >= library->properties.size()) {
                at -= library->properties.size();
                continue;
            }
            library->properties.erase(std::next(library->properties.begin(), static_cast<std::ptrdiff_t>(at)));
            return true;
        }
    return false;
}

}  // namespace

std::vector<EditFamily> scope_edits() {
    return {{"lift nested graphs", lift_nested}, {"remove maps", remove_map},  {"drop dimensions", drop_dimension},
            {"shrink ranges", shrink_range},     {"drop tuning", drop_tuning}, {"drop properties", drop_library_properties}};
}

}  // namespace sluice::fuzz
