#include "support/diagnostic.h"

#include <mutex>
#include <unordered_set>

namespace sluice {

const std::string* intern_file_name(const std::string& name) {
    static std::mutex mutex;
    static std::unordered_set<std::string> names;
    std::lock_guard lock(mutex);
    return &*names.insert(name).first;
}

void fail(Diagnostic diagnostic) {
    throw Failure(std::move(diagnostic));
}

namespace {

std::string place_of(const Span& where, const std::string& path) {
    std::string text;
    if (where.known()) {
        if (where.file) text += *where.file + ":";
        text += std::to_string(where.line) + ":";
        if (where.column) text += std::to_string(where.column_in_line()) + ":";
    } else if (where.file) {
        text += *where.file + ":";
    }
    if (!path.empty()) text += (text.empty() ? "" : " ") + path + ":";
    return text.empty() ? text : text + " ";
}

std::string line_of(const std::string& source, std::uint32_t line) {
    std::size_t begin = 0;
    for (std::uint32_t at = 1; at < line; ++at) {
        begin = source.find('\n', begin);
        if (begin == std::string::npos) return {};
        ++begin;
    }
    return source.substr(begin, source.find('\n', begin) - begin);
}

// The source line with its number, and below it a caret under the span.
std::string excerpt(const Span& where, const std::string& source) {
    const std::string line = line_of(source, where.line);
    if (line.empty()) return {};
    std::string number = std::to_string(where.line);
    if (number.size() < 4) number.insert(0, 4 - number.size(), ' ');
    std::string text = " " + number + " | " + line + "\n";
    const std::uint32_t column = where.column_in_line();
    if (column == 0 || column > line.size() + 1) return text;
    std::string marks(number.size() + 1, ' ');
    marks += " | ";
    for (std::uint32_t at = 1; at < column; ++at) marks += line[at - 1] == '\t' ? '\t' : ' ';
    marks += '^';
    if (where.end_line == where.line && where.end_column > column + 1) {
        const std::size_t end = std::min<std::size_t>(where.end_column, line.size() + 1);
        if (end > column + 1) marks.append(end - column - 1, '~');
    }
    return text + marks + "\n";
}

}  // namespace

std::string render(const Diagnostic& diagnostic, const std::string& source) {
    std::string text = place_of(diagnostic.where, diagnostic.path) + "error " + diagnostic.code + ": " + diagnostic.message + "\n";
    if (diagnostic.where.known() && !source.empty()) text += excerpt(diagnostic.where, source);
    for (const Note& note : diagnostic.notes) text += place_of(note.where, {}) + "note: " + note.message + "\n";
    if (!diagnostic.remedy.empty()) text += "help: " + diagnostic.remedy + "\n";
    return text;
}

}  // namespace sluice
