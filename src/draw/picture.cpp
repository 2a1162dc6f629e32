#include "draw/picture.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/scopes.h"
#include "draw/looks.h"
#include "ir/text.h"

namespace sluice::draw {

namespace {

/// Ranks of a column as high as 0.6 of its width: screens are wider than high.
constexpr double kRanksOfAWidth = 2;

const Attributes kInvisible{{"style", "invis"}};

std::string place_of(const Span& where) {
    return where.known() && where.file ? "\n" + *where.file + ":" + std::to_string(where.line) : "";
}

std::string title_of(const ir::Block& block) {
    const auto text = [](const std::optional<ir::CodeBlock>& code) { return code ? code->text : std::string(); };
    const auto* loop = std::get_if<ir::LoopRegion>(&block.kind);
    if (!loop) return block.label;
    if (!loop->init && !loop->update) return "while " + text(loop->condition);
    return "for " + text(loop->init) + "; " + text(loop->condition) + "; " + text(loop->update);
}

class Drawing {
public:
    Picture draw(const ir::Sdfg& sdfg) {
        Picture picture;
        picture.root = {.name = "root",
                        .title = sdfg.name,
                        .attributes = {},
                        .closed = {},
                        .detail = "sdfg " + sdfg.name,
                        .shapes = {},
                        .boxes = {}};
        region(sdfg, sdfg.body, picture.root, "b");
        picture.arrows = std::move(arrows_);
        return picture;
    }

private:
    static Box box(const std::string& name, const std::string& title, const char* fill, const char* border, std::string detail,
                   const char* closed_shape = "box") {
        Box made{.name = name,
                 .title = title,
                 .attributes = area(title, fill, border),
                 .closed = {{"shape", closed_shape}, {"label", title}, {"style", "filled"}, {"fillcolor", fill}, {"color", border}},
                 .detail = std::move(detail),
                 .shapes = {},
                 .boxes = {}};
        return made;
    }
    /// Keeps one shape above another.
    void order(const std::string& before, const std::string& after) { arrows_.push_back({before, after, "", "", kInvisible, ""}); }
    /// A shape that nobody sees, for arrows to end at.
    static std::string point(Box& around, const std::string& name) {
        around.shapes.push_back({name, {{"shape", "point"}, {"width", "0.01"}, {"height", "0.01"}, {"style", "invis"}}, ""});
        return name;
    }

    /// Of a shape or a box: the shapes at its top and at its bottom, and about how many ranks lie between. Arrows between boxes
    /// that end at them put one box below the other.
    struct Extent {
        std::string top, bottom;
        std::size_t height = 1;
        bool is_box = false;
    };
    const Extent& extent(const std::string& name) const { return extents_.at(name); }
    /// An arrow between two of a kind: blocks, or nodes.
    void join(const std::string& source, const std::string& target, Attributes look, std::string detail) {
        const Extent &from = extent(source), &to = extent(target);
        arrows_.push_back(
            {from.bottom, to.top, from.is_box ? source : "", to.is_box ? target : "", std::move(look), std::move(detail)});
    }

    /// Blocks that follow one another stand one below the other; what would be much higher than wide goes on in a column beside.
    struct Columns {
        std::vector<std::size_t> of;  ///< By block.
        std::size_t height = 0;       ///< Of the highest.
    };
    template <class NameOf> Columns columns_of(const ir::Region& blocks, const NameOf& name_of) const {
        std::size_t total = 0;
        for (auto [id, one] : blocks.blocks) total += extent(name_of(id)).height;
        const auto count =
            std::max<std::size_t>(1, static_cast<std::size_t>(std::sqrt(static_cast<double>(total) / kRanksOfAWidth)));
        Columns columns{.of = std::vector<std::size_t>(blocks.blocks.id_bound(), 0), .height = 0};
        std::size_t at = 0, height = 0;
        for (const ir::BlockId id : in_order(blocks)) {
            const std::size_t own = extent(name_of(id)).height;
            if (height > 0 && at + 1 < count && (height + own / 2) * count > total) ++at, height = 0;
            columns.of[id.value] = at;
            height += own;
            columns.height = std::max(columns.height, height);
        }
        return columns;
    }
    /// Blocks as transitions follow one another from the start; what no transition reaches comes last.
    static std::vector<ir::BlockId> in_order(const ir::Region& blocks) {
        std::vector<ir::BlockId> order{blocks.start};
        std::vector<bool> seen(blocks.blocks.id_bound(), false);
        seen[blocks.start.value] = true;
        for (std::size_t next = 0; next < order.size(); ++next)
            for (auto [id, transition] : blocks.transitions)
                if (transition.src == order[next] && !seen[transition.dst.value]) {
                    seen[transition.dst.value] = true;
                    order.push_back(transition.dst);
                }
        for (auto [id, one] : blocks.blocks)
            if (!seen[id.value]) order.push_back(id);
        return order;
    }

    // ---- control flow -----------------------------------------------------------------------------------------------------
    void region(const ir::Sdfg& sdfg, const ir::Region& blocks, Box& around, const std::string& prefix) {
        const auto name_of = [&](ir::BlockId id) { return prefix + "_" + std::to_string(id.value); };
        // Graphviz begins on the left with what comes first.
        for (const ir::BlockId id : in_order(blocks)) block(sdfg, blocks.blocks[id], around, name_of(id));
        std::vector<bool> left(blocks.blocks.id_bound(), false);
        const Columns columns = columns_of(blocks, name_of);
        for (auto [id, transition] : blocks.transitions) {
            left[transition.src.value] = true;
            Attributes look = look_of(transition);
            if (columns.of[transition.src.value] != columns.of[transition.dst.value]) look.emplace_back("constraint", "false");
            join(name_of(transition.src), name_of(transition.dst), std::move(look),
                 blocks.blocks[transition.src].label + " -> " + blocks.blocks[transition.dst].label +
                     place_of(transition.metadata.where));
        }
        if (blocks.blocks.empty()) {
            const std::string only = point(around, around.name + "_in");
            extents_[around.name] = {only, only, 1, true};
            return;
        }
        Extent whole{.top = extent(name_of(blocks.start)).top, .bottom = "", .height = 0, .is_box = true};
        std::vector<std::string> last;
        whole.height = columns.height;
        for (auto [id, one] : blocks.blocks) {
            if (!left[id.value]) last.push_back(extent(name_of(id)).bottom);
        }
        whole.bottom = last.size() == 1 ? last[0] : point(around, around.name + "_out");
        if (last.size() != 1)
            for (const std::string& shape : last) order(shape, whole.bottom);
        extents_[around.name] = whole;
    }

    void block(const ir::Sdfg& sdfg, const ir::Block& one, Box& around, const std::string& name) {
        const std::string title = title_of(one), detail = "block " + one.label + place_of(one.metadata.where);
        if (const ir::State* dataflow = ir::as_state(one)) {
            Box made = box(name, title, "#e4edf8", "#6f93bd", "state " + one.label + place_of(one.metadata.where));
            state(sdfg, *dataflow, made);
            around.boxes.push_back(std::move(made));
        } else if (const auto* loop = std::get_if<ir::LoopRegion>(&one.kind)) {
            Box made = box(name, title, "#fdf6e3", "#b08a2e", "loop " + one.label + "\n" + title + place_of(one.metadata.where));
            region(sdfg, loop->body, made, name);
            around.boxes.push_back(std::move(made));
        } else if (const auto* named = std::get_if<ir::NamedRegion>(&one.kind)) {
            Box made = box(name, title, "#f5f5f5", "#888888", detail);
            region(sdfg, named->body, made, name);
            around.boxes.push_back(std::move(made));
        } else if (const auto* conditional = std::get_if<ir::ConditionalBlock>(&one.kind)) {
            Box made = box(name, title, "#f3eef8", "#8a6fb0", "conditional " + one.label + place_of(one.metadata.where));
            branches(sdfg, *conditional, made);
            around.boxes.push_back(std::move(made));
        } else {
            const char* word = std::holds_alternative<ir::BreakBlock>(one.kind)      ? "break"
                               : std::holds_alternative<ir::ContinueBlock>(one.kind) ? "continue"
                                                                                     : "return";
            around.shapes.push_back(
                {name, {{"shape", "cds"}, {"style", "filled"}, {"fillcolor", "#fbe3df"}, {"label", word}}, detail});
            extents_[name] = {name, name, 1, false};
        }
    }

    void branches(const ir::Sdfg& sdfg, const ir::ConditionalBlock& conditional, Box& around) {
        Extent whole{point(around, around.name + "_in"), point(around, around.name + "_out"), 2, true};
        for (std::size_t at = 0; at < conditional.branches.size(); ++at) {
            const ir::Branch& branch = conditional.branches[at];
            const std::string name = around.name + "b" + std::to_string(at);
            const std::string title = branch.condition ? (at ? "elif " : "if ") + branch.condition->text : "else";
            Box made = box(name, title, "#faf8fd", "#8a6fb0", title);
            region(sdfg, branch.body, made, name);
            around.boxes.push_back(std::move(made));
            order(whole.top, extent(name).top);
            order(extent(name).bottom, whole.bottom);
            whole.height = std::max(whole.height, extent(name).height + 2);
        }
        extents_[around.name] = whole;
    }

    // ---- dataflow ---------------------------------------------------------------------------------------------------------
    static std::string name_of(const std::string& state, ir::NodeId id) { return state + "n" + std::to_string(id.value); }

    void state(const ir::Sdfg& sdfg, const ir::State& dataflow, Box& around) {
        const std::string name = around.name;
        const ir::Adjacency adjacency(dataflow);
        const analysis::ScopeTree scopes(dataflow, adjacency);
        for (ir::NodeId id : scopes.children(ir::NodeId())) node(sdfg, dataflow, scopes, id, around, name);
        for (auto [id, edge] : dataflow.edges)
            join(name_of(name, edge.src), name_of(name, edge.dst), look_of(sdfg, edge.memlet),
                 ir::edge_text(edge) + place_of(edge.memlet.metadata.where));
        measure(dataflow, adjacency, around);
    }

    /// A state reaches from the first to the last shape of its longest path.
    void measure(const ir::State& dataflow, const ir::Adjacency& adjacency, Box& around) {
        if (dataflow.nodes.empty()) {
            const std::string only = point(around, around.name + "_in");
            extents_[around.name] = {only, only, 1, true};
            return;
        }
        struct Path {
            std::size_t height = 0;
            ir::NodeId first;
        };
        std::vector<Path> paths(dataflow.nodes.id_bound());
        ir::NodeId last;
        for (ir::NodeId id : ir::topological_order(dataflow, adjacency)) {
            Path& path = paths[id.value];
            for (ir::EdgeId edge : adjacency.in(id)) {
                const Path& before = paths[dataflow.edges[edge].src.value];
                if (before.height > path.height) path = before;
            }
            if (!path.first.valid()) path.first = id;
            path.height += extent(name_of(around.name, id)).height;
            if (!last.valid() || path.height > paths[last.value].height) last = id;
        }
        const Path& longest = paths[last.value];
        extents_[around.name] = {extent(name_of(around.name, longest.first)).top, extent(name_of(around.name, last)).bottom,
                                 longest.height, true};
    }

    void node(const ir::Sdfg& sdfg, const ir::State& dataflow, const analysis::ScopeTree& scopes, ir::NodeId id, Box& around,
              const std::string& state_name) {
        const ir::Node& one = dataflow.nodes[id];
        const std::string name = name_of(state_name, id);
        const std::string detail = ir::node_text(dataflow, id) + container_of(sdfg, one) + place_of(one.metadata.where);
        const Attributes look = look_of(sdfg, dataflow, id);
        if (const auto* nested = std::get_if<ir::NestedSdfg>(&one.kind)) {
            Box made = box(name, nested->label, "#ffffff", "#555555", detail, "doubleoctagon");
            region(*nested->sdfg, nested->sdfg->body, made, name);
            around.boxes.push_back(std::move(made));
            return;
        }
        if (!std::holds_alternative<ir::MapEntry>(one.kind) && !std::holds_alternative<ir::ConsumeEntry>(one.kind)) {
            around.shapes.push_back({name, look, detail});
            extents_[name] = {name, name, 1, false};
            return;
        }
        const std::string label = ir::label_of(dataflow, id);
        Box scope{.name = name + "s",
                  .title = label,
                  .attributes = area(scope_name(one), "#ffffff66", "#9db4d0"),
                  .closed = {{"shape", "hexagon"}, {"style", "filled"}, {"fillcolor", "#ffffff"}, {"label", label}},
                  .detail = detail,
                  .shapes = {{name, look, detail}},
                  .boxes = {}};
        extents_[name] = {name, name, 1, false};
        for (ir::NodeId child : scopes.children(id)) node(sdfg, dataflow, scopes, child, scope, state_name);
        around.boxes.push_back(std::move(scope));
    }

    static std::string scope_name(const ir::Node& entry) {
        const auto* map = std::get_if<ir::MapEntry>(&entry.kind);
        return map ? map->label : std::get<ir::ConsumeEntry>(entry.kind).label;
    }
    static std::string container_of(const ir::Sdfg& sdfg, const ir::Node& node) {
        const auto* access = std::get_if<ir::Access>(&node.kind);
        const ir::Container* container = access ? sdfg.containers.find(access->data) : nullptr;
        return container ? "\n" + ir::container_text(access->data, *container) : "";
    }

    std::vector<Arrow> arrows_;
    std::map<std::string, Extent> extents_;
};

}  // namespace

Picture picture_of(const ir::Sdfg& sdfg) {
    return Drawing().draw(sdfg);
}

}  // namespace sluice::draw
