// What loops compute, against the same computed here by hand.
#include <cmath>

#include "modules.h"

namespace sluice::interpret::loops::test {
namespace {

// Every way of sharing iterations runs each of them once.
TEST(Loops, EachIterationRunsOnceUnderEverySchedule) {
    for (const std::string options : {"", " schedule static chunk 2", " schedule dynamic", " schedule guided chunk 3", " lanes"})
        for (const char* team : {"", "region"})
            for (std::uint64_t seed = 0; seed < 4; ++seed)
                for (const std::int64_t threads : {1, 2, 5}) {
                    std::vector<std::int64_t> x(23, 0);
                    const std::string indent = *team ? "    " : "  ";
                    expect_clean("program m(x: buffer int64)\n" + std::string(*team ? "  region\n" : "") + indent +
                                     "parallel i in 1:23:2" + options + "\n" + indent + "  update plain sum x[{i}] with (i * 3)\n",
                                 {region(x)}, seed, threads);
                    for (std::int64_t i = 0; i < 23; ++i)
                        EXPECT_EQ(x[static_cast<std::size_t>(i)], i % 2 == 1 ? 3 * i : 0) << options << team << i;
                }
}

TEST(Loops, CollapsedNestsAndReductions) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        std::vector<double> x(1);
        std::vector<std::int64_t> counts(3);
        expect_clean(R"(program m(x: buffer float64, c: buffer int64)
  var total: float64 = 10.0
  var least: int64 = 100
  parallel i in 0:5 collapse 2 reduce sum total reduce min least reduce sum c elements 3
    for j in 4:0:-1
      update plain sum total with ((i * j) as float64)
      update plain min least with (i - j)
      update plain sum c[{(i + j) % 3}] with 1
  store x[{0}] = (total + (least as float64))
)",
                     {region(x), region(counts)}, seed, 3);
        double total = 10;
        std::int64_t least = 100;
        std::vector<std::int64_t> expected(3);
        for (std::int64_t i = 0; i < 5; ++i)
            for (std::int64_t j = 4; j > 0; --j) {
                total += static_cast<double>(i * j);
                least = std::min(least, i - j);
                ++expected[static_cast<std::size_t>((i + j) % 3)];
            }
        EXPECT_EQ(x[0], total + static_cast<double>(least));
        EXPECT_EQ(counts, expected);
    }
}

TEST(Loops, WhileBreakContinueAndJumps) {
    std::vector<std::int64_t> x(3);
    expect_clean(R"(program m(x: buffer int64)
  var n: int64 = 27
  var steps: int64 = 0
  while (n != 1)
    set n = ((n / 2) if ((n % 2) == 0) else ((3 * n) + 1))
    set steps = (steps + 1)
  store x[{0}] = steps
  for i in 0:100
    if ((i % 2) == 0)
      continue
    if (i > 8)
      break
    update plain sum x[{1}] with i
  var k: int64 = 0
  label again
  set k = (k + 1)
  if (k < 5)
    goto again
  store x[{2}] = k
)",
                 {region(x)}, 0, 1);
    EXPECT_EQ(x, (std::vector<std::int64_t>{111, 1 + 3 + 5 + 7, 5}));
}

// Elements of a consume scope push more: the sum over a tree.
TEST(Streams, AConsumeScopeRunsUntilItIsQuiescent) {
    for (const char* how : {"", " parallel"})
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            std::vector<std::int64_t> x(1);
            expect_clean("program m(x: buffer int64)\n  stream s: int64 count 1 capacity 0\n  push s[0] 7\n  consume s[0]" +
                             std::string(how) + R"( pes 3 chunk 1 by p element e: int64
    update atomic sum x[{0}] with e
    if (e > 0)
      push s[0] (e - 1)
      push s[0] (e / 2)
)",
                         {region(x)}, seed, 3);
            const std::function<std::int64_t(std::int64_t)> tree = [&](std::int64_t e) {
                return e + (e > 0 ? tree(e - 1) + tree(e / 2) : 0);
            };
            EXPECT_EQ(x[0], tree(7)) << how << seed;
        }
}

TEST(Streams, BoundedOnesKeepTheirOrder) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        std::vector<std::int64_t> x(9);
        expect_clean(R"(program m(x: buffer int64)
  stream s: int64 count 1 capacity 2
  sections
    section
      for i in 0:9
        push s[0] (i * i)
    section
      for j in 0:9
        var v: int64
        pop s[0] v
        store x[{j}] = v
)",
                     {region(x)}, seed, 2);
        for (std::int64_t i = 0; i < 9; ++i) EXPECT_EQ(x[static_cast<std::size_t>(i)], i * i);
    }
}

TEST(Calls, FunctionsTakeBuffersValuesAndStreams) {
    std::vector<double> x = {1, 4, 9, 16};
    expect_clean(R"(function roots(y: buffer float64, n: value int64, s: stream int64)
  for i in 0:n
    store y[{i}] = sqrt(y[{i}])
    push s[0] i
program m(x: buffer float64)
  stream s: int64 count 1 capacity 0
  invoke roots(&x[{1}], 3, s)
  store x[{0}] = (#s[0] as float64)
)",
                 {region(x)}, 0, 1);
    EXPECT_EQ(x, (std::vector<double>{3, 2, 3, 4}));
}

TEST(Values, VectorsAndNarrowIntegers) {
    std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8};
    std::vector<std::int8_t> b = {100, 100};
    expect_clean(R"(program m(x: buffer float32, b: buffer int8)
  store x[{4}] = (x[{0}]:vector<float32, 4> * x[{4}]:vector<float32, 4>)
  store b[{0}] = (b[{0}] + b[{1}])
)",
                 {region(x), region(b)}, 0, 1);
    EXPECT_EQ(x, (std::vector<float>{1, 2, 3, 4, 5, 12, 21, 32}));
    EXPECT_EQ(b[0], static_cast<std::int8_t>(200));
}

}  // namespace
}  // namespace sluice::interpret::loops::test
