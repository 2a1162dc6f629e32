#include "driver/tuning/store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <sstream>

#include "driver/digest.h"
#include "driver/settings.h"
#include "driver/targets/toolchain.h"
#include "ir/text.h"
#include "target/target.h"

namespace sluice::driver {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kOff = "off";

fs::path file_of(const fs::path& folder, const ir::Sdfg& program, const std::string& size_class) {
    constexpr std::size_t kDigits = 32;
    const std::string digest = Digest().field(ir::to_text(program)).field(size_class).field(processor()).hexadecimal();
    return folder / (program.name + "-" + digest.substr(0, kDigits) + ".recipe");
}

[[noreturn]] void fail_to_write(const fs::path& file) {
    fail({"D004", "cannot write " + file.string(), {}, {}, "make the folder writable, or name another by the setting `tuned`", {}});
}

}  // namespace

std::string size_class(const Sizes& sizes) {
    std::string text;
    for (const auto& [name, size] : sizes)
        text += (text.empty() ? "" : " ") + name + "=" +
                std::to_string(size > 0 ? std::bit_floor(static_cast<std::uint64_t>(size)) : 0);
    return text;
}

std::optional<fs::path> tuned_folder() {
    const std::string text = setting("tuned").text;
    if (text == kOff) return std::nullopt;
    return text.empty() ? settings_file().parent_path() / "tuned" : fs::path(text);
}

fs::path keep_tuned(const ir::Sdfg& given, const std::string& size_class, const Tuned& tuned) {
    const auto folder = tuned_folder();
    if (!folder)
        fail({"D032", "the setting `tuned` is off: there is no place for what was found", {}, {}, "name a folder by it", {}});
    const fs::path file = file_of(*folder, given, size_class);
    std::error_code error;
    fs::create_directories(*folder, error);
    const fs::path part = file.string() + ".part" + std::to_string(::getpid());
    std::ofstream out(part);
    out << fmt::format("# {}{}: {:.3g} ms a run, {:.3g} ms by -O3\n", given.name, size_class.empty() ? "" : " " + size_class,
                       tuned.tuned * 1e3, tuned.untuned * 1e3);
    for (const Change& change : tuned.changes) out << "# " << to_string(change) << "\n";
    out << tuned.recipe;
    out.close();
    if (!out) fail_to_write(file);
    fs::rename(part, file, error);
    if (error) fail_to_write(file);
    return file;
}

bool is_tuned(const ir::Sdfg& given, const std::string& size_class) {
    const auto folder = tuned_folder();
    std::error_code error;
    return folder && fs::is_directory(*folder, error) && fs::is_regular_file(file_of(*folder, given, size_class), error);
}

bool may_be_tuned(const std::string& name) {
    const auto folder = tuned_folder();
    std::error_code error;
    if (!folder || !fs::is_directory(*folder, error)) return false;
    for (const fs::directory_entry& entry : fs::directory_iterator(*folder, error))
        if (entry.path().filename().string().starts_with(name + "-")) return true;
    return false;
}

Result<bool> run_tuned(Session& session, Level level, const std::string& size_class, const std::string& where) {
    return capture([&] {
        const auto device =
            std::ranges::any_of(target::targets(), [&](const target::Target& one) { return one.name == where && one.device; });
        if (!device && level == Level::O3 && is_tuned(session.program(), size_class)) {
            const fs::path file = file_of(*tuned_folder(), session.program(), size_class);
            std::ostringstream text;
            text << std::ifstream(file).rdbuf();
            if (session.replay(text.str(), file.string())) return true;
        }
        session.run(pipeline(level, device)).or_fail();
        return false;
    });
}

}  // namespace sluice::driver
