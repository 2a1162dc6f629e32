// The chain of section 6.2 of the SDFG paper (its Figure 15): GFLOP/s of examples/gemm/product.py after each line of the recipe
// beside it, next to the same product by OpenBLAS. Lines that end in `# step: NAME` are points of measurement.
#include <fstream>

#include "ir/builder.h"
#include "measure.h"
#include "rewrite/session.h"
#include "transform/registry.h"

namespace {

using namespace sluice;

constexpr std::int64_t kSize = 1024;
constexpr std::size_t kElements = static_cast<std::size_t>(kSize * kSize);

struct Matrices {
    std::vector<double> a = std::vector<double>(kElements), b = a, c = a;
};

/// A sum of exactly representable products, so that every order gives the same bits.
void fill(Matrices& m) {
    for (std::size_t i = 0; i < kElements; ++i) {
        m.a[i] = static_cast<double>(i % 7) - 3;
        m.b[i] = static_cast<double>(i % 5) - 2;
        m.c[i] = -1;
    }
}

/// The program and the library by turns, so that both meet the same machine: the best of each, in GFLOP/s.
struct Speeds {
    double ours = 0, library = 0;
};
Speeds measure(driver::CompiledProgram& program, driver::CompiledProgram& library, Matrices& m, std::vector<double>& expected) {
    constexpr double kOperations = 2.0 * kSize * kSize * kSize;
    void* arguments[] = {m.a.data(), m.b.data(), m.c.data()};
    Speeds best;
    double total = 0;
    for (int repeat = 0; repeat < 15 && total < 10; ++repeat) {
        const double theirs = bench::seconds([&] { bench::or_exit(library.run(arguments)); });
        if (expected.empty()) expected = m.c;
        const double ours = bench::seconds([&] { bench::or_exit(program.run(arguments)); });
        best.library = std::max(best.library, kOperations / theirs * 1e-9);
        best.ours = std::max(best.ours, kOperations / ours * 1e-9);
        total += ours + theirs;
    }
    return best;
}

double largest_transient(const ir::Sdfg& sdfg) {
    double bytes = 0;
    for (const auto& [name, container] : sdfg.containers) {
        double size = 8;
        for (const ir::Expr& extent : container.shape) size *= static_cast<double>(extent.constant().value_or(1));
        if (container.transient) bytes = std::max(bytes, size);
    }
    return bytes;
}

void report(const std::string& step, const ir::Sdfg& sdfg, driver::CompiledProgram& library, std::vector<double>& expected) {
    if (largest_transient(sdfg) > 1e9) {
        std::printf("%-26s not run: a temporary of %.0f GiB\n", step.c_str(), largest_transient(sdfg) / (1 << 30));
        return;
    }
    Matrices m;
    fill(m);
    driver::CompiledProgram program = bench::or_exit(driver::compile(sdfg));
    const Speeds speeds = measure(program, library, m, expected);
    std::printf("%-26s %7.2f GFLOP/s, OpenBLAS %7.2f: %5.1f %%\n", step.c_str(), speeds.ours, speeds.library,
                100 * speeds.ours / speeds.library);
    std::fflush(stdout);
    if (m.c != expected) {
        std::fprintf(stderr, "%s: the result is wrong\n", step.c_str());
        std::exit(1);
    }
}

/// C = A @ B, which lowers to a call of OpenBLAS.
ir::Sdfg by_library() {
    ir::Sdfg sdfg{.name = "by_library"};
    for (const char* name : {"A", "B", "C"}) ir::add_array(sdfg, name, code::Scalar::Float64, {kSize, kSize});
    sdfg.arg_names = {"A", "B", "C"};
    ir::StateBuilder state = ir::add_state(sdfg, "main");
    const ir::NodeId product = state.library("MatMul", "product", {"_a", "_b"}, {"_c"});
    state.edge(state.access("A"), "", product, "_a", ir::memlet("A[0:1024, 0:1024]"));
    state.edge(state.access("B"), "", product, "_b", ir::memlet("B[0:1024, 0:1024]"));
    state.edge(product, "_c", state.access("C"), "", ir::memlet("C[0:1024, 0:1024]"));
    return sdfg;
}

}  // namespace

int main(int argc, char** argv) {
    const std::filesystem::path folder = std::filesystem::path(SLUICE_SOURCE_DIR) / "examples" / "gemm";
    const std::filesystem::path recipe = argc > 1 ? std::filesystem::path(argv[1]) : folder / "product.recipe";
    std::vector<double> expected;
    driver::CompiledProgram library = bench::or_exit(driver::compile(by_library()));
    rewrite::Session session(bench::or_exit(driver::read_programs(folder / "product.py"))[0], transform::builtin());
    report("as written", session.program(), library, expected);
    std::ifstream lines(recipe);
    std::string pending, line;
    while (std::getline(lines, line)) {
        const std::size_t mark = line.find("# step:");
        pending += line.substr(0, mark) + "\n";
        if (mark == std::string::npos) continue;
        bench::or_exit(session.replay(pending, recipe));
        pending.clear();
        report(line.substr(mark + 8), session.program(), library, expected);
    }
    return 0;
}
