// Faults that are planted in loops by hand, and the same loops without them.
#include "modules.h"

namespace sluice::interpret::loops::test {
namespace {

std::string stencil(const std::string& between) {
    return R"(program m(x: buffer int64, y: buffer int64, z: buffer int64, N: value int64)
  region thread t
    parallel i in 0:N nowait from "stencil/main/n1"
      store y[{i}] = (x[{i}] + 1) from "stencil/main/n2"
)" + between +
           R"(    parallel j in {1}:N from "stencil/main/n5"
      store z[{j}] = (y[{j - 1}] + y[{j}])
)";
}

struct Arrays {
    std::vector<std::int64_t> x = {1, 2, 3, 4, 5, 6, 7}, y = std::vector<std::int64_t>(7), z = std::vector<std::int64_t>(7);
    std::int64_t n = 7;
    std::vector<Region> regions() { return {region(x), region(y), region(z), region(n)}; }
};

TEST(Races, ADroppedBarrierIsFound) {
    Arrays arrays;
    expect_found(
        stencil(""), "I004",
        {"`y`", "store z[{j}] = (y[{j - 1}] + y[{j}])", "store y[{i}] = (x[{i}] + 1)", "stencil/main/n2", "stencil/main/n5"},
        [&] { return arrays.regions(); });
}

TEST(Races, TheBarrierOrdersIt) {
    for (std::uint64_t seed = 0; seed < 6; ++seed)
        for (const std::int64_t threads : {1, 2, 3, 8}) {
            Arrays arrays;
            expect_clean(stencil("    barrier\n"), arrays.regions(), seed, threads);
            EXPECT_EQ(arrays.z, (std::vector<std::int64_t>{0, 5, 7, 9, 11, 13, 15}));
        }
}

std::string accumulation(const std::string& conflict) {
    return R"(program m(x: buffer int64 read, s: buffer int64, N: value int64)
  var total: int64 = 0
  parallel i in 0:N
    update )" +
           conflict + R"( sum total with x[{i}]
  store s[{0}] = total
)";
}

TEST(Races, ASharedAccumulatorWithoutAtomicIsFound) {
    Arrays arrays;
    expect_found(accumulation("plain"), "I004", {"`total`", "update plain sum total with x[{i}]", "in m"}, [&] {
        return std::vector<Region>{region(arrays.x), region(arrays.y), region(arrays.n)};
    });
}

TEST(Races, AtomicAccumulatorsAreNone) {
    for (const char* conflict : {"atomic", "compare_exchange", "critical"})
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            Arrays arrays;
            expect_clean(accumulation(conflict), {region(arrays.x), region(arrays.y), region(arrays.n)}, seed, 3);
            EXPECT_EQ(arrays.y[0], 28);
        }
}

TEST(Races, AnAtomicUpdateAndAPlainReadAreOne) {
    Arrays arrays;
    expect_found(R"(program m(x: buffer int64, y: buffer int64, N: value int64)
  parallel i in 0:N
    update atomic sum x[{0}] with 1
    store y[{i}] = x[{0}]
)",
                 "I004", {"`x`"}, [&] {
                     return std::vector<Region>{region(arrays.x), region(arrays.y), region(arrays.n)};
                 });
}

std::string with_temporary(bool own) {
    const std::string allocation = "allocate t: int64 size 1 heap\n";
    return "program m(x: buffer int64 read, y: buffer int64, N: value int64)\n" + (own ? "" : "  " + allocation) +
           "  parallel i in 0:N\n" + (own ? "    " + allocation : "") +
           R"(    store t[{0}] = (x[{i}] * 2)
    store y[{i}] = (t[{0}] + 1)
)";
}

TEST(Races, AMissingPrivateCopyIsFound) {
    Arrays arrays;
    expect_found(with_temporary(false), "I004", {"`t`", "store t[{0}] = (x[{i}] * 2)"}, [&] {
        return std::vector<Region>{region(arrays.x), region(arrays.y), region(arrays.n)};
    });
}

TEST(Races, PrivateCopiesAreNone) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        Arrays arrays;
        expect_clean(with_temporary(true), {region(arrays.x), region(arrays.y), region(arrays.n)}, seed, 3);
        EXPECT_EQ(arrays.y, (std::vector<std::int64_t>{3, 5, 7, 9, 11, 13, 15}));
    }
}

TEST(Races, SectionsThatShareAnElementAreFound) {
    Arrays arrays;
    expect_found(R"(program m(x: buffer int64)
  sections
    section
      store x[{1}] = 3
    section
      store x[{0}] = x[{1}]
)",
                 "I004", {"`x`", "store x[{1}] = 3"}, [&] { return std::vector<Region>{region(arrays.x)}; });
}

// What one thread of a team has for itself, its iterations use one after the other.
TEST(Races, AThreadsOwnPartialSumIsNone) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        Arrays arrays;
        expect_clean(R"(program m(x: buffer int64 read, s: buffer int64, N: value int64)
  region
    var own: int64 = 0
    parallel i in 0:N nowait
      update plain sum own with x[{i}]
    update atomic sum s[{0}] with own
)",
                     {region(arrays.x), region(arrays.y), region(arrays.n)}, seed, 3);
        EXPECT_EQ(arrays.y[0], 28);
    }
}

TEST(Deadlocks, ABarrierThatOneThreadSkipsIsFound) {
    Arrays arrays;
    expect_found(R"(program m(x: buffer int64)
  region thread t
    if (t != 1)
      barrier
)",
                 "I005", {"`barrier`", "in m"}, [&] { return std::vector<Region>{region(arrays.x)}; });
}

TEST(Deadlocks, APopWithoutAPushIsFound) {
    Arrays arrays;
    expect_found(R"(program m(x: buffer int64)
  stream s: int64 count 1 capacity 1
  sections
    section
      push s[0] 1
      push s[0] 2
      push s[0] 3
    section
      var v: int64
      pop s[0] v
)",
                 "I005", {"`push s[0] 3`"}, [&] { return std::vector<Region>{region(arrays.x)}; });
}

TEST(Bounds, AnElementBehindABufferIsFound) {
    Arrays arrays;
    const auto arguments = [&] { return std::vector<Region>{region(arrays.x), region(arrays.n)}; };
    expect_found("program m(x: buffer int64, N: value int64)\n  for i in 0:{N + 1}\n    store x[{i}] = 1\n", "I001",
                 {"`x` is used 0 bytes behind `x`", "store x[{i}] = 1"}, arguments);
    expect_found("program m(x: buffer int64, N: value int64)\n  alias y: int64 = &x[{3}]\n  store y[{-4}] = 1\n", "I001",
                 {"`y` is used 8 bytes before `x`"}, arguments);
    expect_found(
        "program m(x: buffer int64, N: value int64)\n  allocate t: int64 size N heap zero\n  copy N int64 &t[{1}] -> &x[{0}]\n",
        "I001", {"behind `t`"}, arguments);
}

TEST(Uninitialised, AnElementThatNobodyWroteIsFound) {
    Arrays arrays;
    const auto arguments = [&] { return std::vector<Region>{region(arrays.x), region(arrays.n)}; };
    expect_found(R"(program m(x: buffer int64, N: value int64)
  allocate t: int64 size N heap
  for i in 0:{N - 1}
    store t[{i}] = i
  for j in 0:N
    store x[{j}] = t[{j}]
)",
                 "I003", {"element 6 of `t`", "store x[{j}] = t[{j}]"}, arguments);
    // A copy hands on what is missing.
    expect_found(R"(program m(x: buffer int64, N: value int64)
  allocate t: int64 size 1 heap
  allocate u: int64 size 1 heap
  copy 1 int64 &t[{0}] -> &u[{0}]
  store x[{0}] = u[{0}]
)",
                 "I003", {"element 0 of `u`"}, arguments);
}

TEST(Refusals, WhatOnlyATargetCarriesOutIsNamedBeforeAnythingRuns) {
    Arrays arrays;
    const Result<Report> cpp =
        run("program m(x: buffer int64)\n  store x[{0}] = 9\n  verbatim \"x[0] = 1;\"\n", {region(arrays.x)});
    ASSERT_FALSE(cpp);
    EXPECT_EQ(cpp.error().code, "I007");
    EXPECT_NE(cpp.error().message.find("`verbatim \"x[0] = 1;\"`"), std::string::npos) << cpp.error().message;
    EXPECT_EQ(arrays.x[0], 1);
    const Result<Report> unknown =
        run("library blas header \"cblas.h\" link \"-lblas\"\nprogram m(x: buffer int64)\n  extern blas \"cblas_dgemm\"(x[{0}])\n",
            {region(arrays.x)});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, "I007");
    EXPECT_NE(unknown.error().message.find("cblas_dgemm"), std::string::npos) << unknown.error().message;
}

}  // namespace
}  // namespace sluice::interpret::loops::test
