// One minimal graph for each invariant, and graphs that look odd but are valid.
#include "ir/verify.h"

#include <fstream>
#include <set>
#include <sstream>

#include "sample_graphs.h"

namespace sluice::ir {
namespace {

/// What surrounds the lines of most cases: N and k are symbols, A and B are arrays of N, C is 4 by 5, a is a scalar, S a stream, v
/// a view, r a reference.
std::string declared(const std::string& lines) {
    return "sdfg g() {\nsymbol N: int64\nsymbol k: int64\narray A: float64[N]\narray B: float64[N]\narray C: float64[4, 5]\n"
           "scalar a: float64\ntransient stream S: float64[1]\ntransient view array v: float64[N]\n"
           "transient reference array r: float64[N]\n" +
           lines + "\n}\n";
}
std::string in_state(const std::string& lines) {
    return declared("state s {\n" + lines + "\n}");
}
/// A tasklet t (n1) from A to B in a map over i, with its code.
std::string in_map(const std::string& tasklet) {
    return in_state(
        "n0 = map_entry m [i=0:N] passing (A)\nn1 = " + tasklet +
        "\nn2 = map_exit n0 passing (B)\nn3 = access A\nn4 = access B\nn3 -> n0.IN_A : A[0:N]\nn0.OUT_A -> n1.x : A[i]\n"
        "n1.y -> n2.IN_B : B[i]\nn2.OUT_B -> n4 : B[0:N]");
}
std::string nested(const std::string& mapping, const std::string& inner, const std::string& out = "B[0:N]") {
    return in_state("n0 = access A\nn1 = nested f (x) -> (y)" + mapping + " sdfg f() {\n" + inner +
                    "\n}\nn2 = access B\nn0 -> n1.x : A[0:N]\nn1.y -> n2 : " + out);
}

struct Case {
    std::string code, text, message, path;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> kCases{
        {"V101", "sdfg \"a b\"() {\n}", "the name `a b` of the SDFG is not an identifier", "a b"},
        {"V102", "sdfg g() {\nscalar \"1st\": int32\n}", "the name `1st` of a container is not an identifier", "g"},
        {"V103", "sdfg g() {\nsymbol N: int64\nscalar N: int32\n}", "the name N names a container and a symbol", "g"},
        {"V104", "sdfg g(x) {\n}", "the argument x is not declared", "g"},
        {"V104", "sdfg g(x, x) {\nscalar x: int32\n}", "the argument x is listed twice", "g"},
        {"V104", "sdfg g(x) {\ntransient scalar x: int32\n}", "the argument x is transient", "g"},
        {"V105", "sdfg g() {\nsymbol N: pointer<int32>\n}", "the symbol N has the type pointer<int32>", "g"},
        {"V106", "sdfg g() {\nconstant array c: int32[3] = int [1, 2]\n}", "the constant c has 2 elements, its shape says 3", "g"},
        {"V201", "sdfg g() {\narray A: int32\n}", "the container A has no dimensions", "g"},
        {"V201", "sdfg g() {\nscalar a: int32[1]\n}", "the container a holds one element but has a shape", "g"},
        {"V202", "sdfg g() {\narray A: int32[-3]\n}", "the container A has the extent -3", "g"},
        {"V203", "sdfg g() {\narray A: int32[2, 2] strides=[1]\n}", "the container A has 2 dimensions and 1 strides", "g"},
        {"V204", "sdfg g() {\narray A: void[2]\n}", "the container A has no element type", "g"},
        {"V205", "sdfg g() {\nview array A: int32[2]\n}", "the container A is a view and an argument", "g"},
        {"V206", "sdfg g() {\narray A: int32[2] lifetime=State\n}", "the container A is an argument with lifetime State", "g"},
        {"V207", declared("transient array t: int32[k] lifetime=Persistent\nstate s {\n}\nstate u {\n}\ns -> u set k=3"),
         "the container t lives longer than the symbol k of its shape, which the graph assigns", "g"},
        {"V208", "sdfg g() {\narray A: int32[2] alignment=24\n}", "the container A is aligned to 24 bytes", "g"},
        {"V209", "sdfg g() {\ntransient stream S: int32[1] buffer_size=-1\n}", "the container S has room for -1 elements", "g"},
        {"V210", "sdfg g() {\ncontainer_array A: pointer<int32>[2]\n}", "the container A has no element container", "g"},
        {"V211", "sdfg g() {\narray A: int32[2, 3] strides=[10, 1] total_size=12\n}",
         "the container A has room for 12 elements, its last one lies beyond", "g"},
        {"V212", "sdfg g() {\narray A: int32[2] storage=Register\n}", "the container A is an argument in registers", "g"},
        {"V302", in_state("n0 = access A\nn1 = access B\nn0 -> n1 : A[0:N]\nn1 -> n0 : B[0:N]"), "the dataflow edges form a cycle",
         "g/s"},
        {"V303", in_state("n0 = access A\nn1 = access B\nn0 -> n1.x : A[0:N]"), "node n1 has no input connector x",
         "g/s/n0 -> n1.x"},
        {"V304", in_state("n0 = tasklet t () -> (y) { y = 1 }"), "nothing is connected to the output y", "g/s/n0 (tasklet t)"},
        {"V304", in_state("n0 = access A\nn1 = tasklet t (x)\nn0 -> n1.x : A[0]\nn0 -> n1.x : A[1]"), "2 edges lead to the input x",
         "g/s/n1 (tasklet t)"},
        {"V305", in_state("n0 = access A\nn1 = access B (x)\nn0 -> n1.x : A[0:N]"), "the access node has a connector x",
         "g/s/n1 (access B)"},
        {"V306", in_state("n0 = access A\nn1 = map_entry m [i=0:N] (IN_A)\nn2 = map_exit n1\nn0 -> n1.IN_A : A[0:N]\nn1 -> n2"),
         "the input connector IN_A has no output to pair with", "g/s/n1 (map_entry m[i=0:N])"},
        {"V307", in_state("n0 = map_entry m [i=0:N]"), "the entry has no exit", "g/s/n0 (map_entry m[i=0:N])"},
        {"V307", in_state("n0 = map_exit none"), "the exit belongs to no entry of its kind", "g/s/n0 (map_exit exit)"},
        {"V308", in_state("n0 = map_entry m [i=0:N]\nn1 = tasklet t\nn2 = map_exit n0\nn0 -> n1\nn0 -> n2"),
         "the node lies in the scope of n0 and does not lead to its exit", "g/s/n1 (tasklet t)"},
        {"V308", in_state("n0 = map_entry m [i=0:N]\nn1 = tasklet t\nn2 = map_exit n0\nn1 -> n2\nn0 -> n2"),
         "edges from different scopes meet at the node", "g/s/n2 (map_exit m[i=0:N])"},
        {"V309", in_state("n0 = map_entry m [i=0:N]\nn1 = map_exit n0"), "the exit does not follow its entry n0",
         "g/s/n1 (map_exit m[i=0:N])"},
        {"V401", in_state("n0 = access A\nn1 = access B\nn0 -> n1 : D[0:N]"), "no container is named D", "g/s/n0 -> n1"},
        {"V402", in_state("n0 = access A\nn1 = tasklet t (x) { z = x }\nn0 -> n1.x"), "the edge has connectors but no memlet",
         "g/s/n0 -> n1.x"},
        {"V402", in_state("n0 = access A\nn1 = tasklet t\nn0 -> n1 : A[0]"), "the memlet of A reaches a code node at no connector",
         "g/s/n0 -> n1"},
        {"V403", in_state("n0 = access A\nn1 = access B\nn0 -> n1 : C[0:4, 0]"), "the memlet names C, but its path joins A and B",
         "g/s/n0 -> n1"},
        {"V404", in_state("n0 = access C\nn1 = access B\nn0 -> n1 : C[0:4]"), "C has 2 dimensions, its subset [0:4] has 1",
         "g/s/n0 -> n1"},
        {"V405", in_state("n0 = access C\nn1 = access B\nn0 -> n1 : C[0:5, 0]"),
         "the range 0:5 of dimension 0 leaves C, whose extent is 4", "g/s/n0 -> n1"},
        {"V405", in_state("n0 = access A\nn1 = access B\nn0 -> n1 : A[1:N + 1]"),
         "the range 1:N + 1 of dimension 0 leaves A, whose extent is N", "g/s/n0 -> n1"},
        {"V405", in_state("n0 = access A\nn1 = access B\nn0 -> n1 : A[0:N] -> [-1:N - 1]"),
         "the range -1:N - 1 of dimension 0 leaves B, whose extent is N", "g/s/n0 -> n1"},
        {"V406", in_state("n0 = access A\nn1 = access B\nn0 -> n1 : B[0:N] wcr=\"lambda x: x\""),
         "`lambda x: x` is not a lambda of two parameters", "g/s/n0 -> n1"},
        {"V407", in_state("n0 = access A\nn1 = tasklet t (x) { z = x }\nn0 -> n1.x : A[0] wcr=\"lambda a, b: a + b\""),
         "the path ends in code, which resolves no conflicts", "g/s/n0 -> n1.x"},
        {"V408", in_state("n0 = access A\nn1 = access S\nn0 -> n1 : S[0] wcr=\"lambda a, b: a + b\""),
         "the memlet pushes to the stream S", "g/s/n0 -> n1"},
        {"V409", in_state("n0 = access A\nn1 = access B\nn0 -> n1 : A[0:3] -> [0:2]"), "[0:3] and [0:2] differ in size",
         "g/s/n0 -> n1"},
        {"V411", in_state("n0 = access A\nn1 = access B\nn0 -> n1 : A[0:3] prefetch=[4]"), "[4] of A is to be prefetched",
         "g/s/n0 -> n1"},
        {"V410", in_state("n0 = access A\nn1 = access B\nn0 -> n1 : A[0:3] volume=-1"), "the volume is -1", "g/s/n0 -> n1"},
        {"V501", in_state("n0 = access D"), "no container is named D", "g/s/n0 (access D)"},
        {"V511", in_map("tasklet t (x) -> (y) { y = = x }"), "the code does not parse:", "g/s/n1 (tasklet t)"},
        {"V512", in_map("tasklet t (x) -> (y) { z = x }"), "the output y is not assigned", "g/s/n1 (tasklet t)"},
        {"V513", in_map("tasklet t (x) -> (y) { y = x + w }"),
         "the code reads w, which is neither a connector nor a symbol in scope", "g/s/n1 (tasklet t)"},
        {"V514",
         in_state("n0 = access A\nn1 = tasklet t (x) -> (x) { x = 1 }\nn2 = access B\nn0 -> n1.x : A[0]\nn1.x -> n2 : B[0]"),
         "the connector x is an input and an output", "g/s/n1 (tasklet t)"},
        {"V521", in_state("n0 = map_entry m []\nn1 = map_exit n0\nn0 -> n1"), "the map has 0 parameters and 0 ranges",
         "g/s/n0 (map_entry m[])"},
        {"V522", in_state("n0 = map_entry m [i=0:N, i=0:N]\nn1 = map_exit n0\nn0 -> n1"), "two parameters are named i",
         "g/s/n0 (map_entry m[i=0:N, i=0:N])"},
        {"V525", in_state("n1 = map_entry m [i=0:2] omp_if=(N + 1)\nn2 = map_exit n1\nn1 -> n2"),
         "omp_if is `N + 1`, not a condition", "g/s/n1 (map_entry m[i=0:2])"},
        {"V526", in_state("n1 = map_entry m [i=0:2] private_updates=[Z]\nn2 = map_exit n1\nn1 -> n2"),
         "the private updates name `Z`, which is no container", "g/s/n1 (map_entry m[i=0:2])"},
        {"V524", in_state("n0 = access A\nn1 = map_entry m [i=0:e] (e)\nn2 = map_exit n1\nn0 -> n1.e : A[0:2]\nn1 -> n2"),
         "the dynamic input e is A[0:2]", "g/s/n1 (map_entry m[i=0:e])"},
        {"V531", in_state("n0 = consume_entry c [p=0:4]\nn1 = consume_exit n0\nn0 -> n1"), "the scope reads no stream",
         "g/s/n0 (consume_entry c[p=0:4])"},
        {"V532",
         in_state("n9 = access S\nn10 = consume_entry c passing (stream) pe_index=\"1\" num_pes=2\nn11 = consume_exit n10\n"
                  "n9 -> n10.IN_stream : S[0]\nn10.OUT_stream -> n11"),
         "the index `1` is not an identifier", "g/s/n10 (consume_entry c[1=0:2])"},
        {"V533", in_state("n0 = consume_entry c [p=0:0]\nn1 = consume_exit n0\nn0 -> n1"),
         "the scope has 0 processing elements and chunks of 1", "g/s/n0 (consume_entry c[p=0:0])"},
        {"V534", in_state("n0 = consume_entry c [p=0:4] condition=`len(`\nn1 = consume_exit n0\nn0 -> n1"),
         "the condition `len(` does not parse", "g/s/n0 (consume_entry c[p=0:4])"},
        {"V541", nested("", "array x: float64[4]\nscalar z: float64"), "the connector y names no container of f",
         "g/s/n1 (nested f)"},
        {"V542", nested("", "array x: float64[4]\narray y: float64[4]\narray z: float64[4]"),
         "the container z of f is not connected", "g/s/n1 (nested f)"},
        {"V543", nested("", "symbol M: int64\narray x: float64[M]\narray y: float64[4]"), "the symbol M of f is not mapped",
         "g/s/n1 (nested f)"},
        {"V544", nested("", "array x: float32[4]\narray y: float64[4]"), "x is float32 inside and float64 outside",
         "g/s/n1 (nested f)"},
        {"V545",
         in_state("n0 = nested f () -> (y) symbol_mapping={M: 7} sdfg f() {\nsymbol M: int64\narray y: float64[M, 3]\n}\n"
                  "n1 = access C\nn0.y -> n1 : C[0:4, 0:5]"),
         "y has 21 elements inside, C has 20", "g/s/n0 (nested f)"},
        {"V547",
         in_state("n0 = access B\nn1 = nested f (x) -> (x) sdfg f() {\narray x: float64[2]\n}\nn2 = access B\n"
                  "n0 -> n1.x : B[0:2]\nn1.x -> n2 : B[1:3]"),
         "the connector x brings B[0:2] and takes away B[1:3]", "g/s/n1 (nested f)"},
        {"V547",
         declared("transient array T: float64[1]\nstate s {\nn0 = access B\nn1 = nested f (x) -> (x) sdfg f() {\n"
                  "array x: float64[1]\n}\nn2 = access T\nn0 -> n1.x : B[0]\nn1.x -> n2 : T[0]\n}"),
         "the connector x brings B[0] and takes away T[0]", "g/s/n1 (nested f)"},
        {"V547",
         in_state("n0 = access B\nn1 = nested f (x) -> (x) sdfg f() {\narray x: float64[2]\n}\nn2 = access C\n"
                  "n0 -> n1.x : B[0:2]\nn1.x -> n2 : C[0:2, 0]"),
         "the connector x brings B[0:2] and takes away C[0:2, 0]", "g/s/n1 (nested f)"},
        {"V551", in_state("n0 = library \"\" \"\""), "the library node has no operation", "g/s/n0 (library)"},
        {"V601", "sdfg g() {\nstate s {\n}\nstart none\n}", "the region has no start", "g"},
        {"V602", "sdfg g() {\nstate s {\n}\nstate s {\n}\n}", "two blocks are labelled s", "g/s"},
        {"V602", "sdfg g() {\nstate \"a b\" {\n}\n}", "the label `a b` is not an identifier", "g/a b"},
        {"V603", "sdfg g() {\nstate s {\n}\ns -> @4\n}", "the transition joins a block that does not exist", "g/t0 (s -> @4)"},
        {"V604", "sdfg g() {\nstate s {\n}\ns -> s if `1 +`\n}", "the condition `1 +` does not parse", "g/t0 (s -> s)"},
        {"V604", "sdfg g() {\nstate s {\n}\ns -> s if CPP `x`\n}", "the condition is written in CPP", "g/t0 (s -> s)"},
        {"V605", "sdfg g() {\nstate s {\n}\ns -> s set i=`)`\n}", "the value `)` of i does not parse", "g/t0 (s -> s)"},
        {"V605", "sdfg g() {\nstate s {\n}\ns -> s set i=0, i=1\n}", "the symbol i is assigned twice", "g/t0 (s -> s)"},
        {"V606", declared("state s {\n}\ns -> s set a=1"), "the container a is assigned", "g/t0 (s -> s)"},
        {"V607", "sdfg g() {\nbreak out\n}", "break stands outside every loop", "g/out"},
        {"V608", "sdfg g() {\nloop l [; ; ] {\n}\n}", "the loop has no condition", "g/l"},
        {"V609", "sdfg g() {\nloop l [i: `j = 0`; `i < 4`; `i = i + 1`] {\n}\n}",
         "the initial statement `j = 0` does not assign the loop variable i", "g/l"},
        {"V610", "sdfg g() {\nconditional c {\n}\n}", "the conditional block has no branches", "g/c"},
        {"V610", "sdfg g() {\nconditional c {\nelse {\n}\nwhen `True` {\n}\n}\n}", "the else is branch 0 of 2", "g/c"},
        {"V701", "sdfg g() {\narray A: int32[M]\n}", "the symbol M of the shape of A is not defined", "g"},
        {"V701", in_state("n0 = map_entry m [i=0:M]\nn1 = map_exit n0\nn0 -> n1"), "the symbol M of the range of i is not defined",
         "g/s/n0 (map_entry m[i=0:M])"},
        {"V701", in_state("n0 = access A\nn1 = access B\nn0 -> n1 : A[i]"), "the symbol i of the subset of A is not defined",
         "g/s/n0 -> n1"},
        {"V702", "sdfg g() {\nstate s {\n}\ns -> s if `q > 0`\n}", "the condition reads q, which is not defined", "g/t0 (s -> s)"},
        {"V801", in_state("n0 = access v"), "nothing says what the view v views", "g/s/n0 (access v)"},
        {"V802", in_state("n0 = access A\nn1 = access B (views)\nn0 -> n1.views : A[0:N]"),
         "B is no view but has a `views` connector", "g/s/n1 (access B)"},
    };
    return kCases;
}

TEST(Verify, EachInvariantHasAGraphThatBreaksIt) {
    for (const Case& one : cases()) {
        bool found = false;
        const std::vector<Diagnostic> violations = verify(graph(one.text));
        for (const Diagnostic& violation : violations) {
            if (violation.code != one.code || !violation.message.starts_with(one.message)) continue;
            found = true;
            EXPECT_EQ(violation.path, one.path) << one.text;
            EXPECT_TRUE(violation.where.known()) << one.text;
            EXPECT_FALSE(violation.remedy.empty());
        }
        EXPECT_TRUE(found) << one.code << " " << one.message << "\n" << rendered(graph(one.text)) << one.text;
    }
}

TEST(Verify, EdgeWithoutNodes) {
    Sdfg g{.name = "g"};
    StateBuilder state = add_state(g, "s");
    const NodeId a = state.tasklet("a", {}, {}, ""), b = state.tasklet("b", {}, {}, "");
    state.edge(a, "", b, "", no_memlet());
    state.state().nodes.erase(b);
    EXPECT_EQ(rendered(g),
              "g/s/n0 -> n1: error V301: an end of the edge does not exist\nhelp: remove the edge, or restore the node\n");
}

TEST(Verify, StepOfZero) {
    Sdfg g = axpy();
    State& state = *as_state(g.body.blocks[BlockId(0)]);
    std::get<MapEntry>(state.nodes[NodeId(0)].kind).range.dims[0].step = 0;
    state.edges[EdgeId(1)].memlet.subset = Subset{{Range{0, 1, 0, 1}}};
    const std::string text = rendered(g);
    EXPECT_NE(text.find("V523: the step of the range of i is zero"), std::string::npos) << text;
    EXPECT_NE(text.find("n0.OUT_a -> n2.ain: error V523: the step of a range of a is zero"), std::string::npos) << text;
}

TEST(Verify, DeepNestingIsReportedNotFollowed) {
    Region region;
    for (int at = 0; at < 500; ++at) {
        Region outer;
        NamedRegion named;
        named.body = std::move(region);
        add_block(outer, Block{.label = "r", .kind = std::move(named), .metadata = {}});
        region = std::move(outer);
    }
    Sdfg g{.name = "g"};
    g.body = std::move(region);
    EXPECT_EQ(codes(g), "V546");
    Sdfg inner{.name = "leaf"};
    add_state(inner, "s");
    for (int at = 0; at < 300; ++at) {
        Sdfg outer{.name = "level"};
        add_state(outer, "s").nested("n", std::move(inner), {}, {});
        inner = std::move(outer);
    }
    EXPECT_EQ(codes(inner), "V546");
}

TEST(Verify, EveryInvariantIsTested) {
    std::set<std::string_view> tested{"V301", "V523", "V546"}, listed;
    for (const Case& one : cases()) tested.insert(one.code);
    for (const Invariant& invariant : invariants()) {
        EXPECT_TRUE(listed.insert(invariant.code).second) << invariant.code << " is listed twice";
        EXPECT_TRUE(tested.contains(invariant.code)) << invariant.code;
    }
}

TEST(Verify, SpecificationListsTheInvariants) {
    std::ifstream file(SLUICE_SOURCE_DIR "/docs/spec.md");
    ASSERT_TRUE(file);
    std::string line, found, expected;
    while (std::getline(file, line))
        if (line.starts_with("- **V")) found += line + "\n";
    for (const Invariant& invariant : invariants())
        expected += "- **" + std::string(invariant.code) + "** " + std::string(invariant.sentence) + "\n";
    EXPECT_EQ(found, expected);
}

TEST(Verify, ValidGraphsThatLookOdd) {
    const std::vector<std::string> texts{
        "sdfg empty() {\n}",
        in_map("tasklet t (x) -> (y) { y = x * i + N }"),
        // A triangular range, a dynamic range, an empty range out of bounds.
        in_state("n0 = map_entry m [i=0:N, j=i:N]\nn1 = map_exit n0\nn0 -> n1"),
        in_state("n0 = access a\nn1 = map_entry m [i=0:e] (e)\nn2 = map_exit n1\nn0 -> n1.e : a\nn1 -> n2"),
        in_state("n0 = access C\nn1 = access B\nn0 -> n1 : C[9:9, 0]"),
        // A scalar by index, data-dependent and vouched accesses, negative offsets.
        in_state("n0 = access a\nn1 = access B\nn0 -> n1 : a[0] -> [3]"),
        in_state("n0 = access C\nn1 = access B\nn0 -> n1 : C[0:9, 0] dynamic"),
        in_state("n0 = access C\nn1 = access B\nn0 -> n1 : C[0:9, 0] allow_oob"),
        "sdfg g() {\narray A: int32[4] offset=[2]\narray B: int32[4]\nstate s {\nn0 = access A\nn1 = access B\n"
        "n0 -> n1 : A[-2:2]\n}\n}",
        in_state("n0 = access a\nn1 = access A\nn2 = map_entry m [i=0:e] passing (A) (e)\nn3 = tasklet t (x)\nn4 = map_exit n2\n"
                 "n0 -> n2.e : a[]\nn1 -> n2.IN_A : A dynamic volume=e\nn2.OUT_A -> n3.x : A[i]\nn3 -> n4"),
        // Views and references.
        in_state("n0 = access A\nn1 = access v\nn2 = access B\nn0 -> n1 : A[0:N]\nn1 -> n2 : v[0:N]"),
        in_state("n0 = access A\nn1 = access v (views)\nn2 = access B\nn0 -> n1.views : A[0:N]\nn1 -> n2 : B[0:N]"),
        in_state("n0 = access A\nn1 = access r (set)\nn0 -> n1.set : A[0:N]"),
        // Code that only its target understands.
        in_map("tasklet t (x) -> (y) CPP { y = twice(x) + w; }"),
        "sdfg g() {\narray A: int32[1]\nglobal_code frame `int w;`\nstate s {\nn0 = tasklet t () -> (y) { y = w }\nn1 = access A\n"
        "n0.y -> n1 : A[0]\n}\n}",
        // A callback, as DaCe calls it: the order of calls is kept by outputs that nobody assigns.
        declared("symbol f: callback(float64) -> (float64)\nstate s {\nn0 = access A\nn1 = tasklet t (x) -> (order) { f(x) }\nn2 = "
                 "access B\n"
                 "n0 -> n1.x : A[0]\nn1.order -> n2 : B[0]\n}"),
        // Loops, branches, data in conditions.
        declared("loop l [i: `i = 0`; `i < N`; `i += 2`] {\nstate s {\n}\nbreak b\ns -> b if `A[i] > a`\n}"),
        declared("conditional c {\nwhen `a > 0` {\nreturn r\n}\nelse {\n}\n}"),
        // Tasklets joined directly, where a memlet moves nothing; the nested SDFG's symbol has a value of its own.
        in_state("n0 = tasklet p () -> (o) { o = 1 }\nn1 = tasklet q (i) -> (y) { y = i }\nn2 = access B\nn0.o -> n1.i : C[7]\n"
                 "n1.y -> n2 : B[0]"),
        in_state("n0 = tasklet p () -> (o) { o = 1 }\nn1 = tasklet q (i) -> (y) { y = i }\nn2 = access B\nn0.o -> n1.i : a\n"
                 "n1.y -> n2 : B[0]"),
        nested(" symbol_mapping={M: N}", "symbol M: int64\narray x: float64[M]\narray y: float64[M]"),
        nested("",
               "symbol M: int64\nconstant scalar M: int64 = int [4]\narray x: float64[4]\narray y: float64[4]\n"
               "transient array t: float64[M]"),
    };
    for (const std::string& text : texts) EXPECT_EQ(rendered(graph(text)), "") << text;
}

TEST(Verify, ViolationsComeInGraphOrderAndCarryTheirPlace) {
    const std::string text = in_map("tasklet t (x) -> (y) { y = x + w }");
    const std::vector<Diagnostic> violations = verify(graph(text));
    ASSERT_EQ(violations.size(), 1u);
    EXPECT_EQ(
        render(violations[0], text),
        R"(test.sdfgt:13:1: g/s/n1 (tasklet t): error V513: the code reads w, which is neither a connector nor a symbol in scope
   13 | n1 = tasklet t (x) -> (y) { y = x + w }
      | ^~
help: pass the value through a connector
)");
}

TEST(Verify, LargeStateInLinearTime) {
    Sdfg g{.name = "large"};
    add_array(g, "A", code::Scalar::Float64, {64});
    StateBuilder state = add_state(g, "main");
    for (int at = 0; at < 1000; ++at)
        state.mapped_tasklet("m" + std::to_string(at), {{"i", "0:64"}}, {{"a", "A[i]"}}, "b = a + 1", {{"b", "A[i]"}});
    EXPECT_EQ(state.state().nodes.size(), 5000u);
    EXPECT_EQ(rendered(g), "");
}

}  // namespace
}  // namespace sluice::ir
