#include "interchange/text_writer.h"

#include <charconv>
#include <cmath>

namespace sluice::interchange {

namespace {

constexpr std::string_view kHex = "0123456789abcdef";

void append_unit(std::string& out, std::uint32_t unit) {
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out += kHex[(unit >> shift) & 15];
}

void append_code_point(std::string& out, std::uint32_t point) {
    if (point < 0x10000) return append_unit(out, point);
    append_unit(out, 0xd800 + ((point - 0x10000) >> 10));
    append_unit(out, 0xdc00 + ((point - 0x10000) & 0x3ff));
}

// Decodes one UTF-8 sequence; a byte that begins none becomes U+FFFD, so that the output is always valid.
std::uint32_t decode(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    const std::size_t length = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
    if (length == 1 || lead >= 0xf5 || at + length > text.size()) return ++at, 0xfffd;
    std::uint32_t point = lead & (0xff >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xc0) != 0x80) return ++at, 0xfffd;
        point = point << 6 | (byte(at + i) & 0x3f);
    }
    at += length;
    return point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ? 0xfffd : point;
}

}  // namespace

std::string real_text(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    std::string text(buffer, end);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

void TextWriter::new_line() {
    if (!readable_) return;
    text_ += '\n';
    text_.append(2 * filled_.size(), ' ');
}

void TextWriter::separate() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (filled_.empty()) return;
    if (filled_.back()) text_ += ',';
    filled_.back() = true;
    new_line();
}

void TextWriter::open(char bracket) {
    separate();
    text_ += bracket;
    filled_.push_back(false);
}

void TextWriter::close(char bracket) {
    const bool filled = filled_.back();
    filled_.pop_back();
    if (filled) new_line();
    text_ += bracket;
}

void TextWriter::key(std::string_view name) {
    separate();
    quote(name);
    text_ += readable_ ? ": " : ":";
    after_key_ = true;
}

void TextWriter::raw(std::string_view text) {
    separate();
    text_ += text;
}

void TextWriter::string(std::string_view text) {
    separate();
    quote(text);
}

void TextWriter::quote(std::string_view text) {
    text_ += '"';
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (static_cast<unsigned char>(c) >= 0x80) {
            append_code_point(text_, decode(text, at));
            continue;
        }
        ++at;
        if (c == '"' || c == '\\') {
            text_ += '\\';
            text_ += c;
        } else if (c == '\n') {
            text_ += "\\n";
        } else if (c == '\t') {
            text_ += "\\t";
        } else if (c == '\r') {
            text_ += "\\r";
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            append_unit(text_, static_cast<unsigned char>(c));
        } else {
            text_ += c;
        }
    }
    text_ += '"';
}

void TextWriter::real(double value) {
    if (std::isnan(value)) return string("NaN");
    if (std::isinf(value)) return string(value < 0 ? "-Infinity" : "Infinity");
    raw(real_text(value));
}

void TextWriter::value(const Value& value) {
    if (value.is_null()) return null();
    if (const auto* flag = std::get_if<bool>(&value.data)) return boolean(*flag);
    if (const auto* number = std::get_if<std::int64_t>(&value.data)) return integer(*number);
    if (const auto* number = std::get_if<double>(&value.data)) return real(*number);
    if (const auto* number = std::get_if<BigNumber>(&value.data)) return raw(number->text);
    if (const auto* text = value.string()) return string(*text);
    if (const auto* items = value.array()) {
        begin_array();
        for (const Value& item : *items) this->value(item);
        return end_array();
    }
    begin_object();
    for (const Member& member : *value.object()) {
        key(member.key);
        this->value(member.value);
    }
    end_object();
}

std::string to_compact_text(const Value& value) {
    TextWriter writer(false);
    writer.value(value);
    return writer.take();
}

}  // namespace sluice::interchange
