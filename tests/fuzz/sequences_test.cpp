// Transformations on random graphs keep what the graphs mean, and one that does not is caught.
#include "fuzz/sequences.h"

#include <fstream>
#include <sstream>

#include "checks.h"

namespace sluice::fuzz {
namespace {

TEST(Sequences, OfTransformationsKeepTheMeaning) {
    const driver::PrivateFolder folder = test_folder();
    SequenceOptions options;
    options.seed = 32;
    options.sequences = 40;
    options.reduce_seconds = 0;
    options.folder = folder.path();
    const SequenceReport report = run_sequences(options);
    EXPECT_EQ(report.sequences, 40u);
    EXPECT_GT(report.applications, 40u);
    for (const CampaignFinding& finding : report.findings) {
        std::ifstream file(finding.file);
        std::ostringstream text;
        text << file.rdbuf();
        ADD_FAILURE() << finding.text << text.str();
    }
}

TEST(Sequences, AreCertifiedBesideTheInterpreter) {
    const driver::PrivateFolder folder = test_folder();
    SequenceOptions options;
    options.seed = 34;
    options.sequences = 20;
    options.certify = true;
    options.certify_seconds = 60;  // The operations decide, not the machine's load.
    options.reduce_seconds = 0;
    options.folder = folder.path();
    const SequenceReport report = run_sequences(options);
    for (const CampaignFinding& finding : report.findings) ADD_FAILURE() << finding.text;
    EXPECT_GE(report.certified.equal, 1u);
    EXPECT_EQ(report.certified.different, 0u);
}

TEST(Sequences, FollowFromTheSeed) {
    const driver::PrivateFolder folder = test_folder();
    SequenceOptions options;
    options.sequences = 10;
    options.folder = folder.path();
    EXPECT_EQ(table(run_sequences(options)), table(run_sequences(options)));
}

// What these look for is rare in programs of chance; the idioms of tools/fuzz/generate make it.
TEST(Sequences, RareTransformationsApply) {
    const driver::PrivateFolder folder = test_folder();
    SequenceOptions options;
    options.sequences = 250;
    options.longest = 2;
    options.only = {"DoubleBuffering",     "ReducePeeling",        "RedundantArrayCopying", "TransientReuse",
                    "StreamTransient",     "MapHorizontalFusion",  "AugAssignToWCR",        "WCRToAugAssign",
                    "ConstantPropagation", "SymbolAliasPromotion", "ChooseSynchronization", "ChooseSections",
                    "MapReduceFusion",     "MapWCRFusion",         "MoveMapIntoLoop",       "StreamingComposition"};
    options.reduce_seconds = 0;
    options.folder = folder.path();
    const SequenceReport report = run_sequences(options);
    for (const CampaignFinding& finding : report.findings) ADD_FAILURE() << finding.text;
    for (const auto& [name, tally] : report.tallies) EXPECT_GT(tally.applied, 0u) << table(report);
}

// Of all that are picked by chance one in a hundred finds what it needs, also those that need several nodes in a row.
TEST(Sequences, ChainsOfReductionsAreAsFrequentAsOneInAHundred) {
    const driver::PrivateFolder folder = test_folder();
    SequenceOptions options;
    options.seed = 7;
    options.sequences = 300;
    options.only = {"MapWCRFusion", "MapReduceFusion", "ChooseSynchronization"};
    options.longest = 1;
    options.reduce_seconds = 0;
    options.folder = folder.path();
    const SequenceReport report = run_sequences(options);
    for (const CampaignFinding& finding : report.findings) ADD_FAILURE() << finding.text;
    for (const auto& [name, tally] : report.tallies) EXPECT_GE(tally.applied * 100, tally.asked) << table(report);
}

TEST(Sequences, TheTableNamesWhatIsAppliedRarely) {
    SequenceReport report;
    report.tallies["Often"] = {.asked = 200, .matched = 9, .refused = 3, .applied = 2};
    report.tallies["Rarely"] = {.asked = 201, .matched = 9, .refused = 0, .applied = 2};
    EXPECT_NE(table(report).find("applied in less than 1 % of the graphs where it was looked for: Rarely\n"), std::string::npos)
        << table(report);
}

// Takes the last point off a map.
TEST(Sequences, AWrongTransformationIsCaughtAndReduced) {
    rewrite::Registry registry;
    rewrite::Descriptor descriptor{
        .name = "Shorten", .group = "map", .summary = "", .drawing = "", .patterns = {}, .conditions = {}};
    descriptor.patterns = {rewrite::chain({{"map", rewrite::kind::map_entry}})};
    registry.add({descriptor, [](const rewrite::Site&) { return std::nullopt; },
                  [](rewrite::Draft& draft) {
                      symbolic::Range& range = draft.get<ir::MapEntry>("map").range.dims[0];
                      range.end = range.end - 1;
                  }});
    const driver::PrivateFolder folder = test_folder();
    SequenceOptions options;
    options.registry = &registry;
    options.most_findings = 1;
    options.generate.size = 3;
    options.reduce_seconds = 20;
    options.folder = folder.path();
    const SequenceReport report = run_sequences(options);
    ASSERT_EQ(report.findings.size(), 1u);
    std::ifstream file(report.findings[0].file);
    std::ostringstream text;
    text << file.rdbuf();
    const Result<TestCase> test = parse_case(text.str());
    ASSERT_TRUE(test) << render(test.error());
    EXPECT_EQ(test->recipe.size(), 1u) << text.str();
    EXPECT_LT(text.str().size(), 1200u) << text.str();
}

TEST(Sequences, RecipesOfCasesAreAppliedAndKept) {
    const std::string text =
        "# case: inputs=1 N=4\n"
        "# apply: MapTiling @ main(map=m) tile_sizes=[2]\n"
        "# apply: MapTiling @ nowhere(map=m)\n"
        "sdfg g() {\n  symbol N: int64\n  array y: float64[N]\n  state main {\n"
        "    n0 = map_entry m [i=0:N]\n    n1 = map_exit n0 passing (y)\n    n2 = tasklet t () -> (o) {o = i}\n"
        "    n3 = access y\n    n0 -> n2\n    n2.o -> n1.IN_y : y[i]\n    n1.OUT_y -> n3 : y[0:N]\n  }\n}\n";
    const Result<TestCase> test = parse_case(text);
    ASSERT_TRUE(test) << render(test.error());
    EXPECT_EQ(test->recipe.size(), 2u);
    EXPECT_NE(to_text(*test).find("# apply: MapTiling @ main(map=m) tile_sizes=[2]\n"), std::string::npos);
    const Interpreted interpreted = interpret_case(*test, {});
    EXPECT_FALSE(interpreted.finding) << to_string(*interpreted.finding);
    EXPECT_FALSE(interpreted.sdfg == test->sdfg);
}

}  // namespace
}  // namespace sluice::fuzz
