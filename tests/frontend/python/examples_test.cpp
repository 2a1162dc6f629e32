// Every program of examples/ becomes a graph, without a Python interpreter.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontend/python/frontend.h"

namespace sluice::frontend {
namespace {

TEST(Examples, EveryProgramBuilds) {
    int built = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(SLUICE_SOURCE_DIR) / "examples")) {
        if (entry.path().extension() != ".py") continue;
        std::ifstream file(entry.path());
        std::ostringstream text;
        text << file.rdbuf();
        const auto programs = find_programs(text.str(), entry.path().string());
        ASSERT_TRUE(programs.ok()) << render(programs.error(), text.str());
        for (const Program& program : *programs) {
            const auto sdfg = build(program);
            EXPECT_TRUE(sdfg.ok()) << (sdfg.ok() ? "" : render(sdfg.error(), text.str()));
            ++built;
        }
    }
    EXPECT_GE(built, 5);
}

}  // namespace
}  // namespace sluice::frontend
