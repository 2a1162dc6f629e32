// What a scop holds, what is refused, and what may run in another order, on programs small enough to say by hand.
#include <unistd.h>

#include <fstream>

#include "programs.h"

namespace sluice::test {
namespace {

using analysis::Extracted;
using poly::Answer;
using poly::Schedule;
using poly::UnionMap;

ir::Sdfg program(const std::string& parameters, const std::string& body) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / ("scop_test_" + std::to_string(::getpid()) + ".py");
    std::ofstream(file) << "import numpy as np\nimport sluice\nfrom sluice import float64, int64\nN = sluice.symbol('N')\nM = "
                           "sluice.symbol('M')\n\n"
                           "@sluice.program\ndef f("
                        << parameters << "):\n"
                        << body;
    std::vector<ir::Sdfg> programs = simplified(file);
    std::filesystem::remove(file);
    return programs.at(0);
}

const char* const kPrefixSums =
    "    for i in range(1, N):\n"
    "        for j in range(M):\n"
    "            A[i, j] = A[i - 1, j] + B[i, j]\n";

TEST(Scop, HoldsDomainsAccessesAndTheOrderOfTheGraph) {
    const Extracted extracted = extract_program(program("A: float64[N, M], B: float64[N, M]", kPrefixSums));
    ASSERT_TRUE(extracted.ok()) << extracted.construct;
    const analysis::Scop& scop = *extracted.scop;
    ASSERT_EQ(scop.statements.size(), 1);
    const auto same = [](const UnionMap& a, const char* b) { return a.is_equal(UnionMap::parse(b)) == Answer::Yes; };
    EXPECT_EQ(scop.domain().is_equal(poly::UnionSet::parse("[N, M] -> { S0[i, j] : 1 <= i < N and 0 <= j < M }")), Answer::Yes);
    EXPECT_TRUE(same(analysis::dependences(scop), "[N, M] -> { S0[i, j] -> S0[i + 1, j] : 1 <= i < N - 1 and 0 <= j < M }"));
    EXPECT_EQ(scop.assigned, (std::set<std::string>{"i", "j"}));
    EXPECT_EQ(scop.statements[0].accesses.size(), 3);
}

TEST(Scop, APermittedOrderIsYesAndAForbiddenOneHasAWitness) {
    const Extracted extracted = extract_program(program("A: float64[N, M], B: float64[N, M]", kPrefixSums));
    ASSERT_TRUE(extracted.ok());
    const UnionMap dependences = analysis::dependences(*extracted.scop);
    const auto ask = [&](const char* times) {
        return analysis::reorder(*extracted.scop, dependences,
                                 Schedule::of(extracted.scop->domain()).within(UnionMap::parse(times), {}));
    };
    EXPECT_TRUE(ask("{ S0[i, j] -> [j, i] }").yes());
    EXPECT_TRUE(ask("{ S0[i, j] -> [floor(i/4), floor(j/4), i, j] }").yes());
    EXPECT_TRUE(ask("{ S0[i, j] -> [i] }").yes());  // All j at the same time.
    EXPECT_EQ(ask("{ S0[i, j] -> [j] }").answer, Answer::No);
    const analysis::Verdict verdict = ask("{ S0[i, j] -> [-i, j] }");
    EXPECT_EQ(verdict.answer, Answer::No);
    ASSERT_TRUE(verdict.witness);
    EXPECT_EQ(verdict.witness->container, "A");
    const auto &first = verdict.witness->first.iterators, &second = verdict.witness->second.iterators;
    EXPECT_EQ(first[0].second + 1, second[0].second);
    EXPECT_EQ(first[1].second, second[1].second);
    EXPECT_EQ(verdict.witness->element, (std::vector<std::int64_t>{first[0].second, first[1].second}));
}

TEST(Scop, ASchedulesDomainIsThatOfTheStatements) {
    const Extracted extracted = extract_program(program("A: float64[N, M], B: float64[N, M]", kPrefixSums));
    ASSERT_TRUE(extracted.ok());
    const Schedule half = Schedule::parse(
        "{ domain: \"[N, M] -> { S0[i, j] : 1 <= i < N and 1 <= j < M }\", child: { schedule: \"[{ S0[i, j] -> [i] }]\" } }");
    ASSERT_TRUE(half.known());
    EXPECT_EQ(analysis::reorder(*extracted.scop, analysis::dependences(*extracted.scop), half).answer, Answer::No);
}

TEST(Scop, ADroppedDependenceIsADifferenceThatTheOracleSees) {
    // The comparison of the other tests is worth something: an order that `reorder` refuses computes something else.
    const ir::Sdfg before = program("A: float64[N, M], B: float64[N, M]", kPrefixSums);
    const Extracted extracted = extract_program(before);
    ASSERT_TRUE(extracted.ok());
    const auto wrong = rebuilt(before, *extracted.scop,
                               Schedule::of(extracted.scop->domain()).within(UnionMap::parse("{ S0[i, j] -> [-i, j] }"), {}));
    ASSERT_TRUE(wrong);
    const std::map<std::string, std::int64_t> symbols = {{"N", 5}, {"M", 3}};
    EXPECT_FALSE(run(before, symbols, 0).value() == run(*wrong, symbols, 0).value());
}

TEST(Scop, ReductionsThatCommuteAreInNoOrder) {
    const Extracted extracted = extract_program(program("A: float64[N], out: float64[1]",
                                                        "    for i in sluice.map[0:N]:\n"
                                                        "        with sluice.tasklet:\n"
                                                        "            a << A[i]\n"
                                                        "            o >> out(1, lambda x, y: x + y)[0]\n"
                                                        "            o = a\n"));
    ASSERT_TRUE(extracted.ok()) << extracted.construct;
    EXPECT_EQ(analysis::dependences(*extracted.scop).is_empty(), Answer::Yes);
    ASSERT_EQ(extracted.scop->statements.size(), 1);
}

TEST(Scop, SkewedLoopsAreRebuilt) {
    const ir::Sdfg before = program("A: float64[N, M]",
                                    "    for i in range(1, N):\n"
                                    "        for j in range(1, M):\n"
                                    "            A[i, j] = A[i - 1, j] + A[i, j - 1] * (i + 2 * j)\n");
    const Extracted extracted = extract_program(before);
    ASSERT_TRUE(extracted.ok());
    const Schedule wavefront = Schedule::of(extracted.scop->domain()).within(UnionMap::parse("{ S0[i, j] -> [i + j, i] }"), {});
    ASSERT_TRUE(analysis::reorder(*extracted.scop, analysis::dependences(*extracted.scop), wavefront).yes());
    const auto after = rebuilt(before, *extracted.scop, wavefront);
    ASSERT_TRUE(after);
    EXPECT_EQ(expect_same_memory(before, *after, "wavefront"), 2);
    EXPECT_NE(ir::to_text(*after).find("map_entry"), std::string::npos) << ir::to_text(*after);
}

struct Refused {
    const char *name, *parameters, *body, *construct;
};
class Constructs : public ::testing::TestWithParam<Refused> {};
TEST_P(Constructs, AreNamed) {
    const Extracted extracted = extract_program(program(GetParam().parameters, GetParam().body));
    EXPECT_FALSE(extracted.ok());
    EXPECT_NE(extracted.construct.find(GetParam().construct), std::string::npos) << extracted.construct;
}
INSTANTIATE_TEST_SUITE_P(
    Scop, Constructs,
    ::testing::Values(Refused{"Condition", "A: float64[N]",
                              "    for i in range(N):\n        if A[i] > 0.0:\n            A[i] = 1.0\n", "A[i] > 0"},
                      Refused{"While", "A: float64[N]", "    i = 0\n    while A[i] > 0.0:\n        A[i] = 1.0\n        i = i + 1\n",
                              "depends on data"},
                      Refused{"Break", "A: float64[N]",
                              "    for i in range(N):\n        if i > M:\n            break\n        A[i] = 1.0\n", "break"},
                      Refused{"Bound", "A: float64[N], n: int64[1]",
                              "    for i in range(n[0]):\n        if i < N:\n            A[i] = 1.0\n", "n"}),
    [](const auto& refused) { return refused.param.name; });

TEST(Scop, AnIndexReadFromMemoryIsOverApproximated) {
    const ir::Sdfg before = program("A: float64[N], x: int64[N], B: float64[N]",
                                    "    for i in range(N):\n        B[i] = A[x[i]]\n        A[i] = 2.0\n");
    const Extracted extracted = extract_program(before);
    ASSERT_TRUE(extracted.ok()) << extracted.construct;
    const UnionMap dependences = analysis::dependences(*extracted.scop);
    // Any reader may see any write: no iteration may move.
    const Schedule reversed = Schedule::parse("{ domain: \"" + extracted.scop->domain().to_string() + "\" }");
    EXPECT_EQ(analysis::reorder(*extracted.scop, dependences, reversed).answer, Answer::No);
    EXPECT_TRUE(analysis::reorder(*extracted.scop, dependences, extracted.scop->schedule).yes());
}

TEST(Scop, BeyondTheBudgetTheAnswerIsNotYes) {
    const ir::Sdfg before = program("A: float64[N, M], B: float64[N, M]", kPrefixSums);
    const Extracted extracted = extract_program(before);
    ASSERT_TRUE(extracted.ok());
    const poly::Budget budget(20);
    const UnionMap dependences = analysis::dependences(*extracted.scop);
    const Schedule reversed = Schedule::of(extracted.scop->domain()).within(UnionMap::parse("{ S0[i, j] -> [-i, j] }"), {});
    EXPECT_EQ(analysis::reorder(*extracted.scop, dependences, reversed).answer, Answer::Unknown);
    EXPECT_FALSE(rebuilt(before, *extracted.scop, reversed));
}

}  // namespace
}  // namespace sluice::test
