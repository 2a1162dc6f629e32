// What a user may set, by file, by environment and by argument: one table.
//
// The later of these stands before the earlier: the default, the user's file (`$XDG_CONFIG_HOME/sluice/config`, else
// ~/.config/sluice/config), `sluice.config` in the current folder, the environment, an argument. A file has lines `key = value`;
// `#` begins a comment. Help, docs/configuration.md and the checks are made of the table.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::driver {

struct Setting {
    std::string_view key;          ///< `cache_size`
    std::string_view environment;  ///< `SLUICE_CACHE_SIZE`; empty text there is no value.
    std::string_view standard;     ///< The value where nobody says otherwise.
    std::string_view sentence;     ///< What it is for.
    std::string_view expected;     ///< What a value must be: `a size in bytes, with K, M or G behind it, such as 4G`
    bool (*admits)(std::string_view text);
    /// Names what is run or written on this machine: not for a file that comes with somebody else's program.
    bool personal = false;
};
/// The table, by key.
const std::vector<Setting>& settings();

struct SettingValue {
    std::string text;
    std::string origin;  ///< `default`, `argument`, `environment SLUICE_CACHE`, `file ~/.config/sluice/config:3`
};
/// The value that stands now. Throws Failure: D011 a key that does not exist, here or in a file; D012 a value that its key does not
/// admit, or a personal setting in `sluice.config`; D013 a file that cannot be read or a line that is no `key = value`.
SettingValue setting(std::string_view key);

/// For the rest of the process, before every other origin. Throws Failure D011, D012.
void set_by_argument(std::string_view key, std::string_view value);

/// The user's file.
std::filesystem::path settings_file();
/// Sets the key in the file, or takes it out, and keeps its other lines. Throws Failure D004 (it cannot be written), D011 to D013.
void write_setting(const std::filesystem::path& file, std::string_view key, std::string_view value);
void erase_setting(const std::filesystem::path& file, std::string_view key);

}  // namespace sluice::driver
