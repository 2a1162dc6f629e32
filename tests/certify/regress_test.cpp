// Graphs that transformations made while they were wrong.
#include "graphs.h"

#include "interpret/interpret.h"

namespace sluice::test {
namespace {

/// `A[:] = A.T @ A` as maps: T is the transposed array, R the product.
std::string product(const std::string& result) {
    const std::string transient = "  transient array T: float64[N, N]\n  transient array R: float64[N, N]\n";
    return "sdfg mm(A) {\n  symbol N: int64\n  array A: float64[N, N]\n" + transient + R"(  state transpose {
    n0 = map_entry m [i=0:N, j=0:N] passing (A)
    n1 = map_exit n0 passing (T)
    n2 = tasklet t (x) -> (out) { out = x }
    n3 = access A
    n4 = access T
    n3 -> n0.IN_A : A[0:N, 0:N]
    n0.OUT_A -> n2.x : A[j, i]
    n2.out -> n1.IN_T : T[i, j]
    n1.OUT_T -> n4 : T[0:N, 0:N]
  }
  state product {
    n0 = nested multiply (T, A) -> (C) symbol_mapping={N: N} sdfg multiply() {
      symbol N: int64
      symbol i: int64
      symbol j: int64
      symbol k: int64
      array T: float64[N, N]
      array A: float64[N, N]
      array C: float64[N, N]
      loop for_i [i: `i = 0`; `i < N`; `i = i + 1`] {
        loop for_j [j: `j = 0`; `j < N`; `j = j + 1`] {
          state begin {
            n0 = tasklet t () -> (out) { out = 0.0 }
            n1 = access C
            n0.out -> n1 : C[i, j]
          }
          loop for_k [k: `k = 0`; `k < N`; `k = k + 1`] {
            state update {
              n0 = tasklet t (x, y, c) -> (out) { out = c + x * y }
              n1 = access T
              n2 = access A
              n3 = access C
              n4 = access C
              n1 -> n0.x : T[i, k]
              n2 -> n0.y : A[k, j]
              n3 -> n0.c : C[i, j]
              n0.out -> n4 : C[i, j]
            }
          }
          begin -> for_k
        }
      }
    }
    n1 = access T
    n2 = access A
    n3 = access )" +
           result + R"(
    n1 -> n0.T : T[0:N, 0:N]
    n2 -> n0.A : A[0:N, 0:N]
    n0.C -> n3 : )" +
           result + R"([0:N, 0:N]
  }
  state back {
    n0 = access )" +
           result + R"(
    n1 = access A
    n0 -> n1 : )" +
           result + R"([0:N, 0:N]
  }
  transpose -> product
  product -> back
}
)";
}

TEST(Regress, TransientReuseOfAnOperand) {
    // TransientReuse took the last read and the first write at one node for disjoint: the product was stored over its operand.
    expect_answer(product("R"), product("R"), Verdict::Equal);
    expect_answer(product("R"), product("T"), Verdict::Different, "different: A[");
}

/// `y += a * x` called as axpy(A[1, 0], A[0], A[1]): with the scalar by value, and joined to the element that it came from.
std::string rows(bool by_value) {
    const std::string scalar = by_value ? "scalar a: float64" : "array a: float64[1]", element = by_value ? "a[]" : "a[0]";
    const std::string out = by_value ? "" : ", a";
    return "sdfg rows(A) {\n  symbol N: int64\n  array A: float64[N, N]\n  state call {\n    n0 = nested axpy (a, x, y) -> (y" +
           out + ") symbol_mapping={N: N} sdfg axpy() {\n      symbol N: int64\n      symbol i: int64\n      " + scalar + R"(
      array x: float64[N]
      array y: float64[N]
      loop for_i [i: `i = 0`; `i < N`; `i = i + 1`] {
        state update {
          n0 = tasklet t (b, c, d) -> (out) { out = d + b * c }
          n1 = access a
          n2 = access x
          n3 = access y
          n4 = access y
          n1 -> n0.b : )" +
           element + R"(
          n2 -> n0.c : x[i]
          n3 -> n0.d : y[i]
          n0.out -> n4 : y[i]
        }
      }
    }
    n1 = access A
    n2 = access A
    n1 -> n0.a : A[1, 0]
    n1 -> n0.x : A[0, 0:N]
    n1 -> n0.y : A[1, 0:N]
    n0.y -> n2 : A[1, 0:N]
)" + (by_value ? "" : "    n3 = access A\n    n0.a -> n3 : A[1, 0]\n") +
           "  }\n}\n";
}

TEST(Regress, InlineMultistateSdfgOfAScalarThatIsTakenByValue) {
    expect_answer(rows(true), rows(true), Verdict::Equal);
    const Certificate certificate = certify::certify(graph(rows(true)), *ir::parse_text(rows(false)));
    EXPECT_EQ(certificate.verdict, Verdict::Different) << to_string(certificate);
    EXPECT_NE(to_string(certificate).find("A[1, "), std::string::npos) << to_string(certificate);
}

}  // namespace
}  // namespace sluice::test
