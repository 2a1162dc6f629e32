// A picture as one HTML file: the template, with the picture as JSON and the layout library put in.
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "draw/assets.h"
#include "draw/looks.h"
#include "support/check.h"
#include "support/diagnostic.h"

namespace sluice::draw {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Box& box) {
    Json shapes = Json::array(), boxes = Json::array();
    for (const Shape& shape : box.shapes)
        shapes.push_back({{"name", shape.name}, {"attributes", shape.attributes}, {"detail", shape.detail}});
    for (const Box& inner : box.boxes) boxes.push_back(json_of(inner));
    return {{"name", box.name},     {"title", box.title},          {"attributes", box.attributes}, {"closed", box.closed},
            {"detail", box.detail}, {"shapes", std::move(shapes)}, {"boxes", std::move(boxes)}};
}

Json json_of(const Attributes& attributes) {
    Json object = Json::object();
    for (const auto& [name, value] : attributes) object[name] = value;
    return object;
}

Json json_of(const Picture& picture) {
    Json arrows = Json::array();
    for (const Arrow& arrow : picture.arrows)
        arrows.push_back({{"source", arrow.source},
                          {"target", arrow.target},
                          {"source_box", arrow.source_box},
                          {"target_box", arrow.target_box},
                          {"attributes", arrow.attributes},
                          {"detail", arrow.detail}});
    return {{"root", json_of(picture.root)},
            {"arrows", std::move(arrows)},
            {"look", {{"graph", json_of(graph_look())}, {"node", json_of(node_look())}, {"edge", json_of(edge_look())}}}};
}

/// Text inside of HTML elements.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else
            result += c;
    }
    return result;
}

/// JSON inside of a script element: nothing in it may end the element.
std::string embedded(const Json& json) {
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string result;
    for (const char c : text) {
        if (c == '<')
            result += "\\u003c";
        else
            result += c;
    }
    return result;
}

/// Deflated, in base64.
std::string packed(std::string_view text) {
    uLongf size = compressBound(static_cast<uLong>(text.size()));
    std::string bytes(size, '\0');
    check(compress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                   static_cast<uLong>(text.size())) == Z_OK,
          "deflate failed");
    bytes.resize(size + (3 - size % 3) % 3);
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string result;
    result.reserve(bytes.size() / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; ++k) three = three << 8 | static_cast<unsigned char>(bytes[at + k]);
        for (int shift = 18; shift >= 0; shift -= 6) result += kDigits[three >> shift & 63];
    }
    result.replace(result.size() - (bytes.size() - size), bytes.size() - size, bytes.size() - size, '=');
    return result;
}

}  // namespace

std::string_view require_layout_library() {
    if (layout_library().empty())
        fail({.code = "U001",
              .message = "this build draws no pages: the layout library was not there when it was built",
              .where = {},
              .path = {},
              .remedy = "install npm and build again with `make build`, or draw with --svg",
              .notes = {}});
    return layout_library();
}

std::string to_page(const Picture& picture, const std::string& library_file) {
    const std::string_view library = require_layout_library();
    const std::string script = library_file.empty() ? "<script id=\"library\" type=\"text/plain\">" + packed(library) + "</script>"
                                                    : "<script src=\"" + library_file + "\"></script>";
    const std::string title = escaped(picture.root.title), data = embedded(json_of(picture));
    std::string page;
    std::string_view rest = page_template();
    for (std::size_t open = rest.find("{{"); open != std::string_view::npos; open = rest.find("{{")) {
        const std::size_t close = rest.find("}}", open);
        const std::string_view name = rest.substr(open + 2, close - open - 2);
        page += rest.substr(0, open);
        page += name == "title" ? std::string_view(title) : name == "library" ? std::string_view(script) : std::string_view(data);
        rest.remove_prefix(close + 2);
    }
    return page.append(rest);
}

}  // namespace sluice::draw
