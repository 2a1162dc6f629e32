// The verdicts against all pairs of points of small maps, counted out.
#include "analysis/legality/share.h"

#include <gtest/gtest.h>

#include <set>

#include "analysis/legality/by_value.h"
#include "analysis/legality/hand_over.h"
#include "analysis/symbols.h"
#include "ir/text.h"

namespace sluice::analysis {
namespace {

struct Index {
    int scale, shift;
    int at(int i) const { return scale * i + shift; }
    std::string text(const std::string& i = "i") const { return std::to_string(scale) + "*" + i + " + " + std::to_string(shift); }
};

ir::Sdfg graph(const std::string& text) {
    auto sdfg = ir::parse_text(text);
    EXPECT_TRUE(sdfg) << (sdfg ? "" : render(sdfg.error(), text));
    return *sdfg;
}
const ir::State& state_of(const ir::Sdfg& sdfg) {
    return *ir::as_state((*sdfg.body.blocks.begin()).second);
}
/// The first node of the kind.
template <class Kind> ir::NodeId node_of(const ir::State& state) {
    for (const auto& [id, node] : state.nodes)
        if (std::holds_alternative<Kind>(node.kind)) return id;
    return {};
}

// Every point reads an element of t and writes one of u.
TEST(UsedBefore, UnlessOnePointWritesWhatAnotherReads) {
    int yes = 0, no = 0;
    for (const Index read : {Index{1, 0}, {1, 3}, {2, 1}, {-1, 5}, {0, 2}})
        for (const Index write : {Index{1, 0}, {1, 6}, {2, 0}, {3, 1}, {-1, 8}}) {
            const ir::Sdfg sdfg = graph(
                "sdfg f(A, B) {\n  array A: float64[40]\n  array B: float64[40]\n  transient array t: float64[40]\n"
                "  transient array u: float64[40]\n  state main {\n    n0 = access A\n    n1 = access t\n"
                "    n2 = map_entry m [i=0:6] passing (t)\n    n3 = tasklet s (a) -> (b) { b = a }\n"
                "    n4 = map_exit n2 passing (u)\n    n5 = access u\n    n6 = access B\n    n0 -> n1 : A[0:40]\n"
                "    n1 -> n2.IN_t : t[0:40]\n    n2.OUT_t -> n3.a : t[" +
                read.text() + "]\n    n3.b -> n4.IN_u : u[" + write.text() +
                "]\n    n4.OUT_u -> n5 : u[0:40]\n    n5 -> n6 : u[0:40]\n  }\n}\n");
            bool apart = true;
            for (int i = 0; i < 6; ++i)
                for (int j = 0; j < 6; ++j) apart = apart && (i == j || read.at(i) != write.at(j));
            const Verdict verdict = used_before(sdfg, state_of(sdfg), "t", "u", assumptions_of(sdfg));
            EXPECT_EQ(verdict.answer, apart ? Answer::Yes : Answer::No)
                << read.text() << " / " << write.text() << ": " << verdict.why;
            EXPECT_EQ(verdict.witness.has_value(), !apart);
            EXPECT_FALSE(used_before(sdfg, state_of(sdfg), "u", "t", assumptions_of(sdfg)).yes()) << "the other way round";
            (apart ? yes : no) += 1;
        }
    EXPECT_GT(yes, 5);
    EXPECT_GT(no, 5);
}

// A map writes elements of t, and a reduction takes a range of them.
TEST(HandedOver, IfTheRangeIsWhatThePointsWriteOnceEach) {
    int yes = 0, no = 0;
    for (const Index write : {Index{1, 0}, {1, 2}, {-1, 5}, {2, 0}, {0, 3}})
        for (const int begin : {0, 1, 2})
            for (const int end : {4, 6, 8}) {
                const ir::Sdfg sdfg = graph(
                    "sdfg f(A, r) {\n  array A: float64[40]\n  array r: float64[1]\n  transient array t: float64[40]\n"
                    "  state main {\n    n0 = access A\n    n1 = map_entry m [i=0:6] passing (A)\n"
                    "    n2 = tasklet s (a) -> (b) { b = a }\n    n3 = map_exit n1 passing (t)\n    n4 = access t\n"
                    "    n5 = library Reduce sum with {axes: [0], identity: 0, wcr: \"lambda a, b: a + b\"}\n    n6 = access r\n"
                    "    n0 -> n1.IN_A : A[0:6]\n    n1.OUT_A -> n2.a : A[i]\n    n2.b -> n3.IN_t : t[" +
                    write.text() + "]\n    n3.OUT_t -> n4 : t[0:40]\n    n4 -> n5 : t[" + std::to_string(begin) + ":" +
                    std::to_string(end) + "]\n    n5 -> n6 : r[0]\n  }\n}\n");
                std::multiset<int> written;
                for (int i = 0; i < 6; ++i) written.insert(write.at(i));
                std::multiset<int> read;
                for (int e = begin; e < end; ++e) read.insert(e);
                const ir::State& state = state_of(sdfg);
                const Verdict verdict = handed_over(sdfg, state, node_of<ir::MapEntry>(state), node_of<ir::LibraryNode>(state), "t",
                                                    assumptions_of(sdfg));
                EXPECT_EQ(verdict.answer, written == read ? Answer::Yes : Answer::No)
                    << write.text() << " / " << begin << ":" << end << ": " << verdict.why;
                (written == read ? yes : no) += 1;
            }
    EXPECT_EQ(yes, 3);
    EXPECT_GT(no, 20);
}

// A call takes A[k] by value and writes A[write] in a loop.
TEST(ValuesKept, UnlessTheCallWritesTheElement) {
    int yes = 0, no = 0;
    for (const Index write : {Index{1, 0}, {2, 1}, {-1, 5}})
        for (const int k : {0, 2, 3, 7, 11}) {
            const ir::Sdfg sdfg = graph(
                "sdfg f(A) {\n  array A: float64[40]\n  state main {\n    n0 = access A\n    n1 = access A\n"
                "    n2 = nested callee (v) -> (y) sdfg callee() {\n      symbol i: int64\n      scalar v: float64\n"
                "      array y: float64[40]\n      loop l [i: `i = 0`; `i < 6`; `i = i + 1`] {\n        state s {\n"
                "          n0 = access v\n          n1 = tasklet t (a) -> (b) { b = a + 1 }\n          n2 = access y\n"
                "          n0 -> n1.a : v[]\n          n1.b -> n2 : y[" +
                write.text() + "]\n        }\n      }\n    }\n    n0 -> n2.v : A[" + std::to_string(k) +
                "]\n    n2.y -> n1 : A[0:40]\n  }\n}\n");
            bool kept = true;
            for (int i = 0; i < 6; ++i) kept = kept && write.at(i) != k;
            const ir::State& state = state_of(sdfg);
            const Verdict verdict = values_kept(sdfg, state, node_of<ir::NestedSdfg>(state), assumptions_of(sdfg));
            EXPECT_EQ(verdict.answer, kept ? Answer::Yes : Answer::No) << write.text() << " / " << k << ": " << verdict.why;
            EXPECT_EQ(verdict.witness.has_value(), !kept);
            (kept ? yes : no) += 1;
        }
    EXPECT_GT(yes, 3);
    EXPECT_GT(no, 3);
}

}  // namespace
}  // namespace sluice::analysis
