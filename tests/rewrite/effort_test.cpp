// How the work of the engine grows, counted: twice the program is twice the work and a little more, whatever the machine.
#include <gtest/gtest.h>

#include "analysis/dependences/access_model.h"
#include "graphs.h"
#include "transform/registry.h"

namespace sluice::rewrite {
namespace {

/// States in a row, each `a[k] += k`.
ir::Sdfg updates(int count) {
    ir::Sdfg sdfg{.name = "updates"};
    ir::add_array(sdfg, "a", code::Scalar::Float64, {symbolic::Expr(count)});
    ir::BlockId before;
    for (int k = 0; k < count; ++k) {
        const std::string label = "update_" + std::to_string(k), element = "a[" + std::to_string(k) + "]";
        ir::BlockId id;
        ir::StateBuilder state = k == 0 ? ir::add_state(sdfg.body, label, &id) : ir::add_state_after(sdfg.body, before, label, &id);
        before = id;
        const ir::NodeId update =
            state.tasklet("update", {{"x", code::DType()}}, {{"y", code::DType()}}, "y = x + " + std::to_string(k));
        state.edge(state.access("a"), "", update, "x", ir::memlet(element));
        state.edge(update, "y", state.access("a"), "", ir::memlet(element));
    }
    return sdfg;
}

/// Maps side by side in one state.
ir::Sdfg maps(int count) {
    ir::Sdfg sdfg{.name = "maps"};
    ir::add_symbol(sdfg, "N");
    for (const char* name : {"x", "y"}) ir::add_array(sdfg, name, code::Scalar::Float64, {count, symbolic::symbol("N")});
    ir::StateBuilder state = ir::add_state(sdfg, "main");
    for (int k = 0; k < count; ++k) {
        const std::string row = std::to_string(k);
        state.mapped_tasklet("double", {{"i", "0:N"}}, {{"a", "x[" + row + ", i]"}}, "b = 2 * a", {{"b", "y[" + row + ", i]"}});
    }
    return sdfg;
}

Effort effort_of(ir::Sdfg program, const std::vector<std::string>& names, std::size_t expected) {
    Session session(std::move(program), transform::builtin());
    const auto count = session.apply_repeated(names);
    EXPECT_TRUE(count) << render(count.error());
    EXPECT_EQ(*count, expected);
    return session.effort();
}

/// At most `factor` times as much.
void expect_growth(const Effort& small, const Effort& large, double factor) {
    const auto grows = [&](const char* what, std::size_t a, std::size_t b) {
        EXPECT_LE(static_cast<double>(b), factor * static_cast<double>(a) + 64) << what << ": " << a << " -> " << b;
    };
    grows("searched", small.searched, large.searched);
    grows("planned", small.planned, large.planned);
    grows("touched", small.touched, large.touched);
    grows("propagated", small.propagated, large.propagated);
    grows("verified", small.verified, large.verified);
    grows("indexed", small.indexed, large.indexed);
}

TEST(Effort, StatesInARowFoldInPairs) {
    const std::vector<std::string> names{"StateFusion"};
    const Effort small = effort_of(updates(64), names, 63), large = effort_of(updates(256), names, 255);
    // n log n: 4 times the states are 4 * 8 / 6 times the work. Quadratic would be 16 times.
    expect_growth(small, large, 4.0 * 8 / 6 + 0.5);
    EXPECT_LE(large.planned, 4u * 256) << "each pair of neighbours is asked about a few times";
}

TEST(Effort, NobodyLooksAgainAtWhatWasNotTouched) {
    const std::vector<std::string> names{"MapToForLoop"};
    const Effort small = effort_of(maps(32), names, 32), large = effort_of(maps(128), names, 128);
    const auto grows = [](std::size_t a, std::size_t b) { return static_cast<double>(b) / static_cast<double>(a); };
    EXPECT_LE(grows(small.planned, large.planned), 5);
    EXPECT_LE(grows(small.searched, large.searched), 5);
    EXPECT_LE(grows(small.touched, large.touched), 5);
    EXPECT_LE(grows(small.propagated, large.propagated), 5);
    EXPECT_LE(grows(small.verified, large.verified), 5);
}

TEST(Effort, AnEditLeavesTheRestOfTheStateAlone) {
    const ir::Sdfg program = maps(200);
    Session session(program, transform::builtin());
    const Match first = find_matches(program, transform::builtin().at("MapTiling").descriptor).front();
    const auto outcome = session.apply("MapTiling", first);
    ASSERT_TRUE(outcome && std::holds_alternative<Applied>(*outcome));
    EXPECT_EQ(session.effort().planned, 1u);
    EXPECT_LE(session.effort().touched, 20u);
    EXPECT_LE(session.effort().propagated, 20u);
    EXPECT_LE(session.effort().verified, 30u);
    // What is joined to what was found before, and is known after the edit without another look at the state.
    const std::size_t before = session.effort().indexed;
    const Match second = find_matches(program, transform::builtin().at("SetSchedule").descriptor).back();
    ASSERT_TRUE(session.apply("SetSchedule", second));
    EXPECT_LE(session.effort().indexed, before + 20);
}

TEST(Effort, OneConflictRefusesTheFusionOfStates) {
    // Every row of `y` that the first state writes is read by the second, and no access node is the last that writes `y`.
    ir::Sdfg sdfg = maps(64);
    const ir::BlockId first = sdfg.body.start;
    ir::StateBuilder state = ir::add_state_after(sdfg.body, first, "back");
    for (int k = 0; k < 64; ++k) {
        const std::string row = std::to_string(k);
        state.mapped_tasklet("half", {{"i", "0:N"}}, {{"a", "y[" + row + ", i]"}}, "b = a / 2", {{"b", "x[" + row + ", i]"}});
    }
    const Match match = find_matches(sdfg, transform::builtin().at("StateFusion").descriptor).front();
    const std::size_t built = analysis::access_models_built();
    const auto refusal = can_apply(sdfg, transform::builtin().at("StateFusion"), match);
    ASSERT_TRUE(refusal && *refusal);
    EXPECT_EQ((*refusal)->code, "F2");
    EXPECT_EQ(analysis::access_models_built() - built, 1u) << "the first pair decides";
}

TEST(Effort, TilingTheTilesEndsSoon) {
    Session session(two_maps(), transform::builtin());
    const std::vector<std::string> names{"MapTiling"};
    const auto count = session.apply_repeated(names);
    ASSERT_FALSE(count);
    EXPECT_EQ(count.error().code, "E008");
    EXPECT_LE(session.trace().size(), 40u);
}

TEST(Effort, ANestOfLoopsIsUnrolledAsDeepAsItIs) {
    ir::Sdfg sdfg{.name = "nest"};
    ir::add_array(sdfg, "a", code::Scalar::Float64, {4});
    ir::Region* region = &sdfg.body;
    for (const char* variable : {"i", "j", "k", "l", "m", "n", "o", "p"}) {
        ir::add_block(*region, ir::for_loop(std::string("for_") + variable, variable, "0", "2"));
        region = &std::get<ir::LoopRegion>(region->blocks[region->start].kind).body;
    }
    ir::StateBuilder state = ir::add_state(*region, "body");
    const ir::NodeId update = state.tasklet("one", {}, {{"y", code::DType()}}, "y = 1");
    state.edge(update, "y", state.access("a"), "", ir::memlet("a[0]"));
    Session session(sdfg, transform::builtin());
    const std::vector<std::string> names{"LoopUnroll"};
    const auto count = session.apply_repeated(names);
    ASSERT_TRUE(count) << render(count.error());
    EXPECT_GE(*count, 8u);
    EXPECT_TRUE(find_matches(session.program(), transform::builtin().at("LoopUnroll").descriptor).empty()) << "no loop is left";
}

}  // namespace
}  // namespace sluice::rewrite
