// Transients that live from one run to the next, in nested SDFGs at any depth.
#include <malloc.h>

#include "oracle.h"

namespace sluice {
namespace {

using test::graph;

// total += x, kept by the innermost SDFG; a flag clears it.
ir::Sdfg running_totals(bool sized_by_data) {
    return graph(R"(sdfg totals(flag, x, y) {
  symbol N: int64
  symbol width: int64
  array flag: int64[1]
  array x: float64[N]
  array y: float64[N]
  state start {
  }
  state main {
    n0 = access x
    n1 = nested middle (x, flag) -> (y) symbol_mapping={M: N, W: width} sdfg middle() {
  symbol M: int64
  symbol W: int64
  array flag: int64[1]
  array x: float64[M]
  array y: float64[M]
  state main {
    n0 = access x
    n1 = nested inner (x, flag) -> (y) symbol_mapping={K: M, W: W} sdfg inner() {
  symbol K: int64
  symbol W: int64
  array flag: int64[1]
  array x: float64[K]
  array y: float64[K]
  transient array total: float64[W] lifetime=Persistent
  state start {
  }
  state clear {
    n0 = map_entry m [i=0:K]
    n1 = map_exit n0 passing (total)
    n2 = tasklet zero () -> (o) { o = 0 }
    n3 = access total
    n0 -> n2
    n2.o -> n1.IN_total : total[i]
    n1.OUT_total -> n3 : total[0:K]
  }
  state add {
    n0 = map_entry m [i=0:K] passing (x, total)
    n1 = map_exit n0 passing (y, total)
    n2 = tasklet add (a, t) -> (s, o) {
      s = a + t
      o = a + t
    }
    n3 = access x
    n4 = access total
    n5 = access y
    n6 = access total
    n3 -> n0.IN_x : x[0:K]
    n4 -> n0.IN_total : total[0:K]
    n0.OUT_x -> n2.a : x[i]
    n0.OUT_total -> n2.t : total[i]
    n2.s -> n1.IN_total : total[i]
    n2.o -> n1.IN_y : y[i]
    n1.OUT_y -> n5 : y[0:K]
    n1.OUT_total -> n6 : total[0:K]
  }
  start -> clear if `flag[0] == 1`
  start -> add if `flag[0] != 1`
  clear -> add
}
    n2 = access y
    n3 = access flag
    n3 -> n1.flag : flag[0]
    n0 -> n1.x : x[0:M]
    n1.y -> n2 : y[0:M]
  }
}
    n2 = access y
    n3 = access flag
    n3 -> n1.flag : flag[0]
    n0 -> n1.x : x[0:N]
    n1.y -> n2 : y[0:N]
  }
  start -> main)" +
                 std::string(sized_by_data ? " set width=`N + 3`" : "") + R"(
}
)");
}

TEST(Persistent, TransientsOfNestedSdfgsKeepTheirValues) {
    driver::CompileOptions options;
    options.cache = std::filesystem::temp_directory_path() / "sluice-test-lower";
    auto program = driver::compile(running_totals(false), options);
    ASSERT_TRUE(program) << render(program.error());
    std::vector<double> x{1, 2, 3}, y(3);
    std::int64_t n = 3, first = 1, width = 5;
    void* const arguments[] = {&first, x.data(), y.data(), &n, &width};
    for (int run = 1; run <= 3; ++run, first = 0) {
        const auto done = program->run(arguments);
        ASSERT_TRUE(done) << render(done.error());
        for (std::size_t at = 0; at < 3; ++at) EXPECT_EQ(y[at], run * x[at]);
    }
}

TEST(Persistent, ASizeThatTheProgramComputesIsRefused) {
    const auto module = lower::lower(running_totals(true));
    ASSERT_FALSE(module);
    EXPECT_EQ(module.error().code, "L019");
    EXPECT_EQ(module.error().message,
              "the size of persistent transient `inner_total` is not known before the program runs: it depends on `width`");
    EXPECT_EQ(module.error().path, "totals/main/n1");
}

/// t = 2 * x, y = t + 1; t is kept between calls.
ir::Sdfg kept_scratch() {
    return graph(R"(sdfg scratch(x, y) {
  symbol N: int64
  array x: float64[N]
  array y: float64[N]
  transient array t: float64[N] storage=CPU_Heap lifetime=Persistent
  state fill {
    n0 = access x
    n1 = map_entry m [i=0:N] passing (x)
    n2 = tasklet twice (a) -> (o) { o = 2 * a }
    n3 = map_exit n1 passing (t)
    n4 = access t
    n0 -> n1.IN_x : x[0:N]
    n1.OUT_x -> n2.a : x[i]
    n2.o -> n3.IN_t : t[i]
    n3.OUT_t -> n4 : t[0:N]
  }
  state use {
    n0 = access t
    n1 = map_entry m [i=0:N] passing (t)
    n2 = tasklet more (a) -> (o) { o = a + 1 }
    n3 = map_exit n1 passing (y)
    n4 = access y
    n0 -> n1.IN_t : t[0:N]
    n1.OUT_t -> n2.a : t[i]
    n2.o -> n3.IN_y : y[i]
    n3.OUT_y -> n4 : y[0:N]
  }
  fill -> use
}
)");
}

TEST(Persistent, SizesMayChangeBetweenCalls) {
    driver::CompileOptions options;
    options.cache = std::filesystem::temp_directory_path() / "sluice-test-lower";
    auto program = driver::compile(kept_scratch(), options);
    ASSERT_TRUE(program) << render(program.error());
    EXPECT_NE(loop::to_text(*lower::lower(kept_scratch())).find("persistent t"), std::string::npos);
    for (std::int64_t n : {3, 3, 100000, 7, 0, 50}) {
        std::vector<double> x(static_cast<std::size_t>(n)), y(x.size());
        for (std::size_t at = 0; at < x.size(); ++at) x[at] = static_cast<double>(at);
        void* const arguments[] = {x.data(), y.data(), &n};
        const auto done = program->run(arguments);
        ASSERT_TRUE(done) << render(done.error());
        for (std::size_t at = 0; at < y.size(); ++at) ASSERT_EQ(y[at], 2 * static_cast<double>(at) + 1);
    }
}

TEST(Persistent, MemoryIsFreedWithTheProgram) {
    constexpr std::int64_t kElements = std::int64_t{1} << 23;
    const auto held = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
    driver::CompileOptions options;
    options.cache = std::filesystem::temp_directory_path() / "sluice-test-lower";
    std::vector<double> x(kElements, 1), y(x.size());
    std::int64_t n = kElements;
    const std::size_t before = held();
    {
        auto program = driver::compile(kept_scratch(), options);
        ASSERT_TRUE(program) << render(program.error());
        void* const arguments[] = {x.data(), y.data(), &n};
        for (int run = 0; run < 3; ++run) ASSERT_TRUE(program->run(arguments));
        // A sanitizer's allocator counts nothing here.
        if (before > 0) {
            EXPECT_GE(held(), before + 8 * kElements);
        }
    }
    EXPECT_LT(held(), before + 8 * kElements / 2);
}

// Iterations that run side by side do not share what is kept.
TEST(Persistent, ThreadsKeepTheirOwnInsideAParallelMap) {
    const ir::Sdfg g = graph(R"(sdfg scratch(x, y) {
  array x: float64[9000, 4]
  array y: float64[9000]
  state main {
    n0 = map_entry m [i=0:9000] passing (x)
    n1 = map_exit n0 passing (y)
    n2 = nested row (r) -> (o) sdfg row() {
  array r: float64[4]
  array o: float64[1]
  transient array t: float64[4] lifetime=Persistent
  state fill {
    n0 = access r
    n1 = access t
    n0 -> n1 : r[0:4]
  }
  state sum {
    n0 = access t
    n1 = tasklet s (a) -> (b) { b = a[0] + a[1] + a[2] + a[3] }
    n2 = access o
    n0 -> n1.a : t[0:4]
    n1.b -> n2 : o[0]
  }
  fill -> sum
}
    n3 = access x
    n4 = access y
    n3 -> n0.IN_x : x[0:9000, 0:4]
    n0.OUT_x -> n2.r : x[i, 0:4]
    n2.o -> n1.IN_y : y[i]
    n1.OUT_y -> n4 : y[0:9000]
  }
}
)");
    EXPECT_NE(test::lowered(g, {}, {.team = 1}).find("thread_local"), std::string::npos) << test::lowered(g);
    std::vector<double> x(36000), y(9000);
    for (std::size_t at = 0; at < x.size(); ++at) x[at] = static_cast<double>(at);
    test::run_program(g, {x.data(), y.data()});
    for (std::size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], 16.0 * static_cast<double>(i) + 6);
}

}  // namespace
}  // namespace sluice
