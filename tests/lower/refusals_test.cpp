// Every refusal of lowering: code, sentence and place. The graphs are small and not verified: the verifier would catch some.
#include "codegen/cpu/print.h"
#include "library/environment.h"
#include "run_program.h"

namespace sluice {
namespace {

using code::Scalar;
using symbolic::symbol;

Diagnostic refusal(const ir::Sdfg& sdfg) {
    const auto module = lower::lower(sdfg);
    EXPECT_FALSE(module);
    return module ? Diagnostic{} : module.error();
}

ir::Sdfg with_array() {
    ir::Sdfg g{.name = "g"};
    ir::add_array(g, "x", Scalar::Float64, {4, 4});
    return g;
}

ir::NodeId write_x(ir::StateBuilder& s, const std::string& code, const std::string& memlet, const std::string& wcr = {}) {
    const auto t = s.tasklet("t", {}, {{"o", {}}}, code);
    s.edge(t, "o", s.access("x"), "", ir::memlet(memlet, {.wcr = wcr}));
    return t;
}

TEST(Refusals, ForeignContainers) {
    ir::Sdfg g = with_array();
    ir::add_array(g, "T", Scalar::Float64, {4}).kind = ir::ForeignContainer{"Tensor"};
    const Diagnostic d = refusal(g);
    EXPECT_EQ(d.code, "L004");
    EXPECT_EQ(d.message, "argument `T` is of a kind that cannot be compiled");
    EXPECT_EQ(d.path, "g/T");
}

TEST(Refusals, LibraryNodesThatNobodyExpanded) {
    ir::Sdfg g = with_array();
    auto s = ir::add_state(g, "main");
    const auto x = s.access("x");
    s.edge(x, "", s.library("Fft", "fft", {"_in"}, {}), "_in", ir::memlet("x[0:4, 0:4]"));
    const Diagnostic d = refusal(g);
    EXPECT_EQ(d.code, "B001");
    EXPECT_EQ(d.message, "unknown library node Fft");
    EXPECT_EQ(d.path, "g/main/n1");
}

TEST(Refusals, EnvironmentsThatNobodyHas) {
    ir::Sdfg g = with_array();
    auto s = ir::add_state(g, "main");
    const auto t = write_x(s, "o = 1", "x[0, 0]");
    auto& tasklet = std::get<ir::Tasklet>(s.state().nodes[t].kind);
    tasklet.environments = {"cuda"};
    const Diagnostic unknown = refusal(g);
    EXPECT_EQ(unknown.code, "L021");
    EXPECT_EQ(unknown.message, "nobody has registered the environment `cuda`");
    EXPECT_EQ(unknown.path, "g/main/n0");
    library::add_environment({.name = "nowhere", .library_files = {"libnowhere_at_all.so"}, .remedy = "get it"});
    tasklet.environments = {"nowhere"};
    const Diagnostic missing = refusal(g);
    EXPECT_EQ(missing.code, "L022");
    EXPECT_EQ(missing.message, "the library `nowhere` is called, which is not installed");
    EXPECT_EQ(missing.remedy, "get it");
    library::add_environment(
        {.name = "mathematics", .headers = {"<math.h>"}, .init_code = "/* begins */", .exit_code = "/* ends */"});
    tasklet.environments = {"mathematics"};
    const auto module = lower::lower(g);
    ASSERT_TRUE(module.ok()) << render(module.error());
    EXPECT_EQ(module.value().libraries.at("mathematics").headers, std::vector<std::string>{"<math.h>"});
    EXPECT_EQ(module.value().init_code, "/* begins */\n");
    EXPECT_NE(codegen::print_cpu(module.value()).host().find("#include <math.h>"), std::string::npos);
}

TEST(Refusals, SubscriptOfAnotherRank) {
    ir::Sdfg g = with_array();
    auto s = ir::add_state(g, "main");
    write_x(s, "o[1, 2, 3] = 0", "x[0:4, 0:4]");
    const Diagnostic d = refusal(g);
    EXPECT_EQ(d.code, "L012");
    EXPECT_EQ(d.message, "an element of rank 2 is indexed with 3 indices");
    EXPECT_EQ(d.path, "g/main/n0");
}

TEST(Refusals, ConflictResolutionThatIsNoLambda) {
    ir::Sdfg g = with_array();
    auto s = ir::add_state(g, "main");
    write_x(s, "o = 1", "x[0, 0]", "a + b");
    const Diagnostic d = refusal(g);
    EXPECT_EQ(d.code, "L013");
    EXPECT_EQ(d.message, "a conflict resolution must be a lambda of two arguments");
}

TEST(Refusals, ConsumeScopeWithoutAStream) {
    ir::Sdfg g = with_array();
    auto s = ir::add_state(g, "main");
    const auto [entry, exit] = s.consume("work", "p", 2);
    s.edge(entry, "", exit, "", ir::no_memlet());
    const Diagnostic d = refusal(g);
    EXPECT_EQ(d.code, "L015");
    EXPECT_EQ(d.message, "consume scope `work` has no stream");
}

TEST(Refusals, ConnectorWithoutAContainer) {
    ir::Sdfg g = with_array();
    auto s = ir::add_state(g, "main");
    s.edge(s.nested("call", ir::Sdfg{.name = "inner"}, {}, {"y"}), "y", s.access("x"), "", ir::memlet("x"));
    const Diagnostic d = refusal(g);
    EXPECT_EQ(d.code, "L016");
    EXPECT_EQ(d.message, "nested SDFG `call` has no container `y` for its connector");
}

TEST(Refusals, LoopThatAssignsAnotherName) {
    ir::Sdfg g = with_array();
    ir::Block loop = ir::for_loop("l", "i", "0", "4");
    std::get<ir::LoopRegion>(loop.kind).update = ir::CodeBlock{"q = i + 1"};
    ir::add_block(g.body, std::move(loop));
    const Diagnostic d = refusal(g);
    EXPECT_EQ(d.code, "L017");
    EXPECT_EQ(d.message, "a loop may only assign its variable");
}

TEST(Refusals, BreakOutsideOfALoop) {
    ir::Sdfg g = with_array();
    ir::add_block(g.body, {"stop", ir::BreakBlock{}, {}});
    const Diagnostic d = refusal(g);
    EXPECT_EQ(d.code, "L018");
    EXPECT_EQ(d.message, "`break` outside of a loop");
    EXPECT_EQ(d.path, "g/stop");
}

TEST(Refusals, SizeFromAnIrreducibleMachine) {
    ir::Sdfg g = with_array();
    ir::add_symbol(g, "N");
    ir::add_transient(g, "t", Scalar::Float64, {symbol("k")});
    ir::BlockId start, a, b;
    ir::add_state(g.body, "start", &start);
    for (ir::BlockId* id : {&a, &b}) {
        auto s = ir::add_state(g.body, id == &a ? "a" : "b", id);
        s.edge(s.tasklet("t", {}, {{"o", {}}}, "o = 1"), "o", s.access("t"), "", ir::memlet("t[0]"));
    }
    ir::add_transition(g.body, start, a, "N > 0", {{"k", "1"}});
    ir::add_transition(g.body, start, b, "N <= 0", {{"k", "2"}});
    ir::add_transition(g.body, a, b);
    ir::add_transition(g.body, b, a, "k < N", {{"k", "k + 1"}});
    const Diagnostic d = refusal(g);
    EXPECT_EQ(d.code, "L014");
    EXPECT_EQ(d.message, "the size of a transient depends on a symbol that an irreducible state machine assigns");
}

TEST(Refusals, NamesWithoutMeaning) {
    ir::Sdfg g = with_array();
    auto s = ir::add_state(g, "main");
    write_x(s, "o = q[1] + 1", "x[0, 0]");
    const Diagnostic d = refusal(g);
    EXPECT_EQ(d.code, "L011");
    EXPECT_EQ(d.message, "`q` names nothing here");
    EXPECT_EQ(d.path, "g/main/n0");
}

TEST(Refusals, ViewOfTwoPlaces) {
    ir::Sdfg g = with_array();
    ir::add_array(g, "y", Scalar::Float64, {4, 4});
    ir::add_view(g, "v", Scalar::Float64, {4});
    auto s = ir::add_state(g, "main");
    for (const char* row : {"x[0, 0:4]", "x[1, 0:4]"}) {
        const auto v = s.access("v");
        s.state().nodes[v].in.emplace("views", code::DType());
        s.edge(s.access("x"), "", v, "views", ir::memlet(row));
        s.edge(v, "", s.access("y"), "", ir::memlet("v", {.other_subset = "0, 0:4"}));
    }
    const Diagnostic d = refusal(g);
    EXPECT_EQ(d.code, "L009");
    EXPECT_EQ(d.message, "`v` views two places in one scope");
}

TEST(Refusals, ViewOfAStream) {
    ir::Sdfg g = with_array();
    ir::add_stream(g, "S", Scalar::Float64).transient = true;
    ir::add_view(g, "v", Scalar::Float64, {1});
    auto s = ir::add_state(g, "main");
    const auto v = s.access("v");
    s.edge(s.access("S"), "", v, "views", ir::memlet("S[0]"));
    s.edge(v, "", s.access("x"), "", ir::memlet("v[0]", {.other_subset = "0, 0"}));
    const Diagnostic d = refusal(g);
    EXPECT_EQ(d.code, "L009");
    EXPECT_EQ(d.message, "`v` views `S`, which has no address");
}

}  // namespace
}  // namespace sluice
