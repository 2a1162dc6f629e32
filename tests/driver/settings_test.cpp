// Settings: who has the last word, what is refused and where, and what a file keeps.
#include "driver/settings.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/result.h"

namespace sluice::driver {
namespace {

namespace fs = std::filesystem;

/// A home and a current folder of the test's own.
class Settings : public testing::Test {
protected:
    Settings() : before_(fs::current_path()) {
        std::string pattern = (fs::temp_directory_path() / "settings.XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
        setenv("XDG_CONFIG_HOME", (folder_ / "home").c_str(), 1);
        unsetenv("SLUICE_OPTIMIZE");
        fs::create_directories(folder_ / "project");
        fs::current_path(folder_ / "project");
    }
    ~Settings() override {
        fs::current_path(before_);
        unsetenv("XDG_CONFIG_HOME");
        unsetenv("SLUICE_OPTIMIZE");
        fs::remove_all(folder_);
    }
    static void write(const fs::path& file, const std::string& text) {
        if (file.has_parent_path()) fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    static std::string read(const fs::path& file) {
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        return text.str();
    }
    template <class Body> static Diagnostic failure(Body&& body) {
        const auto result = capture([&] {
            body();
            return Done{};
        });
        return result ? Diagnostic{} : result.error();
    }

    fs::path before_, folder_;
};

TEST_F(Settings, TheLaterOriginStandsBeforeTheEarlier) {
    EXPECT_EQ(setting("optimize").text, "");
    EXPECT_EQ(setting("optimize").origin, "default");
    write(settings_file(), "# mine\n\noptimize = 1  \n");
    EXPECT_EQ(setting("optimize").text, "1");
    EXPECT_EQ(setting("optimize").origin, "file " + settings_file().string() + ":3");
    write("sluice.config", "optimize=2");
    EXPECT_EQ(setting("optimize").text, "2");
    EXPECT_EQ(setting("optimize").origin, "file sluice.config:1");
    setenv("SLUICE_OPTIMIZE", "3", 1);
    EXPECT_EQ(setting("optimize").origin, "environment SLUICE_OPTIMIZE");
    setenv("SLUICE_OPTIMIZE", "", 1);
    EXPECT_EQ(setting("optimize").text, "2") << "empty text in the environment is no value";
}

TEST_F(Settings, AnUnknownKeyIsRefusedWithTheNearest) {
    const Diagnostic here = failure([] { setting("cashe_size"); });
    EXPECT_EQ(here.code, "D011");
    EXPECT_NE(here.remedy.find("cache_size"), std::string::npos) << here.remedy;
    write("sluice.config", "# one\noptimise = 1\n");
    const Diagnostic file = failure([] { setting("cxx"); });
    EXPECT_EQ(file.code, "D011");
    EXPECT_NE(file.message.find("sluice.config:2"), std::string::npos) << file.message;
    EXPECT_NE(file.remedy.find("optimize"), std::string::npos) << file.remedy;
}

TEST_F(Settings, AValueIsCheckedWhereverItComesFrom) {
    setenv("SLUICE_OPTIMIZE", "fast", 1);
    EXPECT_EQ(failure([] { setting("optimize"); }).code, "D012");
    unsetenv("SLUICE_OPTIMIZE");
    EXPECT_EQ(failure([] { set_by_argument("cache_size", "-1"); }).code, "D012");
    EXPECT_EQ(failure([] { set_by_argument("cache_size", "99999999999G"); }).code, "D012");
    write("sluice.config", "cache_size = big\n");
    EXPECT_EQ(failure([] { setting("optimize"); }).code, "D012");
    write("sluice.config", "cache_size\n");
    EXPECT_EQ(failure([] { setting("optimize"); }).code, "D013");
    fs::remove("sluice.config");
    fs::create_directory("sluice.config");
    EXPECT_EQ(failure([] { setting("optimize"); }).code, "D013");
}

TEST_F(Settings, AFileThatComesWithAProgramRunsNothing) {
    write("sluice.config", "cxx = /tmp/anything\n");
    const Diagnostic refused = failure([] { setting("optimize"); });
    EXPECT_EQ(refused.code, "D012");
    EXPECT_NE(refused.message.find("sluice.config:1"), std::string::npos) << refused.message;
    fs::remove("sluice.config");
    EXPECT_EQ(failure([] { write_setting("sluice.config", "cache", "/tmp"); }).code, "D012");
    EXPECT_FALSE(fs::exists("sluice.config"));
    unsetenv("CXX");
    write(settings_file(), "cxx = clang++\n");
    EXPECT_EQ(setting("cxx").text, "clang++");
}

TEST_F(Settings, AFileKeepsItsOtherLines) {
    const fs::path file = settings_file();
    erase_setting(file, "optimize");
    EXPECT_FALSE(fs::exists(file));
    write_setting(file, "optimize", "1");
    EXPECT_EQ(read(file), "optimize = 1\n");
    erase_setting(file, "optimize");
    EXPECT_EQ(read(file), "");
    write(file, "# about speed\noptimize = 1\ncache_size = 2G\noptimize = 3\n");
    write_setting(file, "optimize", "2");
    EXPECT_EQ(read(file), "# about speed\noptimize = 2\ncache_size = 2G\n");
    erase_setting(file, "optimize");
    EXPECT_EQ(read(file), "# about speed\ncache_size = 2G\n");
    EXPECT_EQ(failure([&] { write_setting(file, "optimize", "much"); }).code, "D012");
    EXPECT_EQ(failure([&] { write_setting(file, "speed", "1"); }).code, "D011");
    EXPECT_EQ(failure([&] { write_setting("/etc/hostname/config", "optimize", "1"); }).code, "D004");
    EXPECT_EQ(read(file), "# about speed\ncache_size = 2G\n");
}

TEST(SettingsTable, IsSortedAndAdmitsItsDefaults) {
    std::string_view last;
    for (const Setting& one : settings()) {
        EXPECT_LT(last, one.key);
        last = one.key;
        EXPECT_TRUE(one.admits(one.standard)) << one.key;
        EXPECT_TRUE(one.sentence.ends_with('.')) << one.key;
    }
}

}  // namespace
}  // namespace sluice::driver
