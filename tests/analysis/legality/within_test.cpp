#include "analysis/legality/within.h"

#include <gtest/gtest.h>

namespace sluice::analysis {
namespace {

using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;
using symbolic::symbol;

Subset box(std::initializer_list<std::pair<Expr, Expr>> dims) {
    Subset all;
    for (const auto& [begin, end] : dims) all.dims.push_back({begin, end, 1, 1});
    return all;
}

TEST(LiesWithin, OfConstantRangesAsCountingShows) {
    for (int begin = -1; begin <= 3; ++begin)
        for (int end = begin; end <= 5; ++end)
            for (int size = 1; size <= 4; ++size) {
                const Verdict verdict = lies_within(box({{begin, end}}), box({{0, size}}), "a", {});
                bool all = true;
                for (int at = begin; at < end; ++at) all = all && at >= 0 && at < size;
                EXPECT_EQ(verdict.answer, all ? Answer::Yes : Answer::No) << begin << ":" << end << " in 0:" << size;
            }
}

TEST(LiesWithin, ANoNamesAnElementAndTheSizes) {
    const Expr n = symbol("N");
    symbolic::Assumptions known;
    known.assume(symbolic::less_equal(n, 9));
    const Verdict verdict = lies_within(box({{0, n}, {2, 3}}), box({{0, n}, {0, 2}}), "a", known);
    ASSERT_TRUE(verdict.no()) << verdict.why;
    EXPECT_TRUE(verdict.why.starts_with("`a[0:N, 2]` may lie outside of `a[0:N, 0:2]`: a[")) << verdict.why;
    EXPECT_NE(verdict.why.find(", 2] (N="), std::string::npos) << verdict.why;
}

// An empty part lies anywhere, and what is not empty follows from a sum.
TEST(LiesWithin, WhatOnlyTheSetsShow) {
    const Expr n = symbol("N"), i = symbol("i"), j = symbol("j");
    symbolic::Assumptions known;
    known.assume(symbolic::less_equal(0, i));
    known.assume(symbolic::less_equal(0, j));
    known.assume(symbolic::less(2 * i + 3 * j, n));
    EXPECT_TRUE(lies_within(box({{i, j + 1}}), box({{0, n}}), "a", known).yes());
    EXPECT_TRUE(lies_within(box({{i, 4 * j + 2}}), box({{0, n}}), "a", known).no());
}

TEST(LiesWithin, WhatIsNotAffineIsNotKnown) {
    const Expr n = symbol("N"), m = symbol("M");
    const Verdict verdict = lies_within(box({{0, n * m}}), box({{0, n}}), "a", {});
    EXPECT_EQ(verdict.answer, Answer::Unknown);
    EXPECT_NE(verdict.why.find("not affine"), std::string::npos) << verdict.why;
    EXPECT_TRUE(lies_within(box({{0, n * m}}), box({{0, n * m}}), "a", {}).yes());
}

TEST(LiesApart, OfConstantRangesAsCountingShows) {
    for (int begin = -1; begin <= 3; ++begin)
        for (int end = begin; end <= 5; ++end)
            for (int size = 1; size <= 4; ++size) {
                const Verdict verdict = lies_apart(box({{begin, end}}), box({{0, size}}), "a", {});
                bool apart = true;
                for (int at = begin; at < end; ++at) apart = apart && (at < 0 || at >= size);
                EXPECT_EQ(verdict.answer, apart ? Answer::Yes : Answer::No) << begin << ":" << end << " and 0:" << size;
            }
}

TEST(LiesApart, WhereOnlyExactSetsTell) {
    const Expr i = symbol("i"), j = symbol("j"), n = symbol("N");
    symbolic::Assumptions known;
    known.assume_any("i");
    known.assume_any("j");
    const Subset even = Subset::indices({2 * i}), odd = Subset::indices({2 * j + 1});
    ASSERT_NE(symbolic::disjoint(even, odd, known), symbolic::Truth::Yes);
    EXPECT_EQ(lies_apart(even, odd, "a", known).answer, Answer::Yes);
    const Verdict meet = lies_apart(even, Subset::indices({2 * j}), "a", known);
    EXPECT_EQ(meet.answer, Answer::No);
    EXPECT_NE(meet.why.find("a[0]"), std::string::npos) << meet.why;
    EXPECT_EQ(lies_apart(Subset::indices({i * j}), odd, "a", known).answer, Answer::Unknown);
    EXPECT_EQ(lies_apart(box({{0, n}}), box({{0, n}, {0, n}}), "a", known).answer, Answer::Unknown);
}

}  // namespace
}  // namespace sluice::analysis
