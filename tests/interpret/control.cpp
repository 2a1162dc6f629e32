// Rules invoke and state transition, and the structured regions.
#include "run.h"

namespace sluice::interpret {
namespace {

// y[at] = value
void put(ir::StateBuilder s, const std::string& at, const std::string& value) {
    const auto t = s.tasklet("put", {}, {{"c", {}}}, "c = " + value);
    s.edge(t, "c", s.access("y"), "", ir::memlet("y[" + at + "]"));
}

TEST(Transition, TakesTheFirstThatHoldsAndAssignsAllAtOnce) {
    ir::Sdfg g = with_arrays("machine", {{"y", {4}}});
    ir::BlockId a, b, c;
    ir::add_state(g.body, "a", &a);
    put(ir::add_state(g.body, "b", &b), "0", "10 * i + j");
    put(ir::add_state(g.body, "c", &c), "1", "1");
    ir::add_transition(g.body, a, b, "N > 1", {{"i", "1"}, {"j", "2"}});
    ir::add_transition(g.body, a, c, "N > 0", {{"i", "0"}, {"j", "0"}});
    ir::add_transition(g.body, b, b, "i < 2", {{"i", "j"}, {"j", "i"}});
    Call call{.doubles = {{"y", Doubles(4)}}, .symbols = {{"N", 2}}};
    call.clean(g);
    EXPECT_EQ(call.doubles["y"], (Doubles{21, 0, 0, 0}));
}

// The stack must not grow with the rounds of a loop, in builds without optimisation either.
TEST(Loop, RunsForAMillionRoundsOnAnUsualStack) {
    ir::Sdfg g = with_arrays("long", {{"y", {1}}});
    ir::Block loop = ir::for_loop("loop", "i", "0", "1000000");
    ir::add_block(std::get<ir::LoopRegion>(loop.kind).body, {.label = "body", .kind = Cow<ir::State>(), .metadata = {}});
    ir::add_block(g.body, loop);
    Call call{.doubles = {{"y", Doubles(1)}}, .symbols = {{"N", 2}}};
    call.clean(g);
}

TEST(Transition, ReadsData) {
    ir::Sdfg g = with_arrays("while_data", {{"y", {2}}});
    ir::BlockId top, body;
    ir::add_state(g.body, "top", &top);
    ir::StateBuilder s = ir::add_state(g.body, "body", &body);
    const auto t = s.tasklet("t", {{"a", {}}}, {{"c", {}}}, "c = a + 1");
    s.edge(s.access("y"), "", t, "a", ir::memlet("y[0]"));
    s.edge(t, "c", s.access("y"), "", ir::memlet("y[0]"));
    ir::add_transition(g.body, top, body, "y[0] < 5");
    ir::add_transition(g.body, body, top);
    Call call{.doubles = {{"y", {0, 0}}}, .symbols = {{"N", 2}}};
    call.clean(g);
    EXPECT_EQ(call.doubles["y"][0], 5);
}

TEST(Loop, BreaksAndContinuesInsideNestedLoops) {
    ir::Sdfg g = with_arrays("nest", {{"y", {3, 3}}});
    ir::Block outer = ir::for_loop("outer", "i", "0", "3");
    ir::Block inner = ir::for_loop("inner", "j", "0", "3");
    auto& body = std::get<ir::LoopRegion>(inner.kind).body;
    ir::ConditionalBlock choice;
    for (const auto& [condition, kind] : {std::pair<std::string, bool>{"j == 1 and i == 0", true}, {"j == 1", false}}) {
        ir::Branch branch{ir::CodeBlock{condition}, {}};
        if (kind)
            ir::add_block(branch.body, {.label = "leave", .kind = ir::BreakBlock{}, .metadata = {}});
        else
            ir::add_block(branch.body, {.label = "skip", .kind = ir::ContinueBlock{}, .metadata = {}});
        choice.branches.push_back(branch);
    }
    const ir::BlockId test = ir::add_block(body, {.label = "test", .kind = choice, .metadata = {}});
    ir::BlockId mark;
    put(ir::add_state(body, "mark", &mark), "i, j", "1");
    ir::add_transition(body, test, mark);
    ir::add_block(std::get<ir::LoopRegion>(outer.kind).body, inner);
    ir::add_block(g.body, outer);
    Call call{.doubles = {{"y", Doubles(9)}}, .symbols = {{"N", 1}}};
    call.clean(g);
    EXPECT_EQ(call.doubles["y"], (Doubles{1, 0, 0, 1, 0, 1, 1, 0, 1}));
}

TEST(Loop, CountsDownAndTestsAtTheEnd) {
    ir::Sdfg g = with_arrays("down", {{"y", {4}}});
    ir::Block loop = ir::for_loop("down", "i", "3", "0", "-1");
    put(ir::add_state(std::get<ir::LoopRegion>(loop.kind).body, "mark"), "i", "i");
    const auto first = ir::add_block(g.body, loop);
    ir::Block once = ir::for_loop("once", "k", "0", "0");
    std::get<ir::LoopRegion>(once.kind).inverted = true;
    put(ir::add_state(std::get<ir::LoopRegion>(once.kind).body, "mark"), "0", "7");
    ir::add_transition(g.body, first, ir::add_block(g.body, once));
    Call call{.doubles = {{"y", Doubles(4)}}, .symbols = {{"N", 1}}};
    call.clean(g);
    EXPECT_EQ(call.doubles["y"], (Doubles{7, 1, 2, 3}));
}

TEST(Return, EndsTheNestedSdfgOnly) {
    ir::Sdfg inner{.name = "inner"};
    ir::add_array(inner, "y", Scalar::Float64, {2});
    ir::add_symbol(inner, "k");
    ir::BlockId first, last;
    put(ir::add_state(inner.body, "first", &first), "0", "k");
    const auto leave = ir::add_block(inner.body, {.label = "leave", .kind = ir::ReturnBlock{}, .metadata = {}});
    put(ir::add_state(inner.body, "last", &last), "1", "k");
    ir::add_transition(inner.body, first, leave);
    ir::add_transition(inner.body, leave, last);
    ir::Sdfg g = with_arrays("outer", {{"y", {symbol("N"), 2}}});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("m", {{"i", "0:N"}});
    const auto call_node = s.nested("call", inner, {}, {"y"}, {{"k", symbol("i") + 5}});
    s.edge(entry, "", call_node, "", ir::no_memlet());
    s.memlet_path({call_node, exit, s.access("y")}, "y", "", ir::memlet("y[i, 0:2]"));
    for (const std::uint64_t seed : {0, 4}) {
        Call call{.doubles = {{"y", Doubles(4)}}, .symbols = {{"N", 2}}};
        call.options.seed = seed;
        call.clean(g);
        EXPECT_EQ(call.doubles["y"], (Doubles{5, 0, 6, 0}));
    }
}

// y[0] changes, then y[1] gets what y[0] was when the call began.
TEST(Call, TakesAScalarThatItOnlyReadsByValue) {
    ir::Sdfg inner{.name = "inner"};
    ir::add_array(inner, "y", Scalar::Float64, {2});
    ir::add_scalar(inner, "a", Scalar::Float64);
    ir::BlockId first, last;
    put(ir::add_state(inner.body, "first", &first), "0", "5");
    ir::StateBuilder after = ir::add_state(inner.body, "last", &last);
    const auto copy = after.tasklet("copy", {{"x", {}}}, {{"o", {}}}, "o = x");
    after.edge(after.access("a"), "", copy, "x", ir::memlet("a"));
    after.edge(copy, "o", after.access("y"), "", ir::memlet("y[1]"));
    ir::add_transition(inner.body, first, last);
    ir::Sdfg g = with_arrays("outer", {{"y", {2}}});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto call_node = s.nested("call", inner, {"a"}, {"y"}, {});
    s.edge(s.access("y"), "", call_node, "a", ir::memlet("y[0]"));
    s.edge(call_node, "y", s.access("y"), "", ir::memlet("y[0:2]"));
    Call call{.doubles = {{"y", Doubles{3, 0}}}, .symbols = {{"N", 1}}};
    call.clean(g);
    EXPECT_EQ(call.doubles["y"], (Doubles{5, 3}));
}

TEST(Steps, AreLimited) {
    ir::Sdfg g = with_arrays("forever", {{"y", {1}}});
    ir::Block loop = ir::while_loop("forever", "True");
    put(ir::add_state(std::get<ir::LoopRegion>(loop.kind).body, "mark"), "0", "1");
    ir::add_block(g.body, loop);
    Call call{.doubles = {{"y", Doubles(1)}}, .symbols = {{"N", 1}}};
    call.options.step_limit = 1000;
    const Result<Report> report = call(g);
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, "I008");
}

// A machine without any node: the place is that of its states, not of what ran before.
TEST(Steps, NameTheBlockInWhichTheyEnd) {
    ir::Sdfg g = with_arrays("round", {{"y", {1}}});
    ir::BlockId first, there, back;
    put(ir::add_state(g.body, "first", &first), "0", "1");
    ir::add_state(g.body, "there", &there);
    ir::add_state(g.body, "back", &back);
    ir::add_transition(g.body, first, there);
    ir::add_transition(g.body, there, back);
    ir::add_transition(g.body, back, there);
    Call call{.doubles = {{"y", Doubles(1)}}, .symbols = {{"N", 1}}};
    call.options.step_limit = 1000;
    const Result<Report> report = call(g);
    ASSERT_FALSE(report.ok());
    EXPECT_TRUE(report.error().path == "round/there" || report.error().path == "round/back") << report.error().path;
}

}  // namespace
}  // namespace sluice::interpret
