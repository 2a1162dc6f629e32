// C99: the printed text without a warning, failures with their sentences, memory that leaves with its body.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "driver/cache.h"
#include "driver/compile.h"
#include "driver/session.h"
#include "ir/text.h"

namespace sluice::driver {
namespace {

namespace fs = std::filesystem;

CompileOptions for_c99() {
    CompileOptions options;
    options.target = "c99";
    options.cache = fs::temp_directory_path() / "sluice-test-c99";
    // What a program leaves unused is its own affair; nothing else may be remarkable.
    options.extra_flags = {"-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-Wno-unused-but-set-variable"};
    return options;
}

TEST(C99, TheTextIsStrictAndWithoutWarning) {
    std::vector<fs::path> files;
    for (const char* folder : {"examples", "tests/driver/generated"})
        for (const auto& entry : fs::directory_iterator(fs::path(SLUICE_SOURCE_DIR) / folder))
            if (entry.path().extension() == ".py" || entry.path().extension() == ".txt") files.push_back(entry.path());
    std::size_t compiled = 0;
    for (const fs::path& file : files) {
        if (file.stem() == "demo") continue;
        for (const ir::Sdfg& sdfg : read_programs(file).or_fail()) {
            const auto program = compile(sdfg, for_c99());
            compiled += program.ok();
            EXPECT_TRUE(program || program.error().code.starts_with("L0")) << file << render(program.error());
            EXPECT_TRUE(!program || program->source().find("__attribute__") == std::string::npos);
        }
    }
    EXPECT_GE(compiled, 15u);
}

constexpr const char* kProgram = R"(sdfg g(x) {
  symbol N: int64
  array x: float64[1]
  transient array t: float64[N*N]
  state s {
    n0 = tasklet one -> (o) {
      o = 1
    }
    n1 = access t
    n2 = tasklet two (a) -> (b) {
      b = a + 1
    }
    n3 = access x
    n0.o -> n1 : t[0]
    n1 -> n2.a : t[0]
    n2.b -> n3 : x[0]
  }
}
)";

Result<Done> run(CompiledProgram& program, double& x, std::int64_t n) {
    void* arguments[] = {&x, &n};
    return program.run(arguments);
}

TEST(C99, MemoryThatIsNotToBeHadHasASentence) {
    CompiledProgram program = compile(ir::parse_text(kProgram).or_fail(), for_c99()).or_fail();
    double x = 0;
    ASSERT_TRUE(run(program, x, 3));
    EXPECT_EQ(x, 2);
    for (const std::int64_t n : {std::int64_t{1} << 24, std::int64_t{1} << 32, std::int64_t{3} << 31}) {
        const auto failed = run(program, x, n);  // 2**51 bytes; 2**67 bytes, which wrap to nothing; 9 * 2**65
        ASSERT_FALSE(failed);
        EXPECT_EQ(failed.error().code, "D015") << failed.error().message;
        EXPECT_NE(failed.error().message.find("`t` has = N**2 = "), std::string::npos) << failed.error().message;
        EXPECT_NE(failed.error().message.find("with N = "), std::string::npos) << failed.error().message;
    }
    x = 0;
    EXPECT_TRUE(run(program, x, 5));  // The handle lives on.
    EXPECT_EQ(x, 2);
}

TEST(C99, ItIsTheSameSignatureAndSuffix) {
    const PrivateFolder folder(fs::temp_directory_path() / "sluice-test");
    ASSERT_EQ(emit(ir::parse_text(kProgram).or_fail(), folder.path(), for_c99()).or_fail(), "g");
    for (const char* name : {"libg.so", "g.h", "g.c", "g.sdfg", "sluice/c99.h", "sluice/arithmetic.h"})
        EXPECT_TRUE(fs::exists(folder.path() / name)) << name;
    EXPECT_FALSE(fs::exists(folder.path() / "g.cpp"));
}

TEST(C99, AMissingCompilerIsNamed) {
    const char* before = std::getenv("CC");
    const std::string kept = before ? before : "";
    setenv("CC", "no-such-compiler", 1);
    const auto missing = compile(ir::parse_text(kProgram).or_fail(), for_c99());
    before ? setenv("CC", kept.c_str(), 1) : unsetenv("CC");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, "D001");
    EXPECT_EQ(missing.error().message, "there is no C compiler `no-such-compiler`");
    EXPECT_EQ(missing.error().remedy, "install one (`apt-get install gcc`), or name yours by CC");
}

}  // namespace
}  // namespace sluice::driver
