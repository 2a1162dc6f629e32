// Structures and arrays of containers, as transients and as arguments, compiled and run.
#include "oracle.h"

namespace sluice {
namespace {

using test::Arguments;
using test::graph;
using test::run_both;
using Doubles = std::vector<double>;

constexpr const char* kPair = R"( name=Pair {
    scalar count: int32
    array values: float64[N]
  }
)";

struct Pair {
    std::int32_t count;
    double* values;
};

// y[i] = x[i] * 3 through a structure: its scalar is written and read, its array filled and emptied.
std::string through_pair(const std::string& declaration) {
    return "sdfg pairs(x, y) {\n  symbol N: int64\n  array x: float64[N]\n  array y: float64[N]\n  " + declaration + kPair + R"(
  state fill {
    n0 = access x
    n1 = access s.values
    n0 -> n1 : x[0:N]
    n2 = tasklet three () -> (o) { o = 3 }
    n3 = access s.count
    n2.o -> n3 : s.count[]
  }
  state use {
    n0 = map_entry m [i=0:N] passing (v, c)
    n1 = map_exit n0 passing (y)
    n2 = tasklet scale (a, n) -> (o) { o = a * n }
    n3 = access s.values
    n4 = access s.count
    n5 = access y
    n3 -> n0.IN_v : s.values[0:N]
    n4 -> n0.IN_c : s.count[]
    n0.OUT_v -> n2.a : s.values[i]
    n0.OUT_c -> n2.n : s.count[]
    n2.o -> n1.IN_y : y[i]
    n1.OUT_y -> n5 : y[0:N]
  }
  fill -> use
}
)";
}

TEST(Structures, TransientWithAScalarAndAnArray) {
    for (const char* kept : {"", " lifetime=Persistent"}) {
        std::string text = through_pair("transient struct s");
        if (*kept) text.insert(text.find(" name=Pair"), kept);
        const auto result =
            run_both(graph(text), Arguments{}.array<double>("x", {1, 2, 3}).array<double>("y", {0, 0, 0}).symbol("N", 3));
        EXPECT_EQ(result.values<double>("y"), (Doubles{3, 6, 9})) << kept;
    }
}

TEST(Structures, ArgumentIsAPointerToTheStruct) {
    const ir::Sdfg g = graph(through_pair("struct s"));
    Doubles values(3), x{1, 2, 3}, y(3);
    Pair s{0, values.data()};
    std::int64_t n = 3;
    test::run_program(g, {x.data(), y.data(), &s, &n});
    EXPECT_EQ(y, (Doubles{3, 6, 9}));
    EXPECT_EQ(values, x);
    EXPECT_EQ(s.count, 3);

    Doubles interpreted_y(3), interpreted_values(3);
    Pair other{0, interpreted_values.data()};
    interpret::Arguments arguments{{{"x", x.data()}, {"y", interpreted_y.data()}, {"s", &other}}, {{"N", 3}}};
    const auto report = interpret::interpret(g, arguments);
    ASSERT_TRUE(report) << render(report.error());
    EXPECT_EQ(y, interpreted_y);
    EXPECT_EQ(values, interpreted_values);
    EXPECT_EQ(s.count, other.count);
}

// The elements' type is declared, whatever becomes of them.
TEST(Structures, AsElementsOfAnArgument) {
    const ir::Sdfg g = graph(R"(sdfg elements(pairs, y) {
  array pairs: struct pair {a: int32, b: float64}[2]
  array y: float64[1]
  state s {
    n0 = tasklet t () -> (o) { o = 7 }
    n1 = access y
    n0.o -> n1 : y[0]
  }
}
)");
    struct {
        std::int32_t a;
        double b;
    } pairs[2] = {};
    Doubles y(1);
    test::run_program(g, {pairs, y.data()});
    EXPECT_EQ(y, Doubles{7});
}

// A structure in a structure, handed to a nested SDFG as a whole.
TEST(Structures, NestedStructureInANestedSdfg) {
    const std::string structure = R"(struct s name=Outer {
    struct inner name=Inner {
      scalar factor: float64
      array values: float64[4]
    }
    array bias: float64[4]
  }
)";
    const ir::Sdfg g = graph(R"(sdfg nested_structure(x, y) {
  array x: float64[4]
  array y: float64[4]
  transient )" + structure + R"(
  state fill {
    n0 = access x
    n1 = access s.inner.values
    n0 -> n1 : x[0:4]
    n2 = tasklet t () -> (f, b) {
      f = 2
      b[0] = 10
      b[1] = 20
      b[2] = 30
      b[3] = 40
    }
    n3 = access s.inner.factor
    n4 = access s.bias
    n2.f -> n3 : s.inner.factor[]
    n2.b -> n4 : s.bias[0:4]
  }
  state call {
    n0 = access s
    n1 = nested work (s) -> (y) sdfg work() {
  array y: float64[4]
  )" + structure + R"(
  state main {
    n0 = map_entry m [i=0:4] passing (v, f, b)
    n1 = map_exit n0 passing (y)
    n2 = tasklet t (a, f, b) -> (o) { o = a * f + b }
    n3 = access s.inner.values
    n4 = access s.inner.factor
    n5 = access s.bias
    n6 = access y
    n3 -> n0.IN_v : s.inner.values[0:4]
    n4 -> n0.IN_f : s.inner.factor[]
    n5 -> n0.IN_b : s.bias[0:4]
    n0.OUT_v -> n2.a : s.inner.values[i]
    n0.OUT_f -> n2.f : s.inner.factor[]
    n0.OUT_b -> n2.b : s.bias[i]
    n2.o -> n1.IN_y : y[i]
    n1.OUT_y -> n6 : y[0:4]
  }
}
    n2 = access y
    n0 -> n1.s : s[]
    n1.y -> n2 : y[0:4]
  }
  fill -> call
}
)");
    const auto result = run_both(g, Arguments{}.array<double>("x", {1, 2, 3, 4}).array<double>("y", {0, 0, 0, 0}));
    EXPECT_EQ(result.values<double>("y"), (Doubles{12, 24, 36, 48}));
}

constexpr const char* kArrayOfStructures = R"(container_array A: pointer<struct Pair {count: int32, values: pointer<float64>}>[M] {
    struct element name=Pair {
      scalar count: int32
      array values: float64[N]
    }
  }
  transient view struct v name=Pair {
    scalar count: int32
    array values: float64[N]
  }
)";

TEST(ContainerArrays, OfStructuresAsAnArgument) {
    const ir::Sdfg g =
        graph(std::string("sdfg many_pairs(A, y) {\n  symbol M: int64\n  symbol N: int64\n  array y: float64[M, N]\n  ") +
              kArrayOfStructures + R"(
  state use {
    n0 = map_entry m [j=0:M] passing (A)
    n1 = map_exit n0 passing (y)
    n2 = access A
    n3 = access v (views)
    n4 = tasklet t (a, n) -> (o) {
      for i in range(N):
        o[i] = a[i] * n
    }
    n5 = access y
    n2 -> n0.IN_A : A[0:M]
    n0.OUT_A -> n3.views : A[j]
    n3 -> n4.a : v.values[0:N]
    n3 -> n4.n : v.count[]
    n4.o -> n1.IN_y : y[j, 0:N]
    n1.OUT_y -> n5 : y[0:M, 0:N]
  }
}
)");
    Doubles first{1, 2}, second{3, 4}, third{5, 6}, y(6);
    Pair pairs[] = {{1, first.data()}, {2, second.data()}, {3, third.data()}};
    Pair* pointers[] = {&pairs[2], &pairs[0], &pairs[1]};
    std::int64_t m = 3, n = 2;
    test::run_program(g, {pointers, y.data(), &m, &n});
    EXPECT_EQ(y, (Doubles{15, 18, 1, 2, 6, 8}));
}

TEST(ContainerArrays, TransientArrayOfArrays) {
    const ir::Sdfg g = graph(R"(sdfg many_rows(x, y) {
  symbol M: int64
  symbol N: int64
  array x: float64[M, N]
  array y: float64[M, N]
  transient container_array A: pointer<float64>[M] {
    array element: float64[N]
  }
  transient view array v: float64[N]
  state fill {
    n0 = map_entry m [j=0:M] passing (x)
    n1 = map_exit n0 passing (A)
    n2 = access x
    n3 = access v -> (views)
    n4 = access A
    n2 -> n0.IN_x : x[0:M, 0:N]
    n0.OUT_x -> n3 : x[j, 0:N]
    n3.views -> n1.IN_A : A[j]
    n1.OUT_A -> n4 : A[0:M]
  }
  state use {
    n0 = map_entry m [j=0:M] passing (A)
    n1 = map_exit n0 passing (y)
    n2 = access A
    n3 = access v (views)
    n4 = access y
    n2 -> n0.IN_A : A[0:M]
    n0.OUT_A -> n3.views : A[M - 1 - j]
    n3 -> n1.IN_y : y[j, 0:N]
    n1.OUT_y -> n4 : y[0:M, 0:N]
  }
  fill -> use
}
)");
    Doubles x{1, 2, 3, 4, 5, 6}, y(6);
    std::int64_t m = 3, n = 2;
    test::run_program(g, {x.data(), y.data(), &m, &n});
    EXPECT_EQ(y, (Doubles{5, 6, 3, 4, 1, 2}));
}

Diagnostic refusal(const std::string& declaration) {
    auto parsed = ir::parse_text("sdfg g(x) {\n  array x: float64[4]\n  " + declaration + R"(
  state main {
    n0 = access x
    n1 = access s.a
    n0 -> n1 : x[0:4]
  }
}
)");
    EXPECT_TRUE(parsed) << render(parsed.error());
    const auto module = lower::lower(*parsed);
    EXPECT_FALSE(module);
    return module ? Diagnostic{} : module.error();
}

TEST(Structures, StreamsAndConflictingTypesAreRefused) {
    const Diagnostic stream = refusal("transient struct s name=P {\n    array a: float64[4]\n    stream q: float64[1]\n  }");
    EXPECT_EQ(stream.code, "L004");
    EXPECT_EQ(stream.message, "member `s.q` is of a kind that a structure on a CPU cannot hold");
    EXPECT_EQ(stream.path, "g/s.q");
    const Diagnostic types =
        refusal("struct r name=P {\n    array b: float64[4]\n  }\n  struct s name=P {\n    array a: float64[4]\n  }");
    EXPECT_EQ(types.code, "L004");
    EXPECT_EQ(types.message, "the type `P` of structure `s` is also that of a structure with other members");
}

}  // namespace
}  // namespace sluice
