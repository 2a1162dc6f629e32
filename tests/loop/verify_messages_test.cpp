// Each rule of messages is violated once; docs/loop-text.md lists them.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "loop/text.h"
#include "loop/verify.h"
#include "loop/verify_messages.h"

namespace sluice::loop {
namespace {

const char* const kHead = R"(module m
function talks(a: buffer float64)
  send float64 &a[0] to 1 tag 0
program m(x: buffer float64, fixed: buffer float64 read, z: buffer complex128, N: value int64)
  allocate r: int64 size 4 stack
  allocate b: bool size 1 stack
)";

std::string violations(const std::string& body) {
    Result<Module> module = parse_text(kHead + body);
    if (!module) return render(module.error());
    std::string all;
    for (const std::string& one : verify(*module)) all += one + "\n";
    return all;
}

TEST(MessageRules, EachIsAskedFor) {
    const std::pair<const char*, const char*> cases[] = {
        {"M1", "  parallel i in 0:N\n    send float64 &x[{i}] to 1 tag 0\n"},
        {"M1", "  parallel i in 0:N\n    invoke talks(&x[{i}])\n"},
        {"M1", "  sections\n    section\n      collective barrier\n"},
        {"M1", "  region\n    wait int64 &r[0]\n"},
        {"M2", "  send float32 &x[0] to 1 tag 0\n"},
        {"M3", "  receive float64 &fixed[0] from 1 tag 0\n"},
        {"M3", "  collective broadcast float64 &fixed[0] root 0\n"},
        {"M3", "  collective all_reduce sum float64 &x[0] -> float64 &fixed[0]\n"},
        {"M4", "  send float64 &x[0] to x[0] tag 0\n"},
        {"M4", "  send float64 &x[0] to 1 tag 0 request &x[1]\n"},
        {"M4", "  wait float64 &x[0]\n"},
        {"M5", "  collective barrier root 0\n"},
        {"M5", "  collective broadcast float64 &x[0]\n"},
        {"M5", "  collective all_gather float64 &x[0]\n"},
        {"M5", "  collective all_gather float64 &x[0] -> complex128 &z[0]\n"},
        {"M5", "  collective all_reduce max complex128 &z[0] -> complex128 &z[1]\n"},
        {"M5", "  collective all_reduce bitwise_and float64 &x[0] -> float64 &x[1]\n"},
        {"M5", "  collective all_reduce sum bool &b[0] -> bool &b[0]\n"},
        {"M5", "  collective scatter_blocks float64 &x[0] over N:N, N:1 -> float64 &x[0] over N:1 root 0\n"},
    };
    for (const auto& [rule, text] : cases)
        EXPECT_NE(violations(text).find("(" + std::string(rule) + ")"), std::string::npos) << text << violations(text);
    EXPECT_EQ(
        violations("  send float64 &x[0] over 2:4, N:1 to 1 tag N request &r[0]\n  receive float64 &x[8] from 0 tag 0\n"
                   "  wait int64 &r[0] over 4:1\n  collective reduce sum complex128 &z[0] -> complex128 &z[1] root 0\n"
                   "  send float64 &x[0] to 1 tag N synchronous among N over 2:N\n"
                   "  collective barrier among 0 over 2:4, N:1\n  collective broadcast float64 &x[0] root 0 among 1 over N:2\n"),
        "");
    EXPECT_NE(violations("  collective barrier among M over 2:1\n").find("M is used but not defined"), std::string::npos);
    EXPECT_NE(violations("  send float64 &x[0] over M:1 to 1 tag 0\n").find("M is used but not defined"), std::string::npos);
}

TEST(MessageRules, AGroupHasAStrideForEachExtent) {
    Module module = parse_text("module m\nprogram m(x: buffer float64)\n  collective barrier among 0 over 2:1\n").value();
    EXPECT_TRUE(verify(module).empty());
    std::get<Collective>(module.program.body[0].node).among.strides.clear();
    ASSERT_EQ(verify(module).size(), 1);
    EXPECT_NE(verify(module)[0].find("(M6)"), std::string::npos);
}

TEST(MessageRules, AModuleKnowsWhetherItSpeaks) {
    EXPECT_TRUE(uses_messages(*parse_text("module m\nprogram m(x: buffer float64)\n  collective barrier\n")));
    EXPECT_FALSE(uses_messages(*parse_text("module m\nprogram m(x: buffer float64)\n  store x[0] = 1.0\n")));
}

TEST(MessageRules, ThePageListsThem) {
    std::ifstream file(SLUICE_SOURCE_DIR "/docs/loop-text.md");
    std::stringstream page;
    page << file.rdbuf();
    for (const char* rule : {"M1", "M2", "M3", "M4", "M5", "M6"})
        EXPECT_NE(page.str().find("| " + std::string(rule) + " |"), std::string::npos) << rule;
}

}  // namespace
}  // namespace sluice::loop
