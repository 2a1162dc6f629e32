// Which loops compare their indices in front of the iterations, and what becomes of them.
#include "loop/passes/checks.h"

#include <gtest/gtest.h>

#include "loop/text.h"
#include "loop/verify.h"

namespace sluice::loop {
namespace {

/// The body of a program after the pass; with what the verifier says against it.
std::string compared(const std::string& body, const std::string& k = "read", const std::string& y = "") {
    const std::string head = "module m\nprogram m(x: buffer float64 read, y: buffer float64 " + y + ", k: buffer int64 " + k +
                             ", b: value int64, N: value int64)\n";
    Result<Module> module = parse_text(head + body);
    if (!module) return render(module.error());
    compare_indices_in_blocks(*module);
    std::string text = to_text(*module);
    text.erase(0, text.find('\n', text.find("program m(")) + 1);
    for (const std::string& violation : verify(*module)) text += "\n" + violation;
    return text;
}
const std::string kGather = "    store y[{i}] = x[checked_index(k[{i}], N, 0)]\n";
const std::string kBlock = R"(    var outside: int64 = 0
    simd i in i_block:{min(N, i_block + 512)} reduce bitwise_or outside
      update plain bitwise_or outside with (((k[{i}] as uint64) >= (N as uint64)) as int64)
    if (outside == 0)
      for i in i_block:{min(N, i_block + 512)}
        store y[{i}] = x[k[{i}]]
    else
      for i in i_block:{min(N, i_block + 512)}
        store y[{i}] = x[checked_index(k[{i}], N, 0)]
)";

TEST(Checks, StandInFrontOfABlockOfIterations) {
    EXPECT_EQ(compared("  for i in 0:N\n" + kGather), "  for i_block in 0:N:512\n" + kBlock);
    EXPECT_EQ(compared("  parallel i in 0:N\n" + kGather), "  parallel i_block in 0:N:512\n" + kBlock);
    EXPECT_EQ(compared("  for i in 0:N\n" + kGather, "read aliased"), "  for i_block in 0:N:512\n" + kBlock)
        << "nobody else reaches what is stored to";
}

TEST(Checks, StatementsComeFromTheNodesThatTheyCameFrom) {
    const std::string loop =
        compared("  for i in 0:N from \"m/main/n1\"\n    store y[{i}] = x[checked_index(k[{i}], N, 0)] from \"m/main/n2\"\n");
    EXPECT_TRUE(loop.starts_with("  for i_block in 0:N:512 from \"m/main/n1\"\n")) << loop;
    EXPECT_NE(loop.find("store y[{i}] = x[k[{i}]] from \"m/main/n2\""), std::string::npos) << loop;
    EXPECT_EQ(loop.find("from \"\""), std::string::npos) << loop;
}

TEST(Checks, ARisingVariableDoesNotCountFromTheEnd) {
    const auto loop = [](const std::string& index, const std::string& indentation) {
        return indentation + "for i in b:N\n" + indentation + "  store y[{" + index + "}] = 1.0\n";
    };
    EXPECT_EQ(compared(loop("N + i if i < 0 else i", "  ")),
              "  if (0 <= {b})\n" + loop("i", "    ") + "  else\n" + loop("N + i if i < 0 else i", "    "));
    EXPECT_EQ(compared(loop("N + b if b < 0 else i", "  ")), loop("N + b if b < 0 else i", "  "));
}

TEST(Checks, StayWhereTheLoopMayChangeWhatTheyCompare) {
    const auto stays = [](const std::string& body, const std::string& k = "read", const std::string& y = "") {
        const std::string loop = "  for i in 0:N\n" + body;
        EXPECT_EQ(compared(loop, k, y), loop);
    };
    stays("    store k[{i + 1}] = 0\n" + kGather, "");
    stays(kGather, "read aliased", "aliased");
    stays("    if (y[{i}] < 1.0)\n      store y[{i}] = x[checked_index(k[{i}], N, 0)]\n");
    stays("    store y[{i}] = (x[checked_index(k[{i}], N, 0)] if (y[{i}] < 1.0) else 0.0)\n");
    stays("    for j in 0:b\n      store y[{j}] = 1.0\n    store y[{i}] = x[checked_index(k[{i}], N, 0)]\n");
    stays("    var j: int64\n    set j = k[{i}]\n    store y[{i}] = x[checked_index(j, N, 0)]\n");
}

}  // namespace
}  // namespace sluice::loop
