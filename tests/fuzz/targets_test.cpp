// Other targets than the CPU against the interpreter: reduced graphs, the examples, random graphs. What one refuses is named here.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "checks.h"
#include "driver/compile.h"
#include "fuzz/campaign.h"

namespace sluice::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTarget = "c99";

std::vector<fs::path> files_in(const char* folder, const char* suffix) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(SLUICE_SOURCE_DIR) / folder))
        if (entry.path().extension() == suffix) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

Configuration c99(int optimisation) {
    Configuration configuration;
    configuration.target = kTarget;
    configuration.parallel = false;
    configuration.optimisation = optimisation;
    return configuration;
}

TEST(C99, ReducedGraphsAgree) {
    const driver::PrivateFolder folder = test_folder();
    for (const std::vector<std::string>& passes : {std::vector<std::string>{}, {"O3"}}) {
        std::vector<Interpreted> graphs;
        std::vector<std::string> names;
        for (const fs::path& file : files_in("tests/regress", ".txt")) {
            std::ostringstream text;
            text << std::ifstream(file).rdbuf();
            const Result<TestCase> test = parse_case(text.str(), file.string());
            ASSERT_TRUE(test) << render(test.error());
            graphs.push_back(interpret_case(*test, {.orders = {}, .passes = passes}));
            ASSERT_FALSE(graphs.back().finding) << to_string(*graphs.back().finding);
            names.push_back(file.stem().string());
        }
        std::vector<Job> jobs;
        for (const Interpreted& interpreted : graphs) jobs.push_back({&interpreted.sdfg, &interpreted.before});
        for (const int optimisation : {0, 3}) {
            const std::vector<Outcome> outcomes = run_unit(jobs, c99(optimisation), folder.path());
            std::size_t ran = 0;
            for (std::size_t at = 0; at < graphs.size(); ++at) {
                ran += outcomes[at].kind == Outcome::Kind::Ran;
                if (const auto finding = judge(graphs[at], outcomes[at], c99(optimisation)))
                    ADD_FAILURE() << names[at] << ": " << to_string(*finding);
            }
            EXPECT_GE(4 * ran, 3 * graphs.size()) << "too much is refused";
        }
    }
}

TEST(C99, ExamplesAgree) {
    const driver::PrivateFolder folder = test_folder();
    std::vector<std::string> refused;
    std::size_t agreed = 0;
    for (const fs::path& file : files_in("examples", ".py")) {
        if (file.stem() == "demo") continue;
        for (const ir::Sdfg& sdfg : driver::read_programs(file).or_fail()) {
            TestCase test{sdfg, {}, 1};
            complete_symbols(test);
            for (auto& [name, value] : test.symbols) value = 6;
            test.indices = 6;
            const Interpreted interpreted = interpret_case(test, {.orders = {}, .detect = false});
            ASSERT_FALSE(interpreted.finding) << file << to_string(*interpreted.finding);
            for (const int optimisation : {0, 3}) {
                const Outcome outcome = run_unit({{&interpreted.sdfg, &interpreted.before}}, c99(optimisation), folder.path())[0];
                if (const auto finding = judge(interpreted, outcome, c99(optimisation)))
                    ADD_FAILURE() << file << ": " << to_string(*finding);
                agreed += outcome.kind == Outcome::Kind::Ran;
                if (lacks(outcome, c99(optimisation)) && optimisation == 0) refused.push_back(sdfg.name + " " + outcome.code);
            }
        }
    }
    EXPECT_GE(agreed, 18u);
    EXPECT_EQ(refused, (std::vector<std::string>{"fibonacci L024", "filter L024"}));
}

TEST(C99, RandomGraphsAgree) {
    const driver::PrivateFolder folder = test_folder();
    CampaignOptions options;
    options.seed = 20;
    options.graphs = 96;
    options.batch = 48;
    options.seconds = 300;
    options.reduce_seconds = 0;
    options.folder = folder.path();
    aim_at(options, kTarget);
    const CampaignReport report = run_campaign(options);
    for (const CampaignFinding& finding : report.findings) ADD_FAILURE() << "graph " << finding.graph << ": " << finding.text;
    std::uint64_t ran = 0;
    for (const auto& [name, count] : report.runs)
        if (name.starts_with("c99")) ran += count;
    EXPECT_GE(ran, 75u) << "too much is refused";
}

// Nothing of what the target has not comes through as if it were something else.
TEST(C99, RefusesWhatItHasNot) {
    const driver::PrivateFolder folder = test_folder();
    const auto code_of = [&](const std::string& text) {
        const Result<TestCase> test = parse_case(text, "case");
        if (!test) return render(test.error());
        const Interpreted interpreted = interpret_case(*test, {.orders = {}});
        if (interpreted.finding) return to_string(*interpreted.finding);
        return run_unit({{&interpreted.sdfg, &interpreted.before}}, c99(0), folder.path())[0].code;
    };
    EXPECT_EQ(
        code_of("# case: inputs=1\nsdfg g() {\n  array x: complex128[3]\n  state s {\n    n0 = tasklet t -> (o) {\n      o = 1\n"
                "    }\n    n1 = access x\n    n0.o -> n1 : x[0]\n  }\n}\n"),
        "L024");
    EXPECT_EQ(code_of("# case: inputs=1\nsdfg g() {\n  array x: float64[3]\n  state s {\n    n0 = tasklet t -> (o) {\n"
                      "      o = abs(3 + 4j)\n    }\n    n1 = access x\n    n0.o -> n1 : x[0]\n  }\n}\n"),
              "L023");
}

}  // namespace
}  // namespace sluice::fuzz
