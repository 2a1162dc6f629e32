// Vectors, float16 and bfloat16: compiled programs against the interpreter.
#include <cmath>
#include <limits>

#include "oracle.h"

namespace sluice {
namespace {

using test::Arguments;
using test::graph;
using test::run_both;

std::string elementwise(const std::string& type, const std::string& code) {
    return "sdfg lanes(x, y, z) {\n  symbol N: int64\n  array x: " + type + "[N]\n  array y: " + type + "[N]\n  array z: " + type +
           R"([N]
  state main {
    n0 = map_entry m [i=0:N] passing (x, y)
    n1 = map_exit n0 passing (z)
    n2 = tasklet t (a, b) -> (o) { )" +
           code + R"( }
    n3 = access x
    n4 = access y
    n5 = access z
    n3 -> n0.IN_x : x[0:N]
    n4 -> n0.IN_y : y[0:N]
    n0.OUT_x -> n2.a : x[i]
    n0.OUT_y -> n2.b : y[i]
    n2.o -> n1.IN_z : z[i]
    n1.OUT_z -> n5 : z[0:N]
  }
}
)";
}

template <class T> std::vector<T> ramp(std::size_t count, double from, double step) {
    std::vector<T> values(count);
    for (std::size_t at = 0; at < count; ++at) values[at] = static_cast<T>(from + step * static_cast<double>(at));
    return values;
}

template <class T> void compare_lanes(const std::string& type, int lanes, const std::string& code, T (*expected)(T, T)) {
    const std::size_t elements = 5, count = elements * static_cast<std::size_t>(lanes);
    const std::vector<T> x = ramp<T>(count, -7, 1.25), y = ramp<T>(count, 3, -0.5), zeros(count);
    const Arguments result = run_both(graph(elementwise("vector<" + type + ", " + std::to_string(lanes) + ">", code)),
                                      Arguments{}.array("x", x).array("y", y).array("z", zeros).symbol("N", elements));
    const std::vector<T> z = result.values<T>("z");
    for (std::size_t at = 0; at < count; ++at) ASSERT_EQ(z[at], expected(x[at], y[at])) << type << " " << code << " " << at;
}

TEST(Numbers, WithoutDigits) {
    const std::vector<double> x{-2, 0, 3, 5}, y{1, 1, 1, 1}, zeros(4);
    const auto result = [&](const std::string& code) {
        const ir::Sdfg sdfg = graph(elementwise("float64", code));
        return run_both(sdfg, Arguments{}.array("x", x).array("y", y).array("z", zeros).symbol("N", 4)).values<double>("z");
    };
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> signs{-infinity, infinity, infinity, infinity};
    EXPECT_EQ(result("o = -inf if a < 0 else inf"), signs);
    EXPECT_EQ(result("o = math.inf if not a < 0 else -numpy.inf"), signs);
    EXPECT_EQ(result("o = float('-inf') if a < 0 else dace.float64('inf') * dace.float64(2)"), signs);
    EXPECT_EQ(result("o = min(max(a, -inf), inf)"), x);
    EXPECT_TRUE(std::isnan(result("o = nan")[0]));
    EXPECT_TRUE(std::isnan(result("o = b * math.nan")[1]));
    // A connector has its name to itself.
    std::string named = elementwise("float64", "o = inf + b");
    named.replace(named.find("(a, b)"), 6, "(inf, b)");
    named.replace(named.find("n2.a"), 4, "n2.inf");
    const Arguments own = run_both(graph(named), Arguments{}.array("x", x).array("y", y).array("z", zeros).symbol("N", 4));
    EXPECT_EQ(own.values<double>("z"), (std::vector<double>{-1, 1, 4, 6}));
}

TEST(Vectors, ArithmeticLaneByLane) {
    compare_lanes<float>("float32", 4, "o = a * b + 2", [](float a, float b) { return a * b + 2; });
    compare_lanes<double>("float64", 4, "o = a / (b * b + 1) - a", [](double a, double b) { return a / (b * b + 1) - a; });
    compare_lanes<std::int32_t>("int32", 8, "o = a * b - a", [](std::int32_t a, std::int32_t b) { return a * b - a; });
}

TEST(Vectors, MinimaSelectionsAndAnOddNumberOfLanes) {
    compare_lanes<double>("float64", 4, "o = min(a, b)", [](double a, double b) { return a < b ? a : b; });
    compare_lanes<float>("float32", 8, "o = max(a, b) - 1", [](float a, float b) { return (a > b ? a : b) - 1; });
    compare_lanes<double>("float64", 4, "o = float64(int32(a)) * float64(b)",
                          [](double a, double b) { return static_cast<std::int32_t>(a) * b; });
    compare_lanes<double>("float64", 3, "o = abs(a) + b", [](double a, double b) { return std::abs(a) + b; });
}

// A vector of neighbours out of an array of scalars, by a strided map.
TEST(Vectors, LanesOutOfAnArrayOfScalars) {
    const ir::Sdfg g = graph(R"(sdfg neighbours(x, y) {
  symbol N: int64
  array x: float64[4*N]
  array y: float64[4*N]
  state main {
    n0 = map_entry m [i=0:4*N:4] passing (x)
    n1 = map_exit n0 passing (y)
    n2 = tasklet t (a: vector<float64, 4>) -> (o: vector<float64, 4>) { o = a * a }
    n3 = access x
    n4 = access y
    n3 -> n0.IN_x : x[0:4*N]
    n0.OUT_x -> n2.a : x[i:i + 4]
    n2.o -> n1.IN_y : y[i:i + 4]
    n1.OUT_y -> n4 : y[0:4*N]
  }
}
)");
    std::vector<double> x = ramp<double>(12, 1, 1), y(12);
    std::int64_t n = 3;
    test::run_program(g, {x.data(), y.data(), &n});
    for (std::size_t at = 0; at < x.size(); ++at) EXPECT_EQ(y[at], x[at] * x[at]);
}

// Rows that run at the same time update the same neighbours.
TEST(Vectors, UpdatesOfLanesThatMeet) {
    const ir::Sdfg g = graph(R"(sdfg columns(x, y) {
  symbol N: int64
  array x: float64[N, 4*N]
  array y: float64[4*N]
  state main {
    n0 = map_entry m [i=0:N, j=0:4*N:4] passing (x) schedule=CPU_Multicore
    n1 = map_exit n0 passing (y)
    n2 = tasklet t (a: vector<float64, 4>) -> (o: vector<float64, 4>) { o = a + 1 }
    n3 = access x
    n4 = access y
    n3 -> n0.IN_x : x[0:N, 0:4*N]
    n0.OUT_x -> n2.a : x[i, j:j + 4]
    n2.o -> n1.IN_y : y[j:j + 4] wcr="lambda a, b: a + b"
    n1.OUT_y -> n4 : y[0:4*N] wcr="lambda a, b: a + b"
  }
}
)");
    constexpr std::size_t n = 40;
    const std::vector<double> x = ramp<double>(4 * n * n, 1, 1), y(4 * n);
    const auto result = run_both(g, Arguments{}.array("x", x).array("y", y).symbol("N", n)).values<double>("y");
    for (std::size_t at = 0; at < y.size(); ++at) {
        double sum = 0;
        for (std::size_t row = 0; row < n; ++row) sum += x[row * 4 * n + at] + 1;
        EXPECT_EQ(result[at], sum) << at;
    }
}

// float16 rounds after every operation: powers of two and halves around 2048, where its spacing is 2.
TEST(Float16, RoundsAfterEachOperation) {
    const std::vector<_Float16> x{1, _Float16(0.1f), 2048, 65504, -3}, y{2, _Float16(0.2f), 1, 65504, 7}, zeros(5);
    const auto result = run_both(graph(elementwise("float16", "o = (a + b) * a")),
                                 Arguments{}.array("x", x).array("y", y).array("z", zeros).symbol("N", 5));
    const std::vector<_Float16> z = result.values<_Float16>("z");
    for (std::size_t at = 0; at < x.size(); ++at) {
        const auto sum = static_cast<_Float16>(static_cast<float>(x[at]) + static_cast<float>(y[at]));
        EXPECT_EQ(z[at], static_cast<_Float16>(static_cast<float>(sum) * static_cast<float>(x[at]))) << at;
    }
}

TEST(Float16, FunctionsComparisonsAndReductions) {
    const std::vector<_Float16> x{4, _Float16(2.25f), 9, 100, 1}, y{1, 2, 3, 4, 5}, zeros(5);
    run_both(graph(elementwise("float16", "o = sqrt(a) if a > b else max(a, b)")),
             Arguments{}.array("x", x).array("y", y).array("z", zeros).symbol("N", 5));
    const ir::Sdfg sum = graph(R"(sdfg half_sum(x, s) {
  symbol N: int64
  array x: float16[N]
  array s: float16[1]
  state main {
    n0 = map_entry m [i=0:N] passing (x)
    n1 = map_exit n0 passing (s)
    n2 = tasklet t (a) -> (o) { o = a }
    n3 = access x
    n4 = access s
    n3 -> n0.IN_x : x[0:N]
    n0.OUT_x -> n2.a : x[i]
    n2.o -> n1.IN_s : s[0] wcr="lambda a, b: a + b"
    n1.OUT_s -> n4 : s[0] wcr="lambda a, b: a + b"
  }
}
)");
    const auto result =
        run_both(sum, Arguments{}.array("x", std::vector<_Float16>(900, 1)).array("s", std::vector<_Float16>{5}).symbol("N", 900));
    EXPECT_EQ(static_cast<float>(result.values<_Float16>("s")[0]), 905);
}

TEST(NarrowFloats, WithoutArithmeticAreRefused) {
    for (const char* type : {"bfloat16", "float8_e4m3fn", "float8_e5m2"}) {
        auto parsed = ir::parse_text(elementwise(type, "o = a + b"));
        ASSERT_TRUE(parsed) << render(parsed.error());
        const auto module = lower::lower(*parsed);
        ASSERT_FALSE(module) << type;
        EXPECT_EQ(module.error().code, "L020");
        EXPECT_EQ(module.error().message,
                  "container `x` has type " + std::string(type) + ", which a CPU program cannot compute with");
        EXPECT_EQ(module.error().path, "lanes/x");
    }
}

}  // namespace
}  // namespace sluice
