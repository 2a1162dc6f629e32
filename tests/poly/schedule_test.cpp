// Schedule trees and the loops made of them: every order is compared with one found by enumeration.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "poly/ast.h"

namespace sluice::poly {
namespace {

using Instance = std::pair<std::string, std::vector<std::int64_t>>;

/// Runs the loops; the instances in the order in which they are called.
std::vector<Instance> enumerate(const AstNode& root, std::map<std::string, std::int64_t> symbols) {
    std::vector<Instance> calls;
    const auto value = [&](const symbolic::Expr& e) { return symbolic::evaluate(e, symbols).value(); };
    const std::function<void(const AstNode&)> run = [&](const AstNode& node) {
        switch (node.kind) {
            case AstNode::Kind::For: {
                const std::int64_t end = value(node.end);
                for (std::int64_t at = value(node.begin); at < end; at += node.step) {
                    symbols[node.variable] = at;
                    run(node.children[0]);
                }
                break;
            }
            case AstNode::Kind::If:
                if (value(node.condition) != 0)
                    run(node.children[0]);
                else if (node.children.size() > 1)
                    run(node.children[1]);
                break;
            case AstNode::Kind::Block:
                for (const AstNode& part : node.children) run(part);
                break;
            case AstNode::Kind::Call: {
                Instance call{node.statement, {}};
                for (const symbolic::Expr& argument : node.arguments) call.second.push_back(value(argument));
                calls.push_back(call);
                break;
            }
        }
    };
    run(root);
    return calls;
}

AstNode built(const Schedule& schedule, const UnionMap& dependences = UnionMap::empty()) {
    std::optional<AstNode> ast =
        build_ast({.schedule = schedule, .context = Set::parse("[N] -> { : N > 0 }"), .dependences = dependences, .prefix = "c"});
    EXPECT_TRUE(ast);
    return ast.value_or(AstNode{});
}

const UnionSet kTriangle = UnionSet::parse("[N] -> { S[i, j] : 0 <= i < N and 0 <= j <= i }");

TEST(Schedule, ABandOrdersInstancesByItsTimes) {
    const Schedule columns = Schedule::of(kTriangle).within(UnionMap::parse("{ S[i, j] -> [j, -i] }"), {true, false});
    std::vector<Instance> expected;
    for (std::int64_t j = 0; j < 5; ++j)
        for (std::int64_t i = 4; i >= j; --i) expected.push_back({"S", {i, j}});
    EXPECT_EQ(enumerate(built(columns), {{"N", 5}}), expected);
}

TEST(Schedule, SequencesAndTilesVisitEachInstanceOnce) {
    const Schedule first = Schedule::of(kTriangle).within(UnionMap::parse("{ S[i, j] -> [floor(i/3), floor(j/2), i, j] }"), {});
    const Schedule second = Schedule::of(UnionSet::parse("[N] -> { T[i] : 0 <= i < N and i mod 2 = 0 }"))
                                .within(UnionMap::parse("{ T[i] -> [i] }"), {});
    std::vector<Instance> calls = enumerate(built(first.then(second)), {{"N", 7}}), expected;
    for (std::int64_t i = 0; i < 7; ++i)
        for (std::int64_t j = 0; j <= i; ++j) expected.push_back({"S", {i, j}});
    ASSERT_EQ(calls.size(), expected.size() + 4);
    EXPECT_TRUE(std::is_permutation(expected.begin(), expected.end(), calls.begin()));
    for (std::int64_t at = 0; at < 4; ++at) EXPECT_EQ(calls[expected.size() + at], (Instance{"T", {2 * at}}));
    for (std::size_t at = 1; at < expected.size(); ++at) {
        const auto time = [](const Instance& s) {
            return std::vector<std::int64_t>{s.second[0] / 3, s.second[1] / 2, s.second[0], s.second[1]};
        };
        EXPECT_LT(time(calls[at - 1]), time(calls[at]));
    }
}

TEST(Schedule, TextParsesBack) {
    const Schedule tree = Schedule::of(kTriangle).within(UnionMap::parse("{ S[i, j] -> [j, i] }"), {true, false});
    for (const std::string& text : {tree.to_string(), tree.to_block()}) {
        const Schedule again = Schedule::parse(text);
        ASSERT_TRUE(again.known()) << text;
        EXPECT_EQ(again.times().is_equal(tree.times()), Answer::Yes) << text;
        EXPECT_EQ(again.to_string(), tree.to_string());
    }
    EXPECT_FALSE(Schedule::parse("{ domain: nonsense").known());
}

TEST(Schedule, LoopsAreParallelWhereNoDependenceCrossesThem) {
    const UnionMap along_j = UnionMap::parse("[N] -> { S[i, j] -> S[i, j + 1] }");
    const auto parallel = [](const AstNode& outer) { return std::pair(outer.parallel, outer.children[0].parallel); };
    const Schedule rows = Schedule::of(kTriangle).within(UnionMap::parse("{ S[i, j] -> [i, j] }"), {});
    const Schedule columns = Schedule::of(kTriangle).within(UnionMap::parse("{ S[i, j] -> [j, i] }"), {});
    EXPECT_EQ(parallel(built(rows, along_j)), std::pair(true, false));
    EXPECT_EQ(parallel(built(columns, along_j)), std::pair(false, true));
    EXPECT_EQ(parallel(built(rows)), std::pair(true, true));
    const UnionMap diagonal = UnionMap::parse("[N] -> { S[i, j] -> S[i + 1, j + 1] }");
    EXPECT_EQ(parallel(built(rows, diagonal)), std::pair(false, true));
}

TEST(Schedule, ViolatedDependencesAreFound) {
    const UnionMap dependences = UnionMap::parse("[N] -> { S[i, j] -> S[i + 1, j - 1] : 0 <= i and i + 1 < N and 1 <= j <= i }");
    const auto violates = [&](const char* times) {
        return violated(dependences, UnionMap::parse(times).intersect_domain(kTriangle)).is_empty();
    };
    EXPECT_EQ(violates("{ S[i, j] -> [i, j] }"), Answer::Yes);
    EXPECT_EQ(violates("{ S[i, j] -> [j, i] }"), Answer::No);
    EXPECT_EQ(violates("{ S[i, j] -> [i + j, i] }"), Answer::Yes);
    EXPECT_EQ(violates("{ S[i, j] -> [i + j] }"), Answer::No);  // At the same time is not before.
}

TEST(Schedule, TheSchedulerRespectsDependencesAndFindsParallelLoops) {
    // Jacobi in one dimension: skewed bands are the answer, and the times of S must respect all three distances.
    const UnionSet domain = UnionSet::parse("[N, T] -> { S[t, i] : 0 <= t < T and 1 <= i < N - 1 }");
    const UnionMap dependences = UnionMap::parse(
        "[N, T] -> { S[t, i] -> S[t + 1, j] : -1 <= j - i <= 1 and 0 <= t and t + 1 < T and 1 <= i < N - 1 and 1 <= j < N - 1 }");
    const Schedule found = schedule({.domain = domain,
                                     .context = Set::parse("[N, T] -> { : N > 3 and T > 3 }"),
                                     .validity = dependences,
                                     .proximity = dependences,
                                     .coincidence = dependences});
    ASSERT_TRUE(found.known());
    EXPECT_EQ(violated(dependences, found.times()).is_empty(), Answer::Yes) << found.to_block();
    EXPECT_NE(found.to_string().find("permutable: 1"), std::string::npos) << found.to_block();
}

TEST(Schedule, BeyondTheBudgetNothingIsKnown) {
    const UnionSet domain = UnionSet::parse("[N, T] -> { S[t, i] : 0 <= t < T and 1 <= i < N - 1 }");
    const UnionMap dependences = UnionMap::parse("[N, T] -> { S[t, i] -> S[t + 1, i + 1] : 0 <= t < T and 0 < i < N }");
    const Set context = Set::parse("[N, T] -> { : N > 3 and T > 3 }");
    const poly::Budget budget(50);
    const Schedule found = schedule(
        {.domain = domain, .context = context, .validity = dependences, .proximity = dependences, .coincidence = dependences});
    EXPECT_FALSE(found.known());
    EXPECT_FALSE(build_ast({.schedule = found, .context = context, .dependences = dependences, .prefix = "c"}));
}

TEST(Schedule, PairsAreOrderedByTheTimesOfBothPoints) {
    const UnionMap pairs =
        UnionMap::parse("{ A[i] -> A[j] : 0 <= i, j < 10; A[i] -> B[i, j] : 0 <= i, j < 4; B[i, j] -> C[] : i = j }");
    // Domains of parts, two expressions, points without a time, and C, which has none.
    const UnionMap times =
        UnionMap::parse("{ A[i] -> [0, -i] : 0 <= i < 3 or 5 <= i < 8; A[8] -> [1, 8]; B[i, j] -> [0, j - i] : i >= 0 }");
    const UnionMap expected = UnionMap::parse(
        "{ A[i] -> A[j] : j < i and (0 <= i < 3 or 5 <= i < 8) and (0 <= j < 3 or 5 <= j < 8); A[i] -> A[8] : 0 <= i < 3 or 5 <= i "
        "< 8; "
        "A[i] -> B[i, j] : -i < j - i and 0 <= i < 3 and 0 <= j < 4 }");
    EXPECT_EQ(before(pairs, times).is_equal(expected), Answer::Yes) << before(pairs, times).to_string();
    EXPECT_EQ(violated(pairs, times).is_equal(pairs.subtract(expected)), Answer::Yes) << violated(pairs, times).to_string();
    EXPECT_FALSE(before(UnionMap(), times).known());
    EXPECT_FALSE(violated(pairs, UnionMap()).known());
}

}  // namespace
}  // namespace sluice::poly
