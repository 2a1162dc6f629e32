// Reduction keeps what matters and drops the rest.
#include "fuzz/reduce.h"

#include <algorithm>
#include <regex>

#include "checks.h"
#include "fuzz/generate.h"
#include "fuzz/random.h"
#include "ir/text.h"

namespace sluice::fuzz {
namespace {

/// The first graph of a seed whose text has all the words.
TestCase graph_with(std::uint64_t seed, const std::vector<std::string>& words) {
    GenerateOptions options;
    options.swarm = false;
    options.size = 4;
    options.features.erase(Feature::Streams);  // a worker of a consume scope is no map
    for (std::uint64_t k = 0;; ++k) {
        TestCase test = generate(derived_seed(seed, k), options);
        const std::string text = ir::to_text(test.sdfg);
        if (std::ranges::all_of(words, [&](const std::string& word) { return text.find(word) != std::string::npos; })) return test;
    }
}

std::size_t count(const TestCase& test, const std::string& word) {
    const std::string text = ir::to_text(test.sdfg);
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
}

bool has(const TestCase& test, const std::string& word) {
    return ir::to_text(test.sdfg).find(word) != std::string::npos;
}

TEST(Reduce, LeavesOneMapOfAllThatHasAResolution) {
    const TestCase test = graph_with(5, {"wcr=", "nested ", "loop "});
    CheckOptions once;
    once.orders = {};
    once.step_limit = 20000;  // some candidates never end
    const auto fails = [&](const TestCase& candidate) {
        static const std::regex kLeavesMap(R"(\.OUT_[^\n]*wcr=)");
        const std::string text = to_text(candidate);
        return std::regex_search(text, kLeavesMap) && !interpret_case(candidate, once).finding;
    };
    ASSERT_TRUE(fails(test));
    const TestCase smallest = reduce(test, fails);
    EXPECT_TRUE(fails(smallest));
    EXPECT_LT(to_text(smallest).size(), 500u) << to_text(smallest);
    EXPECT_EQ(count(smallest, "map_entry"), 1u) << to_text(smallest);
    for (const char* word : {"nested ", "loop ", "conditional ", "region "}) EXPECT_FALSE(has(smallest, word)) << to_text(smallest);
    EXPECT_FALSE(has(smallest, "erased")) << to_text(smallest);
    EXPECT_EQ(to_text(reduce(test, fails)), to_text(smallest)) << "the same input, another result";
}

TEST(Reduce, FindsItsWayIntoNestedGraphs) {
    const TestCase test = graph_with(2, {"nested ", "library Reduce"});
    const auto fails = [](const TestCase& candidate) { return has(candidate, "library Reduce"); };
    const TestCase smallest = reduce(test, fails);
    EXPECT_TRUE(fails(smallest));
    EXPECT_FALSE(has(smallest, "nested ")) << to_text(smallest);
    EXPECT_FALSE(has(smallest, "map_entry")) << to_text(smallest);
}

TEST(Reduce, WhatCannotBeReducedStays) {
    const TestCase test = graph_with(3, {"map_entry"});
    const std::string text = to_text(test);
    EXPECT_EQ(to_text(reduce(test, [&](const TestCase& candidate) { return to_text(candidate) == text; })), text);
}

}  // namespace
}  // namespace sluice::fuzz
