// Programs as scops, and graphs made of these, beside the interpreter.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "../../transform/memory.h"
#include "analysis/scop/rebuild.h"
#include "analysis/scop/reorder.h"
#include "analysis/symbols.h"
#include "driver/compile.h"
#include "driver/session.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace sluice::test {

/// The programs of a file, simplified, by name.
inline std::vector<ir::Sdfg> simplified(const std::filesystem::path& file) {
    std::vector<ir::Sdfg> programs;
    const Result<std::vector<ir::Sdfg>> read = driver::read_programs(file);
    EXPECT_TRUE(read.ok()) << file << ": " << (read.ok() ? "" : render(read.error()));
    if (!read.ok()) return programs;
    for (const ir::Sdfg& program : *read) {
        driver::Session session(program);
        const auto done = session.simplify();
        EXPECT_TRUE(done.ok()) << program.name;
        programs.push_back(session.program());
    }
    return programs;
}

inline analysis::Extracted extract_program(const ir::Sdfg& sdfg) {
    return analysis::extract(sdfg, analysis::WholeProgram{}, analysis::assumptions_of(sdfg));
}

/// The memory after a run is the same, for the canonical order and others; how many sizes could be compared.
inline int expect_same_memory(const ir::Sdfg& before, const ir::Sdfg& after, const std::string& what) {
    for (const Diagnostic& problem : ir::verify(after)) {
        ADD_FAILURE() << what << ": " << render(problem) << "\n" << ir::to_text(after);
        return 0;
    }
    int compared = 0;
    for (const std::map<std::string, std::int64_t>& sizes :
         {std::map<std::string, std::int64_t>{{"N", 6}, {"M", 5}, {"P", 4}, {"Q", 3}, {"T", 2}, {"K", 2}},
          std::map<std::string, std::int64_t>{{"N", 4}, {"M", 7}, {"P", 1}, {"Q", 2}, {"T", 3}, {"K", 1}}}) {
        const auto symbols = symbol_values(before, sizes);
        const auto expected = run(before, symbols, 0);
        if (!expected) continue;
        ++compared;
        for (const std::uint64_t seed : {0, 7}) {
            const auto actual = run(after, symbols, seed);
            if (!actual) {
                ADD_FAILURE() << what << ": " << render(actual.error()) << ir::to_text(after);
                return compared;
            }
            EXPECT_TRUE(actual->bytes == expected->bytes) << what << " differs with seed " << seed << "\n" << ir::to_text(after);
        }
    }
    return compared;
}

/// The program with its scop in this order; null where the budget ends.
inline std::optional<ir::Sdfg> rebuilt(const ir::Sdfg& sdfg, const analysis::Scop& scop, const poly::Schedule& schedule) {
    const std::optional<poly::AstNode> loops = analysis::loops_of(scop, schedule, analysis::dependences(scop));
    if (!loops) return std::nullopt;
    ir::Sdfg after = sdfg;
    analysis::rebuild_program(after, scop, *loops);
    return after;
}

}  // namespace sluice::test
