// The verdicts against all pairs of points of small maps, counted out.
#include "analysis/legality/redundant_copy.h"

#include <gtest/gtest.h>

#include "analysis/legality/prefetch.h"
#include "analysis/symbols.h"
#include "ir/text.h"

namespace sluice::analysis {
namespace {

struct Line {
    int scale, shift;
    int at(int i) const { return scale * i + shift; }
    std::string text() const { return std::to_string(scale) + "*i + " + std::to_string(shift); }
};

ir::Sdfg parsed(const std::string& text) {
    auto sdfg = ir::parse_text(text);
    EXPECT_TRUE(sdfg) << (sdfg ? "" : render(sdfg.error(), text));
    return *sdfg;
}
const ir::State& only_state(const ir::Sdfg& sdfg) {
    return *ir::as_state((*sdfg.body.blocks.begin()).second);
}

/// The edge between access nodes of the two, either way.
ir::EdgeId copy_between(const ir::State& state, const std::string& one, const std::string& other) {
    const auto data = [&](ir::NodeId node) {
        const auto* access = std::get_if<ir::Access>(&state.nodes[node].kind);
        return access ? access->data : std::string();
    };
    for (const auto& [id, edge] : state.edges)
        if ((data(edge.src) == one && data(edge.dst) == other) || (data(edge.src) == other && data(edge.dst) == one)) return id;
    return {};
}

/// `copy A -> t`, then every point reads one element of t and writes one of A.
ir::Sdfg read_from_copy(Line read, Line write) {
    return parsed(
        "sdfg f(A) {\n  array A: float64[40]\n  transient array t: float64[40]\n  state main {\n    n0 = access A\n"
        "    n1 = access t\n    n2 = map_entry m [i=0:6] passing (t)\n    n3 = tasklet s (a) -> (b) { b = a }\n"
        "    n4 = map_exit n2 passing (A)\n    n5 = access A\n    n0 -> n1 : A[0:40] -> [0:40]\n"
        "    n1 -> n2.IN_t : t[0:40]\n    n2.OUT_t -> n3.a : t[" +
        read.text() + "]\n    n3.b -> n4.IN_A : A[" + write.text() + "]\n    n4.OUT_A -> n5 : A[0:40]\n  }\n}\n");
}
/// Every point reads one element of A and writes one of t, which is copied to A in the end.
ir::Sdfg written_to_copy(Line read, Line write) {
    return parsed(
        "sdfg f(A) {\n  array A: float64[40]\n  transient array t: float64[40]\n  state main {\n    n0 = access A\n"
        "    n1 = map_entry m [i=0:6] passing (A)\n    n2 = tasklet s (a) -> (b) { b = a }\n"
        "    n3 = map_exit n1 passing (t)\n    n4 = access t\n    n5 = access A\n    n0 -> n1.IN_A : A[0:40]\n"
        "    n1.OUT_A -> n2.a : A[" +
        read.text() + "]\n    n2.b -> n3.IN_t : t[" + write.text() +
        "]\n    n3.OUT_t -> n4 : t[0:40]\n    n4 -> n5 : t[0:40] -> [0:40]\n  }\n}\n");
}
/// Does one point write what another one reads?
bool meet(Line read, Line write) {
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            if (i != j && read.at(i) == write.at(j)) return true;
    return false;
}

TEST(RedundantCopy, IsSoUnlessOnePointWritesWhatAnotherReads) {
    int yes = 0, no = 0;
    for (const int a : {1, 2, 3})
        for (const int b : {0, 1, 4, 7})
            for (const int c : {1, 2, 4})
                for (const int d : {0, 2, 5, 11}) {
                    const Line read{a, b}, write{c, d};
                    for (const bool from_array : {true, false}) {
                        const ir::Sdfg sdfg = from_array ? read_from_copy(read, write) : written_to_copy(read, write);
                        const Verdict verdict = copy_redundant(
                            sdfg, only_state(sdfg),
                            {.edge = copy_between(only_state(sdfg), "A", "t"), .twin = "t", .array = "A", .from_array = from_array},
                            assumptions_of(sdfg));
                        const bool legal = !meet(read, write);
                        EXPECT_EQ(verdict.answer, legal ? Answer::Yes : Answer::No)
                            << read.text() << " / " << write.text() << ": " << verdict.why;
                        EXPECT_EQ(verdict.witness.has_value(), !legal);
                        (legal ? yes : no) += 1;
                    }
                }
    EXPECT_GT(yes, 50);
    EXPECT_GT(no, 50);
}

/// A loop that copies A[scale * i + shift] and writes A[...] in each iteration: what comes too early if the copy is made one
/// iteration ahead.
TEST(CopyAhead, IsLegalUnlessAnIterationWritesWhatTheNextOrItselfCopies) {
    for (const int a : {1, 2, -1})
        for (const int b : {8, 9, 10})
            for (const int c : {1, 2, -1})
                for (const int d : {7, 8, 9, 10, 12}) {
                    const Line read{a, b}, write{c, d};
                    const ir::Sdfg sdfg = parsed(
                        "sdfg f(A) {\n  array A: float64[40]\n  transient scalar t: float64\n"
                        "  loop l [i: `i = 0`; `i < 6`; `i = i + 1`] {\n    state s {\n      n0 = access A\n      n1 = access t\n"
                        "      n2 = tasklet more (x) -> (y) { y = x }\n      n3 = access A\n      n0 -> n1 : A[" +
                        read.text() + "] -> []\n      n1 -> n2.x : t[]\n      n2.y -> n3 : A[" + write.text() +
                        "]\n    }\n  }\n}\n");
                    bool legal = true;  // In its own iteration the write comes after the copy.
                    for (int i = 0; i + 1 < 6; ++i) legal = legal && write.at(i) != read.at(i + 1);
                    const auto& loop = std::get<ir::LoopRegion>((*sdfg.body.blocks.begin()).second.kind);
                    const ir::State& body = *ir::as_state((*loop.body.blocks.begin()).second);
                    const Verdict verdict = copy_ahead(sdfg, sdfg.body, (*sdfg.body.blocks.begin()).first, body,
                                                       copy_between(body, "A", "t"), assumptions_of(sdfg));
                    EXPECT_EQ(verdict.answer, legal ? Answer::Yes : Answer::No)
                        << read.text() << " / " << write.text() << ": " << verdict.why;
                }
}

}  // namespace
}  // namespace sluice::analysis
