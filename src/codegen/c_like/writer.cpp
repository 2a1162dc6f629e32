#include "codegen/c_like/writer.h"

#include "support/check.h"

namespace sluice::codegen {

void Writer::line(std::string_view text) {
    text_.append(static_cast<std::size_t>(level_) * 4, ' ');
    flush_left(text);
}

void Writer::flush_left(std::string_view text) {
    text_ += text;
    text_ += '\n';
    ++lines_;
}

void Writer::verbatim(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view one = text.substr(0, end);
        if (one.empty())
            blank();
        else if (one.front() == '#')
            flush_left(one);
        else
            line(one);
        if (end == std::string_view::npos) return;
        text.remove_prefix(end + 1);
    }
}

void Writer::blank() {
    flush_left({});
}

void Writer::open(std::string_view text) {
    line(text);
    ++level_;
}

void Writer::open_block(std::string_view comment) {
    std::string text = comment.empty() ? "{" : "{  // ";
    for (const char c : comment) text += c == '\n' || c == '\r' || c == '\\' ? ' ' : c;  // a backslash would go on to the next line
    open(text);
}

void Writer::close(std::string_view tail) {
    check(level_ > 0, "the generated source closes more than it opened");
    --level_;
    line("}" + std::string(tail));
}

void Writer::turn(std::string_view text) {
    --level_;
    line(text);
    ++level_;
}

void Writer::at(const Span& where) {
    if (!where.known()) return;
    if (!line_map_.empty()) {
        if (line_map_.back().second == where) return;
        if (line_map_.back().first == next_line()) {
            line_map_.back().second = where;
            return;
        }
    }
    line_map_.emplace_back(next_line(), where);
}

void Writer::append(const Writer& other) {
    for (const auto& [number, where] : other.line_map_) line_map_.emplace_back(number + lines_, where);
    text_ += other.text_;
    lines_ += other.lines_;
}

}  // namespace sluice::codegen
