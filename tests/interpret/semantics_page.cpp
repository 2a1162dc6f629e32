// docs/semantics.md says which function carries out which rule, and which tests hold it: names that are there, and all of them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace sluice::interpret {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::set<std::string> all_matches(const std::string& text, const std::string& pattern) {
    std::set<std::string> found;
    const std::regex expression(pattern);
    for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) found.insert((*at)[1]);
    return found;
}

struct Row {
    std::string rule;
    std::set<std::string> functions, files, tests;
};

/// Rows whose third cell is a source file.
std::vector<Row> rows() {
    std::vector<Row> found;
    std::istringstream lines(text_of(SLUICE_SOURCE_DIR "/docs/semantics.md"));
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| ")) continue;
        std::vector<std::string> cells;
        std::istringstream rest(line.substr(2));
        for (std::string cell; std::getline(rest, cell, '|');) cells.push_back(cell);
        if (cells.size() != 4 || cells[2].find(".cpp") == std::string::npos) continue;
        const std::string name = "`([^`]+)`";
        found.push_back({cells[0], all_matches(cells[1], name), all_matches(cells[2], name), all_matches(cells[3], name)});
    }
    return found;
}

std::set<std::string> functions_in(const std::string& file) {
    return all_matches(text_of(fs::path(SLUICE_SOURCE_DIR "/src/interpret") / file), R"((?:^|\n)[\w:<>& *]*Machine::(\w+)\()");
}

TEST(SemanticsPage, NamesEveryFunctionThatIsARule) {
    std::set<std::string> named, files;
    for (const Row& row : rows()) {
        EXPECT_FALSE(row.functions.empty()) << row.rule;
        std::set<std::string> there;
        for (const std::string& file : row.files) there.merge(functions_in(file));
        for (const std::string& function : row.functions) EXPECT_TRUE(there.contains(function)) << row.rule << ": " << function;
        named.insert(row.functions.begin(), row.functions.end());
        files.insert(row.files.begin(), row.files.end());
    }
    EXPECT_GE(files.size(), 10u);
    for (const std::string& file : files)
        for (const std::string& function : functions_in(file)) EXPECT_TRUE(named.contains(function)) << file << ": " << function;
}

TEST(SemanticsPage, HasARowForEveryRuleOfThePapers) {
    std::string rules;
    for (const Row& row : rows()) rules += row.rule + "\n";
    for (const char* rule : {"call", "element processing", "memlet", "data", "tasklet", "mapentry", "consume-entry", "reduce",
                             "stream (1)", "stream (2)", "stream (3)", "invoke", "state transition"})
        EXPECT_NE(rules.find(rule), std::string::npos) << rule;
}

TEST(SemanticsPage, NamesTestsThatExist) {
    std::set<std::string> tests;
    for (const auto& entry : fs::directory_iterator(SLUICE_SOURCE_DIR "/tests/interpret"))
        for (const std::string& test : all_matches(text_of(entry.path()), R"(\nTEST\((\w+, \w+)\))")) {
            const std::size_t comma = test.find(',');
            tests.insert(test.substr(0, comma) + "." + test.substr(comma + 2));
            tests.insert(test.substr(0, comma) + ".*");
        }
    for (const Row& row : rows()) {
        EXPECT_FALSE(row.tests.empty()) << row.rule;
        for (const std::string& test : row.tests) EXPECT_TRUE(tests.contains(test)) << row.rule << ": " << test;
    }
}

}  // namespace
}  // namespace sluice::interpret
