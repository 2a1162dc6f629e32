#include "fuzz/test_case.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "ir/query.h"
#include "ir/text.h"

namespace sluice::fuzz {

namespace {

constexpr std::string_view kPrefix = "# case:", kApply = "# apply: ";
constexpr std::int64_t kUsualExtent = 4;

template <class Number> bool read_number(std::string_view text, Number& into) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
    return error == std::errc() && end == text.data() + text.size();
}

bool read_word(const std::string& word, TestCase& test) {
    const std::size_t at = word.find('=');
    if (at == std::string::npos || at == 0) return false;
    const std::string name = word.substr(0, at), value = word.substr(at + 1);
    if (name == "inputs") return read_number(value, test.inputs);
    if (name == "indices") return read_number(value, test.indices);
    return read_number(value, test.symbols[name]);
}

}  // namespace

std::string to_text(const TestCase& test, const std::string& note) {
    std::string text = std::string(kPrefix) + " inputs=" + std::to_string(test.inputs);
    if (test.indices > 0) text += " indices=" + std::to_string(test.indices);
    for (const auto& [name, value] : test.symbols) text += " " + name + "=" + std::to_string(value);
    text += "\n";
    for (const std::string& line : test.recipe) text += std::string(kApply) + line + "\n";
    std::istringstream lines(note);
    for (std::string line; std::getline(lines, line);) text += "# " + line + "\n";
    return text + ir::to_text(test.sdfg);
}

Result<TestCase> parse_case(const std::string& text, const std::string& file) {
    return capture([&] {
        TestCase test{ir::parse_text(text, file).or_fail(), {}, 1};
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line) && line.starts_with('#');) {
            if (line.starts_with(kApply)) test.recipe.push_back(line.substr(kApply.size()));
            if (!line.starts_with(kPrefix)) continue;
            std::istringstream words(line.substr(kPrefix.size()));
            for (std::string word; words >> word;)
                if (!read_word(word, test))
                    fail({"Z001", "`" + word + "` is no value of a symbol", {}, file, "write name=integer, for example N=3", {}});
        }
        return test;
    });
}

void complete_symbols(TestCase& test) {
    for (const driver::Argument& argument : driver::signature_of(test.sdfg).arguments)
        if (argument.kind == driver::Argument::Kind::Symbol) test.symbols.try_emplace(argument.name, kUsualExtent);
    // The interpreter asks for all that are declared, used or not.
    const std::vector<std::string> assigned = ir::assigned_symbols(test.sdfg);
    for (const auto& [name, type] : test.sdfg.symbols)
        if (!std::ranges::binary_search(assigned, name) && !code::is_floating(type.scalar))
            test.symbols.try_emplace(name, kUsualExtent);
}

}  // namespace sluice::fuzz
