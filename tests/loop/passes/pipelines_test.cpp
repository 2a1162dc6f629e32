// Which loops hand nothing on, and which pipelines an element gets.
#include "loop/passes/pipelines.h"

#include <gtest/gtest.h>

#include "loop/text.h"
#include "loop/verify.h"
#include "loop/walk.h"

namespace sluice::loop {
namespace {

/// The loops of a processing element after pipeline_loops, outer before inner: `i 1`, `j 0`, or `k for` for one that is none.
std::string pipelined(const std::string& body) {
    Result<Module> module = parse_text(
        "module m\nprogram m(N: value int64)\n  allocate g: float64 size N heap global\n  allocate h: float64 size N heap global\n"
        "  dataflow k\n    stream s: float64 count 4 capacity 2\n    stream t: float64 count 1 capacity 2\n    sections\n      "
        "section e\n" +
        body);
    if (!module) return render(module.error());
    std::string found;
    for_each_statement(module->program.body, [&](const Statement& s) {
        if (const auto* sections = std::get_if<ParallelSections>(&s.node))
            for (const Body& one : sections->sections) pipeline_loops(const_cast<Body&>(one));
    });
    for_each_statement(module->program.body, [&](const Statement& s) {
        if (const auto* n = std::get_if<For>(&s.node))
            found += (found.empty() ? "" : ", ") + n->variable + " " +
                     (n->mode == LoopMode::Pipeline ? std::to_string(n->interval)
                      : n->mode == LoopMode::Unroll ? "unroll"
                                                    : "for");
    });
    for (const std::string& violation : verify(*module)) found += "\n" + violation;
    return found;
}
const std::string kLoop = "        for i in 0:N\n          ";

TEST(Pipelines, WhatNoIterationReadsThatAnotherWritesHasIntervalOne) {
    EXPECT_EQ(pipelined(kLoop + "store g[{i}] = h[{i}]\n"), "i 1");
    EXPECT_EQ(pipelined(kLoop + "store g[{i}] = (g[{i}] + 1.0)\n"), "i 1");
    EXPECT_EQ(pipelined(kLoop + "update plain sum g[{2*i}] with g[{2*i + 1}]\n"), "i 1");
    EXPECT_EQ(pipelined(kLoop + "var v: float64\n          pop s[1] v\n          push t[0] v\n"), "i 1");
}

TEST(Pipelines, WhatIsHandedOnHasNone) {
    EXPECT_EQ(pipelined(kLoop + "store g[{i + 1}] = g[{i}]\n"), "i 0");
    EXPECT_EQ(pipelined(kLoop + "store g[{i}] = g[{i + 2}]\n"), "i 0");
    EXPECT_EQ(pipelined(kLoop + "store g[0] = (g[0] + 1.0)\n"), "i 0");
    EXPECT_EQ(pipelined(kLoop + "store g[{N*i}] = g[{N*i}]\n"), "i 0") << "N may be 0";
    EXPECT_EQ(pipelined(kLoop + "store g[{i % 4}] = g[{i % 4}]\n"), "i 0");
    EXPECT_EQ(pipelined("        var v: float64 = 0.0\n" + kLoop + "set v = (v + g[{i}])\n"), "i 0");
    EXPECT_EQ(pipelined("        var v: float64 = 0.0\n" + kLoop + "update plain sum v with g[{i}]\n"), "i 0");
    EXPECT_EQ(pipelined("        var v: float64 = 0.0\n" + kLoop + "pop s[0] v\n"), "i 0");
    EXPECT_EQ(pipelined(kLoop + "push t[0] g[{i}]\n          push t[0] h[{i}]\n"), "i 0") << "one end, twice in a cycle";
    EXPECT_EQ(pipelined("        alias a: float64 = &g[0]\n" + kLoop + "store a[{i}] = g[{i + 1}]\n"), "i 0")
        << "one memory, two names";
    EXPECT_EQ(pipelined(kLoop + "unroll j in 0:4\n            store g[{i + j}] = (g[{i + j}] + 1.0)\n"), "i 0, j unroll");
}

TEST(Pipelines, OnlyInnermostLoopsAre) {
    EXPECT_EQ(pipelined(kLoop + "for j in 0:N\n            store g[{j}] = h[{i}]\n"), "i for, j 1");
    EXPECT_EQ(pipelined(kLoop + "unroll j in 0:4\n            store g[{4*i + j}] = h[{i}]\n"), "i 1, j unroll");
    EXPECT_EQ(pipelined(kLoop + "for j in 0:1\n            push t[0] h[{i}]\n"), "i 1, j unroll");
}

TEST(Pipelines, TheVerifierAsksAgain) {
    const Result<Module> module = parse_text(
        "module m\nprogram m(N: value int64)\n  allocate g: float64 size N heap global\n  dataflow k\n    sections\n      section "
        "e\n"
        "        pipeline i in 0:N interval 1\n          store g[{i + 1}] = g[{i}]\n");
    ASSERT_TRUE(module) << render(module.error());
    const auto found = verify(*module);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].find("pipeline i hands elements of `g` on and has interval 1 (D10)"), std::string::npos) << found[0];
}

}  // namespace
}  // namespace sluice::loop
