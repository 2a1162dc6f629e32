// What states and graphs read and write.
#include "analysis/access_sets.h"

#include <gtest/gtest.h>

#include "ir/builder.h"

namespace sluice::analysis {
namespace {

using ir::memlet;
using symbolic::symbol;

std::string text(const AccessSet& set) {
    return symbolic::to_string(set.subset) + (set.exact ? "" : " ~") + (set.must ? "" : " ?");
}

/// A state that writes one element of A.
void write_element(ir::StateBuilder state, const std::string& index) {
    const ir::NodeId tasklet = state.tasklet("set", {}, {{"o", {}}}, "o = 1.0");
    state.edge(tasklet, "o", state.access("A"), "", memlet("A[" + index + "]"));
}

ir::Sdfg with_array() {
    ir::Sdfg g;
    g.name = "g";
    ir::add_array(g, "A", code::Scalar::Float64, {symbol("N")});
    return g;
}

TEST(AccessSets, OfAStencil) {
    ir::Sdfg g = with_array();
    ir::add_array(g, "B", code::Scalar::Float64, {symbol("N")});
    ir::add_state(g, "main").mapped_tasklet("t", {{"i", "1:N-1"}}, {{"l", "A[i-1]"}, {"r", "A[i+1]"}}, "o = l + r",
                                            {{"o", "B[i]"}});
    const Accesses found = accesses_of(g);
    EXPECT_EQ(text(found.reads.at("A")), "0:N ~");
    EXPECT_EQ(text(found.writes.at("B")), "1:N - 1");
    EXPECT_FALSE(found.writes.contains("A"));
}

TEST(AccessSets, AResolvedConflictReadsToo) {
    ir::Sdfg g = with_array();
    ir::add_state(g, "main").mapped_tasklet("t", {{"i", "0:N"}}, {}, "o = i", {{"o", "A[i]"}}, "lambda a, b: a + b");
    const Accesses found = accesses_of(g);
    EXPECT_EQ(text(found.reads.at("A")), "0:N");
    EXPECT_EQ(text(found.writes.at("A")), "0:N");
}

TEST(AccessSets, ALoopIsProjected) {
    ir::Sdfg g = with_array();
    ir::Block loop = ir::for_loop("loop", "t", "2", "T");
    write_element(ir::add_state(std::get<ir::LoopRegion>(loop.kind).body, "body"), "t + 1");
    ir::add_block(g.body, std::move(loop));
    EXPECT_EQ(text(accesses_of(g).writes.at("A")), "3:T + 1");
}

TEST(AccessSets, AWhileLoopMayDoAnything) {
    ir::Sdfg g = with_array();
    ir::Block loop = ir::while_loop("loop", "k < N");
    write_element(ir::add_state(std::get<ir::LoopRegion>(loop.kind).body, "body"), "0");
    ir::add_block(g.body, std::move(loop));
    EXPECT_EQ(text(accesses_of(g).writes.at("A")), "0 ~ ?");
}

TEST(AccessSets, ABranchMayNotHappen) {
    ir::Sdfg g = with_array();
    ir::ConditionalBlock conditional;
    conditional.branches.push_back({.condition = ir::CodeBlock{"A[0] > 1"}, .body = {}});
    write_element(ir::add_state(conditional.branches[0].body, "then"), "3");
    ir::add_block(g.body, ir::Block{.label = "if", .kind = std::move(conditional), .metadata = {}});
    const Accesses found = accesses_of(g);
    EXPECT_EQ(text(found.writes.at("A")), "3 ~ ?");
    EXPECT_EQ(text(found.reads.at("A")), "0:N ~");
}

TEST(AccessSets, AssignedSymbolsDoNotEscape) {
    ir::Sdfg g = with_array();
    ir::BlockId first, second;
    ir::add_state(g.body, "first", &first);
    write_element(ir::add_state(g.body, "second", &second), "k");
    ir::add_transition(g.body, first, second, "", {{"k", "N - 1"}});
    EXPECT_EQ(text(accesses_of(g).writes.at("A")), "0:N ~");
}

TEST(AccessSets, ThroughANestedGraph) {
    ir::Sdfg inner;
    inner.name = "inner";
    ir::add_array(inner, "a", code::Scalar::Float64, {symbol("n")});
    ir::add_state(inner, "main").mapped_tasklet("fill", {{"i", "1:n"}}, {}, "o = 0.0", {{"o", "a[i]"}});
    ir::Sdfg g;
    g.name = "outer";
    ir::add_array(g, "A", code::Scalar::Float64, {symbol("N"), symbol("M")});
    ir::StateBuilder state = ir::add_state(g, "main");
    const ir::NodeId nested = state.nested("inner", inner, {}, {"a"}, {{"n", symbol("M")}});
    state.edge(nested, "a", state.access("A"), "", memlet("A[3, 0:M]"));
    EXPECT_EQ(text(accesses_of(g).writes.at("A")), "3, 1:M");
}

TEST(AccessSets, ACopyReadsOneSideAndWritesTheOther) {
    ir::Sdfg g = with_array();
    ir::add_array(g, "B", code::Scalar::Float64, {symbol("N")});
    ir::StateBuilder state = ir::add_state(g, "main");
    state.edge(state.access("A"), "", state.access("B"), "", memlet("A[2:5]", {.other_subset = "7:10"}));
    const Accesses found = accesses_of(g);
    EXPECT_EQ(text(found.reads.at("A")), "2:5");
    EXPECT_EQ(text(found.writes.at("B")), "7:10");
}

}  // namespace
}  // namespace sluice::analysis
