// Time of one call of a compiled program with four small arrays, from C++.
#include "ir/builder.h"
#include "measure.h"

int main() {
    using namespace sluice;
    ir::Sdfg graph;
    graph.name = "four_arrays";
    ir::add_symbol(graph, "N");
    for (const char* name : {"a", "b", "c", "d"}) ir::add_array(graph, name, code::Scalar::Float64, {symbolic::symbol("N")});
    ir::add_state(graph, "main")
        .mapped_tasklet("sum", {{"i", "0:N"}}, {{"x", "a[i]"}, {"y", "b[i]"}, {"z", "c[i]"}}, "w = x + y + z", {{"w", "d[i]"}}, {},
                        ir::Schedule::Sequential);
    driver::CompiledProgram program = bench::or_exit(driver::compile(graph));
    double a[4] = {1, 2, 3, 4}, b[4] = {1, 1, 1, 1}, c[4] = {2, 2, 2, 2}, d[4];
    std::int64_t n = 4;
    void* arguments[] = {a, b, c, d, &n};
    constexpr int kCalls = 1'000'000;
    std::vector<double> times;
    for (int repeat = 0; repeat < 5; ++repeat)
        times.push_back(bench::seconds([&] {
            for (int i = 0; i < kCalls; ++i) bench::or_exit(program.run(arguments));
        }));
    std::printf("call from C++, 4 arrays: %.3f us\n", bench::median(times) / kCalls * 1e6);
}
