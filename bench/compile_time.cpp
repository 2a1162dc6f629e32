// Cold and warm compile of each example, source text to loaded library. Cold: an empty cache; warm: the entry is there.
#include "measure.h"

int main() {
    using namespace sluice;
    constexpr int kRepeat = 5;
    std::printf("%-12s %10s %10s %10s %10s\n", "example", "cold ms", "own ms", "c++ ms", "warm ms");
    std::vector<double> colds, owns, warms;
    for (const char* name :
         {"axpy", "gemm", "jacobi_2d", "heat_3d", "spmv", "histogram", "filter", "mandelbrot", "fibonacci", "softmax", "cg"}) {
        std::vector<double> cold, own, compiler, warm;
        for (int i = 0; i < kRepeat; ++i) {
            const bench::TemporaryFolder cache;
            driver::CompileOptions options;
            options.cache = cache.path();
            const auto once = [&] {
                return bench::or_exit(driver::compile(bench::or_exit(driver::read_programs(bench::example(name)))[0], options));
            };
            double cpp = 0;
            cold.push_back(bench::seconds([&] { cpp = once().times().compiler; }));
            compiler.push_back(cpp);
            own.push_back(cold.back() - cpp);
            warm.push_back(bench::seconds([&] { once(); }));
        }
        std::printf("%-12s %10.1f %10.2f %10.1f %10.2f\n", name, bench::median(cold) * 1e3, bench::median(own) * 1e3,
                    bench::median(compiler) * 1e3, bench::median(warm) * 1e3);
        colds.push_back(bench::median(cold));
        owns.push_back(bench::median(own));
        warms.push_back(bench::median(warm));
    }
    std::printf("%-12s %10.1f %10.2f %10s %10.2f\n", "median", bench::median(colds) * 1e3, bench::median(owns) * 1e3, "",
                bench::median(warms) * 1e3);
}
