// Texts that the build embeds: the page around a picture, and the layout library that it carries.
#pragma once

#include <string_view>

namespace sluice::draw {

/// src/draw/page.html, with {{title}}, {{library}} and {{picture}} to be filled in.
std::string_view page_template();
/// The browser's Graphviz (the npm package @viz-js/viz); empty if the build did not find it.
std::string_view layout_library();

}  // namespace sluice::draw
