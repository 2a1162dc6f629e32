// Source files to verified graphs, by what the file holds.
#include <cerrno>
#include <fstream>
#include <iterator>

#include "driver/compile.h"
#include "frontend/python/frontend.h"
#include "interchange/json.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace sluice::driver {

namespace {

/// `scale.py:scale`, as pytest and others name what a file holds, is said in another way here.
std::string readable_path(const std::filesystem::path& path) {
    const std::string text = path.string();
    const std::size_t colon = text.find_first_of(':'), name = text.find_first_not_of(':', colon);
    std::error_code error;
    if (name != std::string::npos && colon != std::string::npos && std::filesystem::is_regular_file(text.substr(0, colon), error))
        return "write " + text.substr(0, colon) + " --program " + text.substr(name);
    return "give the path of a .py, .sdfg or textual graph file";
}

std::string read_file(const std::filesystem::path& path) {
    const auto unreadable = [&](const std::string& reason) {
        fail({"D003", "cannot read `" + path.string() + "`: " + reason, {}, {}, readable_path(path), {}});
    };
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) unreadable("it is a folder");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) unreadable(std::error_code(errno, std::generic_category()).message());
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (file.bad()) unreadable("the file breaks off");
    return text;
}

bool is_json(const std::string& text) {
    if (text.size() >= 2 && text[0] == '\x1f' && text[1] == '\x8b') return true;
    const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    return first != std::string::npos && text[first] == '{';
}

/// Bytes that are UTF-8 and no NUL: anything else cannot be shown in a diagnostic either.
bool is_text(const std::string& text) {
    int following = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (following > 0 ? (byte & 0xc0) != 0x80 : byte == 0 || (byte & 0xc0) == 0x80 || byte > 0xf4) return false;
        if (following > 0)
            --following;
        else
            following = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0;
    }
    return following == 0;
}

}  // namespace

Result<std::vector<ir::Sdfg>> read_programs(const std::filesystem::path& path) {
    return capture([&] {
        const std::string text = read_file(path), file = path.string();
        std::vector<ir::Sdfg> graphs;
        if (path.extension() == ".py") {
            if (!is_text(text))
                fail({"D003",
                      "cannot read `" + file + "`: it holds bytes that are no UTF-8 text",
                      {},
                      {},
                      "give a Python source file, saved as UTF-8",
                      {}});
            for (const frontend::Program& program : frontend::find_programs(text, file).or_fail())
                graphs.push_back(frontend::build(program).or_fail());
            if (graphs.empty())
                fail({"D007",
                      "`" + file + "` has no `@program` function",
                      {},
                      {},
                      "mark the functions to compile with `@sluice.program`",
                      {}});
        } else if (is_json(text) || path.extension() == ".sdfg" || path.extension() == ".sdfgz") {
            graphs.push_back(interchange::from_json(text, file).or_fail());
        } else {
            graphs.push_back(ir::parse_text(text, file).or_fail());
        }
        for (const ir::Sdfg& graph : graphs)
            if (const std::vector<Diagnostic> violations = ir::verify(graph); !violations.empty()) fail(violations.front());
        return graphs;
    });
}

}  // namespace sluice::driver
