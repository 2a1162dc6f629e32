// How transforming grows with the program: statements `a[k] += k` that fold into one state, states of maps, and one application in
// a graph of 10,000 nodes, of many states and of one. Prints milliseconds and the counts of rewrite/effort.h.
#include <cstdlib>

#include "driver/pipelines/pipeline.h"
#include "ir/builder.h"
#include "measure.h"
#include "rewrite/session.h"
#include "transform/registry.h"

namespace {

using namespace sluice;

/// `a[k] += k` for each k, each in a state of its own: 3 nodes a statement.
ir::Sdfg updates(int count) {
    ir::Sdfg graph{.name = "updates"};
    ir::add_array(graph, "a", code::Scalar::Float64, {symbolic::Expr(count)});
    ir::BlockId before;
    for (int k = 0; k < count; ++k) {
        const std::string label = "state_" + std::to_string(k), element = "a[" + std::to_string(k) + "]";
        ir::BlockId id;
        ir::StateBuilder state =
            k == 0 ? ir::add_state(graph.body, label, &id) : ir::add_state_after(graph.body, before, label, &id);
        before = id;
        const ir::NodeId update =
            state.tasklet("update", {{"x", code::DType()}}, {{"y", code::DType()}}, "y = x + " + std::to_string(k));
        state.edge(state.access("a"), "", update, "x", ir::memlet(element));
        state.edge(update, "y", state.access("a"), "", ir::memlet(element));
    }
    return graph;
}

/// Chains access -> map { tasklet } -> access: 5 nodes each, so many in each of the states.
ir::Sdfg maps(int states, int chains) {
    ir::Sdfg graph{.name = "maps"};
    ir::add_symbol(graph, "N");
    for (const char* name : {"A", "B"})
        ir::add_array(graph, name, code::Scalar::Float64, {symbolic::Expr(chains), symbolic::symbol("N")});
    ir::BlockId before;
    for (int s = 0; s < states; ++s) {
        const std::string label = "state_" + std::to_string(s);
        ir::BlockId id;
        ir::StateBuilder state =
            s == 0 ? ir::add_state(graph.body, label, &id) : ir::add_state_after(graph.body, before, label, &id);
        before = id;
        for (int c = 0; c < chains; ++c) {
            const std::string row = std::to_string(c), from = s % 2 ? "B[" : "A[", to = s % 2 ? "A[" : "B[";
            state.mapped_tasklet("work", {{"i", "1:N - 1"}}, {{"x", from + row + ", i - 1]"}, {"y", from + row + ", i + 1]"}},
                                 "z = 0.5 * (x + y)", {{"z", to + row + ", i]"}});
        }
    }
    return graph;
}

void simplify(const char* what, const ir::Sdfg& graph) {
    rewrite::Session session(graph, transform::builtin());
    std::size_t applied = 0;
    const double time =
        bench::seconds([&] { applied = bench::or_exit(session.apply_repeated(driver::simplification().transformations)); });
    const rewrite::Effort& effort = session.effort();
    std::printf("%-34s %9.1f ms: %zu applied, %zu planned, %zu searched, %zu touched, %zu propagated, %zu verified, %zu indexed\n",
                what, time * 1e3, applied, effort.planned, effort.searched, effort.touched, effort.propagated, effort.verified,
                effort.indexed);
}

/// The median of applications at places all over the graph, in a session that has looked for them.
void apply_one(const char* what, const ir::Sdfg& graph, const char* name) {
    rewrite::Session session(graph, transform::builtin());
    const std::vector<rewrite::Match> matches = find_matches(session.program(), transform::builtin().at(name).descriptor);
    std::vector<double> times;
    for (std::size_t at = 0; at < matches.size(); at += matches.size() / 100)
        times.push_back(bench::seconds([&] {
            if (!std::holds_alternative<rewrite::Applied>(bench::or_exit(session.apply(name, matches[at])))) std::exit(1);
        }));
    std::printf("%-34s %9.3f ms, the median of %zu\n", what, bench::median(times) * 1e3, times.size());
}

}  // namespace

int main() {
    simplify("simplify 50 statements", updates(50));
    simplify("simplify 400 statements", updates(400));
    simplify("simplify 10,000 nodes", updates(3333));
    simplify("simplify 10,000 nodes of maps", maps(20, 100));
    for (const char* name : {"SetSchedule", "MapTiling"}) {
        const std::string of = name;
        apply_one((of + ", 20 states of 500 nodes").c_str(), maps(20, 100), name);
        apply_one((of + ", one state of 10,000").c_str(), maps(1, 2000), name);
    }
}
