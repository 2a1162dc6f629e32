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
    EXPECT_EQ(found[0].message, "argument `x` lies in GPU_Global, which a CPU does not have");
    EXPECT_EQ(found[0].remedy, "let it lie on the host, or choose the target cuda");
    EXPECT_EQ(violations(g, named("opencl")).at(0).message,
              "argument `x` lies in GPU_Global, and memory of a device has no address in OpenCL");
    EXPECT_TRUE(violations(g, named("cuda")).empty());
    g.containers.at("x").storage = ir::Storage::FPGA_Local;
    EXPECT_EQ(violations(g, cpu()).at(0).remedy,
              "let it lie in Default, Register, CPU_Heap, CPU_ThreadLocal or CPU_Pinned, with SetStorage");
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
    EXPECT_EQ(&named("cpu"), &cpu());
    EXPECT_THROW(named("abacus"), InternalError);
}

// What a target lacks is said with its place and what would help.
std::string lacking(const ir::Sdfg& g) {
    const auto found = violations(g, named("c99"));
    if (found.empty()) return "nothing";
    EXPECT_FALSE(found[0].remedy.empty());
    return found[0].code + " " + found[0].path + ": " + found[0].message;
}

TEST(Carries, WhatC99Lacks) {
    const ir::Sdfg plain = increment(ir::Schedule::CPU_Multicore);
    EXPECT_EQ(lacking(plain), "nothing");
    ir::Sdfg g = plain;
    g.containers.at("x").dtype = Scalar::Complex64;
    EXPECT_EQ(lacking(g), "L024 g/x: container `x` holds complex64, which C99 does not have here");
    g = plain;
    g.containers.at("x").dtype.lanes = 4;
    EXPECT_EQ(lacking(g), "L024 g/x: container `x` holds vectors, which C99 does not have here");
    g = plain;
    g.containers.at("x").shape = {ir::kReservedExtent};
    EXPECT_EQ(lacking(g), "L024 g/x: container `x` has room for as many elements as come, which C99 does not have here");
    g = plain;
    ir::add_stream(g, "S", Scalar::Float64);
    EXPECT_EQ(lacking(g), "L024 g/S: container `S` is a stream, which C99 does not have here");
    g = plain;
    g.init_code["frame"] = ir::CodeBlock{"int k = 0;", ir::Language::CPP};
    EXPECT_EQ(lacking(g), "L024 g: the program brings code of its own, which C99 does not have here");
    g = plain;
    g.instrument = ir::Instrumentation::Timer;
    EXPECT_EQ(lacking(g), "L024 g: the program is timed, which C99 does not have here");
    for (const bool timed : {true, false}) {
        g = plain;
        for (auto [id, node] : ir::edit_state(g.body, g.body.start).state().nodes)
            if (auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) {
                if (timed) tasklet->instrument = ir::Instrumentation::Timer;
                if (!timed) tasklet->code_global.text = "int k;";
            }
        EXPECT_NE(lacking(g).find(timed ? " is timed" : "` brings code of its own"), std::string::npos) << lacking(g);
    }
    EXPECT_EQ(lacking(increment(ir::Schedule::Default, ir::Language::CPP)).substr(0, 4), "L005");
    EXPECT_EQ(lacking(increment(ir::Schedule::GPU_Device)).substr(0, 4), "L001");
    g = plain;
    g.containers.at("x").storage = ir::Storage::CPU_Pinned;
    EXPECT_EQ(lacking(g).substr(0, 4), "L002");
}

}  // namespace
}  // namespace sluice::target
