// A graph of 100,000 nodes: build, verify, print, parse and lower it; and one of 10,000, in which every transformation is looked
// for. Prints seconds and the peak memory of the process.
#include <sys/resource.h>

#include "driver/decisions.h"
#include "ir/builder.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "lower/lower.h"
#include "measure.h"
#include "rewrite/match.h"
#include "transform/registry.h"

namespace {

using namespace sluice;

// States in a row, each with 100 chains of access -> map { tasklet } -> access: 500 nodes a state.
ir::Sdfg build(int states) {
    ir::Sdfg graph;
    graph.name = "large";
    ir::add_symbol(graph, "N");
    for (const char* name : {"A", "B"}) ir::add_array(graph, name, code::Scalar::Float64, {100, symbolic::symbol("N")});
    ir::BlockId before;
    for (int s = 0; s < states; ++s) {
        const std::string label = "state_" + std::to_string(s);
        ir::BlockId id;
        ir::StateBuilder state =
            s == 0 ? ir::add_state(graph.body, label, &id) : ir::add_state_after(graph.body, before, label, &id);
        before = id;
        for (int c = 0; c < 100; ++c) {
            const std::string row = std::to_string(c), from = s % 2 ? "B[" : "A[", to = s % 2 ? "A[" : "B[";
            state.mapped_tasklet("work", {{"i", "1:N - 1"}}, {{"x", from + row + ", i - 1]"}, {"y", from + row + ", i + 1]"}},
                                 "z = 0.5 * (x + y)", {{"z", to + row + ", i]"}});
        }
    }
    return graph;
}

std::size_t node_count(const ir::Sdfg& graph) {
    std::size_t count = 0;
    for (auto [id, block] : graph.body.blocks) count += ir::as_state(block)->nodes.size();
    return count;
}

void look_for_transformations() {
    const ir::Sdfg graph = build(20);
    const auto transformations = transform::builtin().all();
    std::size_t matches = 0;
    const double time = bench::seconds([&] {
        rewrite::Views views;
        for (const rewrite::Transformation* each : transformations)
            matches += rewrite::find_matches(graph, each->descriptor, views).size();
    });
    std::printf("%-8s %7.3f s for %zu transformations on %zu nodes, %zu matches\n", "match", time, transformations.size(),
                node_count(graph), matches);
}

}  // namespace

int main() {
    ir::Sdfg graph;
    std::string text;
    double total = 0;
    const auto stage = [&](const char* name, auto&& body) {
        const double time = bench::seconds(body);
        total += time;
        std::printf("%-8s %7.3f s\n", name, time);
    };
    stage("build", [&] { graph = build(200); });
    stage("verify", [&] {
        for (const Diagnostic& problem : ir::verify(graph)) {
            std::fputs(render(problem).c_str(), stderr);
            std::exit(1);
        }
    });
    stage("print", [&] { text = ir::to_text(graph); });
    stage("parse", [&] {
        if (!(bench::or_exit(ir::parse_text(text)) == graph)) {
            std::fputs("the parsed graph differs\n", stderr);
            std::exit(1);
        }
    });
    stage("decide", [&] { graph = bench::or_exit(driver::with_decisions(std::move(graph))); });
    stage("lower", [&] { bench::or_exit(lower::lower(graph)); });
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%-8s %7.3f s for %zu nodes, %zu kB of text, peak %ld MiB\n", "total", total, node_count(graph), text.size() / 1024,
                usage.ru_maxrss / 1024);
    look_for_transformations();
}
