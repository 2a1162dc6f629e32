#include "frontend/python/templates.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace sluice::frontend {

using namespace code;

namespace {

using Pieces = std::vector<TemplatePiece>;

bool is_digit(unsigned char c) {
    return std::isdigit(c) != 0;
}

}  // namespace

std::optional<Pieces> percent_template(const std::string& text, const std::vector<ExprPtr>& values) {
    Pieces pieces{{""}};
    std::size_t next = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            pieces.back().text += text[at];
            continue;
        }
        if (++at < text.size() && text[at] == '%') {
            pieces.back().text += '%';
            continue;
        }
        bool left = false, zero = false;
        std::string sign, rest;
        for (; at < text.size() && std::string_view("-+ 0").find(text[at]) != std::string_view::npos; ++at) {
            left = left || text[at] == '-', zero = zero || text[at] == '0';
            if (text[at] == '+' || text[at] == ' ') sign = text[at];
        }
        while (at < text.size() && (is_digit(static_cast<unsigned char>(text[at])) || text[at] == '.')) rest += text[at++];
        if (at >= text.size() || next >= values.size()) return std::nullopt;
        char type = text[at];
        if (type == 'i' || type == 'u') type = 'd';
        if (std::string_view("dfFeEgGxXosr").find(type) == std::string_view::npos) return std::nullopt;
        if (type == 'd' && rest.find('.') != std::string::npos) return std::nullopt;
        const bool as_text = type == 's' || type == 'r';
        std::string format = (left      ? "<"
                              : as_text ? ">"
                                        : "") +
                             sign + (zero && !left && !as_text ? "0" : "") + rest + (as_text ? "s" : std::string(1, type));
        if (as_text && rest.empty()) format.clear();
        pieces.push_back({"", values[next++], format, type == 'r'});
        pieces.push_back({""});
    }
    if (next != values.size()) return std::nullopt;
    return pieces;
}

std::optional<Pieces> braces_template(const std::string& text, const CallExpr& call) {
    Pieces pieces{{""}};
    std::size_t next = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool twice = at + 1 < text.size() && text[at + 1] == text[at];
        if ((text[at] == '{' || text[at] == '}') && twice) {
            pieces.back().text += text[at++];
            continue;
        }
        if (text[at] != '{') {
            pieces.back().text += text[at];
            continue;
        }
        const std::size_t end = text.find('}', at);
        if (end == std::string::npos) return std::nullopt;
        const std::string field = text.substr(at + 1, end - at - 1), shown = field.substr(0, field.find(':')),
                          name = shown.substr(0, shown.find('!')), conversion = shown.substr(name.size());
        if (!conversion.empty() && conversion != "!r" && conversion != "!s") return std::nullopt;
        const bool number = !name.empty() && name.size() < 4 && std::ranges::all_of(name, is_digit);
        ExprPtr value;
        if (name.empty() || number) {
            const std::size_t place = number ? std::stoul(name) : next++;
            if (place >= call.arguments.size()) return std::nullopt;
            value = call.arguments[place];
        } else {
            const auto keyword = std::ranges::find(call.keywords, name, &Keyword::name);
            if (keyword == call.keywords.end()) return std::nullopt;
            value = keyword->value;
        }
        pieces.push_back(
            {"", value, field.find(':') == std::string::npos ? "" : field.substr(field.find(':') + 1), conversion == "!r"});
        pieces.push_back({""});
        at = end;
    }
    return pieces;
}

}  // namespace sluice::frontend
