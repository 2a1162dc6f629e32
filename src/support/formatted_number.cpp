#include "support/formatted_number.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

namespace sluice {

namespace {

constexpr char kAround = '\t';  // A place: a tab, the number, `:`, the kind, the format, a tab.

/// `[fill align][sign][0][width][,][.precision][type]`
struct Format {
    std::string fill = " ";
    char align = '\0', sign = '-', type = '\0';
    bool zeros = false, commas = false;
    std::size_t width = 0;
    std::optional<std::size_t> precision;
};

std::optional<std::size_t> take_number(std::string_view& text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || value > 200) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::optional<Format> parsed(std::string_view text) {
    Format format;
    const auto is_align = [](char c) { return c == '<' || c == '>' || c == '^' || c == '='; };
    const auto take = [&](char c) {
        const bool there = text.starts_with(c);
        text.remove_prefix(there ? 1 : 0);
        return there;
    };
    if (text.size() > 1 && is_align(text[1]) && text[0] > 0) {
        format.fill = text[0];
        format.align = text[1];
        text.remove_prefix(2);
    } else if (!text.empty() && is_align(text[0])) {
        format.align = text[0];
        text.remove_prefix(1);
    }
    if (!text.empty() && (text[0] == '+' || text[0] == '-' || text[0] == ' ')) {
        format.sign = text[0];
        text.remove_prefix(1);
    }
    format.zeros = take('0');
    if (!text.empty() && text[0] >= '1' && text[0] <= '9') {
        const auto width = take_number(text);
        if (!width) return std::nullopt;
        format.width = *width;
    }
    format.commas = take(',');
    if (take('.')) {
        format.precision = take_number(text);
        if (!format.precision) return std::nullopt;
    }
    if (text.size() > 1) return std::nullopt;
    if (!text.empty()) format.type = text[0];
    return format;
}

bool is_for_floats(char type) {
    return type != '\0' && std::string_view("eEfFgG%").find(type) != std::string_view::npos;
}

/// The digits of Python's repr(), and of formats with a precision and no type: an exponent where few or many digits stand in front
/// of the point, else one digit at least behind it.
std::string digits_of(double value, std::optional<std::size_t> precision) {
    if (!precision) {
        std::string text = fmt::format("{}", value);
        return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
    }
    const std::size_t most = std::max<std::size_t>(*precision, 1);
    const std::string scientific = fmt::format("{:.{}e}", value, most - 1);
    const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
    if (exponent < -4 || exponent >= static_cast<int>(most) - 1) {
        std::string mantissa = scientific.substr(0, scientific.find('e'));
        if (mantissa.find('.') != std::string::npos) {
            mantissa.erase(mantissa.find_last_not_of('0') + 1);
            if (mantissa.ends_with('.')) mantissa.pop_back();
        }
        return mantissa + scientific.substr(scientific.find('e'));
    }
    std::string text = fmt::format("{:.{}f}", value, static_cast<std::size_t>(static_cast<int>(most) - 1 - exponent));
    if (text.find('.') == std::string::npos) return text + ".0";
    text.erase(text.find_last_not_of('0') + 1);
    return text.ends_with('.') ? text + "0" : text;
}

/// Without a sign.
std::string magnitude(double value, const Format& format) {
    if (std::isnan(value) || std::isinf(value)) {
        const bool capital = format.type == 'E' || format.type == 'F' || format.type == 'G';
        return std::string(std::isnan(value) ? (capital ? "NAN" : "nan")
                           : capital         ? "INF"
                                             : "inf") +
               (format.type == '%' ? "%" : "");
    }
    const std::size_t precision = format.precision.value_or(6);
    switch (format.type) {
        case 'e':
            return fmt::format("{:.{}e}", value, precision);
        case 'E':
            return fmt::format("{:.{}E}", value, precision);
        case 'f':
        case 'F':
            return fmt::format("{:.{}f}", value, precision);
        case 'g':
            return fmt::format("{:.{}g}", value, precision);
        case 'G':
            return fmt::format("{:.{}G}", value, precision);
        case '%':
            return fmt::format("{:.{}f}%", 100 * value, precision);
        default:
            return digits_of(value, format.precision);
    }
}

std::string magnitude(std::uint64_t value, const Format& format) {
    switch (format.type) {
        case 'x':
            return fmt::format("{:x}", value);
        case 'X':
            return fmt::format("{:X}", value);
        case 'o':
            return fmt::format("{:o}", value);
        case 'b':
            return fmt::format("{:b}", value);
        default:
            return fmt::format("{}", value);
    }
}

std::string with_commas(std::string text) {
    const std::size_t end = text.find_first_not_of("0123456789");
    for (std::size_t at = end == std::string::npos ? text.size() : end; at > 3;) text.insert(at -= 3, 1, ',');
    return text;
}

std::string filled(std::string text, bool negative, const Format& format) {
    const std::string sign = negative ? "-" : format.sign == '-' ? "" : std::string(1, format.sign);
    if (format.commas) text = with_commas(std::move(text));
    const std::size_t size = sign.size() + text.size();
    if (size >= format.width) return sign + text;
    const std::size_t missing = format.width - size;
    const char fill = format.align == '\0' && format.zeros ? '0' : format.zeros && format.fill == " " ? '0' : format.fill[0];
    const char align = format.align != '\0' ? format.align : format.zeros ? '=' : '>';
    const std::size_t before = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
    const std::string left(before, fill), right(missing - before, fill);
    return align == '=' ? sign + left + text : left + sign + text + right;
}

std::string written(std::int64_t number, char kind, const Format& format) {
    if (kind == static_cast<char>(WrittenNumber::Truth)) return number != 0 ? "True" : "False";
    if (kind == static_cast<char>(WrittenNumber::Integer) && !is_for_floats(format.type)) {
        const bool negative = number < 0;
        return filled(magnitude(negative ? -static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number), format),
                      negative, format);
    }
    const double value =
        kind == static_cast<char>(WrittenNumber::Float) ? std::bit_cast<double>(number) : static_cast<double>(number);
    const bool negative = std::signbit(value) && !std::isnan(value);
    return filled(magnitude(std::fabs(value), format), negative, format);
}

}  // namespace

bool is_known_format(std::string_view text, WrittenNumber kind) {
    if (kind == WrittenNumber::Truth) return text.empty();
    const auto format = parsed(text);
    if (!format || (format->commas && format->zeros)) return false;
    if (kind == WrittenNumber::Float) return format->type == '\0' || is_for_floats(format->type);
    if (is_for_floats(format->type)) return true;
    const bool plain = format->type == '\0' || format->type == 'd';
    return !format->precision &&
           (plain || (!format->commas && std::string_view("xXob").find(format->type) != std::string_view::npos));
}

std::string place_of_number(std::string_view format, WrittenNumber kind) {
    return std::string(1, kAround) + "{}:" + static_cast<char>(kind) + std::string(format) + kAround;
}

std::string with_numbers_written(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text[at] == kAround ? text.find(kAround, at + 1) : std::string_view::npos;
        std::int64_t number = 0;
        const char* const last = text.data() + (end == std::string_view::npos ? at : end);
        const auto [behind, error] = std::from_chars(text.data() + std::min(at + 1, text.size()), last, number);
        if (end == std::string_view::npos || error != std::errc{} || last - behind < 2 || *behind != ':') {
            result += text[at++];
            continue;
        }
        const auto format = parsed(std::string_view(behind + 2, static_cast<std::size_t>(last - behind - 2)));
        result += format ? written(number, behind[1], *format) : std::string(text.substr(at, end + 1 - at));
        at = end + 1;
    }
    return result;
}

}  // namespace sluice
