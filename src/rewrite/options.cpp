#include "rewrite/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "code/walk.h"
#include "ir/query.h"

namespace sluice::rewrite {

namespace {

using symbolic::Expr;

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += (c == '"' || c == '\\') ? std::string{'\\', c} : std::string{c};
    return result + "\"";
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

std::string unquoted(std::string_view text) {
    text = trim(text);
    if (text.size() < 2 || (text.front() != '"' && text.front() != '\'') || text.back() != text.front()) return std::string(text);
    std::string result;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        if (text[i] == '\\' && i + 2 < text.size()) ++i;
        result += text[i];
    }
    return result;
}

/// `a, f(b, c), "d,e"` at its outer commas; brackets around the whole are optional.
std::vector<std::string_view> split_list(std::string_view text) {
    text = trim(text);
    if (text.size() >= 2 && (text.front() == '[' || text.front() == '(') && (text.back() == ']' || text.back() == ')'))
        text = text.substr(1, text.size() - 2);
    std::vector<std::string_view> parts;
    int depth = 0;
    char quote = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || (text[i] == ',' && depth == 0 && !quote)) {
            if (const std::string_view part = trim(text.substr(begin, i - begin)); !part.empty()) parts.push_back(part);
            begin = i + 1;
            continue;
        }
        const char c = text[i];
        if (quote)
            quote = c == quote ? 0 : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else
            depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    }
    return parts;
}

std::string type_name(const OptionValue& value) {
    static constexpr const char* kNames[] = {"True or False",
                                             "an integer",
                                             "a text",
                                             "an expression such as 2*N",
                                             "a list of texts such as [\"i\", \"j\"]",
                                             "a list of expressions such as [32, N]"};
    return kNames[value.index()];
}

Diagnostic wrong_type(const std::string& owner, const Parameter& parameter, const std::string& given) {
    return {.code = "E002",
            .message = fmt::format("{}{} takes {}, not {}", owner.empty() ? "" : owner + ": ", parameter.name,
                                   type_name(parameter.default_value), given),
            .where = {},
            .path = {},
            .remedy = fmt::format("write {}={}, its default, or another value of that kind", parameter.name,
                                  to_string(parameter.default_value)),
            .notes = {}};
}

Diagnostic begins_no_name(const std::string& owner, const Parameter& parameter, const OptionValue& given) {
    return {.code = "E002",
            .message = fmt::format("{}: names begin with {}, and none can begin with {}", owner, parameter.name, to_string(given)),
            .where = {},
            .path = {},
            .remedy = fmt::format("use letters, digits and `_`, no digit first: {}={} is the default", parameter.name,
                                  to_string(parameter.default_value)),
            .notes = {}};
}

/// `given` as the alternative of `wanted`, if it means one.
std::optional<OptionValue> converted(const OptionValue& wanted, const OptionValue& given) {
    if (given.index() == wanted.index()) return given;
    const auto* number = std::get_if<std::int64_t>(&given);
    const auto* text = std::get_if<std::string>(&given);
    const auto* expression = std::get_if<Expr>(&given);
    if (std::holds_alternative<Expr>(wanted)) {
        if (number) return Expr(*number);
        if (text)
            if (const auto parsed = symbolic::parse(*text)) return *parsed;
    }
    if (std::holds_alternative<std::int64_t>(wanted) && expression && expression->constant()) return *expression->constant();
    if (std::holds_alternative<std::vector<Expr>>(wanted)) {
        if (number) return std::vector<Expr>{Expr(*number)};
        if (expression) return std::vector<Expr>{*expression};
        std::vector<Expr> list;
        if (const auto* texts = std::get_if<std::vector<std::string>>(&given)) {
            for (const std::string& each : *texts) {
                const auto parsed = symbolic::parse(each);
                if (!parsed) return {};
                list.push_back(*parsed);
            }
            return list;
        }
    }
    if (auto* list = std::get_if<std::vector<Expr>>(&given); list && list->empty() && wanted.index() == 4)
        return std::vector<std::string>();
    if (std::holds_alternative<std::vector<std::string>>(wanted) && text) return std::vector<std::string>{*text};
    return {};
}

}  // namespace

std::string to_string(const OptionValue& value) {
    return std::visit(code::Overloaded{
                          [](bool flag) -> std::string { return flag ? "True" : "False"; },
                          [](std::int64_t number) { return std::to_string(number); },
                          [](const std::string& text) { return quoted(text); },
                          [](const Expr& e) { return symbolic::to_string(e); },
                          [](const std::vector<std::string>& texts) {
                              std::vector<std::string> parts;
                              for (const std::string& text : texts) parts.push_back(quoted(text));
                              return fmt::format("[{}]", fmt::join(parts, ", "));
                          },
                          [](const std::vector<Expr>& list) {
                              std::vector<std::string> parts;
                              for (const Expr& e : list) parts.push_back(symbolic::to_string(e));
                              return fmt::format("[{}]", fmt::join(parts, ", "));
                          },
                      },
                      value);
}

Result<OptionValue> parse_option(const Parameter& parameter, std::string_view text) {
    text = trim(text);
    const auto expression = [&](std::string_view part) -> Result<Expr> { return symbolic::parse(unquoted(part)); };
    const Diagnostic wrong = wrong_type("", parameter, "`" + std::string(text) + "`");
    switch (parameter.default_value.index()) {
        case 0:
            if (text == "True" || text == "true" || text == "1") return OptionValue(true);
            if (text == "False" || text == "false" || text == "0") return OptionValue(false);
            return wrong;
        case 1: {
            const auto parsed = expression(text);
            if (!parsed || !parsed->constant()) return wrong;
            return OptionValue(*parsed->constant());
        }
        case 2:
            return OptionValue(unquoted(text));
        case 3: {
            const auto parsed = expression(text);
            if (!parsed) return wrong;
            return OptionValue(*parsed);
        }
        case 4: {
            std::vector<std::string> list;
            for (const std::string_view part : split_list(text)) list.push_back(unquoted(part));
            return OptionValue(list);
        }
        default: {
            std::vector<Expr> list;
            for (const std::string_view part : split_list(text)) {
                const auto parsed = expression(part);
                if (!parsed) return wrong;
                list.push_back(*parsed);
            }
            return OptionValue(list);
        }
    }
}

Result<Options> complete(const std::string& owner, const std::vector<Parameter>& parameters, const Options& given) {
    Options all;
    for (const Parameter& parameter : parameters) all[parameter.name] = parameter.default_value;
    for (const auto& [name, value] : given) {
        const auto at = std::ranges::find(parameters, name, &Parameter::name);
        if (at == parameters.end()) {
            std::vector<std::string> known;
            for (const Parameter& parameter : parameters) known.push_back(parameter.name);
            return Diagnostic{.code = "E002",
                              .message = fmt::format("{} has no parameter {}", owner, name),
                              .where = {},
                              .path = {},
                              .remedy = known.empty() ? "leave it out: there are no parameters"
                                                      : fmt::format("use one of: {}", fmt::join(known, ", ")),
                              .notes = {}};
        }
        const auto fitting = converted(at->default_value, value);
        if (!fitting) return wrong_type(owner, *at, to_string(value));
        if (at->begins_names && !ir::is_identifier(std::get<std::string>(*fitting) + "_"))
            return begins_no_name(owner, *at, *fitting);
        all[name] = *fitting;
    }
    return all;
}

}  // namespace sluice::rewrite
