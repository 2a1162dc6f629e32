#include "draw/looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

#include "code/reduction.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"

namespace sluice::draw {

using code::Overloaded;

namespace {

constexpr std::size_t kLongestLine = 34, kMostLines = 6;
// Graphviz without a font library knows how wide Helvetica and Courier are, by the beginning of the name.
constexpr const char* kFont = "Helvetica,Arial,sans-serif";
constexpr const char* kCodeFont = "Courier New,DejaVu Sans Mono,monospace";

/// Cuts what would make the picture too wide; the whole text is among the details.
std::string shortened(std::string text, std::size_t longest) {
    if (text.size() <= longest) return text;
    text.resize(longest - 3);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
    return text + "...";
}

/// Breaks a list at its commas where a line gets too long.
std::string broken(const std::string& text) {
    std::string result;
    std::size_t line = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        result += text[at];
        ++line;
        if (text[at] != ',' || line < kLongestLine / 2 || text.size() - at < 12) continue;
        result += '\n';
        line = 0;
        if (at + 1 < text.size() && text[at + 1] == ' ') ++at;
    }
    return result;
}

/// Keeps the text off its arrow.
std::string indented(const std::string& text) {
    std::string result = " ";
    for (const char c : text) result += c == '\n' ? std::string(" \n ") : std::string(1, c);
    return result + " ";
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::size_t letters_in(const std::string& utf8) {
    return static_cast<std::size_t>(std::ranges::count_if(utf8, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Breaks a line of code behind a space, and goes on a little to the right.
void append_broken(const std::string& line, std::vector<std::string>& lines) {
    std::string rest = line;
    while (letters_in(rest) > kLongestLine) {
        const std::size_t at = rest.find_last_of(' ', kLongestLine);
        if (at == std::string::npos || rest.find_first_not_of(' ') > at) break;
        lines.push_back(rest.substr(0, at));
        rest = "    " + rest.substr(at + 1);
    }
    lines.push_back(rest);
}

/// The code where it is short enough to be read in the picture, else the name. Lines are centred in a shape; filled up to one
/// length, and of letters of one width, they stand flush left.
std::string label_of(const ir::Tasklet& tasklet) {
    std::vector<std::string> lines;
    for (const std::string& line : lines_of(tasklet.code.text)) append_broken(line, lines);
    std::size_t longest = 0;
    for (const std::string& line : lines) longest = std::max(longest, letters_in(line));
    if (lines.empty() || lines.size() > kMostLines || longest > kLongestLine) return shortened(tasklet.label, kLongestLine);
    std::string label;
    for (const std::string& line : lines)
        label += (label.empty() ? "" : "\n") + line + std::string(longest - letters_in(line), ' ');
    return label;
}

/// Where the text of a dimension is that of a tile, its begin and its greatest length: `tile_i - 1:min(N, tile_i + 8) + 1` is
/// `tile_i - 1 (10)`. Ranges are read as text, which the labels of loops and nodes share.
std::string tile_or_range(const std::string& range) {
    static const std::regex kTile(R"((\w+)( ([-+]) (\d+))?:min\((.*)\)( ([-+]) (\d+))?)");
    std::smatch parts;
    if (!std::regex_match(range, parts, kTile)) return range;
    const auto number = [&](std::size_t sign) {
        return !parts[sign].matched ? 0 : (parts[sign].str() == "-" ? -1 : 1) * std::stoll(parts[sign + 1].str());
    };
    std::istringstream bounds(parts[5].str());
    for (std::string bound; std::getline(bounds, bound, ',');) {
        const std::size_t text = bound.find_first_not_of(' ');
        std::smatch sum;
        static const std::regex kSum(R"((\w+) \+ (\d{1,9}))");
        const std::string trimmed = text == std::string::npos ? "" : bound.substr(text);
        if (!std::regex_match(trimmed, sum, kSum) || sum[1] != parts[1]) continue;
        const long long length = std::stoll(sum[2].str()) + number(7) - number(3);
        return fmt::format("{}{} ({})", parts[1].str(), parts[2].str(), length);
    }
    return range;
}

/// Tiles of a list of dimensions, `i=0:N, j=tile_j:min(M, tile_j + 8)`, as tiles: `i=0:N, j in tile_j (8)`.
std::string with_tiles(const std::string& dimensions) {
    std::string result, one;
    int depth = 0;
    const auto add = [&] {
        const std::size_t begin = std::min(one.find_first_not_of(' '), one.size()), equals = one.find('=');
        const std::size_t range = equals == std::string::npos ? begin : equals + 1;
        const std::string shown = tile_or_range(one.substr(range));
        const bool named = range != begin && shown != one.substr(range);
        result += (result.empty() ? "" : ", ") +
                  (named ? one.substr(begin, range - 1 - begin) + " in " : one.substr(begin, range - begin)) + shown;
        one.clear();
    };
    for (const char c : dimensions) {
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (c == ',' && depth == 0)
            add();
        else
            one += c;
    }
    add();
    return result;
}

/// Who runs the points, below the entry.
std::string schedule_line(const ir::Node& node) {
    const auto* map = std::get_if<ir::MapEntry>(&node.kind);
    if (!map || map->schedule == ir::Schedule::Default) return "";
    return "\n" + std::string(ir::enum_names<ir::Schedule>()[static_cast<std::size_t>(map->schedule)]);
}

std::string scope_label(const ir::State& state, ir::NodeId id) {
    const std::string label = ir::label_of(state, id);
    const std::size_t open = label.find('['), close = label.rfind(']');
    if (open == std::string::npos || close < open) return broken(label.substr(std::min(open, label.size())));
    return broken("[" + with_tiles(label.substr(open + 1, close - open - 1)) + label.substr(close)) +
           schedule_line(state.nodes[id]);
}

std::string reduction_label(const ir::LibraryNode& library) {
    const auto text = [&](const char* name) {
        const auto at = library.properties.find(name);
        if (at == library.properties.end()) return std::string();
        if (const auto* word = std::get_if<std::string>(&at->second)) return *word;
        if (const auto* number = std::get_if<std::int64_t>(&at->second)) return std::to_string(*number);
        if (const auto* list = std::get_if<std::vector<std::int64_t>>(&at->second)) {
            std::string items;
            for (const std::int64_t item : *list) items += (items.empty() ? "" : ", ") + std::to_string(item);
            return items;
        }
        return std::string();
    };
    static constexpr std::array kNames{"custom", "sum", "product", "min", "max", "and", "or",
                                       "xor",    "&",   "|",       "^",   "-",   "/",   "last"};
    const std::string axes = text("axes");
    const code::ReductionType type = ir::Resolution(text("wcr")).type();
    return std::string(kNames[static_cast<std::size_t>(type)]) + (axes.empty() ? "" : "\naxes: " + axes);
}

std::string conflict_label(const ir::Resolution& resolution) {
    static constexpr std::array kNames{"Custom", "Sum",        "Product",   "Min",        "Max", "And", "Or",
                                       "Xor",    "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Sub", "Div", "Exchange"};
    return std::string("(CR: ") + kNames[static_cast<std::size_t>(resolution.type())] + ")";
}

}  // namespace

Attributes look_of(const ir::Sdfg& sdfg, const ir::State& state, ir::NodeId id) {
    // A trapezium; Graphviz's own slants more the wider the label is.
    const auto scope = [&](const char* distortion, const char* style) {
        return Attributes{{"shape", "polygon"}, {"sides", "4"},          {"distortion", distortion},
                          {"style", style},     {"margin", "0.05,0.03"}, {"label", scope_label(state, id)}};
    };
    const ir::Node& node = state.nodes[id];
    return std::visit(
        Overloaded{
            [&](const ir::Access& access) {
                const ir::Container* container = ir::find_container(sdfg, access.data);
                const bool stream = container && std::holds_alternative<ir::Stream>(container->kind);
                const bool argument = container && !container->transient;
                return Attributes{{"shape", "ellipse"},
                                  {"style", stream ? "filled,dashed" : "filled"},
                                  {"penwidth", argument ? "2" : "1"},
                                  {"margin", "0.06,0.03"},
                                  {"label", shortened(access.data, kLongestLine)}};
            },
            [](const ir::Tasklet& tasklet) {
                return Attributes{{"shape", "octagon"},
                                  {"margin", "0.02,0.02"},
                                  {"fontname", kCodeFont},
                                  {"fontsize", "9"},
                                  {"label", label_of(tasklet)}};
            },
            [&](const ir::MapEntry&) { return scope("-0.2", "filled"); },
            [&](const ir::MapExit&) { return scope("0.2", "filled"); },
            [&](const ir::ConsumeEntry&) { return scope("-0.2", "filled,dashed"); },
            [&](const ir::ConsumeExit&) { return scope("0.2", "filled,dashed"); },
            [](const ir::NestedSdfg& nested) {
                return Attributes{{"shape", "doubleoctagon"}, {"label", nested.label}};
            },
            [](const ir::LibraryNode& library) {
                if (library.operation == "Reduce")
                    return Attributes{{"shape", "invtriangle"}, {"margin", "0,0"}, {"label", reduction_label(library)}};
                return Attributes{{"shape", "note"}, {"label", library.operation}};
            },
        },
        node.kind);
}

Attributes look_of(const ir::Sdfg& sdfg, const ir::Memlet& memlet) {
    if (memlet.empty()) return {{"style", "dotted"}, {"arrowhead", "open"}, {"color", "#888888"}};
    const ir::Container* container = ir::find_container(sdfg, memlet.data);
    const bool element = container && (container->shape.empty() || std::holds_alternative<ir::Stream>(container->kind));
    std::string label = memlet.data;
    if (memlet.subset && memlet.subset->rank() > 0 && !(element && memlet.subset->dims.size() <= 1))
        label += "[" + with_tiles(symbolic::to_string(*memlet.subset)) + "]";
    if (memlet.other_subset && memlet.other_subset->rank() > 0) label += " -> [" + symbolic::to_string(*memlet.other_subset) + "]";
    label = broken(shortened(std::move(label), 3 * kLongestLine));
    if (memlet.dynamic) label += " (dyn)";
    if (memlet.wcr) label += "\n" + conflict_label(*memlet.wcr);
    Attributes look{{"label", indented(label)}};
    if (memlet.wcr) look.emplace_back("style", "dashed");
    return look;
}

Attributes look_of(const ir::Transition& transition) {
    std::string label = transition.condition.text;
    for (const auto& [symbol, value] : transition.assignments) label += (label.empty() ? "" : "\n") + symbol + " = " + value;
    return {{"label", indented(shortened(label, 5 * kLongestLine))},
            {"color", "#2255aa"},
            {"fontcolor", "#2255aa"},
            {"penwidth", "1.3"}};
}

Attributes area(const std::string& title, const char* fill, const char* border) {
    return {{"label", shortened(title, 2 * kLongestLine)},
            {"style", "filled"},
            {"fillcolor", fill},
            {"color", border},
            {"fontcolor", border},
            {"labeljust", "l"},
            {"fontsize", "9"},
            {"margin", "7"},
            {"fontname", kFont}};
}

const Attributes& graph_look() {
    static const Attributes kLook{{"compound", "true"}, {"rankdir", "TB"}, {"ranksep", "0.28"}, {"nodesep", "0.22"},
                                  {"fontname", kFont},  {"labelloc", "t"}, {"labeljust", "l"},  {"fontsize", "11"}};
    return kLook;
}
const Attributes& node_look() {
    static const Attributes kLook{{"fontname", kFont},    {"fontsize", "10"}, {"style", "filled"},
                                  {"fillcolor", "white"}, {"height", "0.3"},  {"width", "0.3"}};
    return kLook;
}
const Attributes& edge_look() {
    static const Attributes kLook{{"fontname", kFont}, {"fontsize", "8"}, {"arrowsize", "0.6"}, {"color", "#333333"}};
    return kLook;
}

}  // namespace sluice::draw
