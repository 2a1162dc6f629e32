#include "analysis/liveness.h"

#include <gtest/gtest.h>

#include <functional>

#include "analysis/symbols.h"
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

TEST(AllocationScopes, TwoStatesShareTheSdfgAndOneStateKeepsItsOwn) {
    ir::Sdfg shared = with_transients();
    ir::BlockId first;
    copy(ir::add_state(shared.body, "a", &first), "x", "t");
    copy(ir::add_state_after(shared.body, first, "b"), "t", "x");
    EXPECT_EQ(allocation_scopes(shared).at("t").level, AllocationScope::Level::Sdfg);
    ir::Sdfg own = with_transients();
    auto s = ir::add_state(own, "a");
    const auto t = s.access("t");
    s.edge(s.access("x"), "", t, "", ir::memlet("x"));
    s.edge(t, "", s.access("x"), "", ir::memlet("t"));
    EXPECT_EQ(allocation_scopes(own).at("t").level, AllocationScope::Level::State);
}

TEST(AllocationScopes, WhatALoopCarriesOutlivesItsState) {
    for (const bool whole : {true, false}) {
        ir::Sdfg g = with_transients();
        ir::Block loop = ir::for_loop("l", "i", "0", "4");
        auto s = ir::add_state(std::get<ir::LoopRegion>(loop.kind).body, "a");
        const auto t = s.access("t");
        s.edge(s.access("x"), "", t, "", ir::memlet(whole ? "x" : "x[i]", {.other_subset = whole ? "" : "i"}));
        s.edge(t, "", s.access("x"), "", ir::memlet("t"));
        ir::add_block(g.body, std::move(loop));
        EXPECT_EQ(allocation_scopes(g).at("t").level, whole ? AllocationScope::Level::State : AllocationScope::Level::Sdfg);
    }
}

// The last iteration writes nothing and reads what the one before left.
TEST(AllocationScopes, WhatALoopToZeroCarriesOutlivesItsState) {
    ir::Sdfg g = with_transients();
    g.symbols.emplace("i", Scalar::Int64);
    ir::Block loop = ir::for_loop("l", "i", "3", "-1", "-1");
    auto s = ir::add_state(std::get<ir::LoopRegion>(loop.kind).body, "a");
    const auto t = s.access("t");
    s.edge(s.access("x"), "", t, "", ir::memlet("x[0:i]", {.other_subset = "0:i"}));
    s.edge(t, "", s.access("x"), "", ir::memlet("t[0]", {.other_subset = "3"}));
    ir::add_block(g.body, std::move(loop));
    EXPECT_EQ(allocation_scopes(g).at("t").level, AllocationScope::Level::Sdfg);
}

TEST(AllocationScopes, ScopeOfAMap) {
    ir::Sdfg g = with_transients();
    auto s = ir::add_state(g, "a");
    const auto [entry, exit] = s.map("m", {{"i", "0:4"}});
    const auto fill = s.tasklet("fill", {}, {{"o", {}}}, "o = 1"), use = s.tasklet("use", {{"a", {}}}, {{"o", {}}}, "o = a");
    const auto t = s.access("t");
    s.edge(entry, "", fill, "", ir::no_memlet());
    s.edge(fill, "o", t, "", ir::memlet("t[0]"));
    s.edge(t, "", use, "a", ir::memlet("t[0]"));
    s.memlet_path({use, exit, s.access("x")}, "o", "", ir::memlet("x[i]"));
    EXPECT_EQ(allocation_scopes(g).at("t").level, AllocationScope::Level::Scope);
    EXPECT_EQ(allocation_scopes(g).at("t").entry, entry);
}

TEST(Liveness, WholeWritesKillAndPartialOnesDoNot) {
    ir::Sdfg g = with_transients();
    ir::BlockId a, b, c;
    copy(ir::add_state(g.body, "a", &a), "x", "t");
    auto middle = ir::add_state_after(g.body, a, "b", &b);
    middle.edge(middle.access("x"), "", middle.access("t"), "", ir::memlet("x[0]"));
    copy(ir::add_state_after(g.body, b, "c", &c), "t", "x");
    const LiveSets live = live_in(g, assumptions_of(g));
    const auto at = [&](ir::BlockId id) { return live.at(ir::as_state(g.body.blocks[id])); };
    EXPECT_TRUE(at(a).empty());
    EXPECT_EQ(at(b), std::vector<std::string>{"t"});
    EXPECT_EQ(at(c), std::vector<std::string>{"t"});
}

/// Is what state a leaves in t needed, where b writes t as `fill` says and c reads it all?
bool survives(const std::function<void(ir::StateBuilder)>& fill) {
    ir::Sdfg g = with_transients();
    ir::add_array(g, "m", Scalar::Float64, {4, 2});
    ir::BlockId a, b, c;
    copy(ir::add_state(g.body, "a", &a), "x", "t");
    fill(ir::add_state_after(g.body, a, "b", &b));
    copy(ir::add_state_after(g.body, b, "c", &c), "t", "x");
    return !live_in(g, assumptions_of(g)).at(ir::as_state(g.body.blocks[b])).empty();
}

TEST(Liveness, MapsKillWhatTheirPointsWrite) {
    const auto filled = [](const std::string& index, const std::string& code) {
        return [=](ir::StateBuilder s) { s.mapped_tasklet("fill", {{"i", "0:4"}}, {}, code, {{"o", "t[" + index + "]"}}); };
    };
    EXPECT_FALSE(survives(filled("i", "o = 1")));
    EXPECT_FALSE(survives(filled("3 - i", "o = 1")));
    EXPECT_TRUE(survives(filled("(i * i) % 4", "o = 1")));
    EXPECT_TRUE(survives(filled("i", "if i > 2:\n    o = 1")));
}

TEST(Liveness, ReductionsWithoutIdentityGoOnFromWhatIsThere) {
    const auto reduced = [](std::map<std::string, ir::Property> properties) {
        properties.insert({{"wcr", std::string("lambda a, b: a + b")}, {"axes", std::vector<std::int64_t>{1}}});
        return [=](ir::StateBuilder s) {
            const auto node = s.library("Reduce", "sum", {"_in"}, {"_out"}, properties);
            s.edge(s.access("m"), "", node, "_in", ir::memlet("m[0:4, 0:2]"));
            s.edge(node, "_out", s.access("t"), "", ir::memlet("t[0:4]"));
        };
    };
    EXPECT_TRUE(survives(reduced({})));
    EXPECT_FALSE(survives(reduced({{"identity", std::int64_t(0)}})));
}

TEST(Liveness, CallsThatMayLeaveThingsAloneKillNothing) {
    const auto called = [](bool always) {
        return [=](ir::StateBuilder s) {
            ir::Sdfg inner{.name = "inner"};
            ir::add_array(inner, "p", Scalar::Float64, {4});
            ir::add_symbol(inner, "n");
            ir::BlockId start, fill;
            ir::add_state(inner.body, "start", &start);
            ir::add_state(inner.body, "fill", &fill).mapped_tasklet("fill", {{"i", "0:4"}}, {}, "o = 1", {{"o", "p[i]"}});
            ir::add_transition(inner.body, start, fill, always ? "" : "n > 2");
            const auto node = s.nested("call", std::move(inner), {}, {"p"}, {{"n", symbolic::symbol("n")}});
            s.edge(node, "p", s.access("t"), "", ir::memlet("t[0:4]"));
        };
    };
    EXPECT_FALSE(survives(called(true)));
    EXPECT_TRUE(survives(called(false)));
}

/// for i0: (t0 = x; for i1: (t1 = x; ...; x = t1); x = t0), every transient read only after the loop inside.
TEST(Liveness, NestsOfLoopsTakeTimeInProportion) {
    constexpr int kDepth = 40;
    ir::Sdfg g = with_transients();
    ir::Region* region = &g.body;
    for (int depth = 0; depth < kDepth; ++depth) {
        const std::string t = "t" + std::to_string(depth), i = "i" + std::to_string(depth);
        ir::add_transient(g, t, Scalar::Float64, {4});
        ir::BlockId read, write;
        copy(ir::add_state(*region, "read", &read), t, "x");  // its block comes first, though it runs last
        copy(ir::add_state(*region, "write", &write), "x", t);
        region->start = write;
        const ir::BlockId loop = ir::add_block(*region, ir::for_loop("l", i, "0", "4"));
        ir::add_transition(*region, write, loop);
        ir::add_transition(*region, loop, read);
        region = &std::get<ir::LoopRegion>(region->blocks[loop].kind).body;
    }
    ir::BlockId only;
    copy(ir::add_state(*region, "innermost", &only), "x", "t");
    const LiveSets live = live_in(g, {});
    const std::size_t in_loops = live.at(ir::as_state(region->blocks[only])).size();
    EXPECT_EQ(in_loops, static_cast<std::size_t>(kDepth));
}

}  // namespace
}  // namespace sluice::analysis
