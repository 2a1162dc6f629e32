// Runs the cases of the text files in this folder: a graph, a recipe, and the graph or the refusal that must come out.
//
//     === case two nested maps
//     sdfg ... { ... }
//     === apply N=7
//     MapCollapse @ main(outer=rows, inner=columns)
//     === expect
//     sdfg ... { ... }
//
// Instead of a graph, `=== program` takes Python source. Instead of `expect`: `=== refused C2 part of the sentence`, `=== error
// E004 ...`, or `=== same` where only the four checks matter. These are made of every graph that comes out: it verifies, its text
// reads back as itself, the interpreter leaves the same memory before and after (in three orders), and the recorded recipe replays
// to the same graph. With SLUICE_BLESS=1 in the environment the expected graphs are rewritten.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "driver/compile.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "memory.h"
#include "rewrite/session.h"
#include "transform/registry.h"

namespace sluice::test {
namespace {

struct Section {
    std::string kind, rest, text;
};
struct Case {
    std::filesystem::path file;
    std::string name;
    std::vector<Section> sections;
};

/// Cases of all files, in the order of their paths.
std::vector<std::filesystem::path> case_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(SLUICE_SOURCE_DIR "/tests/transform"))
        if (entry.path().extension() == ".txt") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

std::vector<Case> cases_of(const std::filesystem::path& file) {
    std::vector<Case> cases;
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line)) {
        if (line.starts_with("=== ")) {
            std::istringstream words(line.substr(4));
            std::string kind, rest;
            words >> kind;
            std::getline(words >> std::ws, rest);
            if (kind == "case")
                cases.push_back({file, rest, {{"graph", "", ""}}});
            else if (!cases.empty())
                cases.back().sections.push_back({kind, rest, ""});
        } else if (!cases.empty()) {
            cases.back().sections.back().text += line + "\n";
        }
    }
    return cases;
}

/// The graph of a case: its text, or the first program of Python source.
Result<ir::Sdfg> graph_of(const Case& test) {
    const auto program = std::ranges::find(test.sections, "program", &Section::kind);
    if (program == test.sections.end()) return ir::parse_text(test.sections[0].text, test.file.string());
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("sluice_case_" + std::to_string(::getpid()) + ".py");
    std::ofstream(path) << program->text;
    auto programs = driver::read_programs(path);
    std::filesystem::remove(path);
    if (!programs) return programs.error();
    return programs->front();
}

std::map<std::string, std::int64_t> sizes_of(const std::string& text) {
    std::map<std::string, std::int64_t> sizes;
    std::istringstream words(text);
    for (std::string word; words >> word;) sizes[word.substr(0, word.find('='))] = std::stoll(word.substr(word.find('=') + 1));
    return sizes;
}

void four_checks(const ir::Sdfg& before, const rewrite::Session& after, const std::map<std::string, std::int64_t>& given) {
    for (const Diagnostic& problem : ir::verify(after.program())) ADD_FAILURE() << render(problem);

    const std::string text = ir::to_text(after.program());
    const auto again = ir::parse_text(text);
    ASSERT_TRUE(again) << render(again.error()) << text;
    EXPECT_TRUE(*again == after.program()) << "the text reads back as another graph:\n" << text;

    const auto symbols = symbol_values(before, given);
    const auto expected = run(before, symbols, 0, after.program().constants);
    ASSERT_TRUE(expected) << render(expected.error());
    for (const std::uint64_t seed : {0, 1, 2}) {
        const auto actual = run(after.program(), symbols, seed);
        ASSERT_TRUE(actual) << render(actual.error()) << text;
        for (const auto& [name, bytes] : expected->bytes) {
            if (after.program().constants.contains(name)) continue;
            EXPECT_TRUE(actual->bytes.at(name) == bytes) << name << " differs under seed " << seed << "\n" << text;
        }
    }

    rewrite::Session replayed(before, transform::builtin());
    const auto done = replayed.replay(after.recipe());
    ASSERT_TRUE(done) << render(done.error());
    EXPECT_TRUE(replayed.program() == after.program()) << "the recipe replays to another graph:\n" << after.recipe();
}

/// The text that should stand in the file for this case's `expect`, where it differs.
std::optional<std::string> check_case(const Case& test) {
    const auto graph = graph_of(test);
    if (!graph) {
        ADD_FAILURE() << render(graph.error(), test.sections[0].text);
        return {};
    }
    for (const Diagnostic& problem : ir::verify(*graph)) ADD_FAILURE() << render(problem);
    rewrite::Session session(*graph, transform::builtin());
    session.verify_everything(true);
    const ir::Sdfg before = session.program();
    std::optional<Diagnostic> error;
    std::map<std::string, std::int64_t> sizes;
    for (const Section& section : test.sections) {
        if (section.kind == "apply") {
            sizes = sizes_of(section.rest);
            if (const auto done = session.replay(section.text); !done) error = done.error();
        } else if (section.kind == "refused" || section.kind == "error") {
            const std::size_t space = std::min(section.rest.find(' '), section.rest.size());
            const std::string code = section.rest.substr(0, space);
            const std::string part = space < section.rest.size() ? section.rest.substr(space + 1) : "";
            if (!error) {
                ADD_FAILURE() << "expected " << section.kind << " " << code << ", but it applies:\n"
                              << ir::to_text(session.program());
                return {};
            }
            const std::string wanted = section.kind == "refused" ? "refused (" + code + ")" : code;
            const std::string text = section.kind == "refused" ? error->message : error->code + " " + error->message;
            EXPECT_NE(text.find(wanted), std::string::npos) << render(*error);
            EXPECT_NE(render(*error).find(part), std::string::npos) << render(*error);
            EXPECT_TRUE(session.program() == before) << "a refusal changed the program";
            return {};
        } else if (section.kind == "expect" || section.kind == "same") {
            if (error) {
                ADD_FAILURE() << render(*error);
                return {};
            }
            four_checks(*graph, session, sizes);
            if (section.kind == "same") return {};
            const std::string actual = ir::to_text(session.program());
            const auto expected = ir::parse_text(section.text);
            if (expected && *expected == session.program()) return {};
            return actual;
        }
    }
    ADD_FAILURE() << "the case has no expect, same, refused or error section";
    return {};
}

void bless(const Case& test, const std::string& text) {
    std::ifstream in(test.file);
    std::ostringstream content;
    content << in.rdbuf();
    std::string file = content.str();
    const std::size_t begin = file.find("=== case " + test.name + "\n");
    const std::size_t expect = file.find("=== expect\n", begin) + std::string("=== expect\n").size();
    const std::size_t end = std::min(file.find("=== case ", expect), file.size());
    file.replace(expect, end - expect, text + (end < file.size() ? "\n" : ""));
    std::ofstream(test.file) << file;
}

class TransformCase : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(TransformCase, Holds) {
    for (const Case& test : cases_of(GetParam().first)) {
        if (test.name != GetParam().second) continue;
        const auto wanted = check_case(test);
        if (!wanted) continue;
        if (std::getenv("SLUICE_BLESS"))
            bless(test, *wanted);
        else
            ADD_FAILURE() << "another graph comes out (SLUICE_BLESS=1 accepts it):\n" << *wanted;
    }
}

std::vector<std::pair<std::string, std::string>> all_cases() {
    std::vector<std::pair<std::string, std::string>> names;
    for (const std::filesystem::path& file : case_files())
        for (const Case& test : cases_of(file)) names.emplace_back(file.string(), test.name);
    return names;
}

std::string test_name(const testing::TestParamInfo<std::pair<std::string, std::string>>& info) {
    std::string name = std::filesystem::path(info.param.first).parent_path().filename().string() + "_" +
                       std::filesystem::path(info.param.first).stem().string() + "_" + info.param.second;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, TransformCase, testing::ValuesIn(all_cases()), test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TransformCase);

/// What a refusal is about.
std::string last_line(std::string text) {
    text.erase(text.find_last_not_of('\n') + 1);
    return text.substr(text.rfind('\n') + 1);
}

TEST(Cases, EveryTransformationHasACaseFile) {
    for (const rewrite::Transformation* transformation : transform::builtin().all()) {
        const std::string& group = transformation->descriptor.group;
        bool found = false;
        for (const auto& file : case_files()) {
            std::ifstream in(file);
            std::ostringstream text;
            text << in.rdbuf();
            found = found || (file.parent_path().filename() == group &&
                              text.str().find("\n" + transformation->descriptor.name + " @") != std::string::npos);
        }
        EXPECT_TRUE(found) << "no case in tests/transform/" << group << "/ applies " << transformation->descriptor.name;
    }
}

TEST(Cases, EveryConditionOfATransformationIsViolatedByACase) {
    for (const rewrite::Transformation* transformation : transform::builtin().all()) {
        std::string refused;
        for (const auto& file : case_files())
            for (const Case& test : cases_of(file)) {
                bool about = false;
                for (const Section& section : test.sections)
                    about = about || (section.kind == "apply" &&
                                      last_line(section.text).starts_with(transformation->descriptor.name + " @"));
                for (const Section& section : test.sections)
                    if (about && section.kind == "refused") refused += " " + section.rest.substr(0, section.rest.find(' ')) + " ";
            }
        for (const rewrite::Condition& condition : transformation->descriptor.conditions)
            EXPECT_NE(refused.find(" " + condition.code + " "), std::string::npos)
                << transformation->descriptor.name << ": no case is refused by " << condition.code << ", " << condition.sentence;
    }
}

}  // namespace
}  // namespace sluice::test
