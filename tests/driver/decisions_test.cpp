// What is decided before lowering, and what lowering does where nothing is.
#include "driver/decisions.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "driver/cache.h"
#include "driver/compile.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "loop/text.h"
#include "lower/lower.h"
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

std::vector<std::string> open_schedules(const ir::Region& region);
std::vector<std::string> open_schedules(const ir::State& state) {
    std::vector<std::string> open;
    for (auto [id, node] : state.nodes) {
        const auto* map = std::get_if<ir::MapEntry>(&node.kind);
        const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind);
        if ((map && map->schedule == ir::Schedule::Default) || (consume && consume->schedule == ir::Schedule::Default))
            open.push_back(ir::label_of(state, id));
        if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind))
            for (const std::string& inner : open_schedules(nested->sdfg->body)) open.push_back(inner);
    }
    return open;
}
std::vector<std::string> open_schedules(const ir::Region& region) {
    std::vector<std::string> open;
    const auto add = [&](std::vector<std::string> more) { open.insert(open.end(), more.begin(), more.end()); };
    for (auto [id, block] : region.blocks) {
        if (const ir::State* state = ir::as_state(block)) add(open_schedules(*state));
        if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) add(open_schedules(loop->body));
        if (const auto* named = std::get_if<ir::NamedRegion>(&block.kind)) add(open_schedules(named->body));
        if (const auto* conditional = std::get_if<ir::ConditionalBlock>(&block.kind))
            for (const ir::Branch& branch : conditional->branches) add(open_schedules(branch.body));
    }
    return open;
}

TEST(Decisions, LeaveNoScheduleOpen) {
    std::size_t programs = 0;
    for (const ir::Sdfg& program : examples()) {
        const ir::Sdfg decided = with_decisions(program).or_fail();
        for (const auto& [name, container] : decided.containers)
            EXPECT_FALSE(transform::storage_is_open(container)) << program.name << ": " << name;
        EXPECT_TRUE(ir::verify(decided).empty()) << program.name;
        for (const std::string& open : open_schedules(decided.body)) ADD_FAILURE() << program.name << ": " << open;
        ++programs;
    }
    EXPECT_GE(programs, 10u);
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
    for (const ir::Sdfg& program : examples()) {
        const auto module = lower::lower(program);
        ASSERT_TRUE(module.ok()) << render(module.error());
        const std::string text = loop::to_text(*module);
        // A product may still be a call of a library with threads of its own, and a large copy is shared.
        for (const char* word : {" atomic ", "compare_exchange", "critical", "reduce ", "simd "})
            EXPECT_EQ(text.find(word), std::string::npos) << program.name << ": " << word << "\n" << text;
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
