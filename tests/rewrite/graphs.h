// Graphs that the tests of this room share.
#pragma once

#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/text.h"
#include "rewrite/session.h"

namespace sluice::rewrite {

/// The graph of a text; a test that gives a wrong one fails.
inline ir::Sdfg parsed(const char* text) {
    auto sdfg = ir::parse_text(text);
    if (!sdfg) ADD_FAILURE() << render(sdfg.error());
    return std::move(sdfg).value();
}

/// y = 2x + 1 in two maps through `tmp`, in a state of the given label.
inline ir::Sdfg two_maps(const std::string& state_label = "main") {
    using symbolic::symbol;
    ir::Sdfg sdfg{.name = "two"};
    ir::add_symbol(sdfg, "N");
    ir::add_array(sdfg, "x", code::Scalar::Float64, {symbol("N")});
    ir::add_array(sdfg, "y", code::Scalar::Float64, {symbol("N")});
    ir::add_transient(sdfg, "tmp", code::Scalar::Float64, {symbol("N")});
    ir::StateBuilder state = ir::add_state(sdfg, state_label);
    const auto first = state.mapped_tasklet("double", {{"i", "0:N"}}, {{"a", "x[i]"}}, "b = 2 * a", {{"b", "tmp[i]"}});
    const auto second = state.mapped_tasklet("plus", {{"i", "0:N"}}, {{"a", "tmp[i]"}}, "b = a + 1", {{"b", "y[i]"}});
    // One access node between the two: the second map reads what the first wrote.
    ir::State& graph = state.state();
    ir::NodeId written, read;
    for (const auto& [id, edge] : graph.edges) {
        if (edge.src == first.exit) written = edge.dst;
        if (edge.dst == second.entry) read = edge.src;
    }
    for (auto [id, edge] : graph.edges)
        if (edge.src == read) edge.src = written;
    graph.nodes.erase(read);
    return sdfg;
}

/// A transformation that sets a map's schedule, for tests that need no real one.
inline Transformation make_sequential(std::function<void(Draft&)> apply = {}) {
    return rewrite::CheckedEdit{
        .descriptor = {.name = "MakeSequential",
                       .group = "map",
                       .summary = "Runs a map in order.",
                       .drawing = "",
                       .patterns = {{.nodes = {{"map", kind::map_entry}}, .edges = {}}},
                       .conditions = {{"S1", "the map is not sequential already"}, {"S2", "its label is not taboo"}},
                       .parameters = {{"taboo", std::string("nothing"), "A label to be left alone."}}},
        .can_apply = [](const Site& site) -> std::optional<Refusal> {
            const auto& map = site.get<ir::MapEntry>("map");
            if (map.schedule == ir::Schedule::Sequential) return Refusal{.code = "S1", .why = "it is sequential"};
            if (map.label == site.text("taboo")) return site.unless_assumed({.code = "S2", .why = map.label + " is taboo"});
            return {};
        },
        .apply = apply ? apply : [](Draft& draft) { draft.get<ir::MapEntry>("map").schedule = ir::Schedule::Sequential; }};
}

}  // namespace sluice::rewrite
