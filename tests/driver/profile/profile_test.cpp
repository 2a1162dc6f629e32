// Instrumented programs: a source of counters of the test's own says what must come out.
#include "driver/profile/profile.h"

#include <gtest/gtest.h>

#include <atomic>

#include "driver/cache.h"
#include "driver/compile.h"
#include "driver/profile/counters.h"
#include "ir/builder.h"

namespace sluice::driver {
namespace {

using code::Scalar;
using symbolic::symbol;

/// `y += 2 * x`, in a state `step` with a map `scale` of a tasklet `scale`.
ir::Sdfg stepped() {
    ir::Sdfg graph;
    graph.name = "stepped";
    graph.arg_names = {"x", "y"};
    ir::add_symbol(graph, "N");
    ir::add_array(graph, "x", Scalar::Float64, {symbol("N")});
    ir::add_array(graph, "y", Scalar::Float64, {symbol("N")});
    ir::add_state(graph, "step")
        .mapped_tasklet("scale", {{"i", "0:N"}}, {{"a", "x[i]"}, {"b", "y[i]"}}, "c = b + 2.0 * a", {{"c", "y[i]"}});
    return graph;
}

class Profile : public ::testing::Test {
protected:
    ~Profile() override { use_counters({}); }

    CompiledProgram compiled(const ir::Sdfg& graph) { return compile(graph, options_).or_fail(); }
    void run(CompiledProgram& program, std::int64_t n) {
        std::vector<double> x(static_cast<std::size_t>(n), 1.0), y(static_cast<std::size_t>(n), 0.0);
        void* arguments[] = {x.data(), y.data(), &n};
        ASSERT_TRUE(program.run(arguments).ok());
        EXPECT_EQ(y.front(), 2.0);
    }
    static const Measured& part(const Report& report, const std::string& label) {
        for (const Measured& one : report.parts)
            if (one.label == label) return one;
        throw std::out_of_range(label);
    }

    PrivateFolder folder_{std::filesystem::temp_directory_path() / "sluice-test"};
    CompileOptions options_{.cache = folder_.path() / "cache", .use_cache = true, .parallel = true, .extra_flags = {}};
};

TEST_F(Profile, PartsByKindAndLabel) {
    ir::Sdfg graph = stepped();
    EXPECT_FALSE(is_instrumented(graph));
    EXPECT_EQ(instrument(graph, ir::Instrumentation::Timer, {Part::Map, Part::State}, "*ep"), 1u);
    EXPECT_EQ(instrument(graph, ir::Instrumentation::Timer, {Part::Program, Part::Map, Part::Tasklet}, "s*"), 3u);
    EXPECT_TRUE(is_instrumented(graph));
    EXPECT_EQ(instrument(graph, ir::Instrumentation::No_Instrumentation, {Part::Program, Part::State, Part::Map, Part::Tasklet}),
              4u);
    EXPECT_EQ(graph, stepped());
}

TEST_F(Profile, TimesAndPredictions) {
    ir::Sdfg graph = stepped();
    instrument(graph, ir::Instrumentation::Timer, {Part::Program, Part::State, Part::Map});
    CompiledProgram program = compiled(graph);
    EXPECT_EQ(program.report().error().code, "D040") << "it has not run";
    run(program, 100);
    run(program, 10);
    const Report report = program.report().or_fail();
    EXPECT_EQ(report.program, "stepped");
    EXPECT_EQ(report.runs, 2);
    ASSERT_EQ(report.parts.size(), 3u);
    for (const Measured& one : report.parts) {
        EXPECT_EQ(one.executions, 2) << one.label;
        EXPECT_GT(one.seconds, 0) << one.label;
        EXPECT_EQ(one.operations, 2.0 * 110) << one.label;
        EXPECT_TRUE(one.counts.empty());
    }
    EXPECT_EQ(part(report, "map scale").bytes, 2.0 * 8 * 110) << "x and y, each once";
    EXPECT_EQ(part(report, "state step").bytes, 3.0 * 8 * 110) << "each access";
}

TEST_F(Profile, NothingIsMeasuredThatNobodyAskedFor) {
    const ir::Sdfg graph = stepped();
    CompiledProgram program = compiled(graph);
    EXPECT_EQ(program.source().find("timer.h"), std::string::npos);
    run(program, 10);
    EXPECT_EQ(program.report().error().code, "D040");
}

TEST_F(Profile, CountsWhatTheSourceShows) {
    std::atomic<std::int64_t> shown = 0;
    use_counters({{"ticks", "tens"}, [&](bool alone, std::span<std::int64_t> values) {
                      EXPECT_FALSE(alone);
                      ASSERT_EQ(values.size(), 2u);
                      values[0] = ++shown;
                      values[1] = 10 * values[0];
                  }});
    ir::Sdfg graph = stepped();
    instrument(graph, ir::Instrumentation::PAPI_Counters, {Part::State, Part::Map});
    CompiledProgram program = compiled(graph);
    run(program, 10);
    run(program, 10);
    const Report report = program.report().or_fail();
    EXPECT_EQ(report.counters, (std::vector<std::string>{"ticks", "tens"}));
    // The state reads, the map reads, the map reads, the state reads.
    EXPECT_EQ(part(report, "map scale").counts, (std::vector<std::int64_t>{2, 20}));
    EXPECT_EQ(part(report, "state step").counts, (std::vector<std::int64_t>{6, 60}));
}

TEST_F(Profile, ThreadsOfATeamCountForThemselves) {
    std::atomic<int> alone_reads = 0, all_reads = 0;
    use_counters({{"ticks"}, [&](bool alone, std::span<std::int64_t> values) {
                      ++(alone ? alone_reads : all_reads);
                      values[0] = alone_reads;
                  }});
    ir::Sdfg graph = stepped();
    instrument(graph, ir::Instrumentation::LIKWID_CPU, {Part::Tasklet});
    for (auto [id, node] : ir::edit_state(graph.body, graph.body.start).state().nodes)
        if (auto* map = std::get_if<ir::MapEntry>(&node.kind))
            map->schedule = ir::Schedule::CPU_Multicore, map->omp_num_threads = 2;
    CompiledProgram program = compiled(graph);
    run(program, 64);
    const Report report = program.report().or_fail();
    EXPECT_EQ(part(report, "tasklet scale").executions, 64);
    EXPECT_EQ(alone_reads, 128);
    EXPECT_EQ(all_reads, 0);
}

TEST_F(Profile, TwoProgramsShareALibraryAndNotTheirNumbers) {
    ir::Sdfg graph = stepped();
    instrument(graph, ir::Instrumentation::Timer, {Part::Map});
    CompiledProgram one = compiled(graph), other = compiled(graph);
    run(one, 10);
    run(other, 10);
    run(one, 10);
    EXPECT_EQ(one.report().or_fail().parts.at(0).executions, 2);
    EXPECT_EQ(other.report().or_fail().parts.at(0).executions, 1);
}

TEST_F(Profile, WhatChangesFromExecutionToExecutionIsNotPredicted) {
    ir::Sdfg graph;
    graph.name = "triangle";
    ir::add_symbol(graph, "N");
    ir::add_array(graph, "x", Scalar::Float64, {symbol("N")});
    ir::add_array(graph, "y", Scalar::Float64, {symbol("N")});
    ir::Block loop = ir::for_loop("rows", "k", "0", symbol("N"));
    ir::add_state(std::get<ir::LoopRegion>(loop.kind).body, "row")
        .mapped_tasklet("row", {{"i", "0:k"}}, {{"a", "x[i]"}}, "b = 2.0 * a", {{"b", "y[i]"}});
    ir::add_block(graph.body, std::move(loop));
    instrument(graph, ir::Instrumentation::Timer, {Part::Program, Part::Map});
    const std::vector<Prediction> found = predictions(graph);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_TRUE(found[0].operations.has_value()) << "the sum over the loop";
    EXPECT_FALSE(found[1].operations.has_value());
}

TEST(Counters, NamesThatThereAreNot) {
    const std::vector<std::string> wrong{"instruction"}, none, many(9, "cycles");
    for (const auto& names : {wrong, none, many}) EXPECT_EQ(perf_counters(names).error().code, "D039");
    EXPECT_NE(perf_counters(wrong).error().remedy.find("instructions"), std::string::npos);
}

/// Where the system lets nobody count, the refusal says so; where it does, what is counted grows.
TEST(Counters, PerfEventsGrowOrAreRefused) {
    const std::vector<std::string> names{"task-clock"};
    const auto source = perf_counters(names);
    if (!source.ok()) {
        EXPECT_EQ(source.error().code, "D039");
        return;
    }
    for (const bool alone : {false, true}) {
        std::int64_t before = 0, after = 0;
        source->read(alone, {&before, 1});
        volatile double sum = 0;
        for (int i = 0; i < 1'000'000; ++i) sum = sum + i;
        source->read(alone, {&after, 1});
        EXPECT_GT(after, before);
    }
}

Report sample() {
    Report report{"p<1>", 3, {"cycles"}, {}, Roof{1e11, 2e10}};
    report.parts = {{"p/main/n1", "map \"a\"", {}, 6, 0.5, {42}, 4e9, 2e9}, {"p/main/n2", "map b", {}, 3, 0.25, {7}, {}, {}}};
    return report;
}

TEST(Reports, TableAndJson) {
    EXPECT_EQ(to_table(sample()),
              "p<1>, 3 runs\n"
              "part     executions       ms  ms each  share  Gop/s  GB/s  op/byte  cycles  where\n"
              "map \"a\"           6  500.000    83.33  100 %      8     4        2      42  p/main/n1\n"
              "map b             3  250.000    83.33   50 %      -     -        -       7  p/main/n2\n");
    EXPECT_EQ(
        to_json(sample()),
        "{\"program\": \"p<1>\", \"runs\": 3, \"counters\": [\"cycles\"], \"roof\": {\"operations_per_second\": 100000000000, "
        "\"bytes_per_second\": 20000000000}, \"parts\": [\n"
        "  {\"part\": \"p/main/n1\", \"label\": \"map \\\"a\\\"\", \"where\": \"\", \"executions\": 6, \"seconds\": 0.500000000, "
        "\"operations\": 4000000000, \"bytes\": 2000000000, \"counts\": {\"cycles\": 42}},\n"
        "  {\"part\": \"p/main/n2\", \"label\": \"map b\", \"where\": \"\", \"executions\": 3, \"seconds\": 0.250000000, "
        "\"operations\": null, \"bytes\": null, \"counts\": {\"cycles\": 7}}\n]}\n");
}

TEST(Reports, Roofline) {
    const std::string svg = to_svg(sample());
    EXPECT_NE(svg.find("<title>map &quot;a&quot;: 8 Gop/s, 2 op/byte, 500.000 ms</title>"), std::string::npos) << svg;
    EXPECT_EQ(svg.find("map b"), std::string::npos) << "nothing is known of it";
    EXPECT_NE(svg.find("100 Gop/s, 20 GB/s"), std::string::npos);
    const std::string html = to_html(sample());
    EXPECT_NE(html.find("<title>p&lt;1&gt;</title>"), std::string::npos);
    EXPECT_NE(html.find(svg), std::string::npos);
    EXPECT_EQ(report_text(sample(), "report.html").or_fail(), html);
    EXPECT_EQ(report_text(sample(), "report.pdf").error().code, "C025");
}

}  // namespace
}  // namespace sluice::driver
