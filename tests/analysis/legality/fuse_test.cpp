#include "analysis/legality/fuse.h"

#include <gtest/gtest.h>

#include "analysis/symbols.h"
#include "ir/builder.h"
#include "program.h"

namespace sluice::analysis {
namespace {

using code::Scalar;
using symbolic::symbol;

struct TwoMaps {
    ir::Sdfg sdfg{.name = "two"};
    ir::NodeId first, second;
    const ir::State& state() const { return *ir::as_state(sdfg.body.blocks[sdfg.body.start]); }
    Verdict verdict(std::span<const std::size_t> pairing = {}) const {
        return maps_fusible(sdfg, state(), first, second, assumptions_of(sdfg), pairing);
    }
};

/// map i, j: t[i, j] = x[i, j]; map p, q: y[p, q] = t[read]
TwoMaps chain(const std::string& read, const std::string& p = "0:N", const std::string& q = "0:N") {
    TwoMaps maps;
    ir::Sdfg& g = maps.sdfg;
    ir::add_symbol(g, "N");
    for (const char* name : {"x", "y"}) ir::add_array(g, name, Scalar::Float64, {symbol("N"), symbol("N")});
    ir::add_transient(g, "t", Scalar::Float64, {symbol("N"), symbol("N")});
    auto s = ir::add_state(g, "main");
    const auto t = s.access("t");
    const auto [e1, x1] = s.map("first", {{"i", "0:N"}, {"j", "0:N"}});
    const auto one = s.tasklet("one", {{"in", {}}}, {{"out", {}}}, "out = in + 1");
    s.memlet_path({s.access("x"), e1, one}, "", "in", ir::memlet("x[i, j]"));
    s.memlet_path({one, x1, t}, "out", "", ir::memlet("t[i, j]"));
    const auto [e2, x2] = s.map("second", {{"p", p}, {"q", q}});
    const auto two = s.tasklet("two", {{"in", {}}}, {{"out", {}}}, "out = in + 1");
    s.memlet_path({t, e2, two}, "", "in", ir::memlet("t[" + read + "]"));
    s.memlet_path({two, x2, s.access("y")}, "out", "", ir::memlet("y[p, q]"));
    maps.first = e1;
    maps.second = e2;
    return maps;
}

TEST(MapsFusible, PointByPoint) {
    const Verdict verdict = chain("p, q").verdict();
    EXPECT_TRUE(verdict.yes()) << verdict.why;
}

TEST(MapsFusible, ANeighbourIsAnotherPoint) {
    const TwoMaps maps = chain("p, max(q - 1, 0)");
    const Verdict verdict = maps.verdict();
    ASSERT_TRUE(verdict.no()) << verdict.why;
    EXPECT_EQ(verdict.witness->container, "t");
    EXPECT_EQ(verdict.nodes, (std::vector<ir::NodeId>{maps.first, maps.second}));
}

TEST(MapsFusible, TransposedIfParametersArePaired) {
    const TwoMaps maps = chain("q, p");
    EXPECT_TRUE(maps.verdict().no());
    const std::vector<std::size_t> swapped{1, 0};
    const Verdict verdict = maps.verdict(swapped);
    EXPECT_TRUE(verdict.yes()) << verdict.why;
}

TEST(MapsFusible, DifferentPointsAreRefused) {
    const Verdict verdict = chain("p, q", "0:N", "0:N - 1").verdict();
    EXPECT_TRUE(verdict.no());
    EXPECT_EQ(verdict.why, "the maps `first` and `second` run over different points");
}

StateFusion two_states(const std::string& from, const std::string& to) {
    ir::Sdfg g{.name = "g"};
    for (const char* name : {"x", "y", "z"}) ir::add_array(g, name, Scalar::Float64, {8});
    ir::BlockId a, b;
    auto s = ir::add_state(g.body, "a", &a);
    s.edge(s.access("x"), "", s.access("y"), "", ir::memlet("x[0:4]", {.other_subset = "0:4"}));
    auto t = ir::add_state_after(g.body, a, "b", &b);
    t.edge(t.access(from), "", t.access(to), "", ir::memlet(from + "[4:8]", {.other_subset = "4:8"}));
    return states_fusible(g, g.body, a, b, assumptions_of(g));
}

TEST(StatesFusible, ListsWhatMustStayInOrder) {
    EXPECT_TRUE(two_states("y", "z").verdict.yes());  // Other elements.
    EXPECT_TRUE(two_states("z", "y").verdict.yes());
    ir::Sdfg g{.name = "g"};
    for (const char* name : {"x", "y", "z"}) ir::add_array(g, name, Scalar::Float64, {8});
    ir::BlockId a, b;
    auto s = ir::add_state(g.body, "a", &a);
    s.edge(s.access("x"), "", s.access("y"), "", ir::memlet("x"));
    auto t = ir::add_state_after(g.body, a, "b", &b);
    t.edge(t.access("y"), "", t.access("x"), "", ir::memlet("y"));
    const StateFusion fusion = states_fusible(g, g.body, a, b, assumptions_of(g));
    EXPECT_TRUE(fusion.verdict.no());
    ASSERT_EQ(fusion.conflicts.size(), 2u);
    EXPECT_EQ(fusion.conflicts[0].container, "x");
    EXPECT_TRUE(!fusion.conflicts[0].first_writes && fusion.conflicts[0].second_writes);
    EXPECT_EQ(fusion.conflicts[1].container, "y");
    EXPECT_TRUE(fusion.conflicts[1].first_writes && !fusion.conflicts[1].second_writes);
}

}  // namespace
}  // namespace sluice::analysis
