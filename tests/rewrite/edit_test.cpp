#include "rewrite/edit.h"

#include <gtest/gtest.h>

#include "graphs.h"

namespace sluice::rewrite {
namespace {

using symbolic::Expr;
using symbolic::symbol;

const char* const kNest = R"(sdfg nest(x, y) {
  array x: float64[4, 4]
  array y: float64[4, 4]
  state main {
    n0 = access x
    n1 = map_entry outer [i=0:4] passing (x)
    n2 = map_entry inner [j=0:4] passing (x)
    n3 = tasklet t (a, b) -> (c) { c = a + b * i }
    n4 = map_exit n2 passing (y)
    n5 = map_exit n1 passing (y)
    n6 = access y
    n0 -> n1.IN_x : x[0:4, 0:4]
    n1.OUT_x -> n2.IN_x : x[i, 0:4]
    n2.OUT_x -> n3.a : x[i, j]
    n2.OUT_x -> n3.b : x[i, 0]
    n3.c -> n4.IN_y : y[i, j]
    n4.OUT_y -> n5.IN_y : y[i, 0:4]
    n5.OUT_y -> n6 : y[0:4, 0:4]
  }
})";

struct Nest {
    ir::Sdfg sdfg = parsed(kNest);
    const ir::State& state = *ir::as_state(sdfg.body.blocks[sdfg.body.start]);
    StateView view{state};
};

std::vector<ir::EdgeId> edge_ids(std::initializer_list<std::uint32_t> values) {
    std::vector<ir::EdgeId> found;
    for (const std::uint32_t value : values) found.emplace_back(value);
    return found;
}

TEST(Edit, PathsLeadFromSourceToTarget) {
    const Nest nest;
    for (const std::uint32_t at : {0, 1, 2})
        EXPECT_EQ(memlet_path(nest.state, nest.view.adjacency, ir::EdgeId(at)), edge_ids({0, 1, 2}));
    EXPECT_EQ(memlet_path(nest.state, nest.view.adjacency, ir::EdgeId(3)), edge_ids({0, 1, 3}));
    EXPECT_EQ(memlet_path(nest.state, nest.view.adjacency, ir::EdgeId(5)), edge_ids({4, 5, 6}));
    EXPECT_EQ(memlet_leaves(nest.state, nest.view.adjacency, ir::EdgeId(0)), edge_ids({2, 3}));
    EXPECT_EQ(memlet_leaves(nest.state, nest.view.adjacency, ir::EdgeId(6)), edge_ids({4}));
    EXPECT_EQ(memlet_leaves(nest.state, nest.view.adjacency, ir::EdgeId(3)), edge_ids({3}));
    EXPECT_EQ(outer_edge(nest.state, nest.view.adjacency, ir::EdgeId(2)), ir::EdgeId(1));
    EXPECT_EQ(outer_edge(nest.state, nest.view.adjacency, ir::EdgeId(4)), ir::EdgeId(5));
    EXPECT_FALSE(outer_edge(nest.state, nest.view.adjacency, ir::EdgeId(0)).valid());
}

TEST(Edit, NodesInsideAreEachFoundOnce) {
    const Nest nest;
    const auto inside = nodes_inside(nest.view.scopes, ir::NodeId(1));
    EXPECT_EQ(inside, (std::vector{ir::NodeId(2), ir::NodeId(3), ir::NodeId(4)}));
}

TEST(Edit, CopiesKeepTheirScopes) {
    const Nest nest;
    ir::State copy;
    const std::vector<ir::NodeId> nodes{ir::NodeId(2), ir::NodeId(3), ir::NodeId(4)};
    const auto renamed = copy_nodes(copy, nest.state, nodes);
    EXPECT_EQ(copy.nodes.size(), 3u);
    EXPECT_EQ(copy.edges.size(), 3u);
    EXPECT_EQ(std::get<ir::MapExit>(copy.nodes[renamed.at(ir::NodeId(4))].kind).entry, renamed.at(ir::NodeId(2)));
    // Into the state itself: the tables grow while they are read.
    ir::State twice = nest.state;
    copy_nodes(twice, twice, nodes);
    EXPECT_EQ(twice.nodes.size(), 10u);
    EXPECT_EQ(twice.edges.size(), 10u);
}

TEST(Edit, ErasingANodeErasesItsEdgesAndThenUnusedConnectorsGo) {
    Nest nest;
    ir::State state = nest.state;
    erase_node(state, ir::NodeId(3));
    EXPECT_EQ(state.edges.size(), 4u);
    erase_unused_connectors(state, ir::NodeId(2));
    EXPECT_TRUE(state.nodes[ir::NodeId(2)].out.empty());
    EXPECT_EQ(state.nodes[ir::NodeId(2)].in.size(), 1u);
    state.nodes.add({.kind = ir::Access{.data = "x"}, .in = {}, .out = {}, .metadata = {}});
    erase_isolated_accesses(state);
    EXPECT_FALSE(state.nodes.contains(ir::NodeId(7)));
    EXPECT_TRUE(state.nodes.contains(ir::NodeId(0)));
}

TEST(Edit, PassingConnectorsAreFresh) {
    Nest nest;
    ir::Node entry = nest.state.nodes[ir::NodeId(1)];
    EXPECT_EQ(add_passing_connector(entry, "x"), "x_0");
    EXPECT_EQ(add_passing_connector(entry, "csr.indptr"), "csr_indptr");
    EXPECT_TRUE(entry.in.contains("IN_x_0") && entry.out.contains("OUT_csr_indptr"));
}

TEST(Edit, FreshSymbolsAvoidParametersConnectorsAndLoopVariables) {
    Nest nest;
    EXPECT_EQ(fresh_symbol(nest.sdfg, "i"), "i_0");
    EXPECT_EQ(fresh_symbol(nest.sdfg, "a"), "a_0");
    EXPECT_EQ(fresh_symbol(nest.sdfg, "x"), "x_0");
    EXPECT_EQ(fresh_symbol(nest.sdfg, "k"), "k");
}

TEST(Edit, AccessesAndControlUses) {
    const ir::Sdfg sdfg = parsed(R"(sdfg c(x) {
  array x: int64[4]
  transient array n: int64[4]
  state a {
    n0 = access x
    n1 = access n
    n0 -> n1 : x[0:4] -> [0:4]
  }
  state b {
  }
  a -> b if `x[0] > 1`
})");
    EXPECT_EQ(count_accesses(sdfg, "x"), 1u);
    EXPECT_TRUE(used_in_control(sdfg, "x"));
    EXPECT_FALSE(used_in_control(sdfg, "n"));
}

TEST(Substitute, PythonKeepsItsFormAndItsBoundNames) {
    const symbolic::Substitution replacement{{"i", symbol("j") + 1}, {"a", symbol("never")}};
    EXPECT_EQ(substitute(ir::CodeBlock{"b = a * i  # times i\nif i > 2:\n    b = f(i, lambda i: i)", ir::Language::Python},
                         replacement, {"a"})
                  .text,
              "b = a * (j + 1)  # times i\nif (j + 1) > 2:\n    b = f((j + 1), lambda i: i)");
    EXPECT_EQ(substitute(std::string("i[i].i + i(3)"), {{"i", symbol("k")}}), "k[k].i + i(3)");
    EXPECT_EQ(substitute(std::string("2**i"), {{"i", Expr(-1)}}), "2**(-1)");
}

TEST(Substitute, CppLeavesMembersAndLiterals) {
    const ir::CodeBlock code{"o = i + p.i + q->i + ii + \"i\"[0];", ir::Language::CPP};
    EXPECT_EQ(substitute(code, {{"i", symbol("n") + 1}}).text, "o = (n + 1) + p.i + q->i + ii + \"i\"[0];");
}

TEST(Substitute, InAScopeEverythingThatNamesTheSymbol) {
    Nest nest;
    ir::State state = nest.state;
    const std::vector<ir::NodeId> nodes = nodes_inside(nest.view.scopes, ir::NodeId(1));
    substitute(state, nodes, edges_at(state, nodes), {{"i", symbol("k") * 2}, {"j", symbol("never")}});
    EXPECT_EQ(std::get<ir::Tasklet>(state.nodes[ir::NodeId(3)].kind).code.text, "c = a + b * (2*k)");
    EXPECT_EQ(symbolic::to_string(*state.edges[ir::EdgeId(3)].memlet.subset), "2*k, 0");
}

TEST(Substitute, ARegionsLoopVariableHidesItsName) {
    ir::Sdfg sdfg = parsed(R"(sdfg r(x) {
  symbol n: int64
  array x: int64[4]
  loop l [i: `i = n`; `i < n`; `i = i + 1`] {
    state s {
    }
  }
  loop m [n: `n = 0`; `n < 4`; `n = n + 1`] {
    state s {
    }
  }
  l -> m if `n > 0` set k=`n + 1`
})");
    substitute(sdfg.body, {{"n", symbol("q")}});
    const std::string text = ir::to_text(sdfg);
    EXPECT_NE(text.find("[i: `i = q`; `i < q`; `i = i + 1`]"), std::string::npos) << text;
    EXPECT_NE(text.find("[n: `n = 0`; `n < 4`; `n = n + 1`]"), std::string::npos) << text;
    EXPECT_NE(text.find("if `q > 0` set k=`q + 1`"), std::string::npos) << text;
}

TEST(RenameData, NodesMemletsAndReadsInExpressions) {
    ir::Sdfg sdfg = parsed(R"(sdfg r(x) {
  array x: int64[4]
  array y: int64[4]
  state s {
    n0 = access x
    n1 = access y
    n0 -> n1 : x[0:4] -> [0:4]
  }
  state t {
  }
  s -> t if `x[1] > 0` set k=`x[2]`
})");
    rename_data(sdfg.body, "x", "z");
    const std::string text = ir::to_text(sdfg);
    EXPECT_NE(text.find("n0 = access z"), std::string::npos) << text;
    EXPECT_NE(text.find(": z[0:4] -> [0:4]"), std::string::npos) << text;
    EXPECT_NE(text.find("if `z[1] > 0` set k=`z[2]`"), std::string::npos) << text;
}

}  // namespace
}  // namespace sluice::rewrite
