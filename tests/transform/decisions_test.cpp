// Every transformation says how it is decided, by predicates that are there; every predicate has a transformation that asks it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "transform/registry.h"

namespace sluice::test {
namespace {

/// Questions that the headers of analysis/legality and analysis/scop declare for others: about a graph, a range or a scop, with a
/// verdict.
std::set<std::string> predicates() {
    std::set<std::string> names;
    const std::regex declared(R"((?:^|\n)(?:Verdict|StateFusion) (\w+)\((?:const ir::Sdfg|const symbolic::Range|const Scop)&)");
    for (const char* folder : {"legality", "scop"})
        for (const auto& entry : std::filesystem::directory_iterator(std::string(SLUICE_SOURCE_DIR "/src/analysis/") + folder)) {
            if (entry.path().extension() != ".h") continue;
            std::ostringstream content;
            content << std::ifstream(entry.path()).rdbuf();
            const std::string text = content.str();
            for (std::sregex_iterator at(text.begin(), text.end(), declared), end; at != end; ++at) names.insert((*at)[1]);
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
