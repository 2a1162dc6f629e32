// What is equal, different and unknown: one small pair of graphs for each.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "graphs.h"

namespace sluice::test {
namespace {

const std::string kShift = map("0:N", {"A[i]"}, "x + 1.0", "B[i]");

TEST(Equal, AMapAndALoop) {
    expect_answer(program(kShift), program(loop("i", "0", "N", statement("s", {"A[i]"}, "x + 1.0", "B[i]")), "  symbol i: int64\n"),
                  Verdict::Equal);
}
TEST(Equal, ACopyOnTheWayIsSeenThrough) {
    const std::string copied = map("0:N", {"A[i]"}, "x", "T[i]", "", "c") + map("0:N", {"T[i]"}, "1.0 + x", "B[i]") + "  c -> s\n";
    expect_answer(program(kShift), program(copied, "  transient array T: float64[N]\n"), Verdict::Equal);
}
TEST(Equal, TwoStatementsInOneTasklet) {
    std::string fused = program(kShift);
    fused.replace(fused.find("out = x + 1.0"), 13, "t = x; out = t + 1.0");
    expect_answer(program(kShift), fused, Verdict::Equal);
}
TEST(Equal, OperandsOfASumChangePlaces) {
    const std::string sum = map("0:N", {"A[i]", "B[i]"}, "x * 2.0 + y", "B[i]"),
                      turned = map("0:N", {"A[i]", "B[i]"}, "y + 2.0 * x", "B[i]");
    expect_answer(program(sum), program(turned), Verdict::Equal);
}
TEST(Equal, ARecurrenceBesideItself) {
    const auto prefix = [](const std::string& code) {
        return program(loop("i", "1", "N", statement("s", {"B[i - 1]", "A[i]"}, code, "B[i]")), "  symbol i: int64\n");
    };
    expect_answer(prefix("0.5 * x + y"), prefix("y + x * 0.5"), Verdict::Equal, "equal\n");
    expect_answer(prefix("0.5 * x + y"), prefix("x * y"), Verdict::Different, "different: B[1]");
}
TEST(Equal, UpdatesInAnotherOrderAreNamed) {
    const std::string declared = "  symbol i: int64\n", updates = map("0:N", {"A[i]"}, "x", "B[0]", "a + b");
    const std::string forwards = program(loop("i", "0", "N", statement("s", {"B[0]", "A[i]"}, "x + y", "B[0]")), declared);
    const std::string reversed = program(loop("i", "0", "N", statement("s", {"B[0]", "A[N - 1 - i]"}, "x + y", "B[0]")), declared);
    expect_answer(forwards, program(updates), Verdict::Equal, "change places");
    expect_answer(forwards, reversed, Verdict::Equal, "change places");
    expect_answer(forwards, program(map("1:N", {"A[i]"}, "x", "B[0]", "a + b")), Verdict::Different, "different: B[0]");
    expect_answer(forwards, program(map("0:N", {"A[i]"}, "x", "B[0]", "max(a, b)")), Verdict::Different);
    // Each term once: the first twice and the second never is another sum.
    expect_answer(forwards, program(map("0:N", {"A[max(i, 1)]"}, "x", "B[0]", "a + b")), Verdict::Different);
}
TEST(Equal, OneLoopBesideTwo) {
    const std::string declared = "  symbol i: int64\n  symbol j: int64\n";
    const std::string tiled =
        loop("j", "0", "N", loop("i", "j", "min(N, j + 4)", statement("s", {"A[i]"}, "x + 1.0", "B[i]")), "4");
    expect_answer(program(kShift), program(tiled, declared), Verdict::Equal);
    const std::string gap = loop("j", "0", "N", loop("i", "j", "min(N, j + 4)", statement("s", {"A[i]"}, "x + 1.0", "B[i]")), "5");
    expect_answer(program(kShift), program(gap, declared), Verdict::Different, "different: B[4]");
}
TEST(Equal, OnlyWhatStaysInItsArraysIsAsked) {
    const std::string declared = "  symbol M: int64\n";
    expect_answer(program(map("0:M", {"A[i]"}, "x + 1.0", "B[i]"), declared),
                  program(map("0:min(M, N)", {"A[i]"}, "x + 1.0", "B[i]"), declared), Verdict::Equal);
    expect_answer(program(kShift), program(map("0:N + 1", {"A[i]"}, "x + 1.0", "B[i]")), Verdict::Different,
                  "leaves its arrays at A[");
}

TEST(Different, ShowsAnElementAndBothComputations) {
    const Certificate certificate =
        certify::certify(graph(program(kShift)), graph(program(map("0:N", {"A[i]"}, "x + 2.0", "B[i]"))));
    ASSERT_EQ(certificate.verdict, Verdict::Different);
    EXPECT_EQ(certificate.witness->before, "add(A[0], 1)");
    EXPECT_EQ(certificate.witness->after, "add(A[0], 2)");
    EXPECT_NEAR(certificate.witness->value_after - certificate.witness->value_before, 1.0, 1e-12);
}
TEST(Different, ARace) {
    // Each point reads what another writes: as a loop it has one meaning, as a map none.
    const std::string scan = loop("i", "1", "N", statement("s", {"B[i - 1]", "A[i]"}, "x + y", "B[i]"));
    expect_answer(program(scan, "  symbol i: int64\n"), program(map("1:N", {"B[i - 1]", "A[i]"}, "x + y", "B[i]")),
                  Verdict::Different);
}
TEST(Different, AnInputThatNobodyUsesLeavesItsArray) {
    expect_answer(program(map("0:N", {"A[i]", "A[i]"}, "x + 1.0", "B[i]")),
                  program(map("0:N", {"A[i]", "A[i + 1]"}, "x + 1.0", "B[i]")), Verdict::Different, "leaves its arrays at A[");
}
TEST(Unknown, ASymbolBeforeItHasAValue) {
    const std::string declared = "  symbol K: int64\n  transient array T: float64[4]\n", empty = "  state a {\n  }\n";
    const std::string fills = map("0:K", {}, "1.0", "T[i]");
    const std::string after = program(empty + fills + "  a -> s set K=`3`\n", declared);
    expect_answer(after, after, Verdict::Equal);
    const std::string before = program(fills + empty + "  s -> a set K=`3`\n", declared);
    expect_answer(after, before, Verdict::Unknown, "the range `0:K`");
}
TEST(Different, TypesRound) {
    std::string narrow = program(kShift, "  transient array T: float32[N]\n");
    const std::string through = map("0:N", {"A[i]"}, "x", "T[i]", "", "c") + map("0:N", {"T[i]"}, "x + 1.0", "B[i]") + "  c -> s\n";
    expect_answer(program(kShift), program(through, "  transient array T: float32[N]\n"), Verdict::Unknown, "to_float");
}

TEST(Unknown, NamesTheConstruct) {
    std::string cpp = program(kShift);
    cpp.replace(cpp.find("{ out = x + 1.0 }"), 17, "{ out = foreign(x) }");
    const Result<ir::Sdfg> sdfg = ir::parse_text(cpp);
    ASSERT_TRUE(sdfg.ok());
    EXPECT_EQ(to_string(certify::certify(*sdfg, *sdfg)), "unknown: the function `foreign`\n");
    expect_answer(program(map("0:N", {"A[i*i]"}, "x", "B[i]")), program(map("0:N", {"A[i*i]"}, "x", "B[i]")), Verdict::Unknown);
}
TEST(Unknown, AResolutionOfAPartOfAPath) {
    std::string text = program(map("0:N", {"A[i]"}, "x", "B[i]", "a + b"));
    const std::string wcr = " wcr=\"lambda a, b: a + b\"";
    text.erase(text.find(wcr), wcr.size());
    expect_answer(text, text, Verdict::Unknown, "which only a part of its path has");
}
TEST(Unknown, TheSameValueInAnotherForm) {
    // x + x is 2 x: nobody says so, and no number shows a difference.
    expect_answer(program(map("0:N", {"A[i]"}, "x + x", "B[i]")), program(map("0:N", {"A[i]"}, "2.0 * x", "B[i]")),
                  Verdict::Unknown, "`add(A[i], A[i])` against `multiply(2, A[i])`");
}
TEST(Unknown, ArgumentsThatOnlyOneHas) {
    const std::string other =
        "sdfg p(A, B, C) {\n  symbol N: int64\n  array A: float64[N]\n  array B: float64[N]\n  array C: float64[N]\n" +
        map("0:N", {"A[i]"}, "x", "C[i]") + "}\n";
    expect_answer(program(kShift), other, Verdict::Unknown, "the argument C");
}

/// No file of the room includes what transformations ask.
TEST(Independence, NothingIsShared) {
    const std::set<std::string> allowed = {"analysis/loop_range.h", "analysis/scopes.h", "analysis/symbols.h"};
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(SLUICE_SOURCE_DIR "/src/certify")) {
        std::ifstream file(entry.path());
        ++files;
        for (std::string line; std::getline(file, line);) {
            const std::size_t at = line.find("#include \"analysis/");
            EXPECT_TRUE(at != 0 || allowed.contains(line.substr(10, line.size() - 11))) << entry.path() << ": " << line;
            EXPECT_EQ(line.find("#include \"rewrite/"), std::string::npos) << entry.path();
        }
    }
    EXPECT_GT(files, 10U);
}

}  // namespace
}  // namespace sluice::test
