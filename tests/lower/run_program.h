// Compiles a graph and runs it on arrays that the test owns.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "driver/compile.h"
#include "driver/decisions.h"
#include "ir/builder.h"
#include "ir/verify.h"
#include "loop/text.h"
#include "lower/lower.h"

namespace sluice::test {

/// The loop IR of a graph that must lower, with its decisions taken.
inline std::string lowered(const ir::Sdfg& sdfg, const lower::LowerOptions& options = {}, analysis::Machine machine = {}) {
    if (!options.parallel) machine.threads = 1;
    const auto module = lower::lower(driver::with_decisions(sdfg, machine).or_fail(), options);
    if (module) return loop::to_text(*module);
    ADD_FAILURE() << render(module.error());
    return {};
}

/// Runs a graph that must compile, on teams of threads however small it is; arguments are addresses in the order of the signature,
/// symbols 64-bit integers.
inline void run_program(const ir::Sdfg& sdfg, const std::vector<void*>& arguments) {
    driver::CompileOptions options;
    options.cache = std::filesystem::temp_directory_path() / "sluice-test-lower";
    options.extra_flags = {"-O1"};
    analysis::Machine eager;
    eager.team = eager.meeting = 1;
    const auto decided = driver::with_decisions(sdfg, eager);
    ASSERT_TRUE(decided) << render(decided.error());
    auto program = driver::compile(*decided, options);
    ASSERT_TRUE(program) << render(program.error()) << lowered(sdfg);
    const auto done = program->run(arguments);
    ASSERT_TRUE(done) << render(done.error()) << program->source();
}

}  // namespace sluice::test
