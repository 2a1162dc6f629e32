// Propagated memlets against the enumerated union of what the iterations touch.
#include "analysis/propagate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <set>

#include "ir/adjacency.h"
#include "ir/builder.h"

namespace sluice::analysis {
namespace {

using ir::memlet;
using symbolic::symbol;
using Values = std::map<std::string, std::int64_t>;
using Points = std::set<std::vector<std::int64_t>>;

std::int64_t value_of(const symbolic::Expr& e, const Values& values) {
    return symbolic::evaluate(e, values).or_fail();
}

void enumerate(const symbolic::Subset& subset, const Values& values, std::vector<std::int64_t>& at, Points& points) {
    if (at.size() == subset.rank()) {
        points.insert(at);
        return;
    }
    const symbolic::Range& range = subset.dims[at.size()];
    const std::int64_t end = value_of(range.end, values), step = value_of(range.step, values), tile = value_of(range.tile, values);
    for (std::int64_t i = value_of(range.begin, values); step > 0 ? i < end : i > end; i += step)
        for (std::int64_t t = 0; t < tile; ++t) {
            at.push_back(i + t);
            enumerate(subset, values, at, points);
            at.pop_back();
        }
}
Points enumerate(const symbolic::Subset& subset, const Values& values) {
    Points points;
    std::vector<std::int64_t> at;
    enumerate(subset, values, at, points);
    return points;
}

/// All points of a memlet over the params of a map (each range may use earlier params), and how many in all with repetition.
void over_map(const symbolic::Subset& range, const std::vector<std::string>& params, std::size_t at, const symbolic::Subset& subset,
              Values& values, Points& points, std::int64_t& volume) {
    if (at == params.size()) {
        const Points here = enumerate(subset, values);
        points.insert(here.begin(), here.end());
        volume += static_cast<std::int64_t>(here.size());
        return;
    }
    const Points indices = enumerate(symbolic::Subset{{range.dims[at]}}, values);
    for (const auto& index : indices) {
        values[params[at]] = index[0];
        over_map(range, params, at + 1, subset, values, points, volume);
    }
    values.erase(params[at]);
}

ir::State& only_state(ir::Sdfg& g) {
    return *ir::as_state(g.body.blocks[g.body.start]);
}
const ir::Memlet& outer_write(ir::Sdfg& g) {
    for (auto [id, edge] : only_state(g).edges)
        if (std::holds_alternative<ir::Access>(only_state(g).nodes[edge.dst].kind)) return edge.memlet;
    throw std::logic_error("no write");
}

ir::Sdfg map_that_writes(const ir::MapRanges& params, const std::string& subset, int rank) {
    ir::Sdfg g;
    g.name = "g";
    ir::add_array(g, "A", code::Scalar::Float64, std::vector<symbolic::Expr>(static_cast<std::size_t>(rank), symbol("P")));
    ir::add_state(g, "main").mapped_tasklet("t", params, {}, "o = 1.0", {{"o", "A[" + subset + "]"}});
    propagate_memlets(g);
    return g;
}

TEST(Propagate, AffineSubsetsAreExact) {
    ir::Sdfg g = map_that_writes({{"i", "1:N-1"}, {"j", "0:N"}}, "i, j + 1", 2);
    EXPECT_EQ(symbolic::to_string(*outer_write(g).subset), "1:N - 1, 1:N + 1");
    EXPECT_FALSE(outer_write(g).dynamic);
}

TEST(Propagate, VolumeOfATriangle) {
    ir::Sdfg g = map_that_writes({{"i", "0:N"}, {"j", "0:i"}}, "i, j", 2);
    for (std::int64_t n = 1; n < 6; ++n) EXPECT_EQ(value_of(outer_write(g).volume, {{"N", n}}), n * (n - 1) / 2);
}

TEST(Propagate, CoversWhatTheIterationsTouch) {
    std::mt19937 random(7);
    const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    const auto affine = [&] {
        return std::to_string(pick(-2, 3)) + "*i + " + std::to_string(pick(-2, 3)) + "*j + " + std::to_string(pick(6, 12));
    };
    for (int round = 0; round < 200; ++round) {
        const std::string width = std::to_string(pick(1, 3));
        const std::string lead = affine();
        const std::string subset = (pick(0, 1) ? lead : lead + ":" + lead + " + " + width) + ", " + affine();
        const ir::MapRanges params{{"i", std::to_string(pick(0, 2)) + ":N:" + std::to_string(pick(1, 2))},
                                   {"j", pick(0, 1) ? "0:M" : "0:i + 1"}};
        ir::Sdfg g = map_that_writes(params, subset, 2);
        const symbolic::Subset inner = *memlet("A[" + subset + "]").subset;
        symbolic::Subset range;
        for (const auto& [param, dimension] : params) range.dims.push_back(dimension.value);
        Values values{{"N", 3 + round % 3}, {"M", 40}};
        values["M"] = 2 + round % 4;
        Points touched;
        std::int64_t volume = 0;
        over_map(range, {"i", "j"}, 0, inner, values, touched, volume);
        const Points claimed = enumerate(*outer_write(g).subset, values);
        for (const auto& point : touched)
            ASSERT_TRUE(claimed.contains(point))
                << subset << " over " << symbolic::to_string(range) << " gave " << symbolic::to_string(*outer_write(g).subset);
        ASSERT_EQ(value_of(outer_write(g).volume, values), volume) << subset;
    }
}

TEST(Propagate, EstimatesEndWithTheContainer) {
    ir::Sdfg g;
    g.name = "g";
    ir::add_array(g, "A", code::Scalar::Float64, {symbol("N")});
    ir::add_state(g, "main").mapped_tasklet("t", {{"i", "0:N"}}, {}, "o = 1.0", {{"o", "A[(3*i)%(N + 1) - 1]"}});
    propagate_memlets(g);
    EXPECT_EQ(symbolic::to_string(*outer_write(g).subset), "0:N");
}

TEST(Propagate, RemaindersOfWhatIsSmallAreTheThingItself) {
    ir::Sdfg g = map_that_writes({{"i", "0:N"}}, "i%(N + 3)", 1);
    EXPECT_EQ(symbolic::to_string(*outer_write(g).subset), "0:N");
}

TEST(Propagate, ThroughNestedScopes) {
    ir::Sdfg g;
    g.name = "g";
    ir::add_array(g, "A", code::Scalar::Float64, {symbol("N")});
    ir::StateBuilder state = ir::add_state(g, "main");
    const auto [outer, outer_exit] = state.map("outer", {{"b", "0:N:32"}});
    const auto [inner, inner_exit] = state.map("inner", {{"i", "b:min(b + 32, N)"}});
    const ir::NodeId tasklet = state.tasklet("t", {}, {{"o", {}}}, "o = 1.0");
    state.memlet_path({outer, inner, tasklet}, "", "", ir::no_memlet());
    state.memlet_path({tasklet, inner_exit, outer_exit, state.access("A")}, "o", "", memlet("A[i]"));
    propagate_memlets(g);
    std::vector<std::string> found;
    for (auto [id, edge] : only_state(g).edges)
        if (!edge.memlet.empty()) found.push_back(symbolic::to_string(*edge.memlet.subset));
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[0], "i");
    const Points claimed = enumerate(*outer_write(g).subset, {{"N", 70}});
    EXPECT_GE(claimed.size(), 70u);
    EXPECT_LE(claimed.size(), 96u);
}

TEST(Propagate, DataDependentRangesWiden) {
    ir::Sdfg g;
    g.name = "g";
    ir::add_array(g, "A", code::Scalar::Float64, {symbol("N")});
    ir::add_array(g, "row", code::Scalar::Int64, {2});
    ir::StateBuilder state = ir::add_state(g, "main");
    const auto [entry, exit] = state.map("m", {{"j", "b:e"}});
    state.state().nodes[entry].in.emplace("b", code::DType());
    state.state().nodes[entry].in.emplace("e", code::DType());
    state.edge(state.access("row"), "", entry, "b", memlet("row[0]"));
    state.edge(state.access("row"), "", entry, "e", memlet("row[1]"));
    const ir::NodeId tasklet = state.tasklet("t", {}, {{"o", {}}}, "o = 1.0");
    state.edge(entry, "", tasklet, "", ir::no_memlet());
    state.memlet_path({tasklet, exit, state.access("A")}, "o", "", memlet("A[j]"));
    propagate_memlets(g);
    EXPECT_EQ(symbolic::to_string(*outer_write(g).subset), "0:N");
    EXPECT_TRUE(outer_write(g).dynamic);
    EXPECT_TRUE(outer_write(g).volume.is_integer(0));
}

TEST(Propagate, ConflictResolutionTravelsOutwards) {
    ir::Sdfg g;
    g.name = "g";
    ir::add_array(g, "A", code::Scalar::Float64, {1});
    ir::add_state(g, "main").mapped_tasklet("t", {{"i", "0:N"}}, {}, "o = i", {{"o", "A[0]"}}, "lambda a, b: a + b");
    propagate_memlets(g);
    EXPECT_EQ(outer_write(g).wcr, "lambda a, b: a + b");
    EXPECT_EQ(outer_write(g).volume, symbol("N"));
}

TEST(Propagate, ManyMapsTakeLinearTime) {
    ir::Sdfg g;
    g.name = "g";
    ir::add_array(g, "A", code::Scalar::Float64, {symbol("N")});
    ir::StateBuilder state = ir::add_state(g, "main");
    constexpr int kMaps = 4000;
    for (int k = 0; k < kMaps; ++k) state.mapped_tasklet("t", {{"i", "0:N"}}, {{"a", "A[i]"}}, "o = a", {{"o", "A[i]"}});
    const auto start = std::chrono::steady_clock::now();
    propagate_memlets(g);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_LT(seconds, 4.0) << "20,000 nodes; quadratic behaviour would take minutes";
}

}  // namespace
}  // namespace sluice::analysis
