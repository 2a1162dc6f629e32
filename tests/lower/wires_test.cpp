// Results that go from tasklet to tasklet without a container.
#include "oracle.h"

namespace sluice {
namespace {

using test::Arguments;
using test::graph;
using test::run_both;
using Doubles = std::vector<double>;

std::string in_map(const std::string& wire, const std::string& second) {
    return R"(sdfg wires(x, y) {
  array x: float64[4]
  array y: float64[4]
  state main {
    n0 = map_entry m [i=0:4] passing (x)
    n1 = map_exit n0 passing (y)
    n2 = tasklet square (a) -> (b) { b = a * a }
)" + second +
           R"(
    n4 = access x
    n5 = access y
    n4 -> n0.IN_x : x[0:4]
    n0.OUT_x -> n2.a : x[i]
    n2.b -> n3.c)" +
           wire + R"(
    n3.d -> n1.IN_y : y[i]
    n1.OUT_y -> n5 : y[0:4]
  }
}
)";
}

TEST(Wires, BetweenPythonTasklets) {
    const auto arguments = Arguments{}.array<double>("x", {1, 2, 3, 4}).array<double>("y", {0, 0, 0, 0});
    const auto result = run_both(graph(in_map("", "    n3 = tasklet add (c) -> (d) { d = c + 1 }")), arguments);
    EXPECT_EQ(result.values<double>("y"), (Doubles{2, 5, 10, 17}));
}

TEST(Wires, IntoACppTasklet) {
    const ir::Sdfg g = graph(in_map("", "    n3 = tasklet add (c) -> (d) CPP `d = c + 1;`"));
    Doubles x{1, 2, 3, 4}, y(4);
    test::run_program(g, {x.data(), y.data()});
    EXPECT_EQ(y, (Doubles{2, 5, 10, 17}));
}

TEST(Wires, IntoANestedSdfg) {
    const auto arguments = Arguments{}.array<double>("x", {1, 2, 3, 4}).array<double>("y", {0, 0, 0, 0});
    const auto result = run_both(graph(in_map("", R"(    n3 = nested inner (c) -> (d) sdfg inner() {
  scalar c: float64
  array d: float64[1]
  state main {
    n0 = access c
    n1 = tasklet t (a) -> (o) { o = a + 1 }
    n2 = access d
    n0 -> n1.a : c[]
    n1.o -> n2 : d[0]
  }
}
)")),
                                 arguments);
    EXPECT_EQ(result.values<double>("y"), (Doubles{2, 5, 10, 17}));
}

}  // namespace
}  // namespace sluice
