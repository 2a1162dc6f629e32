#include "cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "driver/session.h"
#include "driver/settings.h"

namespace sluice::cli {

void fail_usage(std::string code, std::string message, std::string remedy) {
    fail({.code = std::move(code),
          .message = std::move(message),
          .where = {},
          .path = {},
          .remedy = std::move(remedy),
          .notes = {}});
}

std::vector<ir::Sdfg> read_all(const std::filesystem::path& source) {
    return driver::read_programs(source).or_fail();
}

ir::Sdfg read_one(const std::filesystem::path& source, const std::string& name) {
    std::vector<ir::Sdfg> programs = read_all(source);
    std::string names;
    for (ir::Sdfg& program : programs) {
        if (program.name == name || (name.empty() && programs.size() == 1)) return std::move(program);
        names += (names.empty() ? "" : ", ") + program.name;
    }
    if (name.empty()) fail_usage("C001", source.string() + " holds several programs", "name one with --program: " + names);
    fail_usage("C001", source.string() + " holds no program named " + name, "choose one of: " + names);
}

void add_level(CLI::App& command, std::string& level, const char* otherwise) {
    command.add_option(
        "-O,--optimize", level,
        fmt::format("0: what the graph says, plain loops where it leaves something open; 1: simplify; 2: then the CPU's own "
                    "decisions; 3: parallel loops and fused maps on top, no more so far; decide: the graph as it is, with the "
                    "CPU's own decisions (at every level but 0 what is open is decided before compiling). Not given: {}",
                    otherwise));
}

ir::Sdfg optimised(ir::Sdfg program, driver::Level level) {
    if (level == driver::Level::Decide) return program;
    driver::Session session(std::move(program));
    session.run(driver::pipeline(level)).or_fail();
    return session.program();
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
    const std::filesystem::path part = path.string() + ".part" + std::to_string(::getpid());
    std::ofstream out(part, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    std::error_code error;
    if (out) std::filesystem::rename(part, path, error);
    if (out && !error) return;
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    fail_usage("C002", path.string() + " cannot be written", "choose a file in a folder that exists and is writable");
}

std::string read_text_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

}  // namespace sluice::cli
