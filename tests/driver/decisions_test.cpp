// What is decided before lowering, and what lowering does where nothing is.
#include "driver/decisions.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "driver/cache.h"
#include "driver/compile.h"
#include "driver/session.h"
#include "ir/query.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "ir/walk.h"
#include "library/extern_call.h"
#include "transform/decision/decision.h"

namespace sluice::driver {
namespace {

std::vector<ir::Sdfg> examples() {
    std::vector<ir::Sdfg> all;
    for (const auto& entry : std::filesystem::directory_iterator(SLUICE_SOURCE_DIR "/examples")) {
        if (entry.path().extension() != ".py" || entry.path().stem() == "demo") continue;
        for (ir::Sdfg& program : read_programs(entry.path()).or_fail()) all.push_back(std::move(program));
    }
    return all;
}

/// What nobody has decided: places by what is open there.
std::vector<std::string> open_decisions(const ir::Sdfg& sdfg);
void collect_open(const ir::Sdfg& sdfg, const ir::State& state, std::vector<std::string>& open) {
    const ir::Adjacency adjacency(state);
    const analysis::ScopeTree scopes(state, adjacency);
    const transform::Surroundings around{sdfg, state, adjacency, scopes, {}};
    for (auto [id, node] : state.nodes) {
        const auto* map = std::get_if<ir::MapEntry>(&node.kind);
        const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind);
        const auto* library = std::get_if<ir::LibraryNode>(&node.kind);
        if ((map && map->schedule == ir::Schedule::Default) || (consume && consume->schedule == ir::Schedule::Default))
            open.push_back("schedule of " + ir::label_of(state, id));
        if (library && !library->implementation && !library::is_extern(*library))
            open.push_back("implementation of " + ir::label_of(state, id));
        if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind))
            for (const std::string& inner : open_decisions(*nested->sdfg)) open.push_back(inner);
    }
    for (auto [id, edge] : state.edges)
        if (transform::copy_is_open(around, id)) open.push_back("copy from " + ir::label_of(state, edge.src));
    if (transform::sections_are_open(around)) open.push_back("sections");
}
std::vector<std::string> open_decisions(const ir::Sdfg& sdfg) {
    std::vector<std::string> open;
    ir::for_each_state(sdfg.body, [&](const ir::State& state) { collect_open(sdfg, state, open); });
    for (const auto& [name, container] : sdfg.containers)
        if (transform::storage_is_open(container)) open.push_back("storage of " + name);
    return open;
}

TEST(Decisions, LeaveNothingOpen) {
    std::size_t programs = 0;
    for (const ir::Sdfg& program : examples()) {
        const ir::Sdfg decided = with_decisions(program).or_fail();
        EXPECT_TRUE(ir::verify(decided).empty()) << program.name;
        for (const std::string& open : open_decisions(decided)) ADD_FAILURE() << program.name << ": " << open;
        ++programs;
    }
    EXPECT_GE(programs, 10u);
}

// The same by transformations, with a trace.
TEST(Decisions, OfTheSecondLevelLeaveNothingOpen) {
    for (const Level level : {Level::O2, Level::O3, Level::Decide})
        for (const ir::Sdfg& program : examples()) {
            Session session(program);
            const auto done = session.run(pipeline(level));
            ASSERT_TRUE(done.ok()) << render(done.error());
            for (const std::string& open : open_decisions(session.program())) ADD_FAILURE() << program.name << ": " << open;
        }
}

TEST(Decisions, AreTakenOnce) {
    for (const ir::Sdfg& program : examples()) {
        ir::Sdfg decided = with_decisions(program).or_fail();
        const ir::Sdfg once = decided;
        EXPECT_TRUE(transform::decide(decided).empty()) << program.name;
        EXPECT_EQ(decided, once) << program.name;
    }
}

// As the textual form and back: every decision is a property.
TEST(Decisions, StandOnTheGraph) {
    for (const ir::Sdfg& program : examples()) {
        const ir::Sdfg decided = with_decisions(program).or_fail();
        const auto read = ir::parse_text(ir::to_text(decided));
        ASSERT_TRUE(read.ok()) << render(read.error(), ir::to_text(decided));
        EXPECT_EQ(*read, decided) << program.name;
    }
}

TEST(Decisions, WithoutThemLoopsArePlain) {
    CompileOptions literal;
    literal.decide = false;
    for (const ir::Sdfg& program : examples()) {
        const auto text = Session(program).loops(literal);
        ASSERT_TRUE(text.ok()) << render(text.error());
        for (const char* word : {"parallel", "sections", " atomic ", "compare_exchange", "critical", "reduce ", "simd ", "library"})
            EXPECT_EQ(text->find(word), std::string::npos) << program.name << ": " << word << "\n" << *text;
    }
}

TEST(Decisions, ALibraryThatIsAskedForIsCalledWithoutThem) {
    CompileOptions literal;
    literal.decide = false;
    ir::Sdfg program = ir::parse_text(R"(sdfg product(A, B, C) {
  array A: float64[200, 200]
  array B: float64[200, 200]
  array C: float64[200, 200]
  state main {
    n0 = access A
    n1 = access B
    n2 = library MatMul product (_a, _b) -> (_c)
    n3 = access C
    n0 -> n2._a : A[0:200, 0:200]
    n1 -> n2._b : B[0:200, 0:200]
    n2._c -> n3 : C[0:200, 0:200]
  }
})")
                           .or_fail();
    EXPECT_EQ(Session(program).loops(literal).or_fail().find("library"), std::string::npos);
    Session session(program);
    ASSERT_TRUE(session.run(pipeline(Level::O2)).ok());
    bool named = false;
    ir::for_each_state(session.program().body, [&](const ir::State& state) {
        for (auto [id, node] : state.nodes)
            if (const auto* library = std::get_if<ir::LibraryNode>(&node.kind)) named = library->implementation.has_value();
    });
    EXPECT_TRUE(named);
}

// Private copies of what the map reads would give other sums, whoever asked for them.
TEST(Decisions, WrongOnesAreTakenBackAtEveryLevel) {
    const ir::Sdfg program = ir::parse_text(R"(sdfg prefix(A) {
  symbol N: int64
  array A: float64[N]
  state main {
    n0 = access A
    n1 = map_entry sums [i=1:N] passing (A) schedule=Sequential private_updates=[A]
    n2 = tasklet add (a) -> (c) { c = a }
    n3 = map_exit n1 passing (A)
    n4 = access A
    n0 -> n1.IN_A : A[0:N]
    n1.OUT_A -> n2.a : A[i - 1]
    n2.c -> n3.IN_A : A[0] wcr="lambda x, y: x + y"
    n3.OUT_A -> n4 : A[0] wcr="lambda x, y: x + y"
  }
})")
                                 .or_fail();
    for (const bool decide : {false, true}) {
        CompileOptions options;
        options.decide = decide;
        const std::string text = Session(program).loops(options).or_fail();
        EXPECT_EQ(text.find("A_sum"), std::string::npos) << text;
    }
}

TEST(Decisions, AMachineOfOneThreadHasNoTeams) {
    analysis::Machine machine;
    machine.threads = 1;
    for (const ir::Sdfg& program : examples()) {
        const ir::Sdfg decided = with_decisions(program, machine).or_fail();
        EXPECT_EQ(ir::to_text(decided).find("CPU_Multicore"), std::string::npos) << program.name;
    }
}

class MachineFile : public testing::Test {
protected:
    void TearDown() override { ::unsetenv("SLUICE_MACHINE"); }
    PrivateFolder folder_{std::filesystem::temp_directory_path() / "sluice-test"};
};

TEST_F(MachineFile, IsNamedByTheSetting) {
    EXPECT_EQ(target_machine().or_fail(), analysis::Machine());
    const std::filesystem::path path = folder_.path() / "machine";
    std::ofstream(path) << "team = 7\n";
    ::setenv("SLUICE_MACHINE", path.c_str(), 1);
    EXPECT_EQ(target_machine().or_fail().team, 7);
}

TEST_F(MachineFile, ThatCannotBeReadIsSaid) {
    ::setenv("SLUICE_MACHINE", "/nowhere/machine", 1);
    const auto machine = target_machine();
    ASSERT_FALSE(machine.ok());
    EXPECT_EQ(machine.error().code, "D003");
    EXPECT_EQ(machine.error().message, "cannot read the machine description `/nowhere/machine` (environment SLUICE_MACHINE)");
}

}  // namespace
}  // namespace sluice::driver
