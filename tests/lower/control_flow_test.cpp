// Regions and raw state machines end to end.
#include <cstdint>
#include <numeric>

#include "analysis/propagate.h"
#include "run_program.h"

namespace sluice {
namespace {

using code::Scalar;
using symbolic::symbol;
using test::lowered;
using test::run_program;

// A state that adds `value` to element 0 of `x`.
void add_to(ir::StateBuilder state, const std::string& code) {
    const auto in = state.access("x"), out = state.access("x");
    const auto tasklet = state.tasklet("add", {{"a", {}}}, {{"b", {}}}, code);
    state.edge(in, "", tasklet, "a", ir::memlet("x[0]"));
    state.edge(tasklet, "b", out, "", ir::memlet("x[0]"));
}

ir::Sdfg with_counter(const std::string& name) {
    ir::Sdfg g{.name = name};
    ir::add_symbol(g, "N");
    ir::add_array(g, "x", Scalar::Int64, {1});
    return g;
}

std::int64_t run(const ir::Sdfg& g, std::int64_t n) {
    std::int64_t x = 0;
    run_program(g, {&x, &n});
    return x;
}

TEST(ControlFlow, CountedLoopIsAFor) {
    ir::Sdfg g = with_counter("counted");
    ir::Block loop = ir::for_loop("steps", "i", "0", "N");
    add_to(ir::add_state(std::get<ir::LoopRegion>(loop.kind).body, "step"), "b = a + i");
    ir::add_block(g.body, std::move(loop));
    EXPECT_NE(lowered(g).find("for i in 0:N"), std::string::npos) << lowered(g);
    EXPECT_EQ(run(g, 10), 45);
}

TEST(ControlFlow, LoopVariableUsedLaterIsAWhile) {
    ir::Sdfg g = with_counter("late");
    ir::Block loop = ir::for_loop("steps", "i", "0", "N", "3");
    ir::add_state(std::get<ir::LoopRegion>(loop.kind).body, "step");
    const auto first = ir::add_block(g.body, std::move(loop));
    add_to(ir::add_state_after(g.body, first, "after"), "b = a + i");
    EXPECT_EQ(run(g, 10), 12);
}

TEST(ControlFlow, BreakContinueAndBranches) {
    ir::Sdfg g = with_counter("jumps");
    ir::Block loop = ir::for_loop("steps", "i", "0", "N");
    ir::Region& body = std::get<ir::LoopRegion>(loop.kind).body;
    ir::ConditionalBlock skip;
    skip.branches.push_back({ir::CodeBlock{"i % 2 == 1"}, {}});
    ir::add_block(skip.branches[0].body, {"again", ir::ContinueBlock{}, {}});
    skip.branches.push_back({ir::CodeBlock{"i >= 6"}, {}});
    ir::add_block(skip.branches[1].body, {"stop", ir::BreakBlock{}, {}});
    const auto choice = ir::add_block(body, {"choice", std::move(skip), {}});
    add_to(ir::add_state_after(body, choice, "step"), "b = a + i");
    ir::add_block(g.body, std::move(loop));
    EXPECT_EQ(run(g, 100), 0 + 2 + 4);
    EXPECT_EQ(run(g, 3), 2);
}

TEST(ControlFlow, DoWhileRunsOnce) {
    ir::Sdfg g = with_counter("repeat");
    ir::Block loop = ir::for_loop("steps", "i", "0", "N");
    std::get<ir::LoopRegion>(loop.kind).inverted = true;
    add_to(ir::add_state(std::get<ir::LoopRegion>(loop.kind).body, "step"), "b = a + 1");
    ir::add_block(g.body, std::move(loop));
    EXPECT_EQ(run(g, 0), 1);
    EXPECT_EQ(run(g, 5), 5);
}

// start -> guard; guard -> body -> guard while i < N; guard -> done.
TEST(ControlFlow, RawLoopBecomesAWhile) {
    ir::Sdfg g = with_counter("raw");
    ir::BlockId start, guard, body, done;
    ir::add_state(g.body, "start", &start);
    ir::add_state(g.body, "guard", &guard);
    add_to(ir::add_state(g.body, "body", &body), "b = a + i");
    add_to(ir::add_state(g.body, "done", &done), "b = a + 1000");
    ir::add_transition(g.body, start, guard, "", {{"i", "0"}});
    ir::add_transition(g.body, guard, body, "i < N");
    ir::add_transition(g.body, guard, done, "i >= N");
    ir::add_transition(g.body, body, guard, "", {{"i", "i + 1"}});
    const std::string text = lowered(g);
    EXPECT_NE(text.find("while "), std::string::npos) << text;
    EXPECT_EQ(text.find("goto"), std::string::npos) << text;
    EXPECT_EQ(run(g, 5), 1010);
}

TEST(ControlFlow, RawDiamondBecomesAnIf) {
    ir::Sdfg g = with_counter("diamond");
    ir::BlockId start, left, right, end;
    ir::add_state(g.body, "start", &start);
    add_to(ir::add_state(g.body, "left", &left), "b = a + 1");
    add_to(ir::add_state(g.body, "right", &right), "b = a + 2");
    add_to(ir::add_state(g.body, "end", &end), "b = a * 10");
    ir::add_transition(g.body, start, left, "N > 3");
    ir::add_transition(g.body, start, right, "not (N > 3)");
    ir::add_transition(g.body, left, end);
    ir::add_transition(g.body, right, end);
    EXPECT_EQ(lowered(g).find("goto"), std::string::npos) << lowered(g);
    EXPECT_EQ(run(g, 5), 10);
    EXPECT_EQ(run(g, 1), 20);
}

// Two blocks jump into each other and both are entered from outside: no loop has one header.
TEST(ControlFlow, IrreducibleMachineJumps) {
    ir::Sdfg g = with_counter("irreducible");
    ir::BlockId start, a, b, end;
    ir::add_state(g.body, "start", &start);
    add_to(ir::add_state(g.body, "a", &a), "b = a + 1");
    add_to(ir::add_state(g.body, "b", &b), "b = a + 100");
    ir::add_state(g.body, "end", &end);
    ir::add_transition(g.body, start, a, "N > 0", {{"i", "0"}});
    ir::add_transition(g.body, start, b, "N <= 0", {{"i", "0"}});
    ir::add_transition(g.body, a, b, "", {{"i", "i + 1"}});
    ir::add_transition(g.body, b, a, "i < 3", {{"i", "i + 1"}});
    ir::add_transition(g.body, b, end, "i >= 3");
    EXPECT_NE(lowered(g).find("goto"), std::string::npos) << lowered(g);
    EXPECT_EQ(run(g, 1), 202);  // a b(i=1) a b(i=3)
    EXPECT_EQ(run(g, 0), 302);  // b(0) a b(2) a b(4)
}

TEST(ControlFlow, AssignmentsTakeEffectTogether) {
    ir::Sdfg g = with_counter("swap");
    ir::BlockId start, next, end;
    ir::add_state(g.body, "start", &start);
    ir::add_state(g.body, "next", &next);
    add_to(ir::add_state(g.body, "end", &end), "b = a + p * 10 + q");
    ir::add_transition(g.body, start, next, "", {{"p", "1"}, {"q", "2"}});
    ir::add_transition(g.body, next, end, "", {{"p", "q"}, {"q", "p"}});
    std::int64_t x = 0;
    run_program(g, {&x});
    EXPECT_EQ(x, 21);
}

TEST(ControlFlow, ASymbolThatIsDeclaredRealTakesRealNumbers) {
    ir::Sdfg g{.name = "real"};
    ir::add_symbol(g, "q", code::DType(Scalar::Float64));
    ir::add_array(g, "y", Scalar::Float64, {2});
    ir::BlockId first, second;
    ir::add_state(g.body, "first", &first);
    ir::StateBuilder state = ir::add_state(g.body, "second", &second);
    ir::add_transition(g.body, first, second, "", {{"q", "y[0]"}});
    const auto tasklet = state.tasklet("twice", {}, {{"b", {}}}, "b = 2 * q");
    state.edge(tasklet, "b", state.access("y"), "", ir::memlet("y[1]"));
    double y[2] = {1.25, 0};
    run_program(g, {y});
    EXPECT_EQ(y[1], 2.5);
}

TEST(ControlFlow, ConditionsReadData) {
    ir::Sdfg g = with_counter("data");
    ir::Block loop = ir::while_loop("steps", "x[0] < N");
    add_to(ir::add_state(std::get<ir::LoopRegion>(loop.kind).body, "step"), "b = a * 2 + 1");
    ir::add_block(g.body, std::move(loop));
    EXPECT_EQ(run(g, 20), 31);
}

}  // namespace
}  // namespace sluice
