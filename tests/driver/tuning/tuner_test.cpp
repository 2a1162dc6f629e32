// The search with a clock and times that the test makes up: nothing is compiled.
#include "driver/tuning/tuner.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "driver/settings.h"
#include "driver/tuning/store.h"
#include "ir/text.h"

namespace sluice::driver {
namespace {

/// A map of two dimensions: x = 2 * A.
Session rows() {
    const char* text = R"(sdfg rows(A, x) {
  symbol N: int64
  array A: float64[N, N]
  array x: float64[N, N]
  state main {
    n0 = access A
    n1 = map_entry scale [i=0:N, j=0:N] passing (A)
    n2 = tasklet twice (a) -> (o) { o = 2 * a }
    n3 = map_exit n1 passing (x)
    n4 = access x
    n0 -> n1.IN_A : A[0:N, 0:N]
    n1.OUT_A -> n2.a : A[i, j]
    n2.o -> n3.IN_x : x[i, j]
    n3.OUT_x -> n4 : x[0:N, 0:N]
  }
}
)";
    return Session(ir::parse_text(text).or_fail());
}

/// A world in which a run takes what `seconds` says of the candidate's text, and compiling ten seconds.
struct World {
    std::function<double(const std::string&)> seconds;
    double time = 0;
    std::size_t compiled = 0;
    std::vector<Trial> trials = {};

    TuningOptions options(double budget) {
        return {.budget = budget,
                .compile =
                    [this](const ir::Sdfg& candidate) {
                        return capture([&]() -> MeasuredRun {
                            time += 10;
                            ++compiled;
                            const double run = seconds(ir::to_text(candidate));
                            if (run == 0) fail({"D002", "it does not compile", {}, {}, "", {}});
                            return [this, run] {
                                time += run;
                                return run;
                            };
                        });
                    },
                .clock = [this] { return time; },
                .on_trial = [this](const Trial& trial) { trials.push_back(trial); }};
    }
};

bool is_tiled(const std::string& text) {
    return text.find("tile_") != std::string::npos;
}

TEST(Tuner, KeepsWhatIsFaster) {
    World world{.seconds = [](const std::string& text) { return is_tiled(text) ? 1.0 : 2.0; }};
    const Tuned tuned = tune(rows(), world.options(10'000)).or_fail();
    EXPECT_EQ(tuned.untuned, 2.0);
    EXPECT_EQ(tuned.tuned, 1.0);
    ASSERT_EQ(tuned.changes.size(), 1U);
    EXPECT_TRUE(to_string(tuned.changes[0]).starts_with("MapTiling @ ")) << to_string(tuned.changes[0]);
    EXPECT_EQ(tuned.tried, world.trials.size());

    Session again = rows();
    ASSERT_TRUE(again.replay(tuned.recipe).ok());
    EXPECT_EQ(ir::to_text(again.program()), ir::to_text(with_changes(rows(), tuned.changes).or_fail().program()));
}

TEST(Tuner, TheUntunedProgramStands) {
    World world{.seconds = [](const std::string& text) { return is_tiled(text) ? 2.0 : 1.0; }};
    const Tuned tuned = tune(rows(), world.options(10'000)).or_fail();
    EXPECT_TRUE(tuned.changes.empty());
    EXPECT_EQ(tuned.tuned, tuned.untuned);
    EXPECT_GT(tuned.tried, 0U);
}

TEST(Tuner, WhatWasFastByAccidentIsMeasuredAgain) {
    std::size_t runs = 0;
    World world{.seconds = [](const std::string&) { return 1.0; }};
    TuningOptions options = world.options(10'000);
    options.compile = [&](const ir::Sdfg& candidate) {
        return capture([&]() -> MeasuredRun {
            const bool tiled = is_tiled(ir::to_text(candidate));
            return [&runs, tiled] { return tiled && ++runs <= 5 ? 0.5 : 1.0; };
        });
    };
    EXPECT_TRUE(tune(rows(), options).or_fail().changes.empty());
}

TEST(Tuner, CandidatesThatDoNotRunArePassedOver) {
    World world{.seconds = [](const std::string& text) { return is_tiled(text) ? 0.0 : 1.0; }};
    EXPECT_TRUE(tune(rows(), world.options(10'000)).or_fail().changes.empty());
    EXPECT_TRUE(std::ranges::any_of(world.trials, [](const Trial& trial) { return trial.seconds == 0; }));
}

TEST(Tuner, EndsWithItsBudget) {
    World world{.seconds = [](const std::string&) { return 1.0; }};
    tune(rows(), world.options(60)).or_fail();
    EXPECT_LE(world.time, 60 + 10 + 10);  // What was begun is ended, and the winner is measured again.
    EXPECT_GE(world.compiled, 2U);
}

TEST(Tuner, NoCandidateIsMeasuredTwice) {
    World world{.seconds = [](const std::string&) { return 1.0; }};
    std::set<std::string> texts;
    const auto seconds = world.seconds;
    world.seconds = [&](const std::string& text) {
        EXPECT_TRUE(texts.insert(text).second) << text;
        return 1.0;
    };
    tune(rows(), world.options(10'000)).or_fail();
}

TEST(Store, ClassesOfSizes) {
    EXPECT_EQ(size_class({}), "");
    EXPECT_EQ(size_class({{"N", 1000}, {"M", 1024}, {"K", 0}}), "K=0 M=1024 N=512");
    EXPECT_EQ(size_class({{"N", 600}}), size_class({{"N", 1000}}));
}

/// A folder of the setting `tuned` for one test.
class Kept : public testing::Test {
protected:
    Kept() : folder_(std::filesystem::temp_directory_path() / ("sluice_tuned_" + std::to_string(::getpid()))) {
        set_by_argument("tuned", folder_.string());
    }
    ~Kept() override {
        set_by_argument("tuned", "off");
        std::filesystem::remove_all(folder_);
    }
    static Tuned found() {
        World world{.seconds = [](const std::string& text) { return is_tiled(text) ? 1.0 : 2.0; }};
        return tune(rows(), world.options(10'000)).or_fail();
    }
    std::filesystem::path folder_;
};

TEST_F(Kept, IsTakenAtO3ForItsClassAlone) {
    const Tuned tuned = found();
    EXPECT_FALSE(may_be_tuned("rows"));
    keep_tuned(rows().program(), "N=512", tuned);
    EXPECT_TRUE(may_be_tuned("rows") && is_tuned(rows().program(), "N=512"));
    EXPECT_FALSE(may_be_tuned("row") || is_tuned(rows().program(), "N=1024"));
    for (const auto& [level, size_class, is_taken] :
         {std::tuple(Level::O3, "N=512", true), std::tuple(Level::O3, "N=1024", false), std::tuple(Level::O2, "N=512", false)}) {
        Session session = rows();
        EXPECT_EQ(run_tuned(session, level, size_class).or_fail(), is_taken);
        EXPECT_EQ(is_tiled(ir::to_text(session.program())), is_taken);
    }
}

TEST_F(Kept, WhatDoesNotFitAnyMoreIsNotTaken) {
    const std::filesystem::path file = keep_tuned(rows().program(), "", found());
    std::ofstream(file) << "MapTiling @ gone(map=gone)\n";
    Session session = rows();
    EXPECT_FALSE(run_tuned(session, Level::O3).or_fail());
    Session plain = rows();
    plain.run(pipeline(Level::O3)).or_fail();
    EXPECT_EQ(ir::to_text(session.program()), ir::to_text(plain.program()));
}

TEST_F(Kept, OffKeepsNothing) {
    const Tuned tuned = found();
    set_by_argument("tuned", "off");
    const Result<std::filesystem::path> file = capture([&] { return keep_tuned(rows().program(), "", tuned); });
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.error().code, "D032");
    EXPECT_FALSE(is_tuned(rows().program(), ""));
}

}  // namespace
}  // namespace sluice::driver
