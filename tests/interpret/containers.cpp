// Structures, references, constants, vectors, layouts: containers beyond the plain array.
#include "run.h"

namespace sluice::interpret {
namespace {

TEST(Structure, MembersAreGivenOneByOneOrWhole) {
    ir::Sdfg g = with_arrays("members", {{"y", {symbol("N")}}});
    ir::Container values;
    values.dtype = Scalar::Float64;
    values.shape = {symbol("N")};
    values.kind = ir::Array{};
    ir::Container count;
    count.dtype = Scalar::Int32;
    count.kind = ir::Scalar{};
    ir::Structure pair{"Pair", {}};
    pair.members.set("count", Cow<ir::Container>(count));
    pair.members.set("values", Cow<ir::Container>(values));
    ir::Container container;
    container.kind = pair;
    container.dtype = code::DType::pointer(
        code::DType::structure("Pair", {{"count", Scalar::Int32}, {"values", code::DType::pointer(Scalar::Float64)}}));
    g.containers.set("s", container);
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("m", {{"i", "0:N"}});
    const auto t = s.tasklet("t", {{"a", {}}, {"n", {}}}, {{"c", {}}}, "c = a * n");
    const auto edge = [&](const std::string& data, const std::string& connector, std::optional<symbolic::Subset> subset) {
        ir::Memlet memlet;
        memlet.data = data;
        memlet.subset = subset;
        memlet.volume = 1;
        s.memlet_path({s.access(data), entry, t}, "", connector, memlet);
    };
    edge("s.values", "a", symbolic::Subset::indices({symbol("i")}));
    edge("s.count", "n", symbolic::Subset{});
    s.memlet_path({t, exit, s.access("y")}, "c", "", ir::memlet("y[i]"));
    Doubles data = {1, 2}, y(2);
    std::int32_t factor = 3;
    struct Pair {
        std::int32_t count;
        double* values;
    } whole{3, data.data()};
    for (const bool one_by_one : {true, false}) {
        Arguments arguments{{{"y", y.data()}}, {{"N", 2}}};
        if (one_by_one)
            arguments.memory.insert({{"s.values", data.data()}, {"s.count", &factor}});
        else
            arguments.memory["s"] = &whole;
        const auto report = interpret(g, arguments);
        ASSERT_TRUE(report.ok()) << render(report.error());
        EXPECT_EQ(y, (Doubles{3, 6}));
    }
}

TEST(Reference, IsSetAtRunTime) {
    ir::Sdfg g = with_arrays("reference", {{"A", {2, 2}}, {"y", {2}}});
    ir::add_view(g, "r", Scalar::Float64, {2}).binding = ir::Binding::Reference;
    ir::BlockId first, second;
    ir::StateBuilder set = ir::add_state(g.body, "set", &first);
    const auto r = set.access("r");
    set.state().nodes[r].in.emplace("set", ir::DType());
    set.edge(set.access("A"), "", r, "set", ir::memlet("A[1, 0:2]"));
    ir::StateBuilder use = ir::add_state(g.body, "use", &second);
    use.edge(use.access("r"), "", use.access("y"), "", ir::memlet("r[0:2]"));
    ir::add_transition(g.body, first, second);
    Call call{.doubles = {{"A", {1, 2, 3, 4}}, {"y", {0, 0}}}, .symbols = {{"N", 1}}};
    call.clean(g);
    EXPECT_EQ(call.doubles["y"], (Doubles{3, 4}));
}

TEST(Layout, StridesOffsetsAndConstants) {
    ir::Sdfg g = with_arrays("layout", {{"y", {4}}});
    auto& array = std::get<ir::Array>(ir::add_array(g, "F", Scalar::Float64, {2, 2}).kind);
    array.strides = {1, 2};
    array.offset = {1, 0};
    array.total_size = 6;
    ir::Constant table;
    table.container.dtype = Scalar::Int64;
    table.container.shape = {2};
    table.integers = {10, 20};
    g.constants.set("table", table);
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("m", {{"i", "0:2"}, {"j", "0:2"}});
    const auto t = s.tasklet("t", {{"a", {}}}, {{"c", {}}}, "c = a + table[j]");
    s.memlet_path({s.access("F"), entry, t}, "", "a", ir::memlet("F[i - 1, j]"));
    s.memlet_path({t, exit, s.access("y")}, "c", "", ir::memlet("y[2*i + j]"));
    Call call{.doubles = {{"F", {1, 2, 3, 4, 5, 6}}, {"y", Doubles(4)}}, .symbols = {{"N", 1}}};
    Arguments arguments{{{"F", call.doubles["F"].data()}, {"y", call.doubles["y"].data()}}, {{"N", 1}}};
    const auto report = interpret(g, arguments);
    ASSERT_TRUE(report.ok()) << render(report.error());
    EXPECT_EQ(call.doubles["y"], (Doubles{11, 23, 12, 24}));
}

TEST(Vector, ComputesLaneByLane) {
    ir::Sdfg g{.name = "lanes"};
    ir::add_array(g, "x", code::DType(Scalar::Float32, 4), {2});
    ir::add_state(g, "main").mapped_tasklet("t", {{"i", "0:2"}}, {{"a", "x[i]"}}, "c = a * a + 1", {{"c", "x[i]"}});
    float x[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const auto report = interpret(g, Arguments{{{"x", x}}, {}});
    ASSERT_TRUE(report.ok()) << render(report.error());
    for (int at = 0; at < 8; ++at) EXPECT_EQ(x[at], static_cast<float>(at * at + 1));
}

TEST(Index, ReadsDataInSubsets) {
    ir::Sdfg g = with_arrays("gather", {{"x", {symbol("N")}}, {"y", {symbol("N")}}});
    ir::add_array(g, "p", Scalar::Int64, {symbol("N")});
    ir::add_state(g, "main").mapped_tasklet("gather", {{"i", "0:N"}}, {{"a", "x[0:N]"}, {"at", "p[i]"}}, "c = a[at]",
                                            {{"c", "y[i]"}});
    Call call{.doubles = {{"x", {5, 6, 7}}, {"y", {0, 0, 0}}}, .integers = {{"p", {2, 0, 1}}}, .symbols = {{"N", 3}}};
    call.clean(g);
    EXPECT_EQ(call.doubles["y"], (Doubles{7, 5, 6}));
    call.integers["p"][1] = 3;
    const auto report = call(g);
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().message, "index 3 lies outside the 3 elements of `x` that the connector sees");
}

}  // namespace
}  // namespace sluice::interpret
