#include "analysis/legality/stream_order.h"

#include <gtest/gtest.h>

#include <array>

#include "analysis/symbols.h"
#include "ir/builder.h"

namespace sluice::analysis {
namespace {

using code::Scalar;
using symbolic::symbol;

struct Sides {
    std::string writer = "i, j", reader = "p, q";
    std::string i = "0:N", j = "0:M", p = "0:N", q = "0:M";
    std::string wcr = {};
};

/// map i, j: t[writer] = x[i, j]; map p, q: y[p, q] = t[reader]
Verdict verdict_of(const Sides& sides) {
    ir::Sdfg g{.name = "two"};
    for (const char* name : {"N", "M"}) ir::add_symbol(g, name);
    const symbolic::Expr extent = symbol("N") + symbol("M");
    for (const char* name : {"x", "y"}) ir::add_array(g, name, Scalar::Float64, {extent, extent});
    ir::add_transient(g, "t", Scalar::Float64, {extent, extent});
    auto s = ir::add_state(g, "main");
    const auto t = s.access("t");
    const auto [e1, x1] = s.map("first", {{"i", sides.i}, {"j", sides.j}});
    const auto one = s.tasklet("one", {{"in", {}}}, {{"out", {}}}, "out = in + 1");
    s.memlet_path({s.access("x"), e1, one}, "", "in", ir::memlet("x[i, j]"));
    ir::Memlet write = ir::memlet("t[" + sides.writer + "]");
    if (!sides.wcr.empty()) write.wcr = sides.wcr;
    s.memlet_path({one, x1, t}, "out", "", write);
    const auto [e2, x2] = s.map("second", {{"p", sides.p}, {"q", sides.q}});
    const auto two = s.tasklet("two", {{"in", {}}}, {{"out", {}}}, "out = in + 1");
    s.memlet_path({t, e2, two}, "", "in", ir::memlet("t[" + sides.reader + "]"));
    s.memlet_path({two, x2, s.access("y")}, "out", "", ir::memlet("y[p, q]"));
    return same_stream_order(g, *ir::as_state(g.body.blocks[g.body.start]), e1, e2, "t", assumptions_of(g));
}

TEST(SameStreamOrder, RowByRowOnBothSides) {
    const Verdict verdict = verdict_of({});
    EXPECT_TRUE(verdict.yes()) << verdict.why;
}

TEST(SameStreamOrder, RowsWrittenAndColumnsRead) {
    const Verdict verdict = verdict_of({.reader = "q, p", .p = "0:M", .q = "0:N"});
    ASSERT_TRUE(verdict.no()) << verdict.why;
    ASSERT_TRUE(verdict.witness);
    EXPECT_TRUE(verdict.why.starts_with("elements are read in another order than they are written: t: written by one at i="))
        << verdict.why;
    const auto &first = verdict.witness->first.iterators, &second = verdict.witness->second.iterators;
    EXPECT_LT(first[0].second, second[0].second) << "an earlier row";
    EXPECT_GT(first[1].second, second[1].second) << "and a later column";
}

TEST(SameStreamOrder, TheSameOrderUnderOtherNamesAndBounds) {
    EXPECT_TRUE(verdict_of({.reader = "p - 2, q + 1", .p = "2:N + 2", .q = "-1:M - 1"}).yes());
    EXPECT_TRUE(verdict_of({.writer = "j, i", .reader = "q, p"}).yes());
}

/// The elements that the two maps touch, in their order, for N = 3 and M = 2.
std::vector<std::pair<int, int>> touched(int kind) {
    std::vector<std::pair<int, int>> all;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 2; ++b)
            all.push_back(kind == 0   ? std::pair(a, b)
                          : kind == 1 ? std::pair(b, a)
                          : kind == 2 ? std::pair(2 - a, b)
                                      : std::pair(a, 1 - b));
    return all;
}

TEST(SameStreamOrder, AsRunningBothMapsShows) {
    const std::array<std::string, 4> written{"i, j", "j, i", "2 - i, j", "i, 1 - j"}, read{"p, q", "q, p", "2 - p, q", "p, 1 - q"};
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
            const Verdict verdict =
                verdict_of({.writer = written[a], .reader = read[b], .i = "0:3", .j = "0:2", .p = "0:3", .q = "0:2"});
            EXPECT_EQ(verdict.answer, touched(a) == touched(b) ? Answer::Yes : Answer::No) << a << b << ": " << verdict.why;
        }
}

TEST(SameStreamOrder, WhatIsReadTwiceOrNotAtAllIsNoStream) {
    const Verdict twice = verdict_of({.reader = "p, 0"});
    ASSERT_TRUE(twice.no());
    EXPECT_TRUE(twice.why.starts_with("two points read one element: t")) << twice.why;
    const Verdict part = verdict_of({.q = "1:M"});
    EXPECT_EQ(part.why, "what is written of `t` is not what is read");
    EXPECT_TRUE(part.no());
}

TEST(SameStreamOrder, AnUpdateIsNoWrite) {
    EXPECT_EQ(verdict_of({.wcr = "lambda a, b: a + b"}).answer, Answer::Unknown);
}

}  // namespace
}  // namespace sluice::analysis
