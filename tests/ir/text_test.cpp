#include "ir/text.h"

#include <fstream>
#include <random>
#include <sstream>

#include "sample_graphs.h"

namespace sluice::ir {
namespace {

void expect_same_text(const std::string& text) {
    EXPECT_EQ(to_text(graph(text)), text);
}
void expect_round_trip(const Sdfg& g) {
    const std::string text = to_text(g);
    const Result<Sdfg> again = parse_text(text);
    ASSERT_TRUE(again.ok()) << render(again.error(), text) << text;
    EXPECT_TRUE(*again == g) << text << "\nread back and printed:\n" << to_text(*again);
}

TEST(Text, EveryDeclaration) {
    expect_same_text(R"(sdfg all(A, n) instrument=Timer openmp_sections {
  symbol N: int64
  symbol f: callback(int32, float64) -> (float64)
  symbol n: int32
  constant array c: float64[3] = [1.0, -0.5, 1e+300]
  constant array k: int64[2] = int [3, -4]
  constant array z: complex128[2] = [(1.0, 2.0), 3.0]
  array A: float64[N, 2*N + 1] storage=CPU_Pinned strides=[2*N + 1, 1] total_size=(2*N**2 + N) offset=[0, 1] start_offset=3 alignment=64 may_alias optional=true
  transient array t: vector<float32, 4>[N] lifetime=Persistent location={gpu: "0"} pool
  transient view array v: float64[N]
  transient reference array r: float64[N]
  scalar a: float64
  transient scalar s: int32 allow_conflicts
  transient stream q: struct pair {x: int32, y: pointer<float64>; y="n + 1"}[4] buffer_size=N
  struct csr name=csr_matrix {
    array indptr: int64[N + 1]
    array data: float64[n]
  }
  container_array many: pointer<float32>[N] strides=[2] {
    array element: float32[8]
  }
  foreign grid: int32[4] type=ProcessGrid
  scalar comm: opaque<MPI_Comm>
  global_code frame {
    #include <cmath>
    int twice(int x) {
      return 2 * x;
    }
  }
  init_code frame `start();`
  exit_code cuda Python `pass`
}
)");
}

TEST(Text, EveryNode) {
    expect_same_text(R"(sdfg nodes() {
  array A: float64[N]
  state main nosync {
    n0 = access A setzero
    n1 = access csr.indptr -> (views)
    n2 = map_entry outer [i=0:N, j=i:N:2] passing (A, B) (first, last: int64) schedule=CPU_Multicore collapse=2 gpu_block_size=[32, 1, 1]
    n3 = tasklet mul (x: float64) -> (y) { y = x * 2 }
    n4 = tasklet "two lines" (x) -> (y) state_fields=[a, "b c"] side_effects=true {
      t = x
      if t > 0:
          t = -t

      y = t
    }
    n5 = tasklet native (x) -> (y) code_init=`setup();` CPP { y = x; }
    n6 = map_exit n2 passing (A)
    n7 = consume_entry drain [p=0:P + 1] passing (stream) condition=`len(S) == 0` chunksize=4
    n8 = consume_exit n7
    n9 = nested inner (x) -> (y) symbol_mapping={M: (2*N), k: 3} no_inline sdfg callee(x) {
      array x: float64[M]
      state s {
      }
    }
    n10 = library Reduce sum implementation=pure classpath=dace.libraries.standard.nodes.reduce.Reduce with {axes: [0, 2], flag: true, identity: 0, n: (N + 1), none: null, ratio: 1.5, text: "a b"}
    n0 -> n2.IN_A : A[0:N]
    n2.OUT_A -> n3.x : A[i, 0:N:2] -> [j] dynamic wcr="lambda a, b: a + b" wcr_nonatomic allow_oob is_data_src=false volume=7
    n3.y -> n6.IN_A : A
    n6."odd name" -> n0
  }
}
)");
}

TEST(Text, EveryBlock) {
    expect_same_text(R"(sdfg flow() {
  symbol N: int64
  state first {
  }
  loop count [i: `i = 0`; `i < N`; `i = i + 1`] unroll {
    state body {
    }
    break out
    body -> out if `i > 3`
  }
  loop until [`i < 4`] inverted update_before_condition=false {
    continue next
  }
  loop forever [; ; ] {
  }
  conditional pick {
    when `i == 0` {
      return done
    }
    when `i == 1` {
    }
    else {
      state other {
      }
    }
  }
  region group kind=FunctionCallRegion arguments={x: A} {
    state inside {
    }
  }
  start count
  first -> count set i=0, j=k, m=`i + 1`
  count -> until if CPP `x > 0`
  until -> pick
}
)");
}

TEST(Text, HolesKeepTheirPlace) {
    const std::string text = R"(sdfg holes() {
  @1 state a {
    n2 = access A
    n4 = access B
    n5 erased
    e3: n2 -> n4
    n4 -> n2
    e9 erased
  }
  state "b c" {
  }
  @4 state a {
  }
  @6 erased
  start @2
  t1: @1 -> @4
  @4 -> @2
  t7 erased
}
)";
    expect_same_text(text);
    const Sdfg g = graph(text);
    EXPECT_EQ(g.body.blocks.id_bound(), 7u);
    EXPECT_EQ(g.body.blocks.size(), 3u);
    const State& state = *as_state(g.body.blocks[BlockId(1)]);
    EXPECT_EQ(state.nodes.id_bound(), 6u);
    EXPECT_EQ(state.edges.id_bound(), 10u);
}

TEST(Text, WordsOfTheGrammarMayBeLabels) {
    expect_same_text(R"(sdfg words() {
  state state {
  }
  state start {
  }
  state array {
  }
  state t3 {
  }
  start start
  state -> start
  start -> array
  array -> t3
  t3 -> state
}
)");
}

TEST(Text, CodeSurvivesWhateverItHolds) {
    for (const std::string text :
         {"x",           " x",   "x ",      "x\n",       "\nx",     "\n\n  x",  "  \nx",        "a\n  b\n\n c\n",
          "a\n}\nb",     "{\n}", "x = `y`", "a\tb",      "\ta\nb",  "a\r\nb",   "\"quoted\"\\", "}",
          "x # comment", "\n",   " ",       "a\n   \nb", "x\n    ", "é\x01\x7f"}) {
        for (const Language language : {Language::Python, Language::CPP}) {
            Sdfg g{.name = "g"};
            g.global_code["frame"] = {text, language};
            StateBuilder state = add_state(g, "main");
            const NodeId id = state.tasklet("t", {}, {}, text, language);
            std::get<Tasklet>(state.state().nodes[id].kind).code_exit = {text, language};
            Block loop = while_loop("l", text);
            std::get<LoopRegion>(loop.kind).update = CodeBlock{text, language};
            add_block(g.body, std::move(loop));
            add_transition(g.body, BlockId(0), BlockId(1), text, {{"i", text}});
            expect_round_trip(g);
        }
    }
}

TEST(Text, OddNamesAreQuoted) {
    Sdfg g{.name = "a-b"};
    g.arg_names = {"x y", ""};
    add_scalar(g, "1st", code::Scalar::Int8);
    add_symbol(g, "\"", code::Scalar::Int8);
    StateBuilder state = add_state(g, "");
    state.tasklet("", {{"IN_", {}}, {"a.b", {}}}, {{"OUT_", {}}, {"", {}}}, "");
    state.access("a..b");
    const auto [entry, exit] = state.map("m", {{"i", "0:4"}});
    std::get<MapEntry>(state.state().nodes[entry].kind).params = {"i", "two"};
    expect_round_trip(g);
}

/// A state of random nodes and edges with holes: what no builder would make.
Sdfg random_graph(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto pick = [&](int bound) { return static_cast<std::uint32_t>(random() % static_cast<unsigned>(bound)); };
    Sdfg g{.name = "random"};
    for (int blocks = 0; blocks < 4; ++blocks) {
        StateBuilder state = add_state(g, "s" + std::to_string(pick(5)));
        for (int at = 0; at < 12; ++at) {
            switch (pick(5)) {
                case 0:
                    state.access("A");
                    break;
                case 1:
                    state.tasklet("t", {{"a", {}}}, {{"b", code::Scalar::Int16}}, "b = a");
                    break;
                case 2:
                    state.map("m", {{"i", "0:N"}, {"j", "i:2*i"}}, Schedule::Sequential);
                    break;
                case 3:
                    state.consume("c", "p", symbolic::symbol("P"), "x > 1");
                    break;
                default:
                    state.nested("n", axpy(), {"x"}, {"y"}, {{"N", symbolic::symbol("M") + 1}});
            }
        }
        Table<NodeId, Node>& nodes = state.state().nodes;
        for (int at = 0; at < 20; ++at) {
            const NodeId src(pick(static_cast<int>(nodes.id_bound()))), dst(pick(static_cast<int>(nodes.id_bound())));
            state.edge(src, pick(2) ? "o" : "", dst, "", pick(3) ? memlet("A[i, 0:N]", {.dynamic = pick(2) == 0}) : no_memlet());
        }
        for (int at = 0; at < 6; ++at)
            if (const EdgeId id(pick(20)); state.state().edges.contains(id)) state.state().edges.erase(id);
    }
    for (int at = 0; at < 5; ++at) add_transition(g.body, BlockId(pick(4)), BlockId(pick(4)), pick(2) ? "i < 3" : "");
    if (pick(2)) g.body.transitions.erase(TransitionId(pick(5)));
    g.body.start = pick(3) ? BlockId(pick(4)) : BlockId();
    return g;
}

TEST(Text, RandomGraphsRoundTrip) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        expect_round_trip(random_graph(seed));
    }
}

TEST(Text, EqualityIgnoresMetadataOnly) {
    Sdfg a = axpy(), b = axpy();
    b.metadata.guid = "x";
    EXPECT_TRUE(a == b);
    b.body.blocks[BlockId(0)].label = "other";
    EXPECT_FALSE(a == b);
}

TEST(Text, CommentsBlankLinesAndWindowsLineEndsAreIgnored) {
    EXPECT_TRUE(graph("# a graph\n\nsdfg g() { # begins\r\n  scalar a: int32\r\n\n  state main { }\n}\n# end") ==
                graph("sdfg g() {\nscalar a: int32\nstate main {\n}\n}"));
}

TEST(Text, ElementsKnowTheirPlace) {
    const Sdfg g = graph("sdfg g() {\n  array A: int32[4]\n  state main {\n    n0 = access A\n  }\n}\n");
    EXPECT_EQ(g.containers.at("A").metadata.where.line, 2u);
    const Block& block = g.body.blocks[BlockId(0)];
    EXPECT_EQ(block.metadata.where.line, 3u);
    EXPECT_EQ(as_state(block)->nodes[NodeId(0)].metadata.where.line, 4u);
    EXPECT_EQ(as_state(block)->nodes[NodeId(0)].metadata.where.column, 5u);
}

// ---- errors -------------------------------------------------------------------------------------------------------------
struct Bad {
    std::string text, code, place, message;
};

TEST(Text, Errors) {
    const auto in_state = [](const std::string& line) { return "sdfg g() {\nstate s {\n" + line + "\n}\n}\n"; };
    const std::vector<Bad> cases{
        {"", "X001", "1:1", "expected `sdfg`"},
        {"sdfg g()", "X001", "1:9", "expected `{`, found the end of the text"},
        {"sdfg g() {\n", "X001", "2:1", "expected `}`, found the end of the text"},
        {"sdfg g() { }\nmore", "X001", "2:1", "expected the end of the text after the graph"},
        {"sdfg g() {\nscalar a: int32 b\n}", "X001", "2:17", "expected the end of the line, found `b`"},
        {"sdfg \"g() {\n}", "X002", "1:6", "the string is not closed"},
        {"sdfg \"\\q\"() {\n}", "X002", "1:8", "unknown escape in a string"},
        {"sdfg g() {\nglobal_code f `x\n}", "X002", "2:15", "the code is not closed"},
        {"sdfg g() {\n  global_code f {\n    x\n", "X002", "2:18", "the block of code is not closed"},
        {in_state("  n0 = tasklet t {\n  x = 1\n  }"), "X002", "4:3", "expected the `}` of the block of code, found `x`"},
        {in_state("n0 = tasklet t { x = 1"), "X002", "3:16", "the code is not closed"},
        {"sdfg g() {\narray A: int32[(N]\n}", "X002", "2:16", "the bracket is not closed by `]`"},
        {"sdfg g() {\nscalar a: int33\n}", "X003", "2:11", "unknown type `int33`"},
        {"sdfg g() {\nscalar a: int32 storage=Attic\n}", "X003", "2:25", "unknown value `Attic`"},
        {"sdfg g() {\nscalar a: int32 colour=red\n}", "X003", "2:17", "unknown property `colour`"},
        {"sdfg g() {\nfield a\n}", "X003", "2:1", "unknown declaration `field`"},
        {"sdfg g() {\nglobal_code f Cobol `x`\n}", "X003", "2:15", "unknown language `Cobol`"},
        {in_state("n0 = acces A"), "X003", "3:6", "unknown kind of node `acces`"},
        {"sdfg g() {\narray A: int32[M, N +]\n}", "X004", "2:22", "the symbolic expression does not parse"},
        {in_state("n0 = map_entry m [i=0:N, j]"), "X001", "3:19", "expected `parameter=range`"},
        {"sdfg g() {\nscalar a: int32\nscalar a: int32\n}", "X005", "3:16", "a container a is declared already"},
        {in_state("n1 = access A\nn0 = access B"), "X005", "4:1", "ids must ascend, and 0 is not above the ids before it"},
        {in_state("n0 -> n1"), "X006", "3:1", "the state has no node n0"},
        {"sdfg g() {\nstate a {\n}\na -> b\n}", "X006", "4:6", "the region has no block b"},
        {"sdfg g() {\nstate a {\n}\nstate a {\n}\na -> a\n}", "X006", "6:1", "several blocks are labelled a"},
        {in_state("n4000000000 = access A"), "X008", "3:", "more than a million ids name nothing"},
        {in_state("n99999999999 = access A"), "X008", "3:", "the id does not fit into 32 bits"},
        {"sdfg g() {\nscalar a: vector<int32, 0>\n}", "X008", "2:25", "a vector has 1 to 4096 lanes of a scalar type"},
        {"sdfg g() {\narray a: int32[1] alignment=99999999999999999999\n}", "X008", "2:", "the integer does not fit into 64 bits"},
    };
    for (const Bad& bad : cases) {
        const Result<Sdfg> result = parse_text(bad.text, "f");
        ASSERT_FALSE(result.ok()) << bad.text;
        const Diagnostic& error = result.error();
        EXPECT_EQ(error.code, bad.code) << bad.text << "\n" << error.message;
        const std::string place = std::to_string(error.where.line) + ":" + std::to_string(error.where.column);
        EXPECT_TRUE(place.starts_with(bad.place)) << bad.text << "\n" << error.message << " at " << place << ", not " << bad.place;
        EXPECT_TRUE(error.message.starts_with(bad.message)) << bad.text << "\n" << error.message;
        EXPECT_FALSE(error.remedy.empty()) << bad.text;
    }
}

TEST(Text, DeepNestingIsAnErrorNotACrash) {
    std::string regions = "sdfg g() {\n", types = "sdfg g() {\nscalar a: ";
    for (int at = 0; at < 100'000; ++at) regions += "region r {\n";
    for (int at = 0; at < 100'000; ++at) types += "pointer<";
    for (const std::string& text : {regions, types}) {
        const Result<Sdfg> result = parse_text(text);
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().code, "X007");
    }
}

TEST(Text, TruncatedAndMutatedTextsNeverCrash) {
    const std::string text = to_text(random_graph(7));
    for (std::size_t length = 0; length < text.size(); length += 157) EXPECT_FALSE(parse_text(text.substr(0, length)).ok());
    std::mt19937 random(1);
    for (int at = 0; at < 100; ++at) {
        std::string mutated = text;
        for (int change = 0; change < 3; ++change) mutated[random() % mutated.size()] = "{}[]()\"`=:,.0aN \n"[random() % 17];
        const Result<Sdfg> result = parse_text(mutated);
        EXPECT_TRUE(result.ok() || result.error().code[0] == 'X');
    }
}

}  // namespace
}  // namespace sluice::ir
