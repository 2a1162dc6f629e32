// The textual form of ranges and subsets: `0:N, i, 0:N:2`.
#include "symbolic/parse.h"
#include "symbolic/subset.h"

namespace sluice::symbolic {

namespace {

Range parse_range(Parser& parser) {
    Range range;
    range.begin = parser.expression();
    if (!parser.accept(":")) return Range::index(range.begin);
    range.end = parser.expression();
    if (parser.accept(":")) range.step = parser.expression();
    if (parser.accept(":")) range.tile = parser.expression();
    if (range.step.is_integer(0)) parser.fail_here("a step other than 0");
    return range;
}

}  // namespace

std::string to_string(const Range& range) {
    if (range.is_index()) return to_string(range.begin);
    std::string text = to_string(range.begin) + ":" + to_string(range.end);
    if (!range.step.is_integer(1) || !range.tile.is_integer(1)) text += ":" + to_string(range.step);
    if (!range.tile.is_integer(1)) text += ":" + to_string(range.tile);
    return text;
}

std::string to_string(const Subset& subset) {
    std::string text;
    for (const Range& range : subset.dims) text += (text.empty() ? "" : ", ") + to_string(range);
    return text;
}

Result<Subset> parse_subset(std::string_view text) {
    return capture([&] {
        Parser parser(text);
        Subset subset;
        if (parser.at_end()) return subset;
        do subset.dims.push_back(parse_range(parser));
        while (parser.accept(",") && !parser.at_end());
        parser.expect_end();
        return subset;
    });
}

}  // namespace sluice::symbolic
