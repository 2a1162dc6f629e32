// Runs a graph compiled and interpreted, each on its own copy of the arguments, and compares what they leave behind.
#pragma once

#include <cstring>
#include <map>

#include "interpret/interpret.h"
#include "ir/text.h"
#include "run_program.h"

namespace sluice::test {

inline ir::Sdfg graph(const std::string& text) {
    auto parsed = ir::parse_text(text);
    if (!parsed) {
        ADD_FAILURE() << render(parsed.error());
        return {};
    }
    for (const Diagnostic& problem : ir::verify(*parsed)) ADD_FAILURE() << render(problem);
    return std::move(*parsed);
}

/// Bytes of every array by name; symbols by name. Arguments are passed in the order of the names given here.
struct Arguments {
    std::vector<std::pair<std::string, std::vector<std::byte>>> arrays;
    std::vector<std::pair<std::string, std::int64_t>> symbols;

    template <class T> Arguments& array(const std::string& name, const std::vector<T>& values) {
        std::vector<std::byte> bytes(values.size() * sizeof(T));
        std::memcpy(bytes.data(), values.data(), bytes.size());
        arrays.emplace_back(name, std::move(bytes));
        return *this;
    }
    Arguments& symbol(const std::string& name, std::int64_t value) {
        symbols.emplace_back(name, value);
        return *this;
    }
    template <class T> std::vector<T> values(const std::string& name) const {
        for (const auto& [own, bytes] : arrays)
            if (own == name) {
                std::vector<T> result(bytes.size() / sizeof(T));
                std::memcpy(result.data(), bytes.data(), bytes.size());
                return result;
            }
        return {};
    }
};

inline void interpret_program(const ir::Sdfg& sdfg, Arguments& arguments) {
    interpret::Arguments bound;
    for (auto& [name, bytes] : arguments.arrays) bound.memory[name] = bytes.data();
    for (const auto& [name, value] : arguments.symbols) bound.symbols[name] = value;
    const auto report = interpret::interpret(sdfg, bound);
    ASSERT_TRUE(report) << render(report.error());
}

/// What the compiled graph computes, after it was found equal to what the interpreter does.
inline Arguments run_both(const ir::Sdfg& sdfg, const Arguments& arguments) {
    Arguments compiled = arguments, interpreted = arguments;
    std::vector<void*> addresses;
    for (auto& [name, bytes] : compiled.arrays) addresses.push_back(bytes.data());
    for (auto& [name, value] : compiled.symbols) addresses.push_back(&value);
    run_program(sdfg, addresses);
    interpret_program(sdfg, interpreted);
    for (std::size_t at = 0; at < compiled.arrays.size(); ++at)
        EXPECT_TRUE(compiled.arrays[at].second == interpreted.arrays[at].second)
            << "`" << compiled.arrays[at].first << "` differs from the interpreter's";
    return compiled;
}

}  // namespace sluice::test
