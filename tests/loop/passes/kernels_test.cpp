#include "loop/passes/kernels.h"

#include <gtest/gtest.h>

#include "loop/text.h"

namespace sluice::loop {
namespace {

TEST(Kernels, ArgumentsAreWhatABodyNamesFromOutside) {
    const Result<Module> module = parse_text(R"(module m
constant table: int64 integers 1 2
device touch(a: buffer int64 global, b: buffer int64 read global)
  store a[0] = b[0]
program m(x: buffer int64, N: value int64, M: value int64)
  allocate g: int64 size N heap global
  allocate r: int64 size N heap global
  allocate w: int64 size N heap global
  allocate unused: int64 size N heap global
  alias v: int64 = &g[{M}]
  for i in 0:N
    block
  for k in 0:N
    const c: int64 = {k + 1}
    launch first grid N, 1, 1 block 32, 1, 1
      axis grid x i in 0:{Subscript(r, k)}
        const own: int64 = (table[0] + c)
        store v[{i}] = own
        invoke touch(&w[0], &r[0])
)");
    ASSERT_TRUE(module) << render(module.error());
    const std::vector<Kernel> found = kernels(*module);
    ASSERT_EQ(found.size(), 1U);
    std::string described;
    for (const Parameter& p : found[0].parameters)
        described += p.name +
                     (p.kind == Parameter::Kind::Value ? ":value"
                      : p.written                      ? ":written"
                                                       : ":read") +
                     (p.space == Space::Global ? "@global " : " ");
    EXPECT_EQ(described, "r:read@global v:written@global w:written@global c:value k:value ");
    EXPECT_TRUE(uses_device(*module));
}

TEST(Kernels, AModuleOfTheHostHasNone) {
    const Result<Module> module = parse_text("module m\nprogram m(x: buffer int64)\n  store x[0] = 1\n");
    ASSERT_TRUE(module);
    EXPECT_TRUE(kernels(*module).empty());
    EXPECT_FALSE(uses_device(*module));
}

}  // namespace
}  // namespace sluice::loop
