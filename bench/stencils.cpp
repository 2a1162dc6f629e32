// jacobi_2d and heat_3d against the same loops written by hand in C++ with OpenMP, compiled with the same compiler and flags and
// measured in interleaved runs.
#include <dlfcn.h>

#include "driver/toolchain.h"
#include "measure.h"

namespace {

using namespace sluice;
using Kernel = void (*)(std::int64_t steps, std::int64_t n, double* a, double* b);

Kernel by_hand(const std::string& name, const std::filesystem::path& folder) {
    const auto source = std::filesystem::path(SLUICE_SOURCE_DIR) / "bench" / "by_hand" / (name + ".cpp");
    const auto library = folder / (name + ".so");
    bench::or_exit(driver::compile_library(bench::or_exit(driver::find_toolchain()), source, library, {}));
    void* handle = dlopen(library.c_str(), RTLD_NOW);
    return handle ? reinterpret_cast<Kernel>(dlsym(handle, name.c_str())) : nullptr;
}

void compare(const std::string& name, std::int64_t n, int rank, std::int64_t steps) {
    const bench::TemporaryFolder folder;
    const Kernel kernel = by_hand(name, folder.path());
    driver::CompiledProgram program =
        bench::or_exit(driver::compile(bench::or_exit(driver::read_programs(bench::example(name)))[0]));
    std::size_t size = 1;
    for (int d = 0; d < rank; ++d) size *= static_cast<std::size_t>(n);
    std::vector<double> a(size), b(size);
    std::vector<double> ours, theirs;
    const auto fill = [&] {
        for (std::size_t i = 0; i < size; ++i) a[i] = b[i] = static_cast<double>(i % 1009);
    };
    std::vector<double> expected;
    for (int repeat = 0; repeat < 5; ++repeat) {
        fill();
        theirs.push_back(bench::seconds([&] { kernel(steps, n, a.data(), b.data()); }));
        expected = a;
        fill();
        void* arguments[] = {&steps, a.data(), b.data(), &n};
        ours.push_back(bench::seconds([&] { bench::or_exit(program.run(arguments)); }));
        double error = 0;
        for (std::size_t i = 0; i < size; ++i) error = std::max(error, std::abs(a[i] - expected[i]));
        if (error > 1e-9) {
            std::fprintf(stderr, "%s: results differ by %g\n", name.c_str(), error);
            std::exit(1);
        }
    }
    std::printf("%-10s N=%-5lld T=%lld: by hand %.1f ms, Sluice %.1f ms, ratio %.3f (best of 5: %.3f)\n", name.c_str(),
                static_cast<long long>(n), static_cast<long long>(steps), bench::median(theirs) * 1e3, bench::median(ours) * 1e3,
                bench::median(ours) / bench::median(theirs),
                *std::min_element(ours.begin(), ours.end()) / *std::min_element(theirs.begin(), theirs.end()));
}

}  // namespace

int main() {
    compare("jacobi_2d", 2800, 2, 100);
    compare("heat_3d", 120, 3, 100);
}
