// Costs against counting: what the interpreter runs, and elements visited one by one.
#include "analysis/cost/cost.h"

#include <gtest/gtest.h>

#include <set>

#include "analysis/propagate.h"
#include "analysis/symbols.h"
#include "interpret/interpret.h"
#include "ir/builder.h"
#include "ir/text.h"

namespace sluice::analysis {
namespace {

using code::Scalar;
using symbolic::Expr;
using symbolic::symbol;

std::int64_t value(const Expr& e, std::int64_t n) {
    return symbolic::evaluate(e, {{"N", n}}).or_fail();
}

/// How often tasklets run when the interpreter runs the program, whose only argument is an array A of N * N numbers.
std::int64_t executions(const ir::Sdfg& sdfg, std::int64_t n) {
    std::vector<double> a(static_cast<std::size_t>(n * n), 1.0);
    interpret::Arguments arguments;
    arguments.memory["A"] = a.data();
    arguments.symbols["N"] = n;
    interpret::Options options;
    std::int64_t count = 0;
    options.detect_conflicts = false;
    options.trace = [&](std::string_view line) { count += line.starts_with("tasklet "); };
    EXPECT_TRUE(interpret::interpret(sdfg, arguments, options).ok());
    return count;
}

ir::Sdfg graph(const std::string& blocks) {
    ir::Sdfg sdfg = ir::parse_text("sdfg f() {\n  symbol N: int64\n  array A: float64[N, N]\n" + blocks + "}\n").or_fail();
    propagate_memlets(sdfg);
    return sdfg;
}

/// One multiplication and one addition for each point of the map; reads one element and writes one.
std::string mapped(const std::string& ranges, const std::string& element) {
    return "  state main {\n    n0 = access A\n    n1 = map_entry points [" + ranges +
           "] passing (A)\n    n2 = map_exit n1 passing (A)\n    n3 = tasklet step (x) -> (y) { y = 2 * x + 1 }\n    n4 = access "
           "A\n"
           "    n0 -> n1.IN_A : A\n    n1.OUT_A -> n3.x : A[" +
           element + "]\n    n3.y -> n2.IN_A : A[" + element + "]\n    n2.OUT_A -> n4 : A\n  }\n";
}

TEST(Cost, MapsAgreeWithWhatTheInterpreterRuns) {
    const std::pair<std::string, std::string> maps[] = {
        {"i=0:N", "0, i"},          {"i=0:N, j=0:N", "i, j"},         {"i=0:N, j=0:i", "i, j"},        {"i=0:N, j=0:i + 1", "i, j"},
        {"i=0:N, j=i:N", "i, j"},   {"i=0:N, j=0:i, k=0:j", "j, k"},  {"i=0:N, j=0:i, k=j:i", "j, k"}, {"i=0:N, j=0:i*i", "0, i"},
        {"i=0:N:2, j=0:N", "i, j"}, {"i=N - 1:-1:-1, j=0:i", "i, j"},
    };
    for (const auto& [ranges, element] : maps) {
        const ir::Sdfg sdfg = graph(mapped(ranges, element));
        const Cost cost = cost_of(sdfg, assumptions_of(sdfg));
        EXPECT_TRUE(cost.exact) << ranges;
        for (std::int64_t n = 1; n <= 7; ++n) {
            const std::int64_t runs = executions(sdfg, n);
            EXPECT_EQ(value(cost.operations, n), 2 * runs) << ranges << " N=" << n << " " << symbolic::to_string(cost.operations);
            EXPECT_EQ(value(cost.bytes, n), 16 * runs) << ranges << " N=" << n;
            EXPECT_EQ(value(cost.calls, n), 0);
            EXPECT_EQ(value(cost.unknown, n), 0);
        }
    }
}

TEST(Cost, LoopsAgreeWithWhatTheInterpreterRuns) {
    const std::string step =
        "      state s {\n        n0 = access A\n        n1 = tasklet t (x) -> (y) { y = 2 * x + 1 }\n"
        "        n2 = access A\n        n0 -> n1.x : A[0, t]\n        n1.y -> n2 : A[0, t]\n      }\n";
    const ir::Sdfg sdfg = graph("  loop time [t: `t = 0`; `t < N`; `t = t + 1`] {\n" + step + "  }\n");
    const Cost cost = cost_of(sdfg, assumptions_of(sdfg));
    for (std::int64_t n = 1; n <= 5; ++n) EXPECT_EQ(value(cost.operations, n), 2 * executions(sdfg, n)) << n;
}

// What a range of another shape than a polynomial costs is bounded, and said to be.
TEST(Cost, OtherSumsAreUpperBounds) {
    const ir::Sdfg sdfg = graph(mapped("i=0:N, j=0:min(i, 3)", "i, j"));
    const Cost cost = cost_of(sdfg, assumptions_of(sdfg));
    EXPECT_FALSE(cost.exact);
    for (std::int64_t n = 3; n <= 7; ++n) EXPECT_GE(value(cost.operations, n), 2 * executions(sdfg, n));
}

TEST(Cost, CodeIsCountedInItsTree) {
    const auto counted = [](const std::string& code) {
        ir::Sdfg sdfg{.name = "f"};
        ir::add_array(sdfg, "x", Scalar::Float64, {10});
        auto state = ir::add_state(sdfg, "main");
        const auto read = state.access("x"), write = state.access("x");
        const auto tasklet = state.tasklet("t", {{"a", {}}}, {{"b", {}}}, code);
        state.memlet_path({read, tasklet}, "", "a", ir::memlet("x[0:10]"));
        state.memlet_path({tasklet, write}, "b", "", ir::memlet("x[0]"));
        return cost_of(sdfg, assumptions_of(sdfg));
    };
    EXPECT_TRUE(counted("b = a[0] + a[1] * a[2]").operations.is_integer(2));
    EXPECT_TRUE(counted("b = a[0] + a[1] * a[2]").bytes.is_integer(32));
    EXPECT_TRUE(counted("b = exp(a[0]) + max(a[1], 0)").calls.is_integer(1));
    EXPECT_TRUE(counted("b = a[0] if a[1] < 0 else exp(a[2])").calls.is_integer(1));
    EXPECT_FALSE(counted("b = a[0] if a[1] < 0 else exp(a[2])").exact);
    EXPECT_TRUE(counted("b = a[0]\nwhile b < 3:\n    b = b * 2").unknown.is_integer(1));
}

TEST(Cost, FootprintCountsElementsOnceAndReuseHowOften) {
    ir::Sdfg sdfg{.name = "rows"};
    ir::add_symbol(sdfg, "N");
    ir::add_array(sdfg, "A", Scalar::Float64, {symbol("N"), symbol("N")});
    ir::add_array(sdfg, "x", Scalar::Float64, {symbol("N")});
    auto state = ir::add_state(sdfg, "main");
    state.mapped_tasklet("product", {{"i", "0:N"}, {"j", "0:N"}}, {{"a", "A[i, j]"}, {"b", "x[j]"}}, "o = a * b",
                         {{"o", "A[i, j]"}});
    propagate_memlets(sdfg);
    const ir::State& built = *ir::as_state(sdfg.body.blocks[sdfg.body.start]);
    const ir::Adjacency adjacency(built);
    const ScopeTree scopes(built, adjacency);
    for (auto [id, node] : built.nodes) {
        if (!std::holds_alternative<ir::MapEntry>(node.kind)) continue;
        const Expr touched = footprint(sdfg, built, adjacency, scopes, id);
        const Cost cost = cost_of(sdfg, built, adjacency, scopes, id, assumptions_of(sdfg));
        for (std::int64_t n = 1; n <= 4; ++n) {
            std::set<std::pair<char, std::int64_t>> elements;
            std::int64_t accesses = 0;
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < n; ++j) {
                    elements.insert({'A', i * n + j});
                    elements.insert({'x', j});
                    accesses += 3;
                }
            EXPECT_EQ(value(touched, n), 8 * static_cast<std::int64_t>(elements.size()));
            EXPECT_EQ(value(cost.bytes, n), 8 * accesses);
            EXPECT_EQ(value(reuse(cost, touched) * touched, n), 8 * accesses);
        }
    }
}

// A library node costs what its contract says; one without a contract is unknown.
TEST(Cost, OfOperationsIsWhatTheirContractsSay) {
    const auto product = [](const std::string& operation) {
        return graph(
            "  transient array B: float64[N, N]\n  transient array C: float64[N, N]\n  state main {\n    n0 = access A\n"
            "    n1 = access B\n    n2 = library " +
            operation +
            " product (_a, _b) -> (_c)\n    n3 = access C\n    n0 -> n2._a : A\n    n1 -> n2._b : B\n    n2._c -> n3 : C\n"
            "  }\n");
    };
    const Cost cost = cost_of(product("MatMul"), {});
    EXPECT_EQ(value(cost.operations, 7), 2 * 7 * 7 * 7);
    EXPECT_EQ(value(cost.bytes, 7), 3 * 7 * 7 * 8);
    EXPECT_EQ(value(cost.unknown, 7), 0);
    EXPECT_EQ(value(cost_of(product("Unheard"), {}).unknown, 7), 1);
}

TEST(Machine, ReadsBackWhatItPrints) {
    Machine machine;
    machine.team = 123;
    EXPECT_EQ(parse_machine(to_text(machine)).or_fail(), machine);
    EXPECT_EQ(parse_machine("# nothing said\n").or_fail(), Machine());
    EXPECT_EQ(parse_machine(" call = 7 # of exp\n").or_fail().call, 7);
}

TEST(Machine, SaysWhichLineIsNone) {
    const std::pair<std::string, std::string> lines[] = {
        {"call 7", "line 1 of the machine description, `call 7`, has no `=`"},
        {"\nspeed = 7", "line 2 of the machine description, `speed = 7`, names nothing that a machine has"},
        {"call = fast", "line 1 of the machine description, `call = fast`, has no positive integer"},
        {"call = 0", "line 1 of the machine description, `call = 0`, has no positive integer"},
    };
    for (const auto& [text, message] : lines) {
        const auto machine = parse_machine(text);
        ASSERT_FALSE(machine.ok()) << text;
        EXPECT_EQ(machine.error().code, "D020");
        EXPECT_EQ(machine.error().message, message);
    }
}

TEST(Machine, TimesAddUp) {
    Machine machine;
    machine.operation = 2, machine.call = 30, machine.byte = 5, machine.unknown = 700;
    const Cost cost{.operations = symbol("N"), .calls = 2, .bytes = 8, .unknown = 1};
    EXPECT_EQ(value(picoseconds(cost, machine), 10), 20 + 60 + 40 + 700);
}

}  // namespace
}  // namespace sluice::analysis
