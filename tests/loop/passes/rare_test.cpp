// Which loops look a block of iterations ahead for branches that they seldom take, and what becomes of them.
#include "loop/passes/rare.h"

#include <gtest/gtest.h>

#include "loop/text.h"
#include "loop/verify.h"

namespace sluice::loop {
namespace {

/// The body of a program after the pass; with what the verifier says against it.
std::string looked(const std::string& body) {
    const std::string head =
        "module m\nprogram m(x: buffer float64 read, y: buffer float64, k: buffer int64 read, N: value int64)\n"
        "  var m: float64 = 0.0\n  var v: float64 = 0.0\n  var at: int64 = 0\n";
    Result<Module> module = parse_text(head + body);
    if (!module) return render(module.error());
    look_ahead_for_rare_branches(*module);
    std::string text = to_text(*module);
    text.erase(0, text.find("  var at: int64 = 0\n") + 20);
    for (const std::string& violation : verify(*module)) text += "\n" + violation;
    return text;
}

TEST(RareBranches, ABlockWithoutOneIsPassedOver) {
    EXPECT_EQ(looked("  for i in 1:N\n    if (x[{i}] > m)\n      set m = x[{i}]\n      set at = i\n"), R"(  block "look ahead"
    var unseen: int64 = 0
    var unseen_next: int64 = 0
    for i_block in 1:N:64
      var hit: int64 = 1
      if ((unseen > 0) or ({N - i_block} < 16))
        set unseen = (unseen - 1)
      else
        set hit = 0
        simd i in i_block:{min(N, i_block + 64)} reduce bitwise_or hit
          update plain bitwise_or hit with ((x[{i}] > m) as int64)
        if (hit != 0)
          set unseen = unseen_next
          set unseen_next = minimum(((unseen_next + unseen_next) + 1), 255)
        else
          set unseen_next = 0
      if (hit != 0)
        for i in i_block:{min(N, i_block + 64)}
          if (x[{i}] > m)
            set m = x[{i}]
            set at = i
)");
}

TEST(RareBranches, WhatEachIterationSetsIsSetInTheLookUnderAnotherName) {
    const std::string text = looked("  for i in 0:N\n    set v = x[checked_index(i, N, 0)]\n    if (v < m)\n      set m = v\n");
    EXPECT_NE(text.find("        simd i in i_block:{min(N, i_block + 64)} reduce bitwise_or hit\n"
                        "          var v_0: float64\n"
                        "          set v_0 = x[{i}]\n"
                        "          update plain bitwise_or hit with ((v_0 < m) as int64)\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("({N - i_block} < 65)"), std::string::npos) << "the last iteration leaves its value: " << text;
}

TEST(RareBranches, AChoiceOfWhatTheIterationSetsIsMadeInTheLook) {
    const std::string text =
        looked("  for i in 0:N\n    set v = x[{i}]\n    if (v < 0.0)\n      set v = x[0]\n    if (v < m)\n      set m = v\n");
    EXPECT_NE(text.find("          if (v_0 < 0.0)\n            set v_0 = x[{0}]\n          update plain bitwise_or hit with ((v_0 "
                        "< m) as int64)\n"),
              std::string::npos)
        << text;
}

TEST(RareBranches, ASecondChoiceIsLookedForAsWell) {
    const std::string text = looked(
        "  for i in 0:N\n    if (x[{i}] < m)\n      set m = x[{i}]\n    else\n      if (x[{i}] > v)\n        set v = x[{i}]\n");
    EXPECT_NE(text.find("update plain bitwise_or hit with (((x[{i}] < m) or (x[{i}] > v)) as int64)"), std::string::npos) << text;
}

TEST(RareBranches, OtherLoopsStay) {
    const auto stays = [](const std::string& body, const char* why) {
        const std::string loop = "  for i in 0:N\n" + body;
        EXPECT_EQ(looked(loop), loop) << why;
    };
    stays("    if (x[{i}] > 0.5)\n      set m = x[{i}]\n", "nothing says that the branch is seldom taken");
    stays("    if (x[{i}] > m)\n      set m = x[{i}]\n    else\n      set v = x[{i}]\n", "one of the branches is always taken");
    stays("    set v = (v + x[{i}])\n    if (v > m)\n      set m = v\n", "an iteration needs the one before");
    stays("    if (v > m)\n      set m = v\n    set v = x[{i}]\n", "an iteration needs the one before");
    stays("    if (x[{i}] > m)\n      set m = x[{i}]\n      break\n", "later iterations may have no elements");
    stays("    if (x[{i}] > m)\n      set m = x[{i}]\n      fail \"too large\"\n", "later iterations may have no elements");
    stays("    store y[{i}] = m\n    if (x[{i}] > m)\n      set m = x[{i}]\n", "every iteration stores");
    stays("    if (x[{N*i}] > m)\n      set m = x[{N*i}]\n", "vectors do not load what lies apart");
    stays("    if (x[checked_index(k[{i}], N, 0)] > m)\n      set m = x[{i}]\n", "the index may fail");
    stays("    if (exp(x[{i}]) > m)\n      set m = exp(x[{i}])\n", "computing it twice costs more than a branch");
}

}  // namespace
}  // namespace sluice::loop
