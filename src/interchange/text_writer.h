// Prints JSON as a stream of events, compact or indented by two; everything outside ASCII is escaped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interchange/value.h"

namespace sluice::interchange {

class TextWriter {
public:
    explicit TextWriter(bool readable) : readable_(readable) {}

    void begin_object() { open('{'); }
    void end_object() { close('}'); }
    void begin_array() { open('['); }
    void end_array() { close(']'); }
    void key(std::string_view name);
    void null() { raw("null"); }
    void boolean(bool value) { raw(value ? "true" : "false"); }
    void integer(std::int64_t value) { raw(std::to_string(value)); }
    /// Shortest text that reads back the same; what JSON cannot say becomes the string "NaN", "Infinity" or "-Infinity".
    void real(double value);
    void string(std::string_view text);
    void value(const Value& value);
    /// Text of a number.
    void raw(std::string_view text);

    std::string take() { return std::move(text_); }

private:
    void separate();
    void quote(std::string_view text);
    void new_line();
    void open(char bracket);
    void close(char bracket);

    std::string text_;
    bool readable_;
    bool after_key_ = false;
    std::vector<bool> filled_;  // per open bracket: does it hold anything yet?
};

/// Python's repr of a double: always with a point or an exponent; `inf`, `-inf`, `nan`.
std::string real_text(double value);
std::string to_compact_text(const Value& value);

}  // namespace sluice::interchange
