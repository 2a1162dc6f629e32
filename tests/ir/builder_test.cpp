#include "ir/builder.h"

#include "ir/adjacency.h"
#include "ir/query.h"
#include "sample_graphs.h"

namespace sluice::ir {
namespace {

TEST(Builder, MappedTaskletIsValidAndReads) {
    const Sdfg g = axpy();
    EXPECT_EQ(rendered(g), "");
    EXPECT_EQ(to_text(g), R"(sdfg axpy(a, x, y) {
  symbol N: int64
  scalar a: float64
  array x: float64[N]
  array y: float64[N]
  state main {
    n0 = map_entry axpy [i=0:N] passing (a, x, y)
    n1 = map_exit n0 passing (y)
    n2 = tasklet axpy (ain, xin, yin) -> (yo) { yo = ain * xin + yin }
    n3 = access a
    n4 = access x
    n5 = access y
    n6 = access y
    n3 -> n0.IN_a : a
    n0.OUT_a -> n2.ain : a
    n4 -> n0.IN_x : x[0:N]
    n0.OUT_x -> n2.xin : x[i]
    n5 -> n0.IN_y : y[0:N]
    n0.OUT_y -> n2.yin : y[i]
    n2.yo -> n1.IN_y : y[i]
    n1.OUT_y -> n6 : y[0:N]
  }
}
)");
}

TEST(Builder, PathsThatReadOneContainerShareTheOuterEdge) {
    Sdfg g{.name = "stencil"};
    add_symbol(g, "N");
    add_array(g, "A", code::Scalar::Float64, {symbolic::symbol("N")});
    add_array(g, "B", code::Scalar::Float64, {symbolic::symbol("N")});
    StateBuilder state = add_state(g, "main");
    const auto mapped =
        state.mapped_tasklet("s", {{"i", "1:N - 1"}}, {{"l", "A[i - 1]"}, {"r", "A[i + 1]"}}, "o = l + r", {{"o", "B[i]"}});
    const Adjacency adjacency(state.state());
    ASSERT_EQ(adjacency.in(mapped.entry).size(), 1u);
    EXPECT_EQ(adjacency.out(mapped.entry).size(), 2u);
    const Memlet& outer = state.state().edges[adjacency.in(mapped.entry)[0]].memlet;
    EXPECT_EQ(symbolic::to_string(*outer.subset), "0:N");
    EXPECT_EQ(rendered(g), "");
}

TEST(Builder, TaskletWithoutInputsIsOrderedInItsMap) {
    Sdfg g{.name = "fill"};
    add_array(g, "A", code::Scalar::Float64, {10});
    add_state(g, "main").mapped_tasklet("fill", {{"i", "0:10"}}, {}, "o = 0", {{"o", "A[i]"}});
    EXPECT_EQ(rendered(g), "");
}

TEST(Builder, PathThroughTwoScopes) {
    Sdfg g{.name = "tiled"};
    add_array(g, "A", code::Scalar::Float64, {64});
    StateBuilder state = add_state(g, "main");
    const auto [outer, outer_exit] = state.map("outer", {{"t", "0:64:8"}});
    const auto [inner, inner_exit] = state.map("inner", {{"i", "t:t + 8"}});
    const NodeId body = state.tasklet("body", {{"a", {}}}, {{"b", {}}}, "b = a + 1");
    state.memlet_path({state.access("A"), outer, inner, body}, "", "a", memlet("A[i]"));
    state.memlet_path({body, inner_exit, outer_exit, state.access("A")}, "b", "", memlet("A[i]"));
    EXPECT_EQ(rendered(g), "");
    EXPECT_EQ(state.state().edges.size(), 6u);
}

TEST(Builder, ParametersOfScopesMayBeZero) {
    Sdfg g{.name = "first"};
    add_array(g, "A", code::Scalar::Float64, {2});
    StateBuilder state = add_state(g, "main");
    const auto [outer, outer_exit] = state.map("outer", {{"i", "0:2"}});
    const auto [inner, inner_exit] = state.map("inner", {{"j", "0:2"}});
    const NodeId body = state.tasklet("body", {{"a", {}}, {"b", {}}}, {}, "");
    const NodeId source = state.access("A");
    state.memlet_path({source, outer, inner, body}, "", "a", memlet("A[min(1, i)]"));
    state.memlet_path({source, outer, inner, body}, "", "b", memlet("A[1]"));
    const Adjacency adjacency(state.state());
    const Memlet& between = state.state().edges[*adjacency.in_at(inner, "IN_A")].memlet;
    const symbolic::Subset at_zero = symbolic::substitute(*between.subset, {{"i", 0}});
    EXPECT_EQ(symbolic::to_string(at_zero), "0:2");
}

TEST(Builder, DynamicRangeReadsTheWholeOutside) {
    Sdfg g{.name = "row"};
    add_array(g, "A", code::Scalar::Float64, {64});
    add_scalar(g, "n", code::Scalar::Int64);
    StateBuilder state = add_state(g, "main");
    const auto [entry, exit] = state.map("row", {{"i", "0:last"}});
    state.state().nodes[entry].in.emplace("last", DType());
    state.edge(state.access("n"), "", entry, "last", memlet("n"));
    const NodeId body = state.tasklet("row", {{"a", {}}}, {{"b", {}}}, "b = a");
    state.memlet_path({state.access("A"), entry, body}, "", "a", memlet("A[i]"));
    state.memlet_path({body, exit, state.access("A")}, "b", "", memlet("A[i]"));
    EXPECT_EQ(rendered(g), "");
    const Adjacency adjacency(state.state());
    const Memlet& outer = state.state().edges[*adjacency.in_at(entry, "IN_A")].memlet;
    EXPECT_FALSE(outer.subset);
    EXPECT_TRUE(outer.dynamic);
}

TEST(Builder, ConsumeScopeTakesTheStreamAtItsOwnConnector) {
    Sdfg g{.name = "drain"};
    add_stream(g, "S", code::Scalar::Int32);
    add_array(g, "A", code::Scalar::Int32, {1});
    StateBuilder state = add_state(g, "main");
    const auto [entry, exit] = state.consume("c", "p", 4);
    const NodeId body = state.tasklet("t", {{"s", {}}}, {{"o", {}}}, "o = s");
    state.memlet_path({state.access("S"), entry, body}, "", "s", memlet("S[0]"));
    state.memlet_path({body, exit, state.access("A")}, "o", "", memlet("A[0]", {.wcr = "lambda a, b: a + b"}));
    EXPECT_EQ(rendered(g), "");
}

TEST(Builder, FreshNameAvoidsEveryKindOfName) {
    Sdfg g{.name = "g"};
    EXPECT_EQ(fresh_name(g, "t"), "t");
    add_symbol(g, "t");
    EXPECT_EQ(fresh_name(g, "t"), "t_0");
    add_scalar(g, "t_0", code::Scalar::Int32);
    EXPECT_EQ(fresh_name(g, "t"), "t_1");
    EXPECT_THROW(add_symbol(g, "t_0"), InternalError);
}

TEST(Builder, LoopsCountBothWays) {
    const auto texts = [](const Block& block) {
        const auto& loop = std::get<LoopRegion>(block.kind);
        return loop.init->text + " | " + loop.condition->text + " | " + loop.update->text;
    };
    EXPECT_EQ(texts(for_loop("l", "i", "0", "N")), "i = 0 | i < N | i = i + 1");
    EXPECT_EQ(texts(for_loop("l", "i", "0", "N + 1", "s")), "i = 0 | i < (N + 1) | i = i + s");
    EXPECT_EQ(texts(for_loop("l", "i", "N - 1", "0", "-2")), "i = N - 1 | i > 0 | i = i - 2");
}

TEST(Builder, MemletTexts) {
    const Memlet part = memlet(" A[0:N, i] ", {.wcr = "lambda a, b: a + b", .dynamic = true});
    EXPECT_EQ(part.data, "A");
    EXPECT_EQ(part.volume, symbolic::symbol("N"));
    EXPECT_TRUE(part.dynamic);
    EXPECT_EQ(memlet("csr.indptr[i]").data, "csr.indptr");
    EXPECT_FALSE(memlet("A").subset);
    EXPECT_TRUE(no_memlet().empty());
    EXPECT_THROW(memlet("A[0:"), InternalError);
    EXPECT_THROW(memlet("[0]"), InternalError);
}

TEST(Adjacency, GroupsEdgesInIdOrder) {
    State state;
    const auto node = [&] { return state.nodes.add(Node{}); };
    const NodeId a = node(), b = node(), c = node();
    const EdgeId ab = state.edges.add({a, "", b, "x", {}}), cb = state.edges.add({c, "o", b, "y", {}});
    const Adjacency adjacency(state);
    EXPECT_EQ(std::vector(adjacency.in(b).begin(), adjacency.in(b).end()), (std::vector{ab, cb}));
    EXPECT_TRUE(adjacency.in(a).empty());
    EXPECT_EQ(adjacency.in_at(b, "y"), cb);
    EXPECT_EQ(adjacency.out_at(c, "o"), cb);
    EXPECT_FALSE(adjacency.out_at(c, "p"));
    EXPECT_EQ(topological_order(state, adjacency), (std::vector{a, c, b}));
}

TEST(Adjacency, CycleIsG001) {
    State state;
    const NodeId a = state.nodes.add(Node{}), b = state.nodes.add(Node{});
    state.edges.add({a, "", b, "", {}});
    state.edges.add({b, "", a, "", {}});
    const Adjacency adjacency(state);
    try {
        topological_order(state, adjacency);
        FAIL();
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.diagnostic.code, "G001");
        EXPECT_NE(failure.diagnostic.message.find("node n0"), std::string::npos);
    }
}

TEST(Query, ArgumentsAreListedNamesThenTheRestSorted) {
    Sdfg g = axpy();
    g.arg_names = {"x"};
    add_symbol(g, "k");
    add_symbol(g, "B");
    add_transient(g, "tmp", code::Scalar::Float64, {4});
    add_block(g.body, for_loop("loop", "k", "0", "10"));
    EXPECT_EQ(arguments(g), (std::vector<std::string>{"x", "B", "N", "a", "y"}));
    EXPECT_EQ(assigned_symbols(g), std::vector<std::string>{"k"});
}

TEST(Query, DottedNamesReachMembers) {
    const Sdfg g = graph(R"(sdfg s() {
  struct A name=csr {
    array indptr: int64[5]
    struct inner name=deep {
      scalar x: float32
    }
  }
})");
    ASSERT_NE(find_container(g, "A.indptr"), nullptr);
    EXPECT_EQ(find_container(g, "A.inner.x")->dtype, DType(code::Scalar::Float32));
    EXPECT_EQ(find_container(g, "A.nothing"), nullptr);
    EXPECT_EQ(find_container(g, "A.indptr.x"), nullptr);
    EXPECT_EQ(find_container(g, "B"), nullptr);
    EXPECT_EQ(root_name("A.inner.x"), "A");
}

}  // namespace
}  // namespace sluice::ir
