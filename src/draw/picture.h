// What a picture of a graph consists of, in Graphviz's terms: shapes and arrows with attributes, in a tree of boxes that a reader
// may close.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::draw {

/// Graphviz attributes by name. Text is plain: the writers escape.
using Attributes = std::vector<std::pair<std::string, std::string>>;

struct Shape {
    std::string name;  ///< Unique in the picture; letters, digits, underscores.
    Attributes attributes;
    std::string detail;  ///< For people who ask: the element in the textual form, its place in the source.
};
/// Shapes and boxes under a title.
struct Box {
    std::string name;
    std::string title;
    Attributes attributes;
    Attributes closed;  ///< The look of the shape that stands for the box when it is closed.
    std::string detail;
    std::vector<Shape> shapes;
    std::vector<Box> boxes;
};
struct Arrow {
    std::string source, target;          ///< Shapes; of a box, one at its top or its bottom.
    std::string source_box, target_box;  ///< If not empty, the arrow begins or ends at the border of this box.
    Attributes attributes;
    std::string detail;
};
struct Picture {
    Box root;
    std::vector<Arrow> arrows;
};

/// The picture of a valid graph, in the look of Table 1 of Ben-Nun et al., "Stateful Dataflow Multigraphs" (SC'19): ovals for
/// containers (thick for arguments, dashed for streams), octagons for tasklets, trapezia for the ends of scopes (dashed for
/// consume scopes), triangles for reductions, double octagons for calls that are closed; memlets carry their subsets,
/// those that resolve conflicts are dashed.
Picture picture_of(const ir::Sdfg& sdfg);

/// Graphviz source. A layout by `dot` is what the attributes are made for.
std::string to_dot(const Picture& picture);
/// The same picture once `dot` has laid it out, as its output format `plain` says: boxes whose columns came from right to left, as
/// older versions of Graphviz have them in boxes in boxes, list what they hold the other way round.
Picture with_columns_from_left(Picture picture, std::string_view plain);
bool has_columns(const Picture& picture);
/// An HTML file: without references to others, or with the layout library in this file beside it. Throws Failure U001 if the build
/// has no layout library.
std::string to_page(const Picture& picture, const std::string& library_file = {});
/// The text of that file. Throws Failure U001 if the build has none.
std::string_view require_layout_library();

}  // namespace sluice::draw
