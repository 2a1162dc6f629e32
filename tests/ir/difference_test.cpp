// What differs between two graphs: each edit of a graph is named at its place, and nothing else is.
#include "ir/difference.h"

#include "sample_graphs.h"

namespace sluice::ir {
namespace {

constexpr const char* kGraph = R"(sdfg g(A, B) {
  symbol N: int64
  array A: float64[N]
  array B: float64[N]
  transient array t: float64[N]
  struct pair {
    scalar x: int32
  }
  state first {
    n0 = access A
    n1 = map_entry m [i=0:N] passing (A)
    n2 = tasklet double (a) -> (b) { b = 2 * a }
    n3 = map_exit n1 passing (t)
    n4 = access t
    n0 -> n1.IN_A : A[0:N]
    n1.OUT_A -> n2.a : A[i]
    n2.b -> n3.IN_t : t[i]
    n3.OUT_t -> n4 : t[0:N]
  }
  loop times [k: `k = 0`; `k < 4`; `k = k + 1`] {
    state body {
      n0 = access t
      n1 = access B
      n2 = nested call (x) -> (y) sdfg f() {
        array x: float64[4]
        array y: float64[4]
        state inside {
          n0 = access x
          n1 = access y
          n0 -> n1 : x[0:4]
        }
      }
      n0 -> n2.x : t[0:4]
      n2.y -> n1 : B[0:4]
    }
  }
  conditional pick {
    when `N > 4` {
      return early
    }
  }
  first -> times
  times -> pick if `N > 0` set z=1
}
)";

std::string described(const Sdfg& before, const Sdfg& after) {
    std::string text;
    for (const Difference& one : differences(before, after)) text += one.path + ": " + one.sentence + "\n";
    return text;
}

struct Edit {
    std::string from, to, expected;
};

TEST(Difference, EachEditIsNamedAtItsPlace) {
    const std::vector<Edit> edits{
        {"sdfg g(A, B)", "sdfg g(B, A)", "g: the list of arguments is [B, A] instead of [A, B]\n"},
        {"symbol N: int64", "symbol N: int32", "g/symbol N: the type is int32 instead of int64\n"},
        {"array B: float64[N]", "array B: float32[N]", "g/container B: the property dtype is float32 instead of float64\n"},
        {"array B: float64[N]", "array B: float64[N] storage=CPU_Heap",
         "g/container B: the property storage is CPU_Heap instead of Default\n"},
        {"array B: float64[N]", "stream B: float64[N]", "g/container B: the kind is stream instead of array\n"},
        {"scalar x: int32", "scalar y: int32",
         "g/container pair: the property dtype is pointer<struct \"\" {y: int32}> instead of pointer<struct \"\" {x: int32}>\n"
         "g/container pair/member x: the member is gone\ng/container pair/member y: the member is new\n"},
        {"[i=0:N] passing (A)", "[i=0:N:2] passing (A)",
         "g/first/n1 (map_entry m[i=0:N]): the property range is [0:N:2] instead of [0:N]\n"},
        {"[i=0:N] passing (A)", "[i=0:N] passing (A) schedule=Sequential",
         "g/first/n1 (map_entry m[i=0:N]): the property schedule is Sequential instead of Default\n"},
        {"b = 2 * a", "b = 3 * a", "g/first/n2 (tasklet double): the property code is `b = 3 * a` instead of `b = 2 * a`\n"},
        {"(a) -> (b) {", "(a: float32) -> (b) {",
         "g/first/n2 (tasklet double): the input connector a has the type float32 instead of void\n"},
        {"n1.OUT_A -> n2.a : A[i]", "n1.OUT_A -> n2.a : A[N - i - 1]",
         "g/first/n1.OUT_A -> n2.a: the memlet is `A[N - i - 1]` instead of `A[i]`\n"},
        {"t[0:N]\n  }", "t[0:N]\n    n5 = access B\n    n4 -> n5 : B[0:N]\n  }",
         "g/first/n5 (access B): the node is new: `n5 = access B`\n"
         "g/first/n4 -> n5: the edge is new; its memlet is `B[0:N]`\n"},
        {"`k < 4`", "`k < 5`", "g/times: the property loop_condition is `k < 5` instead of `k < 4`\n"},
        {"n0 -> n1 : x[0:4]", "n0 -> n1 : x[0:4] -> [0:4]",
         "g/times/body/n2 (nested call)/f/inside/n0 -> n1: the memlet is `x[0:4] -> [0:4]` instead of `x[0:4]`\n"},
        {"when `N > 4`", "when `N > 5`", "g/pick/branch 0: the condition is `N > 5` instead of `N > 4`\n"},
        {"return early", "break early", "g/pick/branch 0/early: the kind is break instead of return\n"},
        {"return early\n    }", "return early\n    }\n    else {\n    }", "g/pick: there are 2 branches instead of 1\n"},
        {"if `N > 0`", "if `N > 1`", "g/times -> pick: the condition is `N > 1` instead of `N > 0`\n"},
        {"set z=1", "set z=2", "g/times -> pick: the list of assignments is {z: \"2\"} instead of {z: \"1\"}\n"},
        {"  first -> times\n", "", "g/first -> times: the transition is gone\n"},
    };
    for (const Edit& edit : edits) {
        std::string changed = kGraph;
        const std::size_t at = changed.find(edit.from);
        ASSERT_NE(at, std::string::npos) << edit.from;
        changed.replace(at, edit.from.size(), edit.to);
        EXPECT_EQ(described(graph(kGraph), graph(changed)), edit.expected) << edit.to;
        EXPECT_FALSE(differences(graph(changed), graph(kGraph)).empty());
    }
}

TEST(Difference, IdsAndOrderAreNone) {
    const Sdfg before = graph(kGraph);
    EXPECT_EQ(described(before, before), "");
    Sdfg after = before;
    // The state's nodes and edges under other ids, in the reverse order.
    State& state = *as_state(after.body.blocks[BlockId(0)]);
    State turned;
    std::vector<NodeId> place(state.nodes.id_bound());
    turned.nodes.erase(turned.nodes.add({}));
    for (std::size_t id = state.nodes.id_bound(); id-- > 0;)
        place[id] = turned.nodes.add(state.nodes[NodeId(static_cast<std::uint32_t>(id))]);
    for (auto [id, node] : turned.nodes)
        if (auto* exit = std::get_if<MapExit>(&node.kind)) exit->entry = place[exit->entry.value];
    for (std::size_t id = state.edges.id_bound(); id-- > 0;) {
        Edge edge = state.edges[EdgeId(static_cast<std::uint32_t>(id))];
        edge.src = place[edge.src.value];
        edge.dst = place[edge.dst.value];
        turned.edges.add(edge);
    }
    state = turned;
    EXPECT_FALSE(before == after);
    EXPECT_EQ(described(before, after), "");
}

TEST(Difference, OneOfManyEqualNodes) {
    std::string text = "sdfg g() {\n  array A: float64[8]\n  state s {\n";
    for (int at = 0; at < 8; ++at)
        text += "n" + std::to_string(2 * at) + " = tasklet t () -> (o) { o = 1 }\nn" + std::to_string(2 * at + 1) + " = access A\n";
    for (int at = 0; at < 8; ++at)
        text += "n" + std::to_string(2 * at) + ".o -> n" + std::to_string(2 * at + 1) + " : A[" + std::to_string(at) + "]\n";
    text += "  }\n}\n";
    std::string changed = text;
    changed.replace(changed.find("n6 = tasklet t () -> (o) { o = 1 }"), 34, "n6 = tasklet t () -> (o) { o = 2 }");
    EXPECT_EQ(described(graph(text), graph(changed)), "g/s/n6 (tasklet t): the property code is `o = 2` instead of `o = 1`\n");
}

}  // namespace
}  // namespace sluice::ir
