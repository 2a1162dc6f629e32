// Ranks by hand: what messages and collectives bring, and faults that are planted in them.
#include "modules.h"

namespace sluice::interpret::loops::test {
namespace {

/// `x` and `y` of each rank, its number and their count.
struct Ranks {
    std::vector<std::vector<std::int64_t>> x, y;
    std::vector<std::int64_t> number;
    std::int64_t count;

    explicit Ranks(std::int64_t ranks, std::size_t elements = 8) : count(ranks) {
        for (std::int64_t rank = 0; rank < ranks; ++rank) {
            number.push_back(rank);
            x.emplace_back();
            for (std::size_t at = 0; at < elements; ++at) x.back().push_back(100 * rank + static_cast<std::int64_t>(at));
            y.emplace_back(elements, -1);
        }
    }
    std::vector<Arguments> arguments() {
        std::vector<Arguments> all;
        for (std::size_t rank = 0; rank < number.size(); ++rank)
            all.push_back({{region(x[rank]), region(y[rank]), region(number[rank]), region(count)}});
        return all;
    }
};

Result<Report> run_ranks(const std::string& body, Ranks& ranks, std::uint64_t seed) {
    Options options;
    options.seed = seed;
    options.step_limit = 100000;
    return interpret_ranks(module_of("program m(x: buffer int64, y: buffer int64, rank: value int64, size: value int64)\n" + body),
                           ranks.arguments(), options);
}

void expect_clean_ranks(const std::string& body, Ranks& ranks, std::uint64_t seed) {
    const Result<Report> report = run_ranks(body, ranks, seed);
    ASSERT_TRUE(report) << render(report.error());
    for (const Diagnostic& finding : report->findings) ADD_FAILURE() << render(finding);
}

/// Whatever the order of turns, there is an error or finding of this code that names these pieces of text.
void expect_fault(const std::string& body, std::int64_t ranks, const std::string& code, const std::vector<std::string>& pieces) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        Ranks all(ranks);
        const Result<Report> report = run_ranks(body, all, seed);
        const Diagnostic* found = report ? nullptr : &report.error();
        for (std::size_t at = 0; report && at < report->findings.size() && !found; ++at)
            if (report->findings[at].code == code) found = &report->findings[at];
        ASSERT_NE(found, nullptr) << "nothing found with seed " << seed;
        EXPECT_EQ(found->code, code) << render(*found);
        for (const std::string& piece : pieces) EXPECT_NE(render(*found).find(piece), std::string::npos) << render(*found);
    }
}

const char* const kRing = R"(  allocate requests: int64 size 2 stack
  send int64 &x[0] over 4:2 to ((rank + 1) % size) tag 3 request &requests[0]
  receive int64 &y[1] over 2:4, 2:1 from (((rank + size) - 1) % size) tag 3 request &requests[1]
  wait int64 &requests[0] over 2:1
)";

TEST(Messages, ARingOfStridedParts) {
    for (const std::int64_t count : {1, 2, 5})
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            Ranks ranks(count);
            expect_clean_ranks(kRing, ranks, seed);
            for (std::size_t rank = 0; rank < ranks.y.size(); ++rank) {
                const auto from = 100 * ((static_cast<std::int64_t>(rank) + count - 1) % count);
                EXPECT_EQ(ranks.y[rank], (std::vector<std::int64_t>{-1, from, from + 2, -1, -1, from + 4, from + 6, -1}));
            }
        }
}

TEST(Messages, BlockingOnesOfOnePairKeepTheirOrder) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        Ranks ranks(2);
        expect_clean_ranks(R"(  if (rank == 0)
    send int64 &x[1] to 1 tag 0
    send int64 &x[2] to 1 tag 0
  else
    receive int64 &y[0] from 0 tag 0
    receive int64 &y[1] from 0 tag 0
)",
                           ranks, seed);
        EXPECT_EQ(ranks.y[1][0], 1);
        EXPECT_EQ(ranks.y[1][1], 2);
    }
}

TEST(Messages, NoRankIsNoMessage) {
    Ranks ranks(2);
    expect_clean_ranks(
        "  allocate r: int64 size 1 stack\n  send int64 &x[0] to -1000 tag 0\n"
        "  receive int64 &y[0] from -1000 tag 0 request &r[0]\n  wait int64 &r[0]\n",
        ranks, 1);
    EXPECT_EQ(ranks.y[0][0], -1);
}

TEST(Messages, Collectives) {
    using Values = std::vector<std::int64_t>;
    struct Case {
        const char* text;
        std::vector<Values> expected;  ///< The first elements of y.
    };
    const Case cases[] = {
        {"collective broadcast int64 &y[0] over 2:1 root 1", {{-1, -1}, {-1, -1}}},
        {"collective broadcast int64 &x[0] over 2:1 root 1\n  copy 2 int64 &x[0] -> &y[0]", {{100, 101}, {100, 101}}},
        {"collective reduce sum int64 &x[0] over 2:1 -> int64 &y[0] over 2:2 root 1", {{-1, -1, -1}, {100, -1, 102}}},
        {"collective all_reduce max int64 &x[0] over 2:1 -> int64 &y[0] over 2:1", {{100, 101}, {100, 101}}},
        {"collective scatter int64 &x[0] over 4:2 -> int64 &y[0] over 2:1 root 0", {{0, 2, -1}, {4, 6, -1}}},
        {"collective gather int64 &x[0] over 2:1 -> int64 &y[0] over 4:1 root 1", {{-1, -1}, {0, 1, 100, 101}}},
        {"collective all_gather int64 &x[0] -> int64 &y[0] over 2:1", {{0, 100}, {0, 100}}},
        {"collective all_to_all int64 &x[0] over 4:1 -> int64 &y[0] over 4:1", {{0, 1, 100, 101}, {2, 3, 102, 103}}},
        {"collective scatter_blocks int64 &x[0] over 2:4, 4:1 -> int64 &y[0] over 2:2, 2:1 root 0", {{0, 1, 4, 5}, {2, 3, 6, 7}}},
        {"collective gather_blocks int64 &x[0] over 2:2, 2:1 -> int64 &y[0] over 2:4, 4:1 root 0",
         {{0, 1, 100, 101, 2, 3, 102, 103}, {-1}}},
        {"collective barrier", {{-1}, {-1}}},
    };
    for (const Case& one : cases)
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            SCOPED_TRACE(one.text);
            Ranks ranks(2);
            expect_clean_ranks("  " + std::string(one.text) + "\n", ranks, seed);
            for (std::size_t rank = 0; rank < 2; ++rank)
                EXPECT_EQ(Values(ranks.y[rank].begin(), ranks.y[rank].begin() + one.expected[rank].size()), one.expected[rank]);
        }
}

// ---- planted faults -------------------------------------------------------------------------------------------------------
TEST(MessageFaults, AReceiveWithoutASend) {
    expect_fault("  if (rank == 0)\n    receive int64 &y[0] from 1 tag 7\n", 2, "I011",
                 {"rank 0 receives what rank 1 never sends", "receive int64 &y[0] from 1 tag 7"});
}
TEST(MessageFaults, ASendThatNobodyReceives) {
    expect_fault("  allocate r: int64 size 1 stack\n  if (rank == 1)\n    send int64 &x[0] to 0 tag 7 request &r[0]\n", 2, "I011",
                 {"rank 1 sends what rank 0 never receives", "tag 7"});
}
TEST(MessageFaults, AnotherTag) {
    expect_fault("  if (rank == 0)\n    send int64 &x[0] to 1 tag 1\n  else\n    receive int64 &y[0] from 0 tag 2\n", 2, "I005",
                 {"ranks wait for each other", "tag 1", "tag 2", "rank 0", "rank 1"});
}
TEST(MessageFaults, TwoReceivesFacingEachOther) {
    expect_fault("  receive int64 &y[0] from (1 - rank) tag 0\n  send int64 &x[0] to (1 - rank) tag 0\n", 2, "I005",
                 {"ranks wait for each other", "receive int64 &y[0] from (1 - rank) tag 0", "rank 0", "rank 1"});
}
TEST(MessageFaults, TwoSendsFacingEachOtherRelyOnBuffers) {
    expect_fault("  send int64 &x[0] to (1 - rank) tag 0\n  receive int64 &y[0] from (1 - rank) tag 0\n", 2, "I005",
                 {"send int64 &x[0] to (1 - rank) tag 0"});
}
TEST(MessageFaults, OtherCollectives) {
    expect_fault("  if (rank == 0)\n    collective barrier\n  else\n    collective all_reduce sum int64 &x[0] -> int64 &y[0]\n", 2,
                 "I012", {"comes to another collective than", "collective barrier", "collective all_reduce sum"});
    expect_fault("  collective broadcast int64 &x[0] root rank\n", 2, "I012", {"comes to another collective than"});
}
TEST(MessageFaults, ACollectiveToWhichARankDoesNotCome) {
    expect_fault("  if (rank != 1)\n    collective barrier\n", 3, "I005", {"collective barrier", "rank 1 has ended"});
}
TEST(MessageFaults, SizesThatDiffer) {
    expect_fault(
        "  if (rank == 0)\n    send int64 &x[0] over 3:1 to 1 tag 0\n  else\n    receive int64 &y[0] over 2:1 from 0 tag 0\n", 2,
        "I012", {"rank 0 sends 3 elements of int64 and rank 1 receives 2 of int64"});
    expect_fault("  collective scatter int64 &x[0] over 5:1 -> int64 &y[0] over 2:1 root 0\n", 2, "I012", {"do not fit"});
    expect_fault("  collective scatter_blocks int64 &x[0] over 2:4, 3:1 -> int64 &y[0] over 2:2, 2:1 root 0\n", 2, "I012",
                 {"do not fit"});
}
TEST(MessageFaults, ARankThatThereIsNot) {
    expect_fault("  send int64 &x[0] to (rank + 2) tag 0\n", 2, "I012", {"there are 2 ranks"});
    expect_fault("  collective broadcast int64 &x[0] root 2\n", 2, "I012", {"the root is rank 2 of 2"});
}
TEST(MessageFaults, AGroupOfWhichARankIsNone) {
    expect_fault("  collective barrier among 0 over 1:1\n", 2, "I012", {"rank 1 speaks among ranks of which it is none"});
    expect_fault("  collective barrier among 0 over 3:1\n", 2, "I012", {"more than the 2 that there are"});
    expect_fault("  send int64 &x[0] to 1 tag 0 among rank over 1:1\n", 2, "I012", {"there are 1 ranks"});
}
TEST(MessageFaults, WhatIsSentInOneGroupIsReceivedInNoOther) {
    expect_fault(
        "  if (rank == 0)\n    send int64 &x[0] to 1 tag 0 among 0 over 2:1\n  else\n    receive int64 &y[0] from 0 tag 0\n", 2,
        "I005", {"ranks wait for each other"});
}
TEST(MessageFaults, ARequestForWhichNobodyWaits) {
    expect_fault(
        "  allocate r: int64 size 2 stack\n  send int64 &x[0] to (1 - rank) tag 0 request &r[0]\n"
        "  receive int64 &y[0] from (1 - rank) tag 0 request &r[1]\n  wait int64 &r[1]\n",
        2, "I011", {"never waits for a request", "send int64"});
    expect_fault("  allocate r: int64 size 1 stack\n  store r[0] = 77\n  wait int64 &r[0]\n", 2, "I012", {"stands for no message"});
}
TEST(MessageFaults, ElementsThatAreWrittenWhileTheyAreSent) {
    expect_fault(
        "  allocate r: int64 size 1 stack\n  if (rank == 0)\n    send int64 &x[0] to 1 tag 0 request &r[0]\n"
        "    store x[0] = 77\n    wait int64 &r[0]\n  else\n    receive int64 &y[0] from 0 tag 0\n",
        2, "I004", {"written before the send has ended"});
}
TEST(MessageFaults, ElementsThatAreReadBeforeTheyHaveCome) {
    expect_fault(
        "  allocate r: int64 size 1 stack\n  allocate t: int64 size 1 stack zero\n  if (rank == 0)\n"
        "    send int64 &x[0] to 1 tag 0\n  else\n    receive int64 &t[0] from 0 tag 0 request &r[0]\n"
        "    store y[0] = t[0]\n    wait int64 &r[0]\n",
        2, "I003", {"store y[0] = t[0]"});
}

}  // namespace
}  // namespace sluice::interpret::loops::test
