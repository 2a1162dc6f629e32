// Modules written as text, run over arrays of a test.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "interpret/loop/interpret.h"
#include "loop/text.h"
#include "loop/verify.h"

namespace sluice::interpret::loops::test {

inline loop::Module module_of(const std::string& text) {
    Result<loop::Module> module = loop::parse_text("module m\n" + text);
    if (!module) {
        ADD_FAILURE() << render(module.error());
        return {};
    }
    for (const std::string& violation : loop::verify(*module)) ADD_FAILURE() << violation;
    return std::move(*module);
}

template <class T> Region region(std::vector<T>& values) {
    return {reinterpret_cast<std::byte*>(values.data()), values.size() * sizeof(T)};
}
inline Region region(std::int64_t& value) {
    return {reinterpret_cast<std::byte*>(&value), sizeof value};
}

inline Result<Report> run(const std::string& text, std::vector<Region> arguments, std::uint64_t seed = 0,
                          std::int64_t threads = 3) {
    Options options;
    options.seed = seed;
    options.threads = threads;
    options.step_limit = 100000;
    return interpret(module_of(text), {std::move(arguments)}, options);
}

/// The module runs without a finding.
inline void expect_clean(const std::string& text, std::vector<Region> arguments, std::uint64_t seed, std::int64_t threads) {
    const Result<Report> report = run(text, std::move(arguments), seed, threads);
    ASSERT_TRUE(report) << render(report.error());
    for (const Diagnostic& finding : report->findings) ADD_FAILURE() << render(finding);
}

/// In every order and with any number of threads but one there is this finding, which names these pieces of text.
inline void expect_found(const std::string& text, const std::string& code, const std::vector<std::string>& pieces,
                         const std::function<std::vector<Region>()>& arguments) {
    for (std::uint64_t seed = 0; seed < 4; ++seed)
        for (const std::int64_t threads : {2, 3, 4}) {
            const Result<Report> report = run(text, arguments(), seed, threads);
            const Diagnostic* found = nullptr;
            if (!report) found = &report.error();
            for (std::size_t at = 0; report && at < report->findings.size() && !found; ++at)
                if (report->findings[at].code == code) found = &report->findings[at];
            ASSERT_NE(found, nullptr) << "nothing found with seed " << seed << " and " << threads << " threads";
            EXPECT_EQ(found->code, code);
            for (const std::string& piece : pieces) EXPECT_NE(render(*found).find(piece), std::string::npos) << render(*found);
        }
}

}  // namespace sluice::interpret::loops::test
