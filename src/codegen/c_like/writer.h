// Lines of the generated source: indentation, and which line came from which place of the user's source.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/diagnostic.h"

namespace sluice::codegen {

class Writer {
public:
    void line(std::string_view text);
    /// A preprocessor line or a label: not indented.
    void flush_left(std::string_view text);
    /// Text of several lines, each indented.
    void verbatim(std::string_view text);
    void blank();
    /// Writes `text` and indents what follows.
    void open(std::string_view text);
    /// Opens `{`, with a comment unless it is empty.
    void open_block(std::string_view comment);
    /// Ends the innermost open: `}` followed by `tail`.
    void close(std::string_view tail = {});
    /// `} else {` and its kin.
    void turn(std::string_view text);

    /// The lines from here on come from `where`, until another place is set.
    void at(const Span& where);

    std::uint32_t next_line() const { return lines_ + 1; }
    const std::string& text() const { return text_; }
    const std::vector<std::pair<std::uint32_t, Span>>& line_map() const { return line_map_; }
    /// Appends what another writer holds.
    void append(const Writer& other);

private:
    std::string text_;
    std::uint32_t lines_ = 0;
    int level_ = 0;
    std::vector<std::pair<std::uint32_t, Span>> line_map_;
};

}  // namespace sluice::codegen
