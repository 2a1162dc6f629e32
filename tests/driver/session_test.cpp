// A session: what it changes and what it leaves, pipelines, undo, transformations of a face.
#include "driver/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "ir/text.h"

namespace sluice::driver {
namespace {

std::vector<ir::Sdfg> example_programs() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(SLUICE_SOURCE_DIR "/examples"))
        if (entry.path().extension() == ".py" && entry.path().stem() != "demo") files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<ir::Sdfg> programs;
    for (const std::filesystem::path& file : files)
        for (ir::Sdfg& program : read_programs(file).or_fail()) programs.push_back(std::move(program));
    return programs;
}

ir::Sdfg softmax() {
    return read_programs(SLUICE_SOURCE_DIR "/examples/softmax.py").or_fail().front();
}

TEST(DriverSession, APipelineIsDeterministicToTheByteAndIdempotent) {
    std::size_t applied = 0;
    for (const ir::Sdfg& program : example_programs())
        for (const Level level : {Level::O1, Level::O2, Level::O3}) {
            Session once(program), again(program);
            applied += once.run(pipeline(level)).or_fail();
            again.run(pipeline(level)).or_fail();
            EXPECT_EQ(ir::to_text(once.program()), ir::to_text(again.program())) << program.name;
            EXPECT_EQ(once.recipe(), again.recipe()) << program.name;
            Session more(once.program());
            EXPECT_EQ(more.run(pipeline(level)).or_fail(), 0u) << program.name << " at " << pipeline(level).name;
        }
    EXPECT_GT(applied, 20u) << "the examples give the pipelines something to do";
}

TEST(DriverSession, TheListOfSimplificationIsThatOfTheDescriptors) {
    std::set<std::string> marked;
    const Transformations all;
    for (const Descriptor* descriptor : all.all())
        if (descriptor->simplifies) marked.insert(descriptor->name);
    const std::vector<std::string>& listed = simplification().transformations;
    EXPECT_EQ(std::set<std::string>(listed.begin(), listed.end()), marked);
    for (const Level level : {Level::O0, Level::O1, Level::O2, Level::O3})
        for (const Step& step : pipeline(level).steps)
            for (const std::string& name : step.transformations) EXPECT_NO_THROW(all.describe(name)) << name;
}

TEST(DriverSession, SimplificationSaysNumbersAndSizesForSymbolsAndThenFindsNothing) {
    Session session(ir::parse_text(R"(sdfg g(A) {
  symbol N: int64
  array A: float64[N]
  symbol k: int64
  symbol m: int64
  state first {
  }
  state one {
    n0 = tasklet set () -> (o) { o = k }
    n1 = access A
    n0.o -> n1 : A[k]
  }
  state two {
    n0 = tasklet set () -> (o) { o = 2.0 }
    n1 = access A
    n0.o -> n1 : A[m - 1]
  }
  first -> one set k=3, m=N
  one -> two
}
)")
                        .or_fail());
    EXPECT_GE(session.simplify().or_fail(), 3u);
    const std::string once = ir::to_text(session.program());
    EXPECT_NE(once.find("A[3]"), std::string::npos) << once;
    EXPECT_NE(once.find("A[N - 1]"), std::string::npos) << once;
    EXPECT_EQ(once.find("symbol k"), std::string::npos) << once;
    EXPECT_LT(session.program().body.blocks.size(), 3u) << "a transition that assigns nothing keeps no states apart";
    EXPECT_EQ(session.simplify().or_fail(), 0u);
    EXPECT_EQ(ir::to_text(session.program()), once);
}

TEST(DriverSession, AnUntouchedProgramStaysAsItWasRead) {
    for (const ir::Sdfg& program : example_programs()) {
        Session session(program);
        EXPECT_EQ(session.run(pipeline(Level::O0)).or_fail(), 0u);
        EXPECT_EQ(ir::to_text(session.program()), ir::to_text(program));
        EXPECT_FALSE(session.undo());
    }
}

TEST(DriverSession, RecordsWhatAPipelineDidAndUndoesIt) {
    Session session(softmax());
    const std::size_t applied = session.simplify().or_fail();
    ASSERT_GT(applied, 0u);
    EXPECT_EQ(session.applied(), applied);
    ASSERT_EQ(session.measurements().size(), 1u);
    EXPECT_EQ(session.measurements()[0].step, "simplify");
    EXPECT_EQ(session.measurements()[0].applications, applied);
    const ir::Sdfg simple = session.program();

    Session replayed(softmax());
    ASSERT_TRUE(replayed.replay(session.recipe()));
    EXPECT_TRUE(replayed.program() == simple);
    while (session.undo()) {
    }
    Session fresh(softmax());
    fresh.matches("MapFusion");  // The engine propagates before the first question.
    EXPECT_TRUE(session.program() == fresh.program());
}

TEST(DriverSession, DisabledTransformationsArePassedOver) {
    Session session(softmax());
    session.disabled = {"StateFusion"};
    session.simplify().or_fail();
    EXPECT_EQ(session.recipe().find("StateFusion"), std::string::npos);
    EXPECT_TRUE(session.matches("StateFusion").empty());
}

TEST(DriverSession, WhatFailsLeavesTheProgramAsItWas) {
    Session session(softmax());
    session.simplify().or_fail();
    const std::string before = ir::to_text(session.program());
    EXPECT_EQ(session.apply({.transformation = "MapFusoin", .path = {}, .nodes = {}, .options = {}, .assumed = {}}).error().code,
              "E001");
    EXPECT_EQ(session.run({"mine", "", {simplification(), {"two", "", {"MapFusion", "NoSuch"}}}}).error().code, "E001");
    EXPECT_EQ(ir::to_text(session.program()), before);
    EXPECT_EQ(session.measurements().size(), 1u) << "of the pipeline that ended";
    EXPECT_THROW(parse_level("4"), Failure);
    const auto level = capture([] { return parse_level("fast"); });
    EXPECT_EQ(level.error().code, "D014");
}

TEST(DriverSession, SaysWhatAProgramIsAndWhatDiffers) {
    Session before(softmax()), after(softmax());
    EXPECT_TRUE(before.verify().empty());
    EXPECT_TRUE(before.differences(after).empty());
    after.simplify().or_fail();
    EXPECT_FALSE(before.differences(after).empty());
    ir::Sdfg broken = softmax();
    broken.name = "no name";
    EXPECT_FALSE(Session(broken).verify().empty());
    EXPECT_FALSE(Session(broken).loops());
    EXPECT_NE(before.source().or_fail().find("softmax"), std::string::npos);
    EXPECT_NE(before.drawing(PictureForm::dot).or_fail().find("digraph"), std::string::npos);
}

TEST(DriverSession, ATransformationOfAFaceIsAskedAndCarriedOut) {
    Transformations all;
    std::size_t asked = 0;
    UserTransformation mine{.descriptor = {.name = "Rename",
                                           .group = "user",
                                           .summary = "Renames states.",
                                           .drawing = "",
                                           .patterns = {{.nodes = {{"state", 1 << 8}}, .edges = {}}},
                                           .conditions = {{"N1", "the state is not called done"}},
                                           .parameters = {{"to", std::string("done"), "The new name."}}},
                            .can_apply = [&](const ir::Sdfg& sdfg, const UserSite& site) -> std::optional<UserRefusal> {
                                ++asked;
                                const ir::Block& block = sdfg.body.blocks[ir::BlockId(site.ids.at("state"))];
                                if (block.label != "done") return {};
                                return UserRefusal{"N1", "it is", {}};
                            },
                            .apply =
                                [](ir::Sdfg sdfg, const UserSite& site) {
                                    EXPECT_EQ(site.options.at("to"), "\"done\"");
                                    sdfg.body.blocks[ir::BlockId(site.ids.at("state"))].label = "done";
                                    return sdfg;
                                }};
    all.add(mine);
    const ir::Sdfg program = read_programs(SLUICE_SOURCE_DIR "/examples/axpy.py").or_fail().front();
    Session session(program, all);
    const std::vector<Proposal> proposed = session.matches("Rename");
    ASSERT_FALSE(proposed.empty());
    EXPECT_FALSE(proposed[0].refusal);
    ASSERT_TRUE(session.apply(proposed[0].application));
    EXPECT_GT(asked, 0u);
    EXPECT_EQ(session.apply({.transformation = "Rename", .path = "", .nodes = {{"state", "done"}}, .options = {}, .assumed = {}})
                  .error()
                  .code,
              "E007");
    EXPECT_EQ(session.recipe(), to_string(proposed[0].application) + "\n");
}

}  // namespace
}  // namespace sluice::driver
