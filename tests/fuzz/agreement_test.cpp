// Graphs of people: regressions, the examples, sample files.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "checks.h"
#include "driver/compile.h"

namespace sluice::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder, const std::vector<std::string>& suffixes) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (std::ranges::find(suffixes, entry.path().extension().string()) != suffixes.end()) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(Regress, EveryReducedGraphAgrees) {
    const driver::PrivateFolder folder = test_folder();
    CheckOptions options;
    options.orders = {1, 2};
    options.configurations = all_configurations();
    const std::vector<fs::path> files = files_in(fs::path(SLUICE_SOURCE_DIR) / "tests/regress", {".txt"});
    EXPECT_FALSE(files.empty());
    for (const fs::path& file : files) {
        const Result<TestCase> test = parse_case(text_of(file), file.string());
        ASSERT_TRUE(test) << render(test.error());
        for (const std::vector<std::string>& passes : {std::vector<std::string>{}, {"json", "expand", "text"}}) {
            options.passes = passes;
            if (const auto finding = check_case(*test, options, folder.path()))
                ADD_FAILURE() << file << ": " << to_string(*finding);
        }
    }
}

TEST(Examples, InterpreterAndCompiledCodeAgree) {
    const driver::PrivateFolder folder = test_folder();
    CheckOptions options;
    for (const bool parallel : {true, false}) {
        Configuration configuration;
        configuration.optimisation = parallel ? 3 : 0;
        configuration.parallel = parallel;
        options.configurations.push_back(configuration);
    }
    options.detect = false;  // np.empty may be read as long as nothing depends on it
    std::size_t programs = 0;
    for (const fs::path& file : files_in(fs::path(SLUICE_SOURCE_DIR) / "examples", {".py"})) {
        if (file.stem() == "demo") continue;
        if (file.parent_path().filename() == "gemm")
            continue;  // too large to interpret: tests/transform/gemm_chain_test.cpp runs it
        const Result<std::vector<ir::Sdfg>> read = driver::read_programs(file);
        ASSERT_TRUE(read) << file << render(read.error());
        for (const ir::Sdfg& sdfg : *read) {
            TestCase test{sdfg, {}, 1};
            complete_symbols(test);
            for (auto& [name, value] : test.symbols) value = 6;
            test.indices = 6;
            if (const auto finding = check_case(test, options, folder.path())) ADD_FAILURE() << file << ": " << to_string(*finding);
            ++programs;
        }
    }
    EXPECT_GE(programs, 12u);
}

// All files below SLUICE_SDFG_SAMPLES that load and that the target can carry out.
TEST(Samples, InterpreterAndCompiledCodeAgree) {
    const char* samples = std::getenv("SLUICE_SDFG_SAMPLES");
    if (!samples) GTEST_SKIP() << "set SLUICE_SDFG_SAMPLES to a folder of .sdfg files";
    const driver::PrivateFolder folder = test_folder();
    CheckOptions options;
    options.detect = false;
    for (const int optimisation : {0, 3}) {
        Configuration configuration;
        configuration.optimisation = optimisation;
        configuration.parallel = optimisation == 3;
        options.configurations.push_back(configuration);
    }
    std::map<std::string, int> outcomes;
    for (const fs::path& file : files_in(samples, {".sdfg", ".sdfgz"})) {
        const Result<std::vector<ir::Sdfg>> read = driver::read_programs(file);
        if (!read) {
            ++outcomes["not loaded: " + read.error().code];
            continue;
        }
        TestCase test{read->front(), {}, 1};
        complete_symbols(test);
        auto finding = check_case(test, options, folder.path());
        if (finding && finding->kind == Finding::Kind::Interpreter && finding->detail == "I001") {
            test.indices = 2;  // its integers may be places in arrays
            finding = check_case(test, options, folder.path());
        }
        if (!finding) {
            ++outcomes["agree"];
        } else if (finding->kind == Finding::Kind::Different || finding->kind == Finding::Kind::Orders ||
                   finding->kind == Finding::Kind::Crashed || finding->kind == Finding::Kind::Internal ||
                   finding->kind == Finding::Kind::Compiler) {
            ADD_FAILURE() << file << ": " << to_string(*finding);
        } else {
            ++outcomes[std::string(to_string(finding->kind)) + " " + finding->detail];
            std::printf("%s: %s\n", file.c_str(), to_string(*finding).c_str());
        }
    }
    for (const auto& [what, count] : outcomes) std::printf("%4d %s\n", count, what.c_str());
    EXPECT_GT(outcomes["agree"], 0);
}

}  // namespace
}  // namespace sluice::fuzz
