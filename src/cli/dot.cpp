#include "cli/dot.h"

#include <fmt/format.h>

#include "code/walk.h"

namespace sluice::cli {

using code::Overloaded;

namespace {

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n')
            result += "\\n";
        else
            result += c;
    }
    return result + "\"";
}

/// The paper's figures: ellipses for data (dashed if transient), octagons for code, trapezia for scopes.
std::string_view shape_of(const ir::Node& node) {
    return std::visit(Overloaded{
                          [](const ir::Access&) { return "ellipse"; },
                          [](const ir::Tasklet&) { return "octagon"; },
                          [](const ir::MapEntry&) { return "trapezium"; },
                          [](const ir::MapExit&) { return "invtrapezium"; },
                          [](const ir::ConsumeEntry&) { return "trapezium"; },
                          [](const ir::ConsumeExit&) { return "invtrapezium"; },
                          [](const ir::NestedSdfg&) { return "doubleoctagon"; },
                          [](const ir::LibraryNode&) { return "folder"; },
                      },
                      node.kind);
}

class Writer {
public:
    std::string write(const ir::Sdfg& sdfg) {
        line(0, fmt::format("digraph {} {{", quoted(sdfg.name)));
        line(1, "compound=true; node [fontsize=10]; edge [fontsize=9];");
        region(sdfg, sdfg.body, "s", 1);
        line(0, "}");
        return std::move(text_);
    }

private:
    void line(int level, std::string_view content) {
        text_.append(static_cast<std::size_t>(level) * 2, ' ').append(content).append(1, '\n');
    }

    static std::string anchor(const std::string& prefix) { return quoted(prefix + "_in"); }

    void region(const ir::Sdfg& sdfg, const ir::Region& blocks, const std::string& prefix, int level) {
        for (auto [id, block] : blocks.blocks) {
            const std::string name = prefix + "_" + std::to_string(id.value);
            line(level, fmt::format("subgraph {} {{ label={};", quoted("cluster_" + name), quoted(title(block))));
            // An invisible point stands for the block, so that edges between blocks have ends even if it is empty.
            line(level + 1, anchor(name) + " [shape=point, style=invis];");
            inside(sdfg, block, name, level + 1);
            line(level, "}");
        }
        for (auto [id, transition] : blocks.transitions) {
            const std::string src = prefix + "_" + std::to_string(transition.src.value);
            const std::string dst = prefix + "_" + std::to_string(transition.dst.value);
            line(level, fmt::format("{} -> {} [ltail={}, lhead={}, color=blue, label={}];", anchor(src), anchor(dst),
                                    quoted("cluster_" + src), quoted("cluster_" + dst), quoted(text_of(transition))));
        }
    }
    static std::string title(const ir::Block& block) {
        if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) {
            const auto text = [](const std::optional<ir::CodeBlock>& code) { return code ? code->text : std::string(); };
            return block.label + ": for " + text(loop->init) + "; " + text(loop->condition) + "; " + text(loop->update);
        }
        return block.label;
    }
    static std::string text_of(const ir::Transition& transition) {
        std::string text = transition.condition.text.empty() ? "" : "if " + transition.condition.text;
        for (const auto& [symbol, value] : transition.assignments) text += (text.empty() ? "" : "\n") + symbol + " = " + value;
        return text;
    }
    void inside(const ir::Sdfg& sdfg, const ir::Block& block, const std::string& name, int level) {
        if (const ir::State* dataflow = ir::as_state(block)) return state(sdfg, *dataflow, name, level);
        if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) return region(sdfg, loop->body, name, level);
        if (const auto* named = std::get_if<ir::NamedRegion>(&block.kind)) return region(sdfg, named->body, name, level);
        const auto* conditional = std::get_if<ir::ConditionalBlock>(&block.kind);
        if (!conditional) return;
        for (std::size_t at = 0; at < conditional->branches.size(); ++at) {
            const ir::Branch& branch = conditional->branches[at];
            const std::string part = name + "b" + std::to_string(at);
            const std::string label = branch.condition ? "if " + branch.condition->text : "else";
            line(level, fmt::format("subgraph {} {{ label={};", quoted("cluster_" + part), quoted(label)));
            line(level + 1, anchor(part) + " [shape=point, style=invis];");
            region(sdfg, branch.body, part, level + 1);
            line(level, "}");
        }
    }
    void state(const ir::Sdfg& sdfg, const ir::State& dataflow, const std::string& name, int level) {
        const auto node_name = [&](ir::NodeId id) { return quoted(name + "n" + std::to_string(id.value)); };
        for (auto [id, node] : dataflow.nodes) {
            const auto* access = std::get_if<ir::Access>(&node.kind);
            const ir::Container* container = access ? sdfg.containers.find(access->data) : nullptr;
            line(level, fmt::format("{} [shape={}, label={}{}];", node_name(id), shape_of(node), quoted(ir::label_of(dataflow, id)),
                                    container && container->transient ? ", style=dashed" : ""));
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) {
                const std::string inner = name + "n" + std::to_string(id.value) + "x";
                line(level, fmt::format("subgraph {} {{ label={};", quoted("cluster_" + inner), quoted(nested->sdfg->name)));
                line(level + 1, anchor(inner) + " [shape=point, style=invis];");
                region(*nested->sdfg, nested->sdfg->body, inner, level + 1);
                line(level, "}");
            }
        }
        for (auto [id, edge] : dataflow.edges)
            line(level, fmt::format("{} -> {} [label={}{}];", node_name(edge.src), node_name(edge.dst),
                                    quoted(text_of(edge.memlet)), edge.memlet.wcr || edge.memlet.empty() ? ", style=dashed" : ""));
    }
    static std::string text_of(const ir::Memlet& memlet) {
        if (memlet.empty()) return "";
        std::string text = memlet.data + (memlet.subset ? "[" + symbolic::to_string(*memlet.subset) + "]" : "");
        if (memlet.dynamic) text += " (dynamic)";
        if (memlet.wcr) text += "\n" + *memlet.wcr;
        return text;
    }

    std::string text_;
};

}  // namespace

std::string to_dot(const ir::Sdfg& sdfg) {
    return Writer().write(sdfg);
}

}  // namespace sluice::cli
