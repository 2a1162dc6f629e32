// The textual form of the loop IR loses nothing: what is parsed prints the same text and becomes the same C++.
#include "loop/text.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "analysis/propagate.h"
#include "codegen/cpu/print.h"
#include "driver/compile.h"
#include "driver/decisions.h"
#include "ir/verify.h"
#include "loop/origins.h"
#include "loop/verify.h"
#include "loop/walk.h"
#include "lower/lower.h"

namespace sluice::driver {
namespace {

void round_trip(ir::Sdfg graph, bool parallel) {
    analysis::propagate_memlets(graph);
    if (!ir::verify(graph).empty()) return;
    if (parallel) {
        analysis::Machine eager;
        eager.team = 1;
        auto decided = with_decisions(graph, eager);
        if (!decided.ok()) return;
        graph = *std::move(decided);
    }
    const auto lowered = lower::lower(graph, {.parallel = parallel});
    if (!lowered.ok()) return;  // Refusals have tests of their own.
    const auto says_where = [&](const loop::Statement& one) {
        EXPECT_FALSE(loop::path_of_origin(*lowered, one).empty()) << loop::to_text(*lowered, one);
    };
    loop::for_each_statement(lowered->program.body, says_where);
    for (const loop::Function& function : lowered->functions) loop::for_each_statement(function.body, says_where);
    const std::string text = loop::to_text(*lowered);
    const auto parsed = loop::parse_text(text, graph.name);
    ASSERT_TRUE(parsed.ok()) << render(parsed.error(), text) << text;
    EXPECT_EQ(loop::to_text(*parsed), text);
    EXPECT_TRUE(loop::verify(*parsed).empty()) << loop::verify(*parsed).front();
    const codegen::Artifact expected = codegen::print_cpu(*lowered), actual = codegen::print_cpu(*parsed);
    EXPECT_EQ(actual.unit(codegen::Unit::Kind::Header).text, expected.unit(codegen::Unit::Kind::Header).text);
    EXPECT_EQ(actual.link_words, expected.link_words);
    // Comments name places in the user's source, which the text does not hold.
    const auto code_of = [](const std::string& source) {
        std::string result;
        std::size_t begin = 0;
        while (begin < source.size()) {
            const std::size_t end = std::min(source.find('\n', begin), source.size());
            const std::string line = source.substr(begin, end - begin);
            result += line.substr(0, line.find("//")) + "\n";
            begin = end + 1;
        }
        return result;
    };
    EXPECT_EQ(code_of(actual.host()), code_of(expected.host()));
}

/// Every source below a folder.
int round_trip_all(const std::filesystem::path& folder) {
    int programs = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const std::string suffix = entry.path().extension();
        if (suffix != ".py" && suffix != ".sdfg" && suffix != ".sluice" && suffix != ".txt") continue;
        const auto graphs = read_programs(entry.path());
        if (!graphs.ok()) continue;
        for (const ir::Sdfg& graph : *graphs) {
            SCOPED_TRACE(entry.path().string() + ": " + graph.name);
            round_trip(graph, true);
            round_trip(graph, false);
            ++programs;
        }
    }
    return programs;
}

TEST(LoopText, EveryExampleComesBack) {
    EXPECT_GE(round_trip_all(std::filesystem::path(SLUICE_SOURCE_DIR) / "examples"), 11);
}

TEST(LoopText, EveryGraphOfTheTestsComesBack) {
    EXPECT_GE(round_trip_all(std::filesystem::path(SLUICE_SOURCE_DIR) / "tests"), 20);
}

}  // namespace
}  // namespace sluice::driver
