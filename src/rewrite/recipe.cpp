#include "rewrite/recipe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sluice::rewrite {

namespace {

bool plain(const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '#' || c == '-';
    });
}

std::string word(const std::string& text) {
    return plain(text) ? text : to_string(OptionValue(text));
}

/// Reads one line.
class Reader {
public:
    Reader(std::string_view line, const std::string& file, std::uint32_t number)
        : line_(line), file_(file.empty() ? nullptr : intern_file_name(file)), number_(number) {}

    Application application() {
        Application result;
        result.transformation = name("the name of a transformation");
        if (accept('@')) {
            result.path = path();
            if (accept('(')) nodes(result);
        }
        while (!at_end()) option(result);
        return result;
    }

private:
    void skip() {
        while (at_ < line_.size() && line_[at_] == ' ') ++at_;
    }
    bool at_end() {
        skip();
        return at_ == line_.size() || line_[at_] == '#';
    }
    bool accept(char c) {
        skip();
        if (at_ == line_.size() || line_[at_] != c) return false;
        ++at_;
        return true;
    }
    void expect(char c, const std::string& what) {
        if (!accept(c)) fail_here(fmt::format("expected {}", what));
    }
    [[noreturn]] void fail_here(const std::string& message) {
        const auto column = static_cast<std::uint32_t>(at_ + 1);
        fail({.code = "E005",
              .message = message,
              .where = {file_, number_, column, number_, column + 1},
              .path = {},
              .remedy = "write a line as `MapTiling @ main(map=gemm) tile_sizes=[32, 32]`",
              .notes = {}});
    }
    std::string name(const std::string& what) {
        skip();
        if (at_ < line_.size() && line_[at_] == '"') return quoted();
        const std::size_t begin = at_;
        while (at_ < line_.size() && plain(std::string(1, line_[at_]))) ++at_;
        if (begin == at_) fail_here("expected " + what);
        return std::string(line_.substr(begin, at_ - begin));
    }
    std::string quoted() {
        std::string text;
        for (++at_; at_ < line_.size() && line_[at_] != '"'; ++at_) {
            if (line_[at_] == '\\' && at_ + 1 < line_.size()) ++at_;
            text += line_[at_];
        }
        if (at_ == line_.size()) fail_here("the text is not closed by \"");
        ++at_;
        return text;
    }
    std::string path() {
        skip();
        if (at_ < line_.size() && line_[at_] == '"') return quoted();
        const std::size_t begin = at_;
        while (at_ < line_.size() && line_[at_] != '(' && line_[at_] != ' ') ++at_;
        return std::string(line_.substr(begin, at_ - begin));
    }
    void nodes(Application& result) {
        if (accept(')')) return;
        do {
            const std::string key = name("the name of a place in the pattern");
            expect('=', "= and a name");
            result.nodes[key] = name("a name");
        } while (accept(','));
        expect(')', "a comma or )");
    }
    void option(Application& result) {
        const std::string key = name("a parameter");
        expect('=', "= and a value");
        skip();
        const std::size_t begin = at_;
        int depth = 0;
        char quote = 0;
        for (; at_ < line_.size(); ++at_) {
            const char c = line_[at_];
            if (quote) {
                if (c == '\\') ++at_;
                if (c == quote) quote = 0;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else {
                if (depth == 0 && (c == ' ' || c == '#') && !in_expression(begin)) break;
                depth += (c == '(' || c == '[') - (c == ')' || c == ']');
            }
        }
        if (at_ > line_.size()) at_ = line_.size();
        std::string value(line_.substr(begin, at_ - begin));
        if (value.empty() || depth != 0 || quote) fail_here("expected a value");
        if (key != "unsafe_assume") {
            result.options[key] = value;
            return;
        }
        const auto codes = parse_option({"unsafe_assume", std::vector<std::string>(), ""}, value);
        result.assumed = std::get<std::vector<std::string>>(codes.value());
    }
    /// A space belongs to the value `N + 1`: it follows or precedes an operator.
    bool in_expression(std::size_t begin) const {
        const auto is_operator = [](char c) { return c == '+' || c == '-' || c == '*' || c == '/' || c == '%' || c == ','; };
        std::size_t before = at_, after = at_;
        while (before > begin && line_[before - 1] == ' ') --before;
        while (after < line_.size() && line_[after] == ' ') ++after;
        return (before > begin && is_operator(line_[before - 1])) || (after < line_.size() && is_operator(line_[after]));
    }

    std::string_view line_;
    const std::string* file_;
    std::uint32_t number_;
    std::size_t at_ = 0;
};

std::function<bool(const ir::Node&)> admitted(const PatternNode& wanted) {
    return [kinds = wanted.kinds](const ir::Node& node) { return (kind_of(node) & kinds) != 0; };
}

/// Names by which a match is called.
std::map<std::string, std::string> names_of(const ir::Sdfg& root, const Descriptor& descriptor, const Match& match) {
    std::map<std::string, std::string> names;
    const std::vector<PatternNode>& nodes = descriptor.patterns[match.pattern].nodes;
    for (std::size_t i = 0; i < match.nodes.size(); ++i)
        names[nodes[i].name] = name_of(state_at(root, match.place), match.nodes[i], admitted(nodes[i]));
    for (std::size_t i = 0; i < match.blocks.size(); ++i)
        names[nodes[i].name] = name_of(region_at(root, match.place), match.blocks[i]);
    return names;
}

std::string brief(const std::map<std::string, std::string>& names) {
    std::vector<std::string> parts;
    for (const auto& [key, name] : names) parts.push_back(key + "=" + word(name));
    return fmt::format("({})", fmt::join(parts, ", "));
}

}  // namespace

std::string to_string(const Application& application) {
    const std::string path =
        application.path.find_first_of(" (\"") == std::string::npos ? application.path : to_string(OptionValue(application.path));
    std::string line = fmt::format("{} @ {}", application.transformation, path);
    if (!application.nodes.empty()) line += brief(application.nodes);
    // Without a place before them the parameters would be read as one.
    if (line.back() == ' ' && !(application.options.empty() && application.assumed.empty())) line += "()";
    for (const auto& [name, value] : application.options) line += fmt::format(" {}={}", name, value);
    if (!application.assumed.empty()) line += " unsafe_assume=" + to_string(OptionValue(application.assumed));
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line;
}

Result<Application> parse_application(std::string_view line, const std::string& file, std::uint32_t line_number) {
    return capture([&] { return Reader(line, file, line_number).application(); });
}

Result<std::vector<std::pair<std::uint32_t, Application>>> parse_recipe(std::string_view text, const std::string& file) {
    return capture([&] {
        std::vector<std::pair<std::uint32_t, Application>> lines;
        std::uint32_t number = 0;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            std::string_view line = text.substr(begin, end - begin);
            ++number;
            begin = end + 1;
            if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
            const std::size_t first = line.find_first_not_of(' ');
            if (first == std::string_view::npos || line[first] == '#') continue;
            lines.emplace_back(number, parse_application(line, file, number).or_fail());
        }
        return lines;
    });
}

Application describe(const ir::Sdfg& root, const Descriptor& descriptor, const Match& match, const Options& options,
                     const std::set<std::string>& assumed) {
    Application application{.transformation = descriptor.name,
                            .path = to_string(root, match.place),
                            .nodes = names_of(root, descriptor, match),
                            .options = {},
                            .assumed = {assumed.begin(), assumed.end()}};
    for (const Parameter& parameter : descriptor.parameters) {
        const auto at = options.find(parameter.name);
        if (at != options.end() && at->second != parameter.default_value)
            application.options[parameter.name] = to_string(at->second);
    }
    return application;
}

namespace {

bool bears(const std::map<std::string, std::string>& names, const std::map<std::string, std::string>& wanted) {
    return std::ranges::all_of(wanted, [&](const auto& one) {
        const auto at = names.find(one.first);
        return at != names.end() && at->second == one.second;
    });
}

constexpr std::size_t kMostListed = 8;

/// Each as the line that would name it, with what the application says besides the place.
std::vector<Note> lines_of(const ir::Sdfg& root, const Descriptor& descriptor, const std::vector<Match>& matches,
                           const Application& application) {
    std::vector<Note> lines;
    for (const Match& match : matches) {
        if (lines.size() == kMostListed) {
            lines.push_back({fmt::format("... and {} more", matches.size() - kMostListed), {}});
            break;
        }
        Application line = application;
        line.transformation = descriptor.name;
        line.path = to_string(root, match.place);
        line.nodes = names_of(root, descriptor, match);
        lines.push_back({to_string(line), {}});
    }
    return lines;
}

std::vector<Match> bearing(const ir::Sdfg& root, const Descriptor& descriptor, std::vector<Match> matches,
                           const std::map<std::string, std::string>& wanted) {
    std::erase_if(matches, [&](const Match& match) { return !bears(names_of(root, descriptor, match), wanted); });
    return matches;
}

}  // namespace

Result<Match> locate(const ir::Sdfg& root, const Descriptor& descriptor, const Application& application) {
    return capture([&] {
        const Place place = find_place(root, application.path).or_fail();
        Views views;
        const std::vector<Match> here = find_matches_at(root, descriptor, place, views);
        std::vector<Match> fitting = bearing(root, descriptor, here, application.nodes);
        // A line without a path means the only place there is, wherever it lies.
        const bool anywhere = fitting.empty() && application.path.empty();
        if (anywhere) fitting = bearing(root, descriptor, find_matches(root, descriptor), application.nodes);
        if (fitting.size() == 1) return fitting[0];
        // Of a transformation that fits a node and the whole graph, the line without a node means the graph.
        if (application.nodes.empty())
            for (const Match& match : fitting)
                if (match.nodes.empty() && match.blocks.empty()) return match;
        const std::string where = application.path.empty() ? root.name : root.name + "/" + application.path;
        if (!fitting.empty())
            fail({.code = "E006",
                  .message = fmt::format("{} fits {} places{}", descriptor.name, fitting.size(), anywhere ? "" : " here"),
                  .where = {},
                  .path = where,
                  .remedy = "choose one of these lines",
                  .notes = lines_of(root, descriptor, fitting, application)});
        const std::vector<Match> others = here.empty() ? find_matches(root, descriptor) : here;
        fail({.code = "E004",
              .message =
                  fmt::format("{} finds no {} {}", descriptor.name, application.nodes.empty() ? "match" : brief(application.nodes),
                              application.path.empty() ? "in the program" : "here"),
              .where = {},
              .path = where,
              .remedy = others.empty()
                            ? fmt::format("nothing in the program fits its pattern: `sluice opt --describe {0}` draws it, and "
                                          "`--why-not {0}` says what would bring it about",
                                          descriptor.name)
                            : "these lines fit its pattern now",
              .notes = lines_of(root, descriptor, others, application)});
    });
}

Result<Options> options_of(const Descriptor& descriptor, const Application& application) {
    return capture([&] {
        Options options;
        for (const auto& [name, text] : application.options) {
            const auto at = std::ranges::find(descriptor.parameters, name, &Parameter::name);
            // An unknown name is reported, with the known ones, by complete().
            options[name] = at == descriptor.parameters.end() ? OptionValue(text) : parse_option(*at, text).or_fail();
        }
        return complete(descriptor.name, descriptor.parameters, options).or_fail();
    });
}

}  // namespace sluice::rewrite
