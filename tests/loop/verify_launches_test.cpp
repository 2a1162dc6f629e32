// Each rule of launches and memory spaces is violated once; docs/loop-text.md lists them.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "loop/text.h"
#include "loop/verify.h"

namespace sluice::loop {
namespace {

struct Case {
    const char* code;
    const char* text;
};
const char* const kFunctions = R"(module m
device on_device(a: buffer int64 global)
  store a[0] = 1
function on_host(a: buffer int64)
  store a[0] = 1
program m(x: buffer int64, N: value int64)
  var s: int64 = 0
  allocate g: int64 size N heap global
)";

std::string violations_of(const std::string& body) {
    Result<Module> module = parse_text(kFunctions + body);
    if (!module) return render(module.error());
    std::string all;
    for (const std::string& one : verify(*module)) all += one + "\n";
    return all;
}

TEST(LaunchRules, ARefusalNamesTheNode) {
    EXPECT_EQ(violations_of("  for i in 0:N from \"m/main/n1\"\n    store g[{i}] = 1 from \"m/main/n2\"\n"),
              "m: the host accesses an element of g, which lies on the device (D5), from m/main/n2\n");
}

TEST(LaunchRules, EachIsAskedFor) {
    const std::string launch = "  launch k grid N, 1, 1 block 32, 1, 1\n";
    const Case cases[] = {
        {"D9", "  dataflow k\n    stream t: int64 count 1 capacity 0\n    sections\n      section a\n        push t[0] 1\n"},
        {"D9",
         "  dataflow k\n    stream t: int64 count 1 capacity 4\n    sections\n      section a\n        push t[0] 1\n      section "
         "b\n        push t[0] 2\n"},
        {"D9", "  dataflow k\n    var v: int64 = 0\n    sections\n      section a\n        store g[0] = 1\n"},
        {"D9", "  sections\n    section a\n      set s = 1\n"},
        {"D10",
         "  dataflow k\n    sections\n      section a\n        pipeline i in 0:N interval 1\n          store g[0] = (g[0] + 1)\n"},
        {"D1", "  parallel i in 0:N\n    launch k grid N, 1, 1 block 32, 1, 1\n      store g[0] = 1\n"},
        {"D1", "  launch k grid N, 1, 1 block 32, 1, 1\n    launch l grid 1, 1, 1 block 1, 1, 1\n      store g[0] = 1\n"},
        {"D1",
         "  launch k grid N, 1, 1 block 1, 1, 1\n    store g[0] = 1\n  launch k grid 1, 1, 1 block 1, 1, 1\n    store g[0] = 1\n"},
        {"D2", "  axis grid x i in 0:N\n    store x[{i}] = 1\n"},
        {"D2",
         "  launch k grid N, 1, 1 block 32, 1, 1\n    axis grid x i in 0:N\n      axis thread x j in 0:N\n        store g[{i}] = "
         "1\n"},
        {"D3", "  launch k grid N, 1, 1 block 32, 1, 1\n    allocate t: int64 size 4 heap\n    store g[0] = 1\n"},
        {"D3", "  launch k grid N, 1, 1 block 32, 1, 1\n    fail \"no\"\n"},
        {"D3", "  launch k grid N, 1, 1 block 32, 1, 1\n    parallel i in 0:N\n      store g[0] = 1\n"},
        {"D4", "  launch k grid N, 1, 1 block 32, 1, 1\n    store x[0] = 1\n"},
        {"D4", "  launch k grid N, 1, 1 block 32, 1, 1\n    set s = 1\n"},
        {"D4", "  allocate c: int64 size 4 heap constant\n  launch k grid N, 1, 1 block 32, 1, 1\n    store c[0] = 1\n"},
        {"D4",
         "  allocate c: int64 size 4 heap constant\n  launch k grid N, 1, 1 block 32, 1, 1\n    copy 1 int64 &g[0] -> &c[0]\n"},
        {"D5", "  allocate c: int64 size 4 heap constant\n  store x[0] = c[0]\n"},
        {"D6", "  allocate c: int64 size N heap constant\n"},
        {"D6", "  parallel i in 0:N\n    allocate c: int64 size 4 heap constant\n"},
        {"D6", "  block\n    allocate c: int64 size 4 heap constant\n  block\n    allocate c: int64 size 4 heap constant\n"},
        {"D3", "  launch k grid N, 1, 1 block 32, 1, 1\n    prefetch &g[0]\n"},
        {"D5", "  prefetch &g[0]\n"},
        {"D12", "  allocate c: int64 size 8193 heap constant\n"},
        {"D5", "  store x[0] = g[0]\n"},
        {"D5", "  for i in 0:{Subscript(g, 0)}\n    store x[0] = 1\n"},
        {"D6", "  launch k grid N, 1, 1 block 32, 1, 1\n    axis block x b in 0:N\n      allocate t: int64 size 4 stack shared\n"},
        {"D6", "  allocate t: int64 size 4 stack global\n"},
        {"D6", "  allocate t: int64 size 4 heap bank \"HBM[0]\"\n"},
        {"D6", "  allocate t: int64 size 4 pinned global\n"},
        {"D6", "  parallel i in 0:N\n    allocate t: int64 size 4 mapped \"/tmp/t\"\n"},
        {"D11", "  event e\n  copy N int64 &x[0] -> &g[0] queue 9 event e\n  await e\n"},
        {"D11", "  event e\n  copy N int64 &x[0] -> &x[0] queue 1 event e\n  await e\n"},
        {"D11", "  event e\n  launch k grid N, 1, 1 block 32, 1, 1 queue 8 event e\n    store g[0] = 1\n  await e\n"},
        {"D11", "  event e\n  parallel i in 0:N\n    copy N int64 &g[0] -> &x[0] queue 1 event e\n  await e\n"},
        {"D11",
         "  event e\n  copy N int64 &g[0] -> &x[0] queue 1 event e\n"
         "  launch k grid N, 1, 1 block 32, 1, 1 queue 1 event e\n    store g[0] = 1\n  await e\n"},
        {"D3", "  event e\n  launch k grid N, 1, 1 block 32, 1, 1\n    await e\n"},
        {"D7", "  launch k grid N, 1, 1 block 32, 1, 1\n    axis thread x t in 0:N\n      barrier\n"},
        {"D7", "  launch k grid N, 1, 1 block 32, 1, 1\n    if (N > 3)\n      barrier\n"},
        {"D8", "  launch k grid N, 1, 1 block 32, 1, 1\n    invoke on_host(&g[0])\n"},
        {"D3", "  launch k grid N, 1, 1 block 32, 1, 1\n    grow g size N\n"},
        {"D13", "  grow x size N\n"},
        {"D13", "  alias part: int64 = &g[0]\n  grow part size N\n"},
        {"D13", "  var was: int64\n  update plain sum x[0] with 1 into was\n"},
        {"D4", "  var was: int64\n  launch k grid N, 1, 1 block 32, 1, 1\n    update atomic sum g[0] with 1 into was\n"},
        {"D8", "  invoke on_host(&g[0])\n"},
        {"D8", "  launch k grid N, 1, 1 block 32, 1, 1\n    allocate t: int64 size 4 stack\n    invoke on_device(&t[0])\n"},
    };
    for (const Case& one : cases)
        EXPECT_NE(violations_of(one.text).find("(" + std::string(one.code) + ")"), std::string::npos)
            << one.text << violations_of(one.text);
}

TEST(LaunchRules, ConstantsFitIntoTheirMemory) {
    Result<Module> module = parse_text(kFunctions + std::string("  launch k grid N, 1, 1 block 32, 1, 1\n    store g[0] = 1\n"));
    ASSERT_TRUE(module.ok());
    module->constants.push_back({"t", code::Scalar::Int64, {}, std::vector<std::int64_t>(8192)});
    EXPECT_TRUE(verify(*module).empty());
    module->constants.push_back({"u", code::Scalar::Int8, {}, {1}});
    ASSERT_EQ(verify(*module).size(), 1u);
    EXPECT_NE(verify(*module)[0].find("(D12)"), std::string::npos);
    module->constants[0].space = Space::Global;
    EXPECT_TRUE(verify(*module).empty());
}

TEST(LaunchRules, WhatIsRightIsAccepted) {
    EXPECT_EQ(violations_of(R"(  copy N int64 &x[0] -> &g[0]
  launch k grid {int_ceil(N, 32)}, 1, 1 block 32, 1, 1
    allocate t: int64 size 32 stack shared
    axis block x b in 0:{int_ceil(N, 32)}
      axis thread x i in 0:32
        store t[{i}] = (s + {N})
      barrier
      invoke on_device(&g[{b}])
  invoke on_host(&x[0])
  allocate p: int64 size N pinned
  event e
  copy N int64 &p[0] -> &g[0] queue 1 event e
  await e
  copy N int64 &g[0] -> &x[0]
)"),
              "");
}

TEST(LaunchRules, EachStandsInTheGrammar) {
    std::ifstream page(std::string(SLUICE_SOURCE_DIR) + "/docs/loop-text.md");
    std::stringstream text;
    text << page.rdbuf();
    for (int rule = 1; rule <= 13; ++rule)
        EXPECT_NE(text.str().find("| D" + std::to_string(rule) + " |"), std::string::npos) << "D" << rule;
}

}  // namespace
}  // namespace sluice::loop
