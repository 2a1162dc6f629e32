#include "analysis/liveness.h"

#include <gtest/gtest.h>

#include "ir/builder.h"

namespace sluice::analysis {
namespace {

using code::Scalar;

void copy(ir::StateBuilder s, const std::string& from, const std::string& to) {
    s.edge(s.access(from), "", s.access(to), "", ir::memlet(from));
}

ir::Sdfg with_transients() {
    ir::Sdfg g{.name = "g"};
    ir::add_array(g, "x", Scalar::Float64, {4});
    ir::add_transient(g, "t", Scalar::Float64, {4});
    return g;
}

TEST(Homes, TwoStatesShareTheSdfgAndOneStateKeepsItsOwn) {
    ir::Sdfg shared = with_transients();
    ir::BlockId first;
    copy(ir::add_state(shared.body, "a", &first), "x", "t");
    copy(ir::add_state_after(shared.body, first, "b"), "t", "x");
    EXPECT_EQ(homes(shared).at("t").level, Home::Level::Sdfg);
    ir::Sdfg own = with_transients();
    auto s = ir::add_state(own, "a");
    const auto t = s.access("t");
    s.edge(s.access("x"), "", t, "", ir::memlet("x"));
    s.edge(t, "", s.access("x"), "", ir::memlet("t"));
    EXPECT_EQ(homes(own).at("t").level, Home::Level::State);
}

TEST(Homes, WhatALoopCarriesOutlivesItsState) {
    for (const bool whole : {true, false}) {
        ir::Sdfg g = with_transients();
        ir::Block loop = ir::for_loop("l", "i", "0", "4");
        auto s = ir::add_state(std::get<ir::LoopRegion>(loop.kind).body, "a");
        const auto t = s.access("t");
        s.edge(s.access("x"), "", t, "", ir::memlet(whole ? "x" : "x[i]", {.other_subset = whole ? "" : "i"}));
        s.edge(t, "", s.access("x"), "", ir::memlet("t"));
        ir::add_block(g.body, std::move(loop));
        EXPECT_EQ(homes(g).at("t").level, whole ? Home::Level::State : Home::Level::Sdfg);
    }
}

TEST(Homes, ScopeOfAMap) {
    ir::Sdfg g = with_transients();
    auto s = ir::add_state(g, "a");
    const auto [entry, exit] = s.map("m", {{"i", "0:4"}});
    const auto fill = s.tasklet("fill", {}, {{"o", {}}}, "o = 1"), use = s.tasklet("use", {{"a", {}}}, {{"o", {}}}, "o = a");
    const auto t = s.access("t");
    s.edge(entry, "", fill, "", ir::no_memlet());
    s.edge(fill, "o", t, "", ir::memlet("t[0]"));
    s.edge(t, "", use, "a", ir::memlet("t[0]"));
    s.memlet_path({use, exit, s.access("x")}, "o", "", ir::memlet("x[i]"));
    EXPECT_EQ(homes(g).at("t").level, Home::Level::Scope);
    EXPECT_EQ(homes(g).at("t").entry, entry);
}

TEST(Liveness, WholeWritesKillAndPartialOnesDoNot) {
    ir::Sdfg g = with_transients();
    ir::BlockId a, b, c;
    copy(ir::add_state(g.body, "a", &a), "x", "t");
    auto middle = ir::add_state_after(g.body, a, "b", &b);
    middle.edge(middle.access("x"), "", middle.access("t"), "", ir::memlet("x[0]"));
    copy(ir::add_state_after(g.body, b, "c", &c), "t", "x");
    const LiveSets live = live_in(g);
    const auto at = [&](ir::BlockId id) { return live.at(ir::as_state(g.body.blocks[id])); };
    EXPECT_TRUE(at(a).empty());
    EXPECT_EQ(at(b), std::vector<std::string>{"t"});
    EXPECT_EQ(at(c), std::vector<std::string>{"t"});
}

}  // namespace
}  // namespace sluice::analysis
