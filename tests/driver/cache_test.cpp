// The cache under many processes at once, under kills, and without a place to write.
#include "driver/cache.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "driver/targets/shared_library.h"

namespace sluice::driver {
namespace {

namespace fs = std::filesystem;

codegen::Artifact source_of(const std::string& text) {
    codegen::Artifact source;
    source.units = {{codegen::Unit::Kind::HostCpp, text}};
    return source;
}
codegen::Artifact answering(int answer) {
    return source_of("extern \"C\" __attribute__((visibility(\"default\"))) int answer() { return " + std::to_string(answer) +
                     "; }\n");
}
int answer_of(const fs::path& path) {
    const SharedLibrary library(path);
    return reinterpret_cast<int (*)()>(library.symbol("answer"))();
}
// Sets an environment variable and puts the old value back.
class Variable {
public:
    Variable(const char* name, const std::string& value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        setenv(name, value.c_str(), 1);
    }
    ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

private:
    const char* name_;
    std::optional<std::string> before_;
};

class Cache : public ::testing::Test {
protected:
    PrivateFolder folder_{std::filesystem::temp_directory_path() / "sluice-test"};
    fs::path cache_ = folder_.path() / "cache";
    Toolchain toolchain_ = find_toolchain().or_fail();
};

TEST_F(Cache, HitsOnTheSameAndOnlyOnTheSame) {
    const auto first = cached_library(cache_, answering(1), "answer", toolchain_);
    ASSERT_TRUE(first.ok()) << first.error().message;
    EXPECT_FALSE(first->hit);
    EXPECT_EQ(answer_of(first->library), 1);
    EXPECT_TRUE(cached_library(cache_, answering(1), "answer", toolchain_)->hit);
    Toolchain other = toolchain_;
    other.flags.push_back("-DX");
    EXPECT_FALSE(cached_library(cache_, answering(1), "answer", other)->hit);
    EXPECT_EQ(answer_of(cached_library(cache_, answering(2), "answer", toolchain_)->library), 2);
    EXPECT_TRUE(fs::is_empty(cache_ / "unfinished"));
}

// An entry holds its units beside the library: what lies there is what the key says, the header as well.
TEST_F(Cache, EveryUnitIsPartOfTheKey) {
    codegen::Artifact with_header = answering(1);
    with_header.units.push_back({codegen::Unit::Kind::Header, "int answer(void);\n"});
    const fs::path library = cached_library(cache_, with_header, "answer", toolchain_)->library;
    EXPECT_TRUE(cached_library(cache_, with_header, "answer", toolchain_)->hit);
    with_header.units.back().text = "int answer();\n";
    const auto other = cached_library(cache_, with_header, "answer", toolchain_);
    EXPECT_FALSE(other->hit);
    std::ifstream header(other->library.parent_path() / "answer.h");
    std::string text;
    std::getline(header, text);
    EXPECT_EQ(text, "int answer();");
    EXPECT_NE(other->library, library);
}

// Functions of the runtime that many programs call are compiled once for all of them that have the compiler's words in common.
TEST_F(Cache, FunctionsApartAreCompiledOnce) {
    const auto smallest_of = [](const std::string& numbers) {
        const std::string declaration = "void sluice::sorting::sort(int64_t, const double*, int64_t, double*, int64_t)";
        codegen::Artifact artifact =
            source_of("#include \"sluice/sort.h\"\n#ifndef SLUICE_APART\n#error not apart\n#endif\nextern template " + declaration +
                      ";\nextern \"C\" __attribute__((visibility(\"default\"))) int answer() {\n    double a[] = {" + numbers +
                      "};\n    sluice::sorting::sort(2, a, 1, a, 1);\n    return int(a[0]);\n}\n");
        artifact.apart = {{declaration, {"sluice/sort.h"}}};
        return artifact;
    };
    const auto objects = [&] {
        std::map<fs::path, fs::file_time_type> times;
        for (const auto& each : fs::recursive_directory_iterator(cache_ / "runtime"))
            if (each.path().extension() == ".o") times[each.path()] = each.last_write_time();
        return times;
    };
    EXPECT_EQ(answer_of(cached_library(cache_, smallest_of("9, 5"), "answer", toolchain_)->library), 5);
    const auto first = objects();
    EXPECT_EQ(first.size(), 1u);
    EXPECT_EQ(answer_of(cached_library(cache_, smallest_of("2, 3"), "answer", toolchain_)->library), 2);
    EXPECT_EQ(objects(), first);
    Toolchain other = toolchain_;
    other.flags.emplace_back("-DX");
    EXPECT_EQ(answer_of(cached_library(cache_, smallest_of("8, 4"), "answer", other)->library), 4);
    EXPECT_EQ(objects().size(), 2u);
}

TEST_F(Cache, LibrariesThatDoNotLoadAreReported) {
    const fs::path library = cached_library(cache_, answering(1), "answer", toolchain_)->library;
    write_file(library, std::string(fs::file_size(library), 'x'), "D005");
    const auto loaded = capture([&] { return std::make_unique<SharedLibrary>(library); });
    ASSERT_FALSE(loaded.ok());
    EXPECT_EQ(loaded.error().code, "D006");
    EXPECT_NE(loaded.error().message.find(library.string()), std::string::npos) << loaded.error().message;
    EXPECT_FALSE(loaded.error().remedy.empty());
}

TEST_F(Cache, TheEntriesUsedLongestAgoLeaveFirst) {
    std::vector<fs::path> libraries;
    const auto now = fs::file_time_type::clock::now();
    for (int k = 0; k < 4; ++k) {
        libraries.push_back(cached_library(cache_, answering(k), "answer", toolchain_)->library);
        fs::last_write_time(libraries[k].parent_path() / "size", now - std::chrono::hours(10 - k));
    }
    std::uintmax_t each = 0;
    for (const auto& file : fs::directory_iterator(libraries[0].parent_path())) each += file.file_size();
    EXPECT_TRUE(cached_library(cache_, answering(0), "answer", toolchain_)->hit);  // Used just now.
    trim_cache(cache_, 5 * each);
    for (const fs::path& library : libraries) EXPECT_TRUE(fs::exists(library));
    trim_cache(cache_, 2 * each + each / 2);
    EXPECT_TRUE(fs::exists(libraries[0]));
    EXPECT_FALSE(fs::exists(libraries[1].parent_path()));
    EXPECT_FALSE(fs::exists(libraries[2].parent_path()));
    EXPECT_TRUE(fs::exists(libraries[3]));
    trim_cache(cache_, 1);  // What was used a moment ago stays whatever the limit.
    EXPECT_TRUE(fs::exists(libraries[0]));
    EXPECT_FALSE(fs::exists(libraries[3]));
    trim_cache(cache_, 1, std::chrono::seconds(-5));
    EXPECT_FALSE(fs::exists(libraries[0]));
    EXPECT_TRUE(fs::is_empty(cache_ / "unfinished"));
}

TEST_F(Cache, StoringTrimsToTheLimitOfTheEnvironment) {
    const Variable limit("SLUICE_CACHE_SIZE", "1");
    const fs::path first = cached_library(cache_, answering(1), "answer", toolchain_)->library;
    fs::last_write_time(first.parent_path() / "size", fs::file_time_type::clock::now() - std::chrono::hours(1));
    EXPECT_TRUE(fs::exists(cached_library(cache_, answering(2), "answer", toolchain_)->library));
    EXPECT_FALSE(fs::exists(first));
    for (const auto& [text, bytes] : {std::pair<const char*, std::uintmax_t>{"0", 0},
                                      {"512", 512},
                                      {"3K", 3 << 10},
                                      {"7M", 7 << 20},
                                      {"2G", 2ull << 30},
                                      {"", 4ull << 30}}) {
        const Variable one("SLUICE_CACHE_SIZE", text);
        EXPECT_EQ(cache_limit(), bytes) << text;
    }
    const Variable none("SLUICE_CACHE_SIZE", "many");
    EXPECT_EQ(cached_library(cache_, answering(3), "answer", toolchain_).error().code, "D012");
}

/// Processes that store, use and trim at once never see half an entry.
TEST_F(Cache, TrimmingIsSafeUnderConcurrentProcesses) {
    constexpr int kProcesses = 4, kRounds = 6;
    std::vector<pid_t> children;
    for (int p = 0; p < kProcesses; ++p) {
        const pid_t child = fork();
        if (child == 0) {
            bool good = true;
            for (int round = 0; round < kRounds && good; ++round) {
                const int answer = (p + round) % 3;
                const auto library = cached_library(cache_, answering(answer), "answer", toolchain_);
                good = library.ok();
                // An entry may leave between the look-up and the load, but is never half there.
                const auto loaded = capture([&] { return good && answer_of(library->library) == answer; });
                good = good && (!loaded.ok() || *loaded);
                trim_cache(cache_, 1, std::chrono::seconds(-5));
            }
            _exit(good ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_TRUE(fs::is_empty(cache_ / "unfinished"));
}

TEST_F(Cache, RepairsADamagedEntry) {
    const fs::path library = cached_library(cache_, answering(3), "answer", toolchain_)->library;
    fs::resize_file(library, 100);
    const auto again = cached_library(cache_, answering(3), "answer", toolchain_);
    ASSERT_TRUE(again.ok());
    EXPECT_FALSE(again->hit);
    EXPECT_EQ(answer_of(again->library), 3);
}

TEST_F(Cache, ManyProcessesAtOnceAndSomeKilled) {
    constexpr int kProcesses = 6;
    std::vector<pid_t> children;
    for (int i = 0; i < kProcesses; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            const auto found = cached_library(cache_, answering(4), "answer", toolchain_);
            _exit(found.ok() && answer_of(found->library) == 4 ? 0 : 1);
        }
        children.push_back(child);
    }
    usleep(15000);
    for (int i = 0; i < kProcesses; i += 3) kill(children[static_cast<std::size_t>(i)], SIGKILL);
    for (int i = 0; i < kProcesses; ++i) {
        int status = 0;
        ASSERT_EQ(waitpid(children[static_cast<std::size_t>(i)], &status, 0), children[static_cast<std::size_t>(i)]);
        EXPECT_TRUE(i % 3 == 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) << i;
    }
    const auto found = cached_library(cache_, answering(4), "answer", toolchain_);
    ASSERT_TRUE(found.ok());
    EXPECT_TRUE(found->hit);
    EXPECT_EQ(answer_of(found->library), 4);
}

TEST_F(Cache, SaysWhereItCannotWrite) {
    std::ofstream(folder_.path() / "file") << "in the way";
    const auto refused = cached_library(folder_.path() / "file" / "cache", answering(5), "answer", toolchain_);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, "D005");
    EXPECT_NE(refused.error().message.find(folder_.path() / "file"), std::string::npos) << refused.error().message;
    EXPECT_EQ(refused.error().remedy, "set SLUICE_CACHE to a folder that can be written");
}

TEST_F(Cache, KeepsNothingOfAFailedCompilation) {
    const auto failed = cached_library(cache_, source_of("#error the message\n"), "broken", toolchain_);
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().code, "D002");
    ASSERT_EQ(failed.error().notes.size(), 1u);
    const std::string& said = failed.error().notes[0].message;
    EXPECT_NE(said.find("the message"), std::string::npos) << said;  // GCC repeats #error, Clang does not.
    EXPECT_EQ(said.find("error:"), said.rfind("error:"));
    EXPECT_TRUE(fs::is_empty(cache_ / "unfinished"));
}

TEST(Toolchain, MissingCompilerIsNamed) {
    const Variable cxx("CXX", "no-such-compiler -m64");
    const auto missing = find_toolchain();
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().code, "D001");
    EXPECT_EQ(missing.error().message, "there is no C++ compiler `no-such-compiler`");
    EXPECT_EQ(missing.error().remedy,
              "install one (`apt-get install g++`; without root `pip install 'sluice[compiler]'`), or name yours by CXX; "
              "`sluice doctor` says what is missing");
}

TEST(Toolchain, FailingCompilerIsReported) {
    const Variable cxx("CXX", "false");
    const PrivateFolder folder(std::filesystem::temp_directory_path() / "sluice-test");
    const auto failed = cached_library(folder.path(), answering(1), "answer", find_toolchain().or_fail());
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().code, "D002");
}

TEST(Toolchain, EnvironmentChoosesCacheAndFlags) {
    const Variable cache("SLUICE_CACHE", "/somewhere/else");
    EXPECT_EQ(default_cache(), "/somewhere/else");
    const Variable flags("SLUICE_CXXFLAGS", "-ffp-contract=off  -g");
    const std::vector<std::string> all = find_toolchain().or_fail().flags;
    EXPECT_EQ((std::vector<std::string>(all.end() - 2, all.end())), (std::vector<std::string>{"-ffp-contract=off", "-g"}));
}

}  // namespace
}  // namespace sluice::driver
