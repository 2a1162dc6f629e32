// Every transformation says how it is decided, by predicates that are there and that it calls; every predicate has a transformation
// that asks it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "transform/registry.h"

namespace sluice::test {
namespace {

std::string read(const std::filesystem::path& file) {
    std::ostringstream content;
    content << std::ifstream(file).rdbuf();
    return content.str();
}

std::set<std::string> found_in(const std::string& text, const std::regex& pattern) {
    std::set<std::string> names;
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) names.insert((*at)[1]);
    return names;
}

/// Questions that the headers of analysis/legality and analysis/scop declare for others: about a graph, a range or a scop, with a
/// verdict.
std::set<std::string> predicates() {
    std::set<std::string> names;
    const std::regex declared(
        R"((?:^|\n)(?:Verdict|StateFusion) (\w+)\((?:const ir::Sdfg|const symbolic::(?:Range|Subset)|const Scop)&)");
    for (const char* folder : {"legality", "scop"})
        for (const auto& entry : std::filesystem::directory_iterator(std::string(SLUICE_SOURCE_DIR "/src/analysis/") + folder)) {
            if (entry.path().extension() == ".h") names.merge(found_in(read(entry.path()), declared));
        }
    return names;
}

TEST(Decisions, AreTakenByExactSetsOrByStructure) {
    const std::set<std::string> known = predicates();
    for (const rewrite::Transformation* transformation : transform::builtin().all()) {
        const rewrite::Decision& decision = transformation->descriptor.decided_by;
        EXPECT_NE(decision.predicates.empty(), decision.structural.empty())
            << transformation->descriptor.name << " is decided by predicates, or by its structure with the reason";
        for (const std::string& predicate : decision.predicates)
            EXPECT_TRUE(known.contains(predicate)) << transformation->descriptor.name << " asks " << predicate;
    }
}

/// Each file with a descriptor, and what it calls: in itself, or in what it shares with others of transform/.
TEST(Decisions, NameWhatTheyCall) {
    const std::filesystem::path folder = SLUICE_SOURCE_DIR "/src";
    const std::regex shared("#include \"(transform/[\\w/]+)\\.h\""), named("\"(\\w+)\""), called("\\b(\\w+)\\(");
    std::size_t checked = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "transform")) {
        const std::string text = entry.path().extension() == ".cpp" ? read(entry.path()) : "";
        const std::size_t begin = text.find(".predicates = {");
        if (begin == std::string::npos) continue;
        std::set<std::string> calls = found_in(text, called), seen;
        for (std::set<std::string> headers = found_in(text, shared); !headers.empty();) {
            const std::string header = headers.extract(headers.begin()).value();
            if (!seen.insert(header).second) continue;
            const std::string both = read(folder / (header + ".h")) + read(folder / (header + ".cpp"));
            calls.merge(found_in(both, called));
            headers.merge(found_in(both, shared));
        }
        for (const std::string& predicate : found_in(text.substr(begin, text.find('}', begin) - begin), named)) {
            EXPECT_TRUE(calls.contains(predicate)) << entry.path() << " names " << predicate << " and does not call it";
            ++checked;
        }
    }
    EXPECT_GT(checked, 30u);
}

TEST(Decisions, AskEveryPredicate) {
    std::set<std::string> asked;
    for (const rewrite::Transformation* transformation : transform::builtin().all()) {
        const std::vector<std::string>& predicates = transformation->descriptor.decided_by.predicates;
        asked.insert(predicates.begin(), predicates.end());
    }
    for (const std::string& predicate : predicates()) EXPECT_TRUE(asked.contains(predicate)) << predicate << " has no caller";
    EXPECT_GT(asked.size(), 10u);
}

}  // namespace
}  // namespace sluice::test
