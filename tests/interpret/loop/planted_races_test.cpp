// Races that are planted in kernels: the interpreter of loops and Oclgrind find the same ones.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "codegen/opencl/print.h"
#include "modules.h"

namespace sluice::interpret::loops::test {
namespace {

namespace fs = std::filesystem;

struct Plant {
    const char* name;
    bool races;
    std::string kernel;  ///< In `launch k grid 4, 1, 1 block 4, 1, 1`.
};

std::string through_tile(const std::string& between, const std::string& place) {
    return "    allocate tile: int32 size 4 stack shared\n    axis block x b in 0:4\n      axis thread x t in 0:4\n"
           "        store tile[{t}] = gx[{4*b + t}]\n" +
           between + "      axis thread x u in 0:4\n        store gy[{" + place + "}] = tile[{3 - u}]\n";
}

std::vector<Plant> plants() {
    const std::string each = "    axis grid x i in 0:16 covered\n      ";
    return {
        {"ordered by a barrier", false, through_tile("      barrier\n", "4*b + u")},
        {"without the barrier", true, through_tile("", "4*b + u")},
        {"blocks that meet behind the barrier", true, through_tile("      barrier\n", "u")},
        {"an element of each", false, each + "store gy[{i}] = gx[{i}]\n"},
        {"an element of two in a block", true, each + "store gy[{i // 2}] = gx[{i}]\n"},
        {"an element of two blocks", true, each + "store gy[{i % 8}] = gx[{i}]\n"},
        {"a neighbour's element, read while it is written", true, each + "store gx[{i}] = gx[{(i + 1) % 16}]\n"},
        {"a neighbour's element that nobody writes", false, each + "store gy[{i}] = gx[{(i + 1) % 16}]\n"},
        {"a sum by atomics", false, each + "update atomic sum gy[{i % 3}] with gx[{i}]\n"},
        {"a sum that somebody says nobody shares", true, each + "update plain sum gy[{i % 3}] with gx[{i}]\n"},
    };
}

std::string module_around(const std::string& kernel) {
    return "program m(x: buffer int32 read, y: buffer int32)\n  allocate gx: int32 size 16 heap global\n"
           "  allocate gy: int32 size 16 heap global\n  copy 16 int32 &x[0] -> &gx[0]\n  zero 16 int32 &gy[0]\n"
           "  launch k grid 4, 1, 1 block 4, 1, 1\n" +
           kernel + "  copy 16 int32 &gy[0] -> &y[0]\n";
}

/// The codes of what the interpreter finds: I004 is a race, of which others may follow, such as reading what nobody has written.
std::set<std::string> found_by_interpreter(const std::string& text) {
    std::vector<std::int32_t> x(16), y(16);
    for (int i = 0; i < 16; ++i) x[static_cast<std::size_t>(i)] = i + 1;
    const Result<Report> report = run(text, {region(x), region(y)});
    if (!report) return {report.error().code};
    std::set<std::string> codes;
    for (const Diagnostic& finding : report->findings) codes.insert(finding.code);
    return codes;
}

/// What Oclgrind says of the kernel as it is printed; a buffer arrives with the element that it begins at.
std::string said_by_oclgrind(const std::string& text, const fs::path& folder) {
    const std::string source = codegen::print_opencl(module_of(text)).unit(codegen::Unit::Kind::OpenCl).text;
    std::ofstream(folder / "kernel.cl") << source;
    std::ofstream plan(folder / "kernel.sim");
    plan << "kernel.cl\nk\n16 1 1\n4 1 1\n\n";
    for (const char* buffer : {"gx_memory", "gy_memory"})
        if (source.find(buffer) != std::string::npos) plan << "<size=64 int range=1:1:16>\n<size=8 long>\n0\n";
    plan.close();
    const std::string command = "cd " + folder.string() + " && oclgrind-kernel --data-races kernel.sim > said 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::ostringstream said;
    said << std::ifstream(folder / "said").rdbuf();
    return said.str();
}

TEST(PlantedRaces, TheInterpreterFindsThem) {
    for (const Plant& one : plants()) {
        const std::set<std::string> codes = found_by_interpreter(module_around(one.kernel));
        EXPECT_EQ(codes.contains("I004"), one.races) << one.name;
        EXPECT_EQ(codes.empty(), !one.races) << one.name;
    }
}

TEST(PlantedRaces, OclgrindAgrees) {
    if (std::system("command -v oclgrind-kernel > /dev/null") != 0) GTEST_SKIP() << "no Oclgrind: `apt-get install oclgrind`";
    std::string pattern = (fs::temp_directory_path() / "planted-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    for (const Plant& one : plants()) {
        const std::string said = said_by_oclgrind(module_around(one.kernel), pattern);
        EXPECT_EQ(said.find("data race") != std::string::npos, one.races) << one.name << "\n" << said;
        EXPECT_EQ(said.empty(), !one.races) << one.name;
    }
    fs::remove_all(pattern);
}

// Whoever asks for one is refused before anything runs.
TEST(PlantedRaces, NoBarrierStandsInABranch) {
    const Result<loop::Module> module = loop::parse_text(
        "module m\n" +
        module_around("    axis block x b in 0:4\n      axis thread x t in 0:4\n        if {t < 2}\n          barrier\n"));
    ASSERT_TRUE(module) << render(module.error());
    std::string all;
    for (const std::string& violation : loop::verify(*module)) all += violation + "\n";
    EXPECT_NE(all.find("D7"), std::string::npos) << all;
}

}  // namespace
}  // namespace sluice::interpret::loops::test
