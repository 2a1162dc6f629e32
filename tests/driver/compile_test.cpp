// From graph to running library: called from here, and from a C program.
#include "driver/compile.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "c_compiler.h"
#include "driver/cache.h"
#include "driver/process.h"
#include "ir/builder.h"
#include "ir/text.h"

namespace sluice::driver {
namespace {

namespace fs = std::filesystem;
using code::Scalar;
using symbolic::symbol;

ir::Sdfg axpy(const std::string& name, const std::string& x = "x") {
    ir::Sdfg graph;
    graph.name = name;
    graph.arg_names = {"a", x, "y"};
    ir::add_symbol(graph, "N");
    ir::add_scalar(graph, "a", Scalar::Float64);
    ir::add_array(graph, x, Scalar::Float64, {symbol("N")});
    ir::add_array(graph, "y", Scalar::Float64, {symbol("N")});
    ir::add_state(graph, "main")
        .mapped_tasklet("axpy", {{"i", "0:N"}}, {{"s", "a"}, {"u", x + "[i]"}, {"v", "y[i]"}}, "w = s * u + v", {{"w", "y[i]"}});
    return graph;
}

class Compile : public ::testing::Test {
protected:
    PrivateFolder folder_{std::filesystem::temp_directory_path() / "sluice-test"};
    CompileOptions options_{.cache = folder_.path() / "cache", .use_cache = true, .parallel = true, .extra_flags = {}};
};

TEST_F(Compile, RunsAndHitsTheCache) {
    auto program = compile(axpy("axpy"), options_);
    ASSERT_TRUE(program.ok()) << program.error().message;
    EXPECT_FALSE(program->times().cached);
    const Signature& signature = program->signature();
    ASSERT_EQ(signature.arguments.size(), 4u);
    EXPECT_EQ(signature.positional.size(), 3u);
    EXPECT_EQ(signature.arguments[3].name, "N");
    EXPECT_FALSE(signature.arguments[1].written);
    EXPECT_TRUE(signature.arguments[2].written);
    double a = 2;
    std::vector<double> x{1, 2, 3}, y{10, 20, 30};
    std::int64_t n = 3;
    void* arguments[] = {&a, x.data(), y.data(), &n};
    ASSERT_TRUE(program->run(arguments).ok());
    EXPECT_EQ(y, (std::vector<double>{12, 24, 36}));
    EXPECT_EQ(program->interruption(), nullptr);  // Its rounds take nanoseconds.
    const auto again = compile(axpy("axpy"), options_);
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE(again->times().cached);
    options_.use_cache = false;
    auto uncached = compile(axpy("axpy"), options_);
    ASSERT_TRUE(uncached.ok());
    EXPECT_TRUE(uncached->run(arguments).ok());
}

TEST_F(Compile, EndsWhenItIsAskedTo) {
    ir::Sdfg graph = axpy("rounds");
    ir::Block loop = ir::for_loop("rounds", "t", "0", "10", "1");
    std::get<ir::LoopRegion>(loop.kind).body = std::exchange(graph.body, {});
    ir::add_block(graph.body, std::move(loop));
    auto program = compile(graph, options_);
    ASSERT_TRUE(program.ok()) << program.error().message;
    double a = 2;
    std::vector<double> x{1, 2, 3}, y(3), once{20, 40, 60}, twice{40, 80, 120};
    std::int64_t n = 3;
    void* arguments[] = {&a, x.data(), y.data(), &n};
    ASSERT_TRUE(program->run(arguments).ok());
    EXPECT_EQ(y, once);
    ASSERT_NE(program->interruption(), nullptr);
    *program->interruption() = 1;
    const auto ended = program->run(arguments);
    ASSERT_FALSE(ended.ok());
    EXPECT_EQ(ended.error().code, "A015");
    EXPECT_EQ(y, once);
    *program->interruption() = 0;
    ASSERT_TRUE(program->run(arguments).ok());
    EXPECT_EQ(y, twice);
}

TEST_F(Compile, InvalidGraphIsTheVerifiersError) {
    ir::Sdfg graph = axpy("wrong");
    graph.containers.erase("x");
    const auto refused = compile(graph, options_);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code[0], 'V');
    EXPECT_FALSE(fs::exists(options_.cache));
}

TEST_F(Compile, EmitServesPlainC) {
    const fs::path out = folder_.path() / "out";
    const auto emitted = emit(axpy("axpy_c"), out, options_);
    ASSERT_TRUE(emitted.ok()) << emitted.error().message;
    for (const char* name : {"libaxpy_c.so", "axpy_c.h", "axpy_c.cpp", "axpy_c.sdfg"}) EXPECT_TRUE(fs::exists(out / name)) << name;
    std::ofstream(folder_.path() / "user.c") << R"(#include "axpy_c.h"
int main(void) {
    double x[2] = {1, 2}, y[2] = {10, 20};
    axpy_c_handle* handle = 0;
    if (axpy_c(3, x, y, 2) != 0 || y[0] != 13 || y[1] != 26) return 1;
    if (axpy_c_init(&handle, 2) != 0 || axpy_c_run(handle, 1, x, y, 2) != 0 || axpy_c_finalise(handle) != 0) return 2;
    if (axpy_c_init(0, 2) != 2 || axpy_c_run(0, 1, x, y, 2) != 2) return 3;
    return y[0] == 14 && y[1] == 28 ? 0 : 4;
}
)";
    const std::string exe = (folder_.path() / "user").string();
    const ProcessResult built = run_process(
        test::c_compiler({"-std=c99", "-Wall", "-Wextra", "-Werror", (folder_.path() / "user.c").string(), "-I" + out.string(),
                          "-L" + out.string(), "-laxpy_c", "-Wl,-rpath," + out.string(), "-o", exe}));
    ASSERT_EQ(built.status, 0) << built.output;
    EXPECT_EQ(run_process({exe}).status, 0);
}

TEST_F(Compile, ExportsNoNameThatCHasTaken) {
    const fs::path out = folder_.path() / "out";
    std::string user = "#include <math.h>\n#include <stdlib.h>\n#include <semaphore.h>\n";
    std::vector<std::string> command =
        test::c_compiler({"-std=c99", "-Wall", "-Wextra", "-Werror", (folder_.path() / "user.c").string(), "-I" + out.string(),
                          "-L" + out.string(), "-Wl,-rpath," + out.string()});
    const std::vector<std::string> programs{"int", "exp", "sem", "main", "restrict", "malloc"};
    for (const std::string& name : programs) {
        const auto emitted = emit(axpy(name, name == "restrict" ? "inline" : "x"), out / name, options_);
        ASSERT_TRUE(emitted.ok()) << emitted.error().message;
        user += "#include \"" + name + "/" + name + ".h\"\n";
        for (const std::string& flag : {"-L" + (out / name).string(), "-Wl,-rpath," + (out / name).string(), "-l" + name})
            command.push_back(flag);
    }
    user += R"(int main(void) {
    double x[1] = {1}, *y = malloc(sizeof(double));
    y[0] = exp(0);
    sem_handle* handle = 0;
    if (int_(1, x, y, 1) || exp_(1, x, y, 1) || sem(1, x, y, 1) || main_(1, x, y, 1) || restrict_(1, x, y, 1)) return 1;
    if (sem_init_(&handle, 1) || sem_run(handle, 1, x, y, 1) || sem_finalise(handle) || malloc_(1, x, y, 1)) return 2;
    return y[0] == 8 ? 0 : 3;
}
)";
    std::ofstream(folder_.path() / "user.c") << user;
    const std::string exe = (folder_.path() / "user").string();
    for (const std::string& word : {std::string("-lm"), std::string("-o"), exe}) command.push_back(word);
    const ProcessResult built = run_process(command);
    ASSERT_EQ(built.status, 0) << built.output;
    EXPECT_EQ(run_process({exe}).status, 0);
}

// Whole families of names are taken: those of OpenMP and BLAS, an underscore before a capital, two underscores.
TEST_F(Compile, LoadsWhatIsExportedUnderAnotherName) {
    for (const char* name : {"omp_x", "cblas_x", "GOMP_x", "_Axpy", "__axpy", "exp", "int"}) {
        auto program = compile(axpy(name), options_);
        ASSERT_TRUE(program.ok()) << name << ": " << program.error().message;
        double a = 2;
        std::vector<double> x{1, 2, 3}, y{10, 20, 30};
        std::int64_t n = 3;
        void* arguments[] = {&a, x.data(), y.data(), &n};
        ASSERT_TRUE(program->run(arguments).ok()) << name;
        EXPECT_EQ(y, (std::vector<double>{12, 24, 36})) << name;
    }
}

TEST_F(Compile, ReadsProgramsByContent) {
    const auto write = [&](const std::string& name, const std::string& text) {
        std::ofstream(folder_.path() / name) << text;
        return folder_.path() / name;
    };
    const auto textual = read_programs(write("graph.txt", ir::to_text(axpy("axpy"))));
    ASSERT_TRUE(textual.ok()) << textual.error().message;
    EXPECT_EQ(textual->front().name, "axpy");
    const auto missing = read_programs(folder_.path() / "missing.py");
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().code, "D003");
    const auto empty = read_programs(write("empty.py", "x = 1\n"));
    ASSERT_FALSE(empty.ok());
    EXPECT_EQ(empty.error().code, "D007");
    EXPECT_FALSE(read_programs(write("broken.sdfg", "{\"type\": ")).ok());
}

}  // namespace
}  // namespace sluice::driver
