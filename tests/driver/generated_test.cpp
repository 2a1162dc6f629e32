// The C++ of ten tiny programs, one for each decision that a reader of generated code looks for: generated/NAME.txt is the graph,
// generated/NAME.golden the code. With SLUICE_BLESS=1 in the environment the code is rewritten.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "driver/session.h"

namespace sluice::driver {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> graphs() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(SLUICE_SOURCE_DIR "/tests/driver/generated"))
        if (entry.path().extension() == ".txt") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

std::string golden_text(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

TEST(Generated, CodeIsAsItWasReadLast) {
    EXPECT_EQ(graphs().size(), 10u);
    for (const fs::path& graph : graphs()) {
        std::string code = Session(read_programs(graph).or_fail().front()).source().or_fail();
        code.erase(code.find("\nextern \"C\""));  // The entry points are the same for all programs.
        const fs::path golden = fs::path(graph).replace_extension(".golden");
        if (std::getenv("SLUICE_BLESS")) std::ofstream(golden) << code;
        EXPECT_EQ(code, golden_text(golden)) << graph << ": read the difference; SLUICE_BLESS=1 takes the new code";
    }
}

}  // namespace
}  // namespace sluice::driver
