// Runs a graph compiled and interpreted, each on its own copy of the arguments, and compares what they leave behind.
#pragma once

#include <cstring>
#include <map>

#include "driver/session.h"
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

/// The loops, by threads that take turns in several orders: without a race, and equal to what the interpreter leaves.
inline void interpret_loops(const ir::Sdfg& sdfg, const Arguments& arguments, const Arguments& expected) {
    for (const std::uint64_t seed : {0, 1, 2}) {
        Arguments after = arguments;
        driver::LoopArguments bound;
        for (auto& [name, bytes] : after.arrays) bound.parameters.push_back({bytes.data(), bytes.size()});
        for (auto& [name, value] : after.symbols) bound.parameters.push_back({reinterpret_cast<std::byte*>(&value), sizeof value});
        driver::LoopOptions options;
        options.seed = seed;
        options.threads = static_cast<std::int64_t>(4 - seed);
        const auto report = driver::Session(sdfg).interpret_loops(bound, options);
        if (!report && report.error().code == "I007") return;  // C++ of the user's.
        ASSERT_TRUE(report) << render(report.error());
        for (const Diagnostic& finding : report->findings) ADD_FAILURE() << render(finding);
        for (std::size_t at = 0; at < after.arrays.size(); ++at)
            EXPECT_TRUE(after.arrays[at].second == expected.arrays[at].second)
                << "`" << after.arrays[at].first << "` of the loops differs from the interpreter's, in order " << seed;
    }
}

/// What the compiled graph computes, after it was found equal to what the interpreter does, and the interpreter of its loops.
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
    interpret_loops(sdfg, arguments, interpreted);
    return compiled;
}

}  // namespace sluice::test
