// LoopToMap on every loop of the TSVC suite (tests/analysis/tsvc/loops.py), beside what running the loop shows (exact.txt, made by
// exact.py without the compiler). Where it applies, the interpreter must leave the same memory before and after, and find no race.
// The table is docs/tsvc.md; SLUICE_BLESS=1 writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

#include "../memory.h"
#include "analysis/legality/parallel.h"
#include "analysis/symbols.h"
#include "code/walk.h"
#include "driver/compile.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "rewrite/session.h"
#include "transform/registry.h"

namespace sluice::test {
namespace {

const std::string kSuite = SLUICE_SOURCE_DIR "/tests/analysis/tsvc/";
const std::string kPage = SLUICE_SOURCE_DIR "/docs/tsvc.md";

std::string contents(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

using Exact = std::map<std::string, std::string>;

Exact exact_answers() {
    Exact exact;
    std::istringstream lines(contents(kSuite + "exact.txt"));
    for (std::string program, number, variable, answer; lines >> program >> number >> variable >> answer;)
        exact[program + " " + number + " " + variable] = answer;
    return exact;
}

/// Loops in the order of the source.
void for_each_loop(const ir::Region& region, const std::function<void(const ir::Region&, ir::BlockId)>& visit) {
    for (auto [id, block] : region.blocks)
        std::visit(code::Overloaded{
                       [&](const ir::LoopRegion& loop) {
                           visit(region, id);
                           for_each_loop(loop.body, visit);
                       },
                       [&](const ir::ConditionalBlock& conditional) {
                           for (const ir::Branch& branch : conditional.branches) for_each_loop(branch.body, visit);
                       },
                       [&](const ir::NamedRegion& named) { for_each_loop(named.body, visit); },
                       [](const auto&) {},
                   },
                   block.kind);
}

/// The memory before and after is the same, for sizes at which the program stays in its arrays.
void expect_same(const ir::Sdfg& before, const ir::Sdfg& after, const std::string& name) {
    for (const Diagnostic& problem : ir::verify(after)) ADD_FAILURE() << name << ": " << render(problem);
    int compared = 0;
    for (const auto& [n, k] : {std::pair(5, 1), {12, 3}, {13, 12}, {70, 3}}) {
        const auto symbols = symbol_values(before, {{"N", n}, {"K", k}});
        const auto expected = run(before, symbols, 0);
        if (!expected || compared == 2) continue;
        ++compared;
        for (const std::uint64_t seed : {0, 1, 2}) {
            const auto actual = run(after, symbols, seed);
            ASSERT_TRUE(actual) << name << ": " << render(actual.error()) << ir::to_text(after);
            EXPECT_TRUE(actual->bytes == expected->bytes) << name << " differs, N=" << n << "\n" << ir::to_text(after);
        }
    }
    EXPECT_GT(compared, 0) << name << " runs with none of the sizes";
}

struct Judged {
    std::string answer, reason;
};

Judged judge(const ir::Sdfg& program, const ir::Region& region, ir::BlockId id, const std::string& name) {
    const rewrite::Transformation& transformation = transform::builtin().at("LoopToMap");
    for (const rewrite::Match& match : rewrite::find_matches(program, transformation.descriptor)) {
        if (&rewrite::region_at(program, match.place) != &region || match.blocks.front() != id) continue;
        ir::Sdfg after = program;
        const auto outcome = rewrite::apply(after, transformation, match);
        if (!outcome) {
            ADD_FAILURE() << name << ": " << render(outcome.error());
            return {};
        }
        const analysis::Verdict verdict = analysis::loop_parallel(program, region, id, analysis::assumptions_of(program));
        if (const auto* refusal = std::get_if<rewrite::Refusal>(&*outcome))
            return {refusal->code == "M2" && verdict.no() ? "no" : "unknown", refusal->why};
        expect_same(program, after, name);
        Judged judged{"yes", ""};
        for (const std::string& own : verdict.privatised) judged.reason += (judged.reason.empty() ? "private: " : ", ") + own;
        return judged;
    }
    ADD_FAILURE() << name << " is not matched";
    return {};
}

const std::string kIntroduction =
    "# LoopToMap on the loops of TSVC\n\n"
    "The loops of the TSVC suite (Callahan, Dongarra, Levine, 1988), written as programs of our own in "
    "`tests/analysis/tsvc/loops.py`, and\n"
    "what LoopToMap answers to each. *Exact* is what running the loop shows: `tests/analysis/tsvc/exact.py` records, in plain "
    "Python and\n"
    "without the compiler, which iterations touch what, for several sizes; `data` means that the contents of an index array "
    "decide. A\n"
    "`yes` is applied, and the interpreter compares the memory before and after in three orders. The page is written by the test\n"
    "`tests/transform/loop/tsvc_test.cpp`, which fails on a wrong answer.\n\n";

TEST(LoopToMap, JudgesTheLoopsOfTsvcAsRunningThemShows) {
    const Exact exact = exact_answers();
    const auto programs = driver::read_programs(kSuite + "loops.py");
    ASSERT_TRUE(programs) << render(programs.error());
    std::string rows;
    std::map<std::string, int> count;
    for (const ir::Sdfg& program : *programs) {
        int number = 0;
        for_each_loop(program.body, [&](const ir::Region& region, ir::BlockId id) {
            const std::string& variable = std::get<ir::LoopRegion>(region.blocks[id].kind).variable;
            const std::string key = program.name + " " + std::to_string(number++) + " " + variable;
            ASSERT_TRUE(exact.contains(key)) << key;
            const Judged judged = judge(program, region, id, key);
            const std::string& truth = exact.at(key);
            EXPECT_TRUE(judged.answer == truth || judged.answer == "unknown")
                << key << ": " << judged.answer << ", exactly " << truth << ": " << judged.reason;
            ++count["`" + judged.answer + "` where running shows `" + truth + "`"];
            rows += "| " + key + " | " + judged.answer + " | " + truth + " | " + judged.reason + " |\n";
        });
    }
    std::size_t judged = 0;
    std::string summary;
    for (const auto& [kind, loops] : count) {
        judged += static_cast<std::size_t>(loops);
        summary += "- " + kind + ": " + std::to_string(loops) + "\n";
    }
    EXPECT_EQ(judged, exact.size());
    const std::string page =
        kIntroduction + summary + "\n| loop | LoopToMap | exact | reason |\n| --- | --- | --- | --- |\n" + rows;
    if (std::getenv("SLUICE_BLESS") != nullptr) std::ofstream(kPage) << page;
    EXPECT_EQ(page, contents(kPage));
}

}  // namespace
}  // namespace sluice::test
