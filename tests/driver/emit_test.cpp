// What a failed `emit` leaves behind: nothing, and everything that was there before.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "driver/compile.h"
#include "driver/staging.h"
#include "ir/builder.h"

namespace sluice::driver {
namespace {

namespace fs = std::filesystem;

ir::Sdfg increment(const std::string& name) {
    ir::Sdfg graph;
    graph.name = name;
    graph.arg_names = {"x"};
    ir::add_array(graph, "x", code::Scalar::Float64, {symbolic::Expr(4)});
    ir::add_state(graph, "main").mapped_tasklet("plus", {{"i", "0:4"}}, {{"u", "x[i]"}}, "w = u + 1", {{"w", "x[i]"}});
    return graph;
}

void write(const fs::path& path, const std::string& text) {
    std::ofstream(path) << text;
}

std::string text_of(const fs::path& path) {
    if (!fs::is_regular_file(path)) return {};
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& each : fs::recursive_directory_iterator(folder)) names.push_back(fs::relative(each.path(), folder).string());
    std::ranges::sort(names);
    return names;
}

class Emit : public ::testing::Test {
protected:
    std::string refusal(const fs::path& folder) {
        const auto refused = emit(increment("more"), folder, options_);
        return refused.ok() ? "" : refused.error().code + " " + refused.error().message;
    }

    PrivateFolder cache_{std::filesystem::temp_directory_path() / "sluice-test"},
        folder_{std::filesystem::temp_directory_path() / "sluice-test"};
    CompileOptions options_{.cache = cache_.path(), .use_cache = true, .parallel = true, .extra_flags = {}};
};

TEST_F(Emit, AFreshFolderMayLieDeepAndIsReadableByOthers) {
    const fs::path out = folder_.path() / "a" / "b" / "out";
    ASSERT_EQ(refusal(out), "");
    EXPECT_TRUE(fs::exists(out / "libmore.so"));
    EXPECT_TRUE(fs::exists(out / "sluice" / "abi.h"));
    EXPECT_EQ(names_in(folder_.path() / "a" / "b").front(), "out");
    fs::create_directory(folder_.path() / "plain");
    EXPECT_EQ(fs::status(out).permissions(), fs::status(folder_.path() / "plain").permissions());
}

TEST_F(Emit, FilesHideNothingOfTheSystem) {
    for (const char* name : {"m", "stdint"}) {
        const auto stem = emit(increment(name), folder_.path(), options_);
        ASSERT_TRUE(stem) << render(stem.error());
        EXPECT_EQ(*stem, name + std::string("_"));
    }
    EXPECT_EQ(emit(increment("more"), folder_.path(), options_).value(), "more");
    const std::vector<std::string> names = names_in(folder_.path());
    for (const char* there : {"libm_.so", "m_.h", "stdint_.h", "stdint_.sdfg"}) EXPECT_EQ(std::ranges::count(names, there), 1);
    for (const char* taken : {"libm.so", "stdint.h"}) EXPECT_EQ(std::ranges::count(names, taken), 0);
}

TEST_F(Emit, AnExistingFolderKeepsWhatIsNotReplaced) {
    write(folder_.path() / "notes.txt", "mine");
    write(folder_.path() / "more.h", "of an earlier run");
    ASSERT_EQ(refusal(folder_.path()), "");
    EXPECT_EQ(text_of(folder_.path() / "notes.txt"), "mine");
    EXPECT_NE(text_of(folder_.path() / "more.h"), "of an earlier run");
    const std::vector<std::string> once = names_in(folder_.path());
    ASSERT_EQ(refusal(folder_.path()), "");
    EXPECT_EQ(names_in(folder_.path()), once);
}

TEST_F(Emit, AFileInPlaceOfTheFolderStays) {
    write(folder_.path() / "file", "in the way");
    EXPECT_EQ(refusal(folder_.path() / "file").substr(0, 4), "D004");
    EXPECT_EQ(refusal(folder_.path() / "file" / "below").substr(0, 4), "D004");
    EXPECT_EQ(text_of(folder_.path() / "file"), "in the way");
    EXPECT_EQ(names_in(folder_.path()), std::vector<std::string>{"file"});
}

// Whichever of the files cannot be written, the others come back as they were: each of them is tried.
TEST_F(Emit, AFolderInPlaceOfAFileLeavesTheOthersAsTheyWere) {
    for (const char* blocked : {"libmore.so", "more.h", "more.cpp", "more.sdfg"}) {
        const fs::path out = folder_.path() / blocked / "out";
        fs::create_directories(out / blocked);
        for (const char* other : {"libmore.so", "more.h", "more.cpp", "more.sdfg"})
            if (std::string(other) != blocked) write(out / other, "before");
        const std::vector<std::string> names = names_in(out);
        const std::string why = refusal(out);
        EXPECT_EQ(why.substr(0, 4), "D004") << blocked;
        EXPECT_NE(why.find((out / blocked).string()), std::string::npos) << why;
        EXPECT_EQ(names_in(out), names) << blocked;
        for (const char* other : {"libmore.so", "more.h", "more.cpp", "more.sdfg"})
            EXPECT_EQ(text_of(out / other), std::string(other) == blocked ? "" : "before") << blocked << " " << other;
    }
}

TEST_F(Emit, AFileInPlaceOfTheHeadersFolderLeavesNothing) {
    write(folder_.path() / "sluice", "in the way");
    EXPECT_EQ(refusal(folder_.path()).substr(0, 4), "D004");
    EXPECT_EQ(names_in(folder_.path()), std::vector<std::string>{"sluice"});
}

TEST_F(Emit, AStagingFolderThatIsNotPublishedWasNeverThere) {
    {
        const Staging staging(folder_.path() / "a" / "b" / "out");
        write(staging.path() / "text", "lost");
        EXPECT_TRUE(fs::exists(folder_.path() / "a" / "b"));
    }
    EXPECT_TRUE(names_in(folder_.path()).empty());
}

}  // namespace
}  // namespace sluice::driver
