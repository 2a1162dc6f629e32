// Symbols of a nested SDFG are what the call makes of them: zero and negative values compiled and interpreted.
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "oracle.h"

namespace sluice {
namespace {

using test::Arguments;
using test::graph;
using test::lowered;
using test::run_both;

// A graph that calls `inner` on A and B with K = N + shift and S = N + turn; run with N = 4.
ir::Sdfg calling(const std::string& inner, std::int64_t shift, std::int64_t turn = -3) {
    return graph(R"(sdfg outer(A, B) {
  symbol N: int64
  array A: int64[64]
  array B: int64[64]
  state only {
    n0 = access A
    n1 = access B
    n2 = nested inner (A, C) -> (B) symbol_mapping={K: (N + )" +
                 std::to_string(shift) + "), S: (N + " + std::to_string(turn) + R"()} sdfg inner(A, B, C) {
      symbol K: int64
      symbol S: int64
      array A: int64[64]
      array B: int64[64]
      array C: int64[64]
)" + inner + R"(    }
    n3 = access B
    n0 -> n2.A : A[0:64]
    n3 -> n2.C : B[0:64]
    n2.B -> n1 : B[0:64]
  }
}
)");
}

std::vector<std::int64_t> numbers() {
    std::vector<std::int64_t> values(64);
    std::iota(values.begin(), values.end(), 100);
    return values;
}

std::vector<std::int64_t> result_of(const ir::Sdfg& sdfg) {
    const std::vector<std::int64_t> before(64, -1);
    return run_both(sdfg, Arguments().array("A", numbers()).array("B", before).symbol("N", 4)).values<std::int64_t>("B");
}

TEST(NestedSymbols, DivisionRoundsDown) {
    const std::string inner = R"(      state s {
        n0 = access A
        n1 = access B
        n2 = tasklet divide (a) -> (b) { b = a * 1000 + (K // 2) * 100 + K % 3 * 10 + max(K, 0) + min(K, 1) }
        n0 -> n2.a : A[(K // 2 + 5)]
        n2.b -> n1 : B[(K % 5)]
      }
)";
    EXPECT_EQ(result_of(calling(inner, -7))[2], 103 * 1000 - 200 + 0 - 3);
    EXPECT_EQ(result_of(calling(inner, -4))[0], 105 * 1000);
    EXPECT_EQ(result_of(calling(inner, -3))[1], 105 * 1000 + 10 + 2);
}

TEST(NestedSymbols, ACopyOfANegativeNumberOfElementsIsNone) {
    const std::string one = R"(      state s {
        n0 = access A
        n1 = access B
        n0 -> n1 : A[1:K] -> [1:K]
      }
)";
    for (const std::int64_t shift : {-7, -4, -3}) EXPECT_EQ(result_of(calling(one, shift)), std::vector<std::int64_t>(64, -1));
    EXPECT_EQ(result_of(calling(one, 0))[3], 103);
}

TEST(NestedSymbols, AMapMayCountDown) {
    for (const std::string schedule : {"CPU_Multicore omp_num_threads=2", "Sequential"}) {
        const std::string inner = R"(      state s {
        n0 = access A
        n1 = access B
        n2 = map_entry m [i=(20 - 10*S):20:S, j=0:2] passing (A) schedule=)" +
                                  schedule + R"(
        n3 = map_exit n2 passing (B)
        n4 = tasklet t (a) -> (b) { b = a + i // 2 + j }
        n0 -> n2.IN_A : A[0:64]
        n2.OUT_A -> n4.a : A[i]
        n4.b -> n3.IN_B : B[(i + 31*j)]
        n3.OUT_B -> n1 : B[0:64]
      }
)";
        const std::vector<std::int64_t> down = result_of(calling(inner, 0, -5)), up = result_of(calling(inner, 0, -2));
        EXPECT_EQ(down[30], 130 + 15) << schedule;
        EXPECT_EQ(down[20], -1) << schedule;
        EXPECT_EQ(up[0], 100) << schedule;
    }
}

// Iterations of i meet in B[i + j] if j takes more than one value, which it does where S is negative.
TEST(NestedSymbols, AnUpdateByALoopOfUnknownDirectionIsAtomic) {
    const std::string inner = R"(      state s {
        n0 = access A
        n1 = access B
        n2 = map_entry m [i=0:20] passing (A) schedule=CPU_Multicore omp_num_threads=2
        n3 = map_entry inner [j=5:0:S] passing (A) schedule=Sequential
        n4 = map_exit n3 passing (B)
        n5 = map_exit n2 passing (B)
        n6 = tasklet t (a) -> (b) { b = a }
        n0 -> n2.IN_A : A[0:64]
        n2.OUT_A -> n3.IN_A : A[i]
        n3.OUT_A -> n6.a : A[i]
        n6.b -> n4.IN_B : B[(i + j)] wcr="lambda a, b: a + 2 * b"
        n4.OUT_B -> n5.IN_B : B[(i + 1):(i + 6)] wcr="lambda a, b: a + 2 * b"
        n5.OUT_B -> n1 : B[0:64] wcr="lambda a, b: a + 2 * b"
      }
)";
    const ir::Sdfg sdfg = calling(inner, 0, -5);
    EXPECT_NE(lowered(sdfg).find("compare_exchange"), std::string::npos) << lowered(sdfg);
    EXPECT_EQ(result_of(sdfg)[1], 199);
}

// Where k is read in every iteration of i, i + k is no place of i's own.
TEST(NestedSymbols, AnUpdateAtAnIndexThatIsReadIsAtomic) {
    const ir::Sdfg sdfg = graph(R"(sdfg scatter(A, B) {
  array A: int64[64]
  array B: int64[64]
  state only {
    n0 = access A
    n1 = access B
    n2 = map_entry m [i=0:20] passing (A) schedule=CPU_Multicore omp_num_threads=2
    n3 = map_entry inner [j=0:1] passing (A) (k) schedule=Sequential
    n4 = map_exit n3 passing (B)
    n5 = map_exit n2 passing (B)
    n6 = tasklet t (a) -> (b) { b = a }
    n0 -> n2.IN_A : A[0:64]
    n2.OUT_A -> n3.IN_A : A[i]
    n2.OUT_A -> n3.k : A[(20 + i)]
    n3.OUT_A -> n6.a : A[i]
    n6.b -> n4.IN_B : B[(i + k)] wcr="lambda a, b: a + 2 * b"
    n4.OUT_B -> n5.IN_B : B[0:64] dynamic wcr="lambda a, b: a + 2 * b"
    n5.OUT_B -> n1 : B[0:64] dynamic wcr="lambda a, b: a + 2 * b"
  }
}
)");
    std::vector<std::int64_t> a(64, 1);
    for (int i = 0; i < 20; ++i) a[20 + i] = 30 - i;
    const std::vector<std::int64_t> none(64, 0);
    EXPECT_NE(lowered(sdfg).find("compare_exchange"), std::string::npos) << lowered(sdfg);
    EXPECT_EQ(run_both(sdfg, Arguments().array("A", a).array("B", none)).values<std::int64_t>("B")[30], 40);
}

}  // namespace
}  // namespace sluice
