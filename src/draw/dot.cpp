// A picture as Graphviz source.
#include "draw/looks.h"

namespace sluice::draw {

namespace {

/// A quoted string of DOT. Lines are centred; backslashes of the text are no escapes.
std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n')
            result += "\\n";
        else if (static_cast<unsigned char>(c) >= 0x20)
            result += c;
    }
    return result + "\"";
}

std::string listed(const Attributes& attributes, const char* separator) {
    std::string text;
    for (const auto& [name, value] : attributes) text += (text.empty() ? "" : separator) + name + "=" + quoted(value);
    return text;
}

class Writer {
public:
    std::string write(const Picture& picture) {
        text_ = "digraph " + quoted(picture.root.title) + " {\n";
        line(1, listed(graph_look(), "; ") + "; label=" + quoted(picture.root.title) + ";");
        line(1, "node [" + listed(node_look(), ", ") + "];");
        line(1, "edge [" + listed(edge_look(), ", ") + "];");
        contents(picture.root, 1);
        for (const Arrow& arrow : picture.arrows) write(arrow);
        return std::move(text_) + "}\n";
    }

private:
    void line(int level, const std::string& content) {
        text_.append(static_cast<std::size_t>(level) * 2, ' ').append(content).append(1, '\n');
    }
    void contents(const Box& box, int level) {
        for (const Shape& shape : box.shapes) {
            Attributes attributes = shape.attributes;
            if (!shape.detail.empty()) attributes.emplace_back("tooltip", shape.detail);
            line(level, shape.name + " [" + listed(attributes, ", ") + "];");
        }
        for (const Box& inner : box.boxes) {
            line(level, "subgraph cluster_" + inner.name + " {");
            line(level + 1, listed(inner.attributes, "; ") + "; tooltip=" + quoted(inner.detail) + ";");
            contents(inner, level + 1);
            line(level, "}");
        }
    }
    void write(const Arrow& arrow) {
        Attributes attributes = arrow.attributes;
        if (!arrow.source_box.empty()) attributes.emplace_back("ltail", "cluster_" + arrow.source_box);
        if (!arrow.target_box.empty()) attributes.emplace_back("lhead", "cluster_" + arrow.target_box);
        if (!arrow.detail.empty()) attributes.emplace_back("tooltip", arrow.detail);
        line(1, arrow.source + " -> " + arrow.target + " [" + listed(attributes, ", ") + "];");
    }

    std::string text_;
};

}  // namespace

std::string to_dot(const Picture& picture) {
    return Writer().write(picture);
}

}  // namespace sluice::draw
