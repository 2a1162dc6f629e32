// The fuzzer finds nothing in what is right, and something in what is wrong.
#include "fuzz/campaign.h"

#include <fstream>
#include <sstream>

#include "checks.h"
#include "fuzz/passes.h"
#include "fuzz/random.h"
#include "ir/builder.h"

namespace sluice::fuzz {
namespace {

TEST(Campaign, AgreesOnAFewGraphs) {
    const driver::PrivateFolder folder = test_folder();
    CampaignOptions options;
    options.seed = 20;
    options.graphs = 64;
    options.seconds = 600;
    options.batch = 32;
    options.reduce_seconds = 0;
    options.folder = folder.path();
    options.passes = {"text", "json", "expand", "propagate"};
    const CampaignReport report = run_campaign(options);
    EXPECT_EQ(report.graphs, 64u);
    for (const CampaignFinding& finding : report.findings) ADD_FAILURE() << finding.graph << ": " << finding.text;
}

TEST(Campaign, ProcessesShareTheWork) {
    const driver::PrivateFolder folder = test_folder();
    CampaignOptions options;
    options.graphs = 16;
    options.batch = 4;
    options.jobs = 2;
    options.seconds = 600;
    options.generate.size = 1;
    options.reduce_seconds = 0;
    options.folder = folder.path();
    std::uint64_t reports = 0;
    const CampaignReport report = run_campaign(options, [&](const CampaignReport&) { ++reports; });
    EXPECT_EQ(report.graphs, 16u);
    EXPECT_EQ(reports, 4u);
}

// Updates of one element by several threads, whose atomics a fault drops. It ends with the first finding, mostly within seconds;
// beside other load it may take minutes until two threads meet.
TEST(Campaign, CatchesADroppedAtomic) {
    const driver::PrivateFolder folder = test_folder();
    CampaignOptions options;
    options.seed = 3;
    options.seconds = 900;
    options.most_findings = 1;
    options.lowering.drop_atomics = true;
    options.generate.features = {Feature::Conflicts, Feature::Parallel, Feature::Indirection};
    options.generate.swarm = false;
    options.reduce_seconds = 0;
    options.folder = folder.path();
    const CampaignReport report = run_campaign(options);
    ASSERT_FALSE(report.findings.empty()) << report.graphs << " graphs";
    EXPECT_TRUE(report.findings[0].text.starts_with("different")) << report.findings[0].text;
    std::ifstream file(report.findings[0].file);
    std::ostringstream text;
    text << file.rdbuf();
    const Result<TestCase> test = parse_case(text.str());
    ASSERT_TRUE(test) << render(test.error());
    EXPECT_NE(text.str().find("wcr="), std::string::npos);
}

TEST(Campaign, LoopsOfRandomGraphsDoWhatTheGraphsMean) {
    const driver::PrivateFolder folder = test_folder();
    CampaignOptions options;
    options.seed = 21;
    options.graphs = 256;
    options.seconds = 600;
    options.loops = true;
    options.compile = false;
    options.reduce_seconds = 0;
    options.folder = folder.path();
    const CampaignReport report = run_campaign(options);
    EXPECT_EQ(report.runs.at("two orders of loops"), 256u);
    for (const CampaignFinding& finding : report.findings) ADD_FAILURE() << finding.graph << ": " << finding.text;
}

// Without luck: a race is one whether or not two threads meet.
TEST(Campaign, TheInterpreterOfLoopsCatchesADroppedAtomicAtOnce) {
    const driver::PrivateFolder folder = test_folder();
    CampaignOptions options;
    options.seed = 1;
    options.graphs = 64;
    options.batch = 64;
    options.seconds = 600;
    options.most_findings = 1;
    options.loops = true;
    options.compile = false;
    options.lowering.drop_atomics = true;
    options.generate.features = {Feature::Conflicts, Feature::Parallel, Feature::Indirection};
    options.generate.swarm = false;
    options.reduce_seconds = 0;
    options.folder = folder.path();
    const CampaignReport report = run_campaign(options);
    ASSERT_FALSE(report.findings.empty());
    EXPECT_TRUE(report.findings[0].text.starts_with("loops (I004)")) << report.findings[0].text;
    EXPECT_NE(report.findings[0].text.find("`update plain "), std::string::npos) << report.findings[0].text;
}

TEST(Passes, AWrongOneIsCaught) {
    // Forgets every conflict resolution.
    passes().push_back({"forgetful", [](ir::Sdfg& sdfg, std::uint64_t) {
                            bool changed = false;
                            for (auto [id, block] : sdfg.body.blocks)
                                if (ir::State* state = ir::as_state(block))
                                    for (auto [edge_id, edge] : state->edges) {
                                        changed = changed || edge.memlet.wcr;
                                        edge.memlet.wcr.reset();
                                    }
                            return changed;
                        }});
    GenerateOptions generate_options;
    generate_options.features = {Feature::Conflicts};
    generate_options.swarm = false;
    CheckOptions options;
    options.passes = {"forgetful"};
    int found = 0;
    for (std::uint64_t k = 0; k < 40; ++k)
        if (const auto finding = interpret_case(generate(derived_seed(3, k), generate_options), options).finding) {
            EXPECT_EQ(finding->kind, Finding::Kind::Pass);
            EXPECT_EQ(finding->detail, "forgetful");
            ++found;
        }
    EXPECT_GT(found, 0);
    passes().pop_back();
}

TEST(Unit, ACrashTakesNobodyAlong) {
    // The middle graph writes far outside; its neighbours run all the same.
    std::vector<TestCase> tests;
    std::vector<Memory> before;
    for (const char* place : {"y[0]", "y[1000000000]", "y[1]"}) {
        TestCase test{ir::Sdfg{.name = "g"}, {}, 1};
        ir::add_array(test.sdfg, "y", code::Scalar::Int64, {2});
        ir::StateBuilder state = ir::add_state(test.sdfg, "main");
        const auto tasklet = state.tasklet("t", {}, {{"o", {}}}, "o = 77");
        ir::Memlet memlet = ir::memlet(place);
        memlet.allow_oob = true;
        state.edge(tasklet, "o", state.access("y"), "", memlet);
        before.push_back(make_memory(test).or_fail());
        tests.push_back(std::move(test));
    }
    std::vector<Job> jobs;
    for (std::size_t k = 0; k < 3; ++k) jobs.push_back({&tests[k].sdfg, &before[k]});
    const driver::PrivateFolder folder = test_folder();
    Configuration configuration;
    configuration.optimisation = 0;
    const std::vector<Outcome> outcomes = run_unit(jobs, configuration, folder.path());
    EXPECT_EQ(outcomes[0].kind, Outcome::Kind::Ran);
    EXPECT_EQ(outcomes[1].kind, Outcome::Kind::Crashed);
    ASSERT_EQ(outcomes[2].kind, Outcome::Kind::Ran);
    EXPECT_EQ(reinterpret_cast<const std::int64_t*>(outcomes[2].memory.blocks[0].data())[1], 77);
}

}  // namespace
}  // namespace sluice::fuzz
