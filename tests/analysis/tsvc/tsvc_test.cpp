// Every loop of loops.py: our answer beside what running the loop shows (exact.txt, made by exact.py), with the reason. The table
// is kept as table.txt; SLUICE_BLESS=1 writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "analysis/legality/parallel.h"
#include "analysis/symbols.h"
#include "code/walk.h"
#include "frontend/python/frontend.h"

namespace sluice::analysis {
namespace {

const std::string kFolder = SLUICE_SOURCE_DIR "/tests/analysis/tsvc/";

std::string contents(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Loops in the order of the source.
void for_each_loop(const ir::Region& region,
                   const std::function<void(const ir::Region&, ir::BlockId, const ir::LoopRegion&)>& visit) {
    for (auto [id, block] : region.blocks)
        std::visit(code::Overloaded{
                       [&](const ir::LoopRegion& loop) {
                           visit(region, id, loop);
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

std::string word(Answer answer) {
    return answer == Answer::Yes ? "yes" : answer == Answer::No ? "no" : "unknown";
}

std::string reason(const Verdict& verdict) {
    if (!verdict.yes()) return verdict.why;
    std::string text;
    for (const std::string& name : verdict.privatised) text += (text.empty() ? "private: " : ", ") + name;
    return text;
}

TEST(Tsvc, EveryLoopIsJudgedAsRunningItShows) {
    std::map<std::string, std::string> exact;
    std::istringstream lines(contents(kFolder + "exact.txt"));
    for (std::string program, number, variable, answer; lines >> program >> number >> variable >> answer;)
        exact[program + " " + number + " " + variable] = answer;
    const auto programs = frontend::find_programs(contents(kFolder + "loops.py"), "loops.py");
    ASSERT_TRUE(programs.ok()) << programs.error().message;
    std::string table = "loop | ours | exact | reason\n";
    std::size_t judged = 0;
    for (const frontend::Program& program : *programs) {
        const Result<ir::Sdfg> sdfg = frontend::build(program);
        const std::string name = std::get<code::FunctionStmt>(program.function->node).name;
        if (!sdfg.ok()) {
            ADD_FAILURE() << name << ": " << sdfg.error().message;
            continue;
        }
        int number = 0;
        for_each_loop(sdfg->body, [&](const ir::Region& region, ir::BlockId id, const ir::LoopRegion& loop) {
            const Verdict verdict = loop_parallel(*sdfg, region, id, assumptions_of(*sdfg));
            const std::string key = name + " " + std::to_string(number++) + " " + loop.variable, ours = word(verdict.answer);
            ASSERT_TRUE(exact.contains(key)) << key;
            ++judged;
            table += key + " | " + ours + " | " + exact[key] + " | " + reason(verdict) + "\n";
            EXPECT_TRUE(ours == "unknown" || ours == exact[key])
                << key << ": " << ours << ", exactly " << exact[key] << ": " << verdict.why;
        });
    }
    EXPECT_EQ(judged, exact.size());
    if (std::getenv("SLUICE_BLESS") != nullptr) std::ofstream(kFolder + "table.txt") << table;
    EXPECT_EQ(table, contents(kFolder + "table.txt"));
}

}  // namespace
}  // namespace sluice::analysis
