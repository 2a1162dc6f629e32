// What of a graph a target refuses, and where.
#include "target/carries.h"

#include <gtest/gtest.h>

#include "ir/builder.h"

namespace sluice::target {
namespace {

using code::Scalar;

// map i { y[i] = x[i] + 1 }, in a tasklet of the language.
ir::Sdfg increment(ir::Schedule schedule, ir::Language language = ir::Language::Python) {
    ir::Sdfg g{.name = "g"};
    for (const char* name : {"x", "y"}) ir::add_array(g, name, Scalar::Float64, {8});
    auto s = ir::add_state(g, "main");
    s.mapped_tasklet("m", {{"i", "0:8"}}, {{"a", ir::memlet("x[i]")}}, "b = a + 1", {{"b", ir::memlet("y[i]")}}, {}, schedule);
    for (auto [id, node] : ir::edit_state(g.body, g.body.start).state().nodes)
        if (auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) tasklet->code.language = language;
    return g;
}

Target without_threads() {
    Target one = cpu();
    one.phrase = "one thread";
    one.maps = {ir::Schedule::Default, ir::Schedule::Sequential};
    one.languages = {ir::Language::Python};
    return one;
}

TEST(Carries, TheTableDecides) {
    const ir::Sdfg g = increment(ir::Schedule::CPU_Multicore);
    EXPECT_TRUE(violations(g, cpu()).empty());
    const auto found = violations(g, without_threads());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].code, "L001");
    EXPECT_EQ(found[0].message, "map `m` has schedule CPU_Multicore, which one thread cannot carry out");
    EXPECT_EQ(found[0].remedy, "give it the schedule Default or Sequential, with SetSchedule");
    EXPECT_EQ(found[0].path.substr(0, 8), "g/main/n");
}

TEST(Carries, Languages) {
    const ir::Sdfg g = increment(ir::Schedule::Default, ir::Language::CPP);
    EXPECT_TRUE(violations(g, cpu()).empty());
    const auto found = violations(g, without_threads());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].code, "L005");
    EXPECT_EQ(found[0].message, "a tasklet in CPP cannot run on one thread");
    EXPECT_EQ(found[0].remedy, "write it in Python");
}

TEST(Carries, ArgumentsInForeignMemory) {
    ir::Sdfg g = increment(ir::Schedule::Default);
    g.containers.at("x").storage = ir::Storage::GPU_Global;
    const auto found = violations(g, cpu());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].code, "L002");
    EXPECT_EQ(found[0].path, "g/x");
    EXPECT_EQ(found[0].remedy, "let it lie in Default, Register, CPU_Heap, CPU_ThreadLocal or CPU_Pinned, with SetStorage");
}

TEST(Carries, EverythingThatHasASchedule) {
    ir::Sdfg g = increment(ir::Schedule::GPU_Device);
    ir::State& state = ir::edit_state(g.body, g.body.start).state();
    state.schedule = ir::Schedule::FPGA_Device;
    for (auto [id, node] : state.nodes)
        if (auto* map = std::get_if<ir::MapEntry>(&node.kind)) map->unroll = true;
    for (auto [id, edge] : state.edges)
        if (edge.memlet.data == "y") edge.memlet.schedule = ir::Schedule::MPI;
    std::vector<std::string> messages;
    for (const Diagnostic& one : violations(g, cpu())) messages.push_back(one.message);
    EXPECT_EQ(messages.at(0), "state `main` has schedule FPGA_Device, which a CPU cannot carry out");
    EXPECT_EQ(messages.at(1), "map `m` has schedule GPU_Device, which a CPU cannot carry out");
    EXPECT_EQ(messages.at(2), "a copy of `y` has schedule MPI, which a CPU cannot carry out");
}

TEST(Carries, NestedGraphsByTheirPlace) {
    ir::Sdfg outer{.name = "outer"};
    for (const char* name : {"x", "y"}) ir::add_array(outer, name, Scalar::Float64, {8});
    auto s = ir::add_state(outer, "call");
    s.nested("inner", increment(ir::Schedule::GPU_Device), {"x"}, {"y"});
    const auto found = violations(outer, cpu());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].path.substr(0, 12), "outer/call/n");
    EXPECT_NE(found[0].path.find("/main/n"), std::string::npos);
}

TEST(Targets, ByName) {
    EXPECT_EQ(find_target("cpu"), &cpu());
    EXPECT_EQ(find_target("abacus"), nullptr);
}

}  // namespace
}  // namespace sluice::target
