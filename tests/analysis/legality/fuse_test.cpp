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

/// One copy in each state.
StateFusion two_states(const ir::Memlet& first, const std::string& first_to, const ir::Memlet& second,
                       const std::string& second_to) {
    ir::Sdfg g{.name = "g"};
    for (const char* name : {"x", "y", "z"}) ir::add_array(g, name, Scalar::Float64, {8});
    ir::BlockId a, b;
    auto s = ir::add_state(g.body, "a", &a);
    const ir::NodeId written = s.access(first_to);
    s.edge(s.access(first.data), "", written, "", first);
    auto t = ir::add_state_after(g.body, a, "b", &b);
    const ir::NodeId rewritten = t.access(second_to);
    t.edge(t.access(second.data), "", rewritten, "", second);
    const std::vector<std::pair<ir::NodeId, ir::NodeId>> unordered{{written, rewritten}};
    return states_fusible(g, g.body, a, b, assumptions_of(g), unordered);
}

TEST(StatesFusible, FindsWhatMustStayInOrder) {
    const ir::Memlet low = ir::memlet("x[0:4]", {.other_subset = "0:4"});
    EXPECT_TRUE(two_states(low, "y", ir::memlet("y[4:8]", {.other_subset = "4:8"}), "z").verdict.yes());
    EXPECT_TRUE(two_states(low, "y", ir::memlet("z[4:8]", {.other_subset = "4:8"}), "y").verdict.yes());
    const StateFusion read = two_states(ir::memlet("x"), "y", ir::memlet("y"), "z");
    EXPECT_TRUE(read.verdict.no());
    ASSERT_TRUE(read.conflict);
    EXPECT_EQ(read.conflict->container, "y");
    EXPECT_TRUE(read.conflict->first_writes && !read.conflict->second_writes);
    const StateFusion written = two_states(ir::memlet("x"), "y", ir::memlet("z"), "x");
    EXPECT_TRUE(written.verdict.no());
    ASSERT_TRUE(written.conflict);
    EXPECT_EQ(written.conflict->container, "x");
    EXPECT_TRUE(!written.conflict->first_writes && written.conflict->second_writes);
}

}  // namespace
}  // namespace sluice::analysis
