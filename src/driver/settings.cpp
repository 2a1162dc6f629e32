#include "driver/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>

#include "driver/cache.h"
#include "driver/expansion_settings.h"
#include "support/nearest.h"
#include "support/result.h"

namespace sluice::driver {

namespace fs = std::filesystem;

namespace {

bool any_text(std::string_view) {
    return true;
}
bool is_gpu_target(std::string_view text) {
    return text.empty() || text == "cuda" || text == "opencl";
}
bool is_fpga_target(std::string_view text) {
    return text.empty() || text == "hls-xilinx" || text == "hls-intel";
}
bool is_switch(std::string_view text) {
    return text == "0" || text == "1";
}
bool is_level(std::string_view text) {
    return text.empty() || text == "decide" || (text.size() == 1 && text[0] >= '0' && text[0] <= '3');
}
bool is_size(std::string_view text) {
    std::size_t most = 18;  // Digits of what fits into 64 bits.
    if (!text.empty() && std::string_view("KMG").find(text.back()) != std::string_view::npos) {
        text.remove_suffix(1);
        most = 9;
    }
    return !text.empty() && text.size() <= most && text.find_first_not_of("0123456789") == std::string_view::npos;
}

const fs::path kProjectFile = "sluice.config";

constexpr std::string_view kSize = "a number of bytes, with K, M or G behind it for powers of 1024, such as 4G";

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// A setting with the place that names it: `file:3`, or empty.
const Setting& find_setting(std::string_view key, const std::string& place) {
    for (const Setting& one : settings())
        if (one.key == key) return one;
    std::vector<std::string> keys;
    for (const Setting& one : settings()) keys.emplace_back(one.key);
    fail({"D011",
          fmt::format("{}there is no setting `{}`", place.empty() ? "" : place + ": ", key),
          {},
          {},
          fmt::format("perhaps you mean one of: {}", fmt::join(nearest(key, keys), ", ")),
          {}});
}

void check_value(const Setting& one, std::string_view value, const std::string& origin) {
    if (one.admits(value)) return;
    fail({"D012",
          fmt::format("{}`{}` is no value for `{}`", origin.empty() ? "" : origin + ": ", value, one.key),
          {},
          {},
          fmt::format("give {}", one.expected),
          {}});
}

void check_place(const Setting& one, const fs::path& file, const std::string& place) {
    if (!one.personal || file != kProjectFile) return;
    fail({"D012",
          fmt::format("{}: `{}` says what is run or written on this machine: it may not stand in a file that comes with a program",
                      place, one.key),
          {},
          {},
          fmt::format("set it by `sluice config {} VALUE`, or by {}", one.key, one.environment),
          {}});
}

struct Line {
    std::string text;
    std::string key = {}, value = {};  ///< Of `text`; empty in lines without a setting.
};

/// Checked: every key exists and every value is admitted. Nothing where there is no file.
std::vector<Line> read_lines(const fs::path& file) {
    std::vector<Line> lines;
    std::error_code error;
    if (!fs::exists(file, error)) return lines;
    std::ifstream in(file);
    for (std::string text; std::getline(in, text);) lines.push_back({text});
    if (!in.is_open() || in.bad() || fs::is_directory(file, error))
        fail({"D013", "cannot read `" + file.string() + "`", {}, {}, "make it a text file with lines `key = value`", {}});
    for (std::size_t at = 0; at < lines.size(); ++at) {
        Line& line = lines[at];
        const std::string_view content = trimmed(line.text);
        if (content.empty() || content[0] == '#') continue;
        const std::string place = fmt::format("{}:{}", file.string(), at + 1);
        const std::size_t equals = content.find('=');
        if (equals == std::string_view::npos)
            fail({"D013", fmt::format("{}: `{}` is no setting", place, content), {}, {}, "write `key = value`", {}});
        line.key = trimmed(content.substr(0, equals)), line.value = trimmed(content.substr(equals + 1));
        const Setting& one = find_setting(line.key, place);
        check_value(one, line.value, place);
        check_place(one, file, place);
    }
    return lines;
}

std::optional<SettingValue> in_file(const fs::path& file, std::string_view key) {
    std::optional<SettingValue> found;
    const std::vector<Line> lines = read_lines(file);
    for (std::size_t at = 0; at < lines.size(); ++at)
        if (lines[at].key == key)
            found = SettingValue{std::string(lines[at].value), fmt::format("file {}:{}", file.string(), at + 1)};
    return found;
}

struct Arguments {
    std::mutex mutex;
    std::map<std::string, std::string, std::less<>> values;
};
Arguments& arguments() {
    static Arguments all;
    return all;
}

/// All or nothing: the old file stays until the new one is whole.
void write_lines(const fs::path& file, const std::vector<std::string>& lines) {
    std::error_code error;
    if (!file.parent_path().empty()) fs::create_directories(file.parent_path(), error);
    const fs::path part = file.string() + ".part";
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    write_file(part, text, "D004");
    fs::rename(part, file, error);
    if (!error) return;
    fs::remove(part, error);
    fail({"D004", "cannot write `" + file.string() + "`", {}, {}, "choose a folder that can be written", {}});
}

void replace_setting(const fs::path& file, std::string_view key, const std::optional<std::string>& line) {
    std::vector<std::string> lines;
    bool placed = !line;
    for (const Line& each : read_lines(file)) {
        if (each.key != key) {
            lines.push_back(each.text);
        } else if (!placed) {
            lines.push_back(*line);
            placed = true;
        }
    }
    if (!placed) lines.push_back(*line);
    std::error_code error;
    if (!line && !fs::exists(file, error)) return;
    write_lines(file, lines);
}

}  // namespace

const std::vector<Setting>& settings() {
    static const std::vector<Setting> all = {
        {"cache", "SLUICE_CACHE", "", "Folder of compiled libraries; empty: sluice in $XDG_CACHE_HOME, else ~/.cache/sluice.",
         "a folder", any_text, true},
        {"cache_size", "SLUICE_CACHE_SIZE", "4G",
         "Bytes that the cache may hold; what was used longest ago leaves first; 0: no limit.", kSize, is_size},
        {"cc", "CC", "cc", "The C compiler of the target c99, with words before and after it.", "a command", any_text, true},
        {"cflags", "SLUICE_CFLAGS", "", "Flags for the C compiler, behind those of Sluice.", "flags", any_text, true},
        {"counters", "SLUICE_COUNTERS", "cycles, instructions, cache-misses, branch-misses",
         "What instrumented programs count, by perf(1)'s names (docs/instrumentation.md).", "names separated by commas", any_text},
        {"cxx", "CXX", "c++", "The C++ compiler, with words before and after it: `ccache g++ -m64`.", "a command", any_text, true},
        {"cxxflags", "SLUICE_CXXFLAGS", "", "Flags for the C++ compiler, behind those of Sluice.", "flags", any_text, true},
        {"device_queues", "SLUICE_DEVICE_QUEUES", "0",
         "Launches and copies of a device run on queues of their own, concurrently with what does not need them: 1; 0: one after "
         "the other "
         "(docs/targets.md).",
         "0 or 1", is_switch},
        {"expansions", "SLUICE_EXPANSIONS", "",
         "Expansions of library nodes, best first: for all, for one target or for one operation (docs/writing-operations.md).",
         "names separated by commas, and before each further list `;` and OPERATION:, TARGET: or TARGET/OPERATION:, such as "
         "`MKL, native; Gemm: OpenBLAS`",
         is_preference_list},
        {"machine", "SLUICE_MACHINE", "",
         "A file that describes the machine that decisions are taken for (docs/decisions.md); empty: the default.", "a file",
         any_text, true},
        {"mpicxx", "MPICXX", "mpicxx", "The C++ compiler of the MPI of the target mpi, with words before and after it.",
         "a command", any_text, true},
        {"optimize", "SLUICE_OPTIMIZE", "",
         "The pipeline that programs and graphs go through where no level is given: 0, 1, 2 or 3, or decide: the graph as it is, "
         "with the CPU's own decisions. Empty: 3 for programs that are called or compiled from Python source, decide for graphs.",
         "0, 1, 2, 3, decide or empty", is_level},
        {"strict", "SLUICE_STRICT", "0",
         "What of a Python program cannot be compiled is refused: 1; 0: it runs in Python, with a warning (docs/graph-breaks.md).",
         "0 or 1", is_switch},
        {"target.fpga", "SLUICE_TARGET_FPGA", "",
         "The target that `fpga` means. Empty: hls-intel where Intel's compiler alone is found, else hls-xilinx.",
         "hls-xilinx, hls-intel or empty", is_fpga_target},
        {"target.gpu", "SLUICE_TARGET_GPU", "",
         "The target that `gpu` means. Empty: cuda where a device of it answers, else opencl.", "cuda, opencl or empty",
         is_gpu_target},
        {"tuned", "SLUICE_TUNED", "",
         "Folder of what `sluice tune` has found, which -O3 takes from then on (docs/tuning.md); empty: tuned in the folder of the "
         "user's "
         "settings; "
         "off: neither kept nor taken.",
         "a folder, or off", any_text, true},
        {"verify_operations", "SLUICE_VERIFY_OPERATIONS", "1",
         "The user's own operations are compared with their references before their first use in a process: 1; 0: not.", "0 or 1",
         is_switch, true},
        {"without_libraries", "SLUICE_WITHOUT_LIBRARIES", "", "Libraries that count as not installed when expansions are chosen.",
         "names separated by commas, such as `openblas, mkl`, or `all`", any_text},
    };
    return all;
}

SettingValue setting(std::string_view key) {
    const Setting& one = find_setting(key, {});
    // The files are read in any case: a mistake in them is reported, whoever has the last word.
    const std::optional<SettingValue> user = in_file(settings_file(), key), project = in_file(kProjectFile, key);
    {
        const std::lock_guard lock(arguments().mutex);
        if (const auto given = arguments().values.find(key); given != arguments().values.end()) return {given->second, "argument"};
    }
    if (const char* text = std::getenv(std::string(one.environment).c_str()); text && *text) {
        check_value(one, text, std::string(one.environment));
        return {text, "environment " + std::string(one.environment)};
    }
    if (project) return *project;
    if (user) return *user;
    return {std::string(one.standard), "default"};
}

void set_by_argument(std::string_view key, std::string_view value) {
    check_value(find_setting(key, {}), value, {});
    const std::lock_guard lock(arguments().mutex);
    arguments().values.insert_or_assign(std::string(key), std::string(value));
}

fs::path settings_file() {
    if (const char* folder = std::getenv("XDG_CONFIG_HOME"); folder && *folder == '/')
        return fs::path(folder) / "sluice" / "config";
    const char* home = std::getenv("HOME");
    return fs::path(home && *home ? home : "/") / ".config" / "sluice" / "config";
}

void write_setting(const fs::path& file, std::string_view key, std::string_view value) {
    const Setting& one = find_setting(key, {});
    check_value(one, trimmed(value), {});
    check_place(one, file, file.string());
    replace_setting(file, key, fmt::format("{} = {}", key, trimmed(value)));
}

void erase_setting(const fs::path& file, std::string_view key) {
    find_setting(key, {});
    replace_setting(file, key, {});
}

}  // namespace sluice::driver
