// The cache under many processes at once, under kills, and without a place to write.
#include "driver/cache.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "driver/shared_library.h"

namespace sluice::driver {
namespace {

namespace fs = std::filesystem;

codegen::CpuSource source_of(const std::string& text) {
    codegen::CpuSource source;
    source.source = text;
    return source;
}
codegen::CpuSource answering(int answer) {
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
    EXPECT_NE(said.find("error: #error the message"), std::string::npos) << said;
    EXPECT_EQ(said.find("error:"), said.rfind("error:"));
    EXPECT_TRUE(fs::is_empty(cache_ / "unfinished"));
}

TEST(Toolchain, MissingCompilerIsNamed) {
    const Variable cxx("CXX", "no-such-compiler -m64");
    const auto missing = find_toolchain();
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().code, "D001");
    EXPECT_EQ(missing.error().message, "there is no C++ compiler `no-such-compiler`");
    EXPECT_EQ(missing.error().remedy, "install g++, or set CXX to a C++ compiler");
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
