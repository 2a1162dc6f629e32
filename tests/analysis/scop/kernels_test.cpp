// The PolyBench kernels and other programs: which are scops as a whole, and that loops made of a scop, in its own order and in the
// one that isl's scheduler finds, compute what the program computes. The table is docs/scops.md; SLUICE_BLESS=1 writes it anew.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "programs.h"

namespace sluice::test {
namespace {

const std::string kFolder = SLUICE_SOURCE_DIR "/tests/analysis/scop/";
const std::string kPage = SLUICE_SOURCE_DIR "/docs/scops.md";

poly::Schedule found_by_isl(const analysis::Scop& scop, const poly::UnionMap& dependences) {
    return poly::schedule({.domain = scop.domain(),
                           .context = scop.context,
                           .validity = dependences,
                           .proximity = dependences,
                           .coincidence = dependences});
}

/// Of each program that extracts: its loops and maps in the order that `choose` gives.
template <class Choose> void rebuild_all(const std::string& file, std::size_t at_least, const Choose& choose) {
    std::size_t compared = 0;
    for (const ir::Sdfg& program : simplified(file)) {
        const poly::Budget budget(200'000'000);
        const analysis::Extracted extracted = extract_program(program);
        if (!extracted.ok()) continue;
        const poly::UnionMap dependences = analysis::dependences(*extracted.scop);
        const poly::Schedule schedule = choose(*extracted.scop, dependences);
        ASSERT_TRUE(schedule.known()) << program.name;
        const analysis::Verdict verdict = analysis::reorder(*extracted.scop, dependences, schedule);
        EXPECT_TRUE(verdict.yes()) << program.name << ": " << verdict.why;
        const auto after = rebuilt(program, *extracted.scop, schedule);
        ASSERT_TRUE(after) << program.name;
        compared += expect_same_memory(program, *after, program.name) > 0 ? 1 : 0;
    }
    EXPECT_GE(compared, at_least) << file;
}

const std::string kPolybench = kFolder + "polybench.py";
const std::string kTsvc = SLUICE_SOURCE_DIR "/tests/analysis/tsvc/loops.py";

poly::Schedule own(const analysis::Scop& scop, const poly::UnionMap&) {
    return scop.schedule;
}

TEST(Polybench, RebuiltInTheirOwnOrderTheyComputeTheSame) {
    rebuild_all(kPolybench, 27, own);
}
TEST(Polybench, InTheOrderOfIslsSchedulerTheyComputeTheSame) {
    rebuild_all(kPolybench, 27, found_by_isl);
}
TEST(Tsvc, RebuiltInTheirOwnOrderTheyComputeTheSame) {
    rebuild_all(kTsvc, 90, own);
}
TEST(Tsvc, InTheOrderOfIslsSchedulerTheyComputeTheSame) {
    rebuild_all(kTsvc, 90, found_by_isl);
}

/// One row for each program, and how many of them extract.
std::string rows_of(const std::vector<ir::Sdfg>& programs, std::size_t& whole) {
    std::string rows;
    for (const ir::Sdfg& program : programs) {
        const poly::Budget budget(100'000'000);
        const analysis::Extracted extracted = extract_program(program);
        whole += extracted.ok() ? 1 : 0;
        rows +=
            "| " + program.name + " | " +
            (extracted.ok() ? std::to_string(extracted.scop->statements.size()) + " | |\n" : "| " + extracted.construct + " |\n");
    }
    return rows;
}

std::string contents(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(Scops, ThePageListsWhatExtractsAndWhatStandsInTheWay) {
    std::string page =
        "# Static control parts\n\nWhich programs `analysis/scop` takes as a whole: the number of their statements, or the first "
        "construct that stands in the way. "
        "Programs are simplified (`-O1`) first. `SLUICE_BLESS=1` and the tests of `analysis/scop` write this page.\n";
    std::map<std::string, std::pair<std::size_t, std::size_t>> counts;
    const auto section = [&](const std::string& title, const std::vector<ir::Sdfg>& programs) {
        std::size_t whole = 0;
        const std::string rows = rows_of(programs, whole);
        counts[title] = {whole, programs.size()};
        page += "\n## " + title + ": " + std::to_string(whole) + " of " + std::to_string(programs.size()) +
                "\n\n| program | statements | construct |\n| --- | --- | --- |\n" + rows;
    };
    section("PolyBench", simplified(kPolybench));
    std::vector<ir::Sdfg> examples;
    for (const char* name :
         {"axpy", "cg", "fibonacci", "filter", "gemm", "heat_3d", "histogram", "jacobi_2d", "mandelbrot", "softmax", "spmv"})
        for (ir::Sdfg& program : simplified(std::string(SLUICE_SOURCE_DIR "/examples/") + name + ".py"))
            examples.push_back(std::move(program));
    section("Examples", examples);
    section("TSVC", simplified(kTsvc));
    EXPECT_EQ(counts["PolyBench"].second, 30);
    EXPECT_GE(counts["PolyBench"].first, 26);
    EXPECT_GE(counts["TSVC"].first, 100);
    if (std::getenv("SLUICE_BLESS") != nullptr) std::ofstream(kPage) << page;
    EXPECT_EQ(page, contents(kPage));
}

}  // namespace
}  // namespace sluice::test
