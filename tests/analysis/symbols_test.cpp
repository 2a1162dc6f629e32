// Free symbols and the order of arguments.
#include "analysis/symbols.h"

#include <gtest/gtest.h>

#include "analysis/scopes.h"
#include "ir/builder.h"
#include "ir/text.h"

namespace sluice::analysis {
namespace {

using Names = std::set<std::string>;
using symbolic::symbol;

ir::Sdfg axpy() {
    ir::Sdfg g;
    g.name = "axpy";
    ir::add_symbol(g, "N");
    ir::add_array(g, "y", code::Scalar::Float64, {symbol("N")});
    ir::add_array(g, "x", code::Scalar::Float64, {symbol("N")});
    ir::add_state(g, "main").mapped_tasklet("axpy", {{"i", "0:N"}}, {{"a", "x[i]"}}, "b = a * alpha + i", {{"b", "y[i]"}});
    return g;
}

TEST(FreeSymbols, ParametersConnectorsAndContainersAreBound) {
    EXPECT_EQ(free_symbols(axpy()), (Names{"N", "alpha"}));
}

TEST(FreeSymbols, ConstantsAreBound) {
    ir::Sdfg g = axpy();
    g.constants.set("alpha", {});
    EXPECT_EQ(free_symbols(g), Names{"N"});
}

TEST(FreeSymbols, OfOneState) {
    const ir::Sdfg g = axpy();
    const ir::State* state = ir::as_state(g.body.blocks[g.body.start]);
    EXPECT_EQ(free_symbols(g, *state), (Names{"N", "alpha"}));
}

TEST(FreeSymbols, ALaterRangeUsesAnEarlierParameter) {
    ir::Sdfg g;
    g.name = "triangle";
    ir::add_array(g, "A", code::Scalar::Float64, {symbol("N"), symbol("N")});
    ir::add_state(g, "main").mapped_tasklet("fill", {{"i", "0:N"}, {"j", "0:i"}}, {}, "o = 0.0", {{"o", "A[i, j]"}});
    EXPECT_EQ(free_symbols(g), Names{"N"});
}

TEST(FreeSymbols, AssignmentsCountOnlyWhereEveryPathHasOne) {
    ir::Sdfg g;
    g.name = "flow";
    ir::add_array(g, "A", code::Scalar::Float64, {10});
    const auto state_that_writes = [&](const std::string& label, const std::string& index) {
        ir::BlockId id;
        ir::StateBuilder state = ir::add_state(g.body, label, &id);
        const ir::NodeId tasklet = state.tasklet(label, {}, {{"o", {}}}, "o = 1.0");
        state.edge(tasklet, "o", state.access("A"), "", ir::memlet("A[" + index + "]"));
        return id;
    };
    const ir::BlockId first = state_that_writes("first", "0");
    const ir::BlockId left = state_that_writes("left", "1");
    const ir::BlockId right = state_that_writes("right", "2");
    const ir::BlockId last = state_that_writes("last", "k + m");
    ir::add_transition(g.body, first, left, "c > 0", {{"k", "1"}, {"m", "1"}});
    ir::add_transition(g.body, first, right, "not (c > 0)", {{"m", "2"}});
    ir::add_transition(g.body, left, last);
    ir::add_transition(g.body, right, last);
    EXPECT_EQ(free_symbols(g), (Names{"c", "k"}));
}

TEST(FreeSymbols, WhatNeverRunsAsksForNothingThatIsAssigned) {
    const auto g = ir::parse_text(R"(sdfg dead(A) {
  symbol N: int64
  symbol k: int64
  array A: float64[10]
  conditional choice {
    when `A[0] > 0` {
      return out
    }
    else {
      return out
    }
  }
  state set_it {
  }
  state behind {
    n0 = tasklet one () -> (o) { o = 1 }
    n1 = access A
    n0.o -> n1 : A[k + N]
  }
  choice -> set_it
  set_it -> behind set k=0
})");
    ASSERT_TRUE(g) << render(g.error());
    EXPECT_EQ(free_symbols(*g), Names{"N"});
}

TEST(FreeSymbols, ALoopBindsItsVariable) {
    ir::Sdfg g;
    g.name = "loop";
    ir::add_array(g, "A", code::Scalar::Float64, {symbol("N")});
    ir::Block loop = ir::for_loop("loop", "t", "1", "T");
    auto& body = std::get<ir::LoopRegion>(loop.kind).body;
    ir::StateBuilder state = ir::add_state(body, "body");
    const ir::NodeId tasklet = state.tasklet("set", {}, {{"o", {}}}, "o = t");
    state.edge(tasklet, "o", state.access("A"), "", ir::memlet("A[t]"));
    ir::add_block(g.body, std::move(loop));
    EXPECT_EQ(free_symbols(g), (Names{"N", "T"}));
}

TEST(FreeSymbols, NestedGraphsAskThroughTheirMapping) {
    ir::Sdfg inner;
    inner.name = "inner";
    ir::add_array(inner, "a", code::Scalar::Float64, {symbol("n")});
    ir::add_state(inner, "main").mapped_tasklet("fill", {{"i", "0:n"}}, {}, "o = 0.0", {{"o", "a[i]"}});
    ir::Sdfg g;
    g.name = "outer";
    ir::add_array(g, "A", code::Scalar::Float64, {symbol("N"), symbol("M")});
    ir::StateBuilder state = ir::add_state(g, "main");
    const ir::NodeId nested = state.nested("inner", inner, {}, {"a"}, {{"n", symbol("M")}});
    state.edge(nested, "a", state.access("A"), "", ir::memlet("A[k, 0:M]"));
    EXPECT_EQ(free_symbols(g), (Names{"N", "M", "k"}));
}

TEST(ArgumentOrder, ListedNamesThenContainersThenSymbols) {
    ir::Sdfg g = axpy();
    EXPECT_EQ(argument_order(g), (std::vector<std::string>{"x", "y", "N", "alpha"}));
    g.arg_names = {"alpha", "y"};
    EXPECT_EQ(argument_order(g), (std::vector<std::string>{"alpha", "y", "x", "N"}));
}

TEST(AssumptionsIn, ParametersLieInTheirRanges) {
    const ir::Sdfg g = axpy();
    const ir::State& state = *ir::as_state(g.body.blocks[g.body.start]);
    const ir::Adjacency adjacency(state);
    const ScopeTree scopes(state, adjacency);
    ir::NodeId entry;
    for (auto [id, node] : state.nodes)
        if (std::holds_alternative<ir::MapEntry>(node.kind)) entry = id;
    const symbolic::Assumptions inside = assumptions_in(state, scopes, entry);
    EXPECT_TRUE(symbolic::is_yes(symbolic::decide(symbolic::less(symbol("i"), symbol("N")), inside)));
    EXPECT_TRUE(symbolic::is_yes(symbolic::decide(symbolic::less_equal(0, symbol("i")), inside)));
    EXPECT_FALSE(symbolic::is_yes(symbolic::decide(symbolic::less(0, symbol("i")), inside)));
}

}  // namespace
}  // namespace sluice::analysis
