// What an edit touched, found by comparison.
#include "rewrite/changes.h"

#include <gtest/gtest.h>

#include "graphs.h"

namespace sluice::rewrite {
namespace {

ir::State& main_of(ir::Sdfg& sdfg) {
    return *ir::as_state(sdfg.body.blocks[sdfg.body.start]);
}

TEST(Changes, OfACopyThereAreNone) {
    const ir::Sdfg before = two_maps();
    ir::Sdfg after = before;
    EXPECT_TRUE(changes_between(before, after).empty());
    main_of(after);  // its own now, and the same
    EXPECT_TRUE(changes_between(before, after).empty());
}

TEST(Changes, NodesThatDifferAndThoseThatAnEdgeJoins) {
    const ir::Sdfg before = two_maps();
    ir::Sdfg after = before;
    ir::State& state = main_of(after);
    const ir::EdgeId first = (*std::as_const(state).edges.begin()).first;
    state.edges[first].memlet.volume = 7;
    const Changes changes = changes_between(before, after);
    ASSERT_EQ(changes.states.size(), 1u);
    EXPECT_EQ(changes.states[0].edges, std::vector{first});
    const ir::Edge& edge = state.edges[first];
    EXPECT_EQ(changes.states[0].nodes, (std::vector{std::min(edge.src, edge.dst), std::max(edge.src, edge.dst)}));
    EXPECT_EQ(changes.growth, 0);
    EXPECT_TRUE(changes.regions.empty());
}

TEST(Changes, BlocksThatComeAndGo) {
    const ir::Sdfg before = two_maps();
    ir::Sdfg after = before;
    ir::BlockId added;
    ir::add_state_after(after.body, after.body.start, "next", &added);
    const Changes changes = changes_between(before, after);
    ASSERT_EQ(changes.regions.size(), 1u);
    EXPECT_EQ(changes.regions[0].blocks, std::vector{added});
    EXPECT_EQ(changes.regions[0].joined, (std::vector{before.body.start, added}));
    EXPECT_EQ(changes.growth, 2) << "a state and a transition";
    EXPECT_EQ(changes_between(after, before).growth, -2);
}

TEST(Changes, InsideOfACallWithItsPlace) {
    ir::Sdfg before{.name = "caller"};
    ir::add_array(before, "x", code::Scalar::Float64, {8});
    ir::Sdfg inner{.name = "inner"};
    ir::add_array(inner, "v", code::Scalar::Float64, {8});
    ir::StateBuilder inside = ir::add_state(inner, "inside");
    const ir::NodeId one = inside.tasklet("one", {}, {{"y", code::DType()}}, "y = 1");
    inside.edge(one, "y", inside.access("v"), "", ir::memlet("v[0]"));
    ir::StateBuilder state = ir::add_state(before, "main");
    const ir::NodeId call = state.nested("call", inner, {}, {"v"});
    state.edge(call, "v", state.access("x"), "", ir::memlet("x[0:8]"));

    ir::Sdfg after = before;
    ir::Sdfg& called = std::get<ir::NestedSdfg>(main_of(after).nodes[call].kind).sdfg.edit();
    std::get<ir::Tasklet>(main_of(called).nodes[one].kind).code.text = "y = 2";
    const Changes changes = changes_between(before, after);
    ASSERT_EQ(changes.states.size(), 1u);
    EXPECT_EQ(changes.states[0].place.nested.size(), 1u);
    EXPECT_EQ(changes.states[0].nodes, std::vector{one});
    EXPECT_TRUE(changes.declarations.empty());

    called.symbols["N"] = code::Scalar::Int64;
    EXPECT_EQ(changes_between(before, after).declarations.size(), 1u);
}

}  // namespace
}  // namespace sluice::rewrite
