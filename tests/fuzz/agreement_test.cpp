// Graphs of people: regressions, the examples, sample files.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "checks.h"
#include "driver/compile.h"
#include "fuzz/loops.h"

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
    const std::vector<fs::path> files = files_in(fs::path(SLUICE_SOURCE_DIR) / "tests/regress", {".txt"});
    EXPECT_FALSE(files.empty());
    for (const std::vector<std::string>& passes : {std::vector<std::string>{}, {"json", "expand", "text"}, {"O1"}, {"O3"}}) {
        std::vector<std::pair<fs::path, Interpreted>> graphs;
        for (const fs::path& file : files) {
            const Result<TestCase> test = parse_case(text_of(file), file.string());
            ASSERT_TRUE(test) << render(test.error());
            graphs.emplace_back(file, interpret_case(*test, {.orders = {1, 2}, .passes = passes}));
            if (const auto& finding = graphs.back().second.finding) {
                ADD_FAILURE() << file << ": " << to_string(*finding);
                graphs.pop_back();
            }
        }
        std::vector<Job> jobs;
        for (const auto& [file, interpreted] : graphs) jobs.push_back({&interpreted.sdfg, &interpreted.before});
        for (const Configuration& configuration : all_configurations()) {
            const std::vector<Outcome> outcomes = run_unit(jobs, configuration, folder.path());
            for (std::size_t at = 0; at < graphs.size(); ++at)
                for (const auto& finding : {judge(graphs[at].second, outcomes[at], configuration),
                                            check_loops(graphs[at].second, configuration, 3).finding})
                    if (finding) ADD_FAILURE() << graphs[at].first << ": " << to_string(*finding);
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
    options.loops = true;
    options.detect = false;  // np.empty may be read as long as nothing depends on it
    std::size_t programs = 0;
    for (const fs::path& file : files_in(fs::path(SLUICE_SOURCE_DIR) / "examples", {".py"})) {
        if (file.stem() == "demo" || file.parent_path().filename() == "operations") continue;
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

/// What becomes of a sample, in a few words.
std::string outcome(const Finding& finding) {
    return std::string(to_string(finding.kind)) + " " + finding.detail;
}

/// The program of a sample: `gpu_map` of `gpu_map.raw.allfields.sdfg`.
std::string program_of(const fs::path& file) {
    const std::string name = file.filename().string();
    return name.substr(0, name.find('.'));
}

/// Programs that cannot agree, and what is said about them instead (docs/fuzzing.md has the reasons).
const std::map<std::string, std::string>& known_outcomes() {
    static const std::map<std::string, std::string> kKnown = {{"distributed", "refused L004"},  {"gpu", "refused L002"},
                                                              {"gpu_map", "refused L002"},      {"strided", "interpreter I004"},
                                                              {"symexprs", "interpreter I004"}, {"broken", "not loaded V405"},
                                                              {"tensor", "refused L004"}};
    return kKnown;
}

class SampleCheck {
public:
    explicit SampleCheck(const fs::path& folder) : folder_(folder) {
        for (const int optimisation : {0, 3}) {
            Configuration configuration;
            configuration.optimisation = optimisation;
            configuration.parallel = optimisation == 3;
            options_.configurations.push_back(configuration);
        }
    }

    /// With values for which the program runs: its symbols may have to be large, its integers places in arrays, its loops end only
    /// for some data.
    std::optional<Finding> run(const ir::Sdfg& sdfg) const {
        struct Values {
            std::int64_t symbols, indices;
            std::uint64_t inputs;
        };
        std::optional<Finding> finding;
        for (const Values& values : {Values{4, 0, 1}, {4, 2, 1}, {64, 0, 1}, {64, 2, 1}, {4, 0, 2}, {4, 0, 3}}) {
            TestCase test{sdfg, {}, values.inputs, values.indices};
            complete_symbols(test);
            for (auto& [name, value] : test.symbols) value = values.symbols;
            finding = run(test);
            if (!finding || finding->kind != Finding::Kind::Interpreter || (finding->detail != "I001" && finding->detail != "I008"))
                return finding;
        }
        return finding;
    }

private:
    /// Arrays of np.empty may be read as long as nothing depends on it; orders that differ must have a race behind them.
    std::optional<Finding> run(const TestCase& test) const {
        CheckOptions options = options_;
        options.detect = false;
        std::optional<Finding> finding = check_case(test, options, folder_);
        if (!finding || finding->kind != Finding::Kind::Orders) return finding;
        options.detect = true;
        const std::optional<Finding> race = check_case(test, options, folder_);
        return race && race->detail == "I004" ? race : finding;
    }

    const fs::path& folder_;
    CheckOptions options_;
};

// All files below SLUICE_SDFG_SAMPLES: each agrees, or has a reason that is known.
TEST(Samples, InterpreterAndCompiledCodeAgree) {
    const char* samples = std::getenv("SLUICE_SDFG_SAMPLES");
    if (!samples) GTEST_SKIP() << "set SLUICE_SDFG_SAMPLES to a folder of .sdfg files";
    const driver::PrivateFolder folder = test_folder();
    const SampleCheck sample(folder.path());
    std::map<std::string, int> outcomes;
    for (const fs::path& file : files_in(samples, {".sdfg", ".sdfgz"})) {
        const Result<std::vector<ir::Sdfg>> read = driver::read_programs(file);
        std::string what = "agree", why;
        if (!read) {
            what = "not loaded " + read.error().code;
            why = render(read.error());
        } else if (const auto finding = sample.run(read->front())) {
            what = outcome(*finding);
            why = to_string(*finding);
        }
        ++outcomes[what];
        if (what == "agree") continue;
        std::printf("%s: %s\n", file.c_str(), why.c_str());
        const auto known = known_outcomes().find(program_of(file));
        EXPECT_TRUE(known != known_outcomes().end() && known->second == what) << file << ": " << why;
    }
    for (const auto& [what, count] : outcomes) std::printf("%4d %s\n", count, what.c_str());
    EXPECT_GT(outcomes["agree"], 0);
}

}  // namespace
}  // namespace sluice::fuzz
