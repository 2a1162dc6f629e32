// Pictures: each kind of element has its shape, each memlet its subset, and everything is drawn once.
#include "draw/picture.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "draw/assets.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace sluice::draw {
namespace {

constexpr const char* kGraph = R"(sdfg g(A, out) {
  symbol N: int64
  array A: float64[N]
  scalar out: float64
  transient array t: float64[N]
  transient stream S: float64[1]
  state first {
    n0 = access A
    n1 = map_entry m [i=0:N] passing (A)
    n2 = tasklet double (a) -> (b) { b = 2 * a }
    n3 = map_exit n1 passing (t, S)
    n4 = access t
    n5 = access S
    n6 = tasklet send (a) -> (b) { b = a }
    n7 = library Reduce total (_in) -> (_out) with {axes: [0], wcr: "lambda a, b: a + b"}
    n8 = access out
    n0 -> n1.IN_A : A[0:N]
    n1.OUT_A -> n2.a : A[i]
    n1.OUT_A -> n6.a : A[i]
    n2.b -> n3.IN_t : t[i]
    n6.b -> n3.IN_S : S[0]
    n3.OUT_t -> n4 : t[0:N]
    n3.OUT_S -> n5 : S[0] dynamic
    n4 -> n7._in : t[0:N]
    n7._out -> n8 : out
  }
  state second {
    n0 = access S
    n1 = consume_entry c [p=0:4] passing (stream)
    n2 = tasklet add (s) -> (r) { r = s }
    n3 = consume_exit n1 passing (out)
    n4 = access out
    n5 = nested call (x) sdfg inner() {
      array x: float64[N]
      symbol N: int64
      state inside {
        n0 = access x
      }
    }
    n6 = access A
    n0 -> n1.IN_stream : S[0] dynamic
    n1.OUT_stream -> n2.s : S[0]
    n2.r -> n3.IN_out : out wcr="lambda a, b: a + b"
    n3.OUT_out -> n4 : out dynamic wcr="lambda a, b: a + b"
    n6 -> n5.x : A[0:N]
  }
  loop times [k: `k = 0`; `k < 4`; `k = k + 1`] {
    conditional pick {
      when `k > 2` {
        break early
      }
      else {
        state nothing {
        }
      }
    }
  }
  first -> second if `N > 0` set z=1
  second -> times
}
)";

ir::Sdfg graph() {
    std::string text = kGraph;
    text.replace(text.find("nested call (x) sdfg"), 20, "nested call (x) symbol_mapping={N: N} sdfg");
    Result<ir::Sdfg> parsed = ir::parse_text(text);
    EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : render(parsed.error(), text));
    for (const Diagnostic& violation : ir::verify(*parsed)) ADD_FAILURE() << render(violation, text);
    return *std::move(parsed);
}

std::string attribute(const Attributes& attributes, const std::string& name) {
    for (const auto& [key, value] : attributes)
        if (key == name) return value;
    return "";
}

/// Every shape and box, by name; names are unique.
struct Index {
    std::map<std::string, const Shape*> shapes;
    std::map<std::string, const Box*> boxes;

    explicit Index(const Box& root) { add(root); }
    void add(const Box& box) {
        EXPECT_TRUE(boxes.emplace(box.name, &box).second) << box.name;
        for (const Shape& shape : box.shapes) EXPECT_TRUE(shapes.emplace(shape.name, &shape).second) << shape.name;
        for (const Box& inner : box.boxes) add(inner);
    }
    /// The visible shape whose detail begins so.
    const Shape& shape(const std::string& detail) const {
        for (const auto& [name, one] : shapes)
            if (one->detail.starts_with(detail)) return *one;
        ADD_FAILURE() << "no shape for " << detail;
        return *shapes.begin()->second;
    }
};

TEST(Picture, EachKindHasItsLook) {
    const Picture picture = picture_of(graph());
    const Index index(picture.root);
    struct Look {
        std::string detail, shape, style, label;
    };
    const std::vector<Look> looks{
        {"n0 = access A", "ellipse", "filled", "A"},
        {"n5 = access S", "ellipse", "filled,dashed", "S"},
        {"n2 = tasklet double", "octagon", "", "b = 2 * a"},
        {"n1 = map_entry m", "polygon", "filled", "[i=0:N]"},
        {"n3 = map_exit n1", "polygon", "filled", "[i=0:N]"},
        {"n1 = consume_entry c", "polygon", "filled,dashed", "[p=0:4]"},
        {"n3 = consume_exit n1", "polygon", "filled,dashed", "[p=0:4]"},
        {"n7 = library Reduce", "invtriangle", "", "sum\naxes: 0"},
        {"block early", "cds", "filled", "break"},
    };
    for (const Look& look : looks) {
        const Attributes& found = index.shape(look.detail).attributes;
        EXPECT_EQ(attribute(found, "shape"), look.shape) << look.detail;
        EXPECT_EQ(attribute(found, "style"), look.style) << look.detail;
        EXPECT_EQ(attribute(found, "label"), look.label) << look.detail;
    }
    // Arguments have a thick line, transients a thin one; entries are wider below, exits above.
    EXPECT_EQ(attribute(index.shape("n0 = access A").attributes, "penwidth"), "2");
    EXPECT_EQ(attribute(index.shape("n4 = access t").attributes, "penwidth"), "1");
    EXPECT_LT(std::stod(attribute(index.shape("n1 = map_entry").attributes, "distortion")), 0);
    EXPECT_GT(std::stod(attribute(index.shape("n3 = map_exit").attributes, "distortion")), 0);
}

TEST(Picture, ArrowsCarrySubsetsAndDashWhatResolvesConflicts) {
    const Picture picture = picture_of(graph());
    std::set<std::string> labels, dashed;
    for (const Arrow& arrow : picture.arrows) {
        labels.insert(attribute(arrow.attributes, "label"));
        if (attribute(arrow.attributes, "style") == "dashed") dashed.insert(attribute(arrow.attributes, "label"));
    }
    for (const char* label : {" A[0:N] ", " A[i] ", " t[i] ", " S (dyn) ", " N > 0 \n z = 1 "})
        EXPECT_TRUE(labels.contains(label)) << label;
    EXPECT_EQ(dashed, (std::set<std::string>{" out \n (CR: Sum) ", " out (dyn) \n (CR: Sum) "}));
}

TEST(Picture, BoxesForStatesScopesLoopsBranchesAndCalls) {
    const Picture picture = picture_of(graph());
    const Index index(picture.root);
    std::set<std::string> titles;
    for (const auto& [name, box] : index.boxes) titles.insert(box->title);
    EXPECT_EQ(titles, (std::set<std::string>{"g", "first", "second", "m[i=0:N]", "c[p=0:4]", "call", "inside",
                                             "for k = 0; k < 4; k = k + 1", "pick", "if k > 2", "else", "nothing"}));
    for (const Arrow& arrow : picture.arrows) {
        EXPECT_TRUE(index.shapes.contains(arrow.source) && index.shapes.contains(arrow.target)) << arrow.source << arrow.target;
        for (const std::string& box : {arrow.source_box, arrow.target_box})
            EXPECT_TRUE(box.empty() || index.boxes.contains(box)) << box;
    }
}

TEST(Picture, DotQuotesWhatTextHolds) {
    ir::Sdfg odd = graph();
    ir::State& state = *ir::as_state(odd.body.blocks[ir::BlockId(0)]);
    std::get<ir::Tasklet>(state.nodes[ir::NodeId(2)].kind).code.text = "b = \"x\\y\"\n# 2";
    const std::string dot = to_dot(picture_of(odd));
    EXPECT_NE(dot.find("label=\"b = \\\"x\\\\y\\\"\\n# 2      \""), std::string::npos) << dot;
    EXPECT_TRUE(dot.starts_with("digraph \"g\" {") && dot.ends_with("}\n"));
}

TEST(Picture, CodeStandsFlushLeft) {
    ir::Sdfg branching = graph();
    ir::State& state = *ir::as_state(branching.body.blocks[ir::BlockId(0)]);
    std::get<ir::Tasklet>(state.nodes[ir::NodeId(2)].kind).code.text = "if a > 0:  # \u2265\n    b = a";
    const std::string dot = to_dot(picture_of(branching));
    EXPECT_NE(dot.find("label=\"if a > 0:  # \u2265\\n    b = a     \""), std::string::npos) << dot;
}

TEST(Picture, PageIsOneFile) {
    ir::Sdfg odd = graph();
    odd.body.blocks[ir::BlockId(0)].label = "</script><b>";
    if (layout_library().empty()) {
        const auto page = capture([&] { return to_page(picture_of(odd)); });
        ASSERT_FALSE(page.ok());
        EXPECT_EQ(page.error().code, "U001");
        return;
    }
    const std::string page = to_page(picture_of(odd));
    EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
    EXPECT_EQ(page.find("{{title}}"), std::string::npos);
    EXPECT_NE(page.find("\\u003c/script>\\u003cb>"), std::string::npos);
    for (const char* reference : {"<script src", "<link", "@import", "url(http"})
        EXPECT_EQ(page.find(reference), std::string::npos) << reference;
    const std::string linked = to_page(picture_of(odd), "layout.js");
    EXPECT_NE(linked.find("<script src=\"layout.js\"></script>"), std::string::npos);
    EXPECT_LT(page.size(), linked.size() + layout_library().size() * 6 / 10);  // packed
}

}  // namespace
}  // namespace sluice::draw
