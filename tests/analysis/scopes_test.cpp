#include "analysis/scopes.h"

#include <gtest/gtest.h>

#include "ir/builder.h"

namespace sluice::analysis {
namespace {

using ir::NodeId;

TEST(ScopeTree, NestedMapsAndNodesThatOnlyFeedTheExit) {
    ir::Sdfg g{.name = "g"};
    ir::add_array(g, "x", code::Scalar::Float64, {10});
    ir::add_transient(g, "t", code::Scalar::Float64, {1});
    auto s = ir::add_state(g, "main");
    const auto [outer, outer_exit] = s.map("outer", {{"i", "0:10"}});
    const auto [inner, inner_exit] = s.map("inner", {{"j", "0:10"}});
    const auto x = s.access("x"), local = s.access("t"), out = s.access("x");
    const auto source = s.tasklet("source", {}, {{"o", {}}}, "o = 1"),
               t = s.tasklet("t", {{"a", {}}, {"b", {}}}, {{"o", {}}}, "o = a + b");
    s.memlet_path({x, outer, inner, t}, "", "a", ir::memlet("x[j]"));
    s.edge(source, "o", local, "", ir::memlet("t[0]"));
    s.edge(local, "", t, "b", ir::memlet("t[0]"));
    s.memlet_path({t, inner_exit, outer_exit, out}, "o", "", ir::memlet("x[i]"));
    const ir::Adjacency adjacency(s.state());
    const ScopeTree tree(s.state(), adjacency);
    EXPECT_EQ(tree.parent(x), NodeId());
    EXPECT_EQ(tree.parent(outer), NodeId());
    EXPECT_EQ(tree.parent(inner), outer);
    EXPECT_EQ(tree.parent(outer_exit), outer);
    for (const NodeId node : {t, source, local, inner_exit}) EXPECT_EQ(tree.parent(node), inner);
    EXPECT_EQ(tree.exit_of(inner), inner_exit);
    EXPECT_EQ(tree.children(inner).back(), inner_exit);
    EXPECT_EQ(tree.children(NodeId()).size(), 3U);
    EXPECT_TRUE(tree.encloses(outer, t));
    EXPECT_FALSE(tree.encloses(inner, inner));
}

}  // namespace
}  // namespace sluice::analysis
