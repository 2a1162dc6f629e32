// Reading and writing a large .sdfg file: generates one of more than 50 MB (or takes the file that is given), prints seconds by the
// clock and of the processor, and the peak memory of the process.
#include <sys/resource.h>

#include <ctime>
#include <fstream>
#include <sstream>

#include "interchange/json.h"
#include "ir/builder.h"
#include "ir/verify.h"
#include "measure.h"

namespace {

using namespace sluice;

/// States in a row, each with 40 chains of access -> map { tasklet } -> access whose names and indices differ, places included.
ir::Sdfg build(int states) {
    ir::Sdfg graph;
    graph.name = "large";
    ir::add_symbol(graph, "N");
    for (int k = 0; k < 200; ++k)
        ir::add_array(graph, "data_" + std::to_string(k), code::Scalar::Float64,
                      {symbolic::symbol("N") + k, symbolic::symbol("N")});
    ir::BlockId before;
    for (int s = 0; s < states; ++s) {
        const std::string label = "state_" + std::to_string(s);
        ir::BlockId id;
        ir::StateBuilder state =
            s == 0 ? ir::add_state(graph.body, label, &id) : ir::add_state_after(graph.body, before, label, &id);
        before = id;
        for (int c = 0; c < 40; ++c) {
            const std::string from = "data_" + std::to_string((s + c) % 200), to = "data_" + std::to_string((s + c + 100) % 200);
            const std::string i = "i_" + std::to_string(c), row = std::to_string(s % 50);
            state.mapped_tasklet(
                "work_" + std::to_string(c), {{i, "1:N - 1"}},
                {{"left", from + "[" + row + ", " + i + " - 1]"}, {"right", from + "[" + row + ", " + i + " + 1]"}},
                "out = 0.5 * (left + right) + " + std::to_string(s), {{"out", to + "[" + row + ", " + i + "]"}});
        }
        Span where;
        where.file = intern_file_name("large.py");
        where.line = where.end_line = static_cast<std::uint32_t>(s + 1);
        where.column = 5, where.end_column = 40;
        for (auto [node, kind] : state.state().nodes) kind.metadata.where = where;
    }
    return graph;
}

std::string bytes_of(const char* path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace

int main(int count, char** arguments) {
    const std::string text = count > 1 ? bytes_of(arguments[1]) : interchange::to_json(build(440));
    ir::Sdfg graph;
    std::string again;
    const auto stage = [&](const char* name, auto&& body) {
        const std::clock_t before = std::clock();
        const double by_clock = bench::seconds(body);
        std::printf("%-8s %7.3f s, processor %7.3f s\n", name, by_clock,
                    static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    };
    stage("read", [&] { graph = bench::or_exit(interchange::from_json(text)); });
    stage("write", [&] { again = interchange::to_json(graph); });
    stage("verify", [&] {
        for (const Diagnostic& problem : ir::verify(graph)) {
            std::fputs(render(problem).c_str(), stderr);
            std::exit(1);
        }
    });
    if (count == 1 && again != text) {
        std::fputs("the file written again differs\n", stderr);
        return 1;
    }
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%.1f MB, peak %ld MiB\n", static_cast<double>(text.size()) / 1e6, usage.ru_maxrss / 1024);
}
