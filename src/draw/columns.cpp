// Columns of a picture that Graphviz has laid out from right to left.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "draw/picture.h"

namespace sluice::draw {

namespace {

/// From the end of a column to the head of the next one.
bool leads_to_the_next_column(const Arrow& arrow) {
    return std::ranges::find(arrow.attributes, Attributes::value_type("constraint", "false")) != arrow.attributes.end();
}

/// How far from the left each shape stands: `node NAME X Y ...`.
std::map<std::string, double> places_of(std::string_view plain) {
    std::map<std::string, double> places;
    std::istringstream lines{std::string(plain)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word, name;
        double x = 0;
        if (words >> word >> name >> x && word == "node") places[name] = x;
    }
    return places;
}

void turn(Box& box, const std::set<std::string>& ends) {
    if (std::ranges::any_of(box.boxes, [&](const Box& inner) { return ends.contains(inner.name); }))
        std::ranges::reverse(box.boxes);
    for (Box& inner : box.boxes) turn(inner, ends);
}

}  // namespace

bool has_columns(const Picture& picture) {
    return std::ranges::any_of(picture.arrows, leads_to_the_next_column);
}

Picture with_columns_from_left(Picture picture, std::string_view plain) {
    const std::map<std::string, double> places = places_of(plain);
    std::set<std::string> ends;
    for (const Arrow& arrow : picture.arrows) {
        const auto from = places.find(arrow.source), to = places.find(arrow.target);
        if (!leads_to_the_next_column(arrow) || from == places.end() || to == places.end() || from->second <= to->second) continue;
        ends.insert(arrow.source_box);
    }
    turn(picture.root, ends);
    return picture;
}

}  // namespace sluice::draw
