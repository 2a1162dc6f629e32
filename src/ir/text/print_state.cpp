// Printer of dataflow: one line for a node or an edge.
#include <algorithm>

#include "ir/port.h"
#include "ir/query.h"
#include "ir/text.h"
#include "ir/text/print.h"

namespace sluice::ir::text {

namespace {

std::string node_name(NodeId id) {
    return id.valid() ? "n" + std::to_string(id.value) : "none";
}

void write_connector_list(Writer& out, const std::vector<const Connectors::value_type*>& connectors) {
    out << "(";
    for (std::size_t at = 0; at < connectors.size(); ++at) {
        if (at) out << ", ";
        write_connector(out, connectors[at]->first);
        if (connectors[at]->second.is_void()) continue;
        out << ": ";
        write_type(out, connectors[at]->second);
    }
    out << ")";
}

/// x for every untyped pair IN_x, OUT_x.
std::vector<std::string> passing(const Node& node) {
    std::vector<std::string> names;
    for (const auto& [name, type] : node.in) {
        if (!is_port_in(name) || !type.is_void()) continue;
        const auto out = node.out.find(across(name));
        if (out != node.out.end() && out->second.is_void()) names.emplace_back(port_name(name));
    }
    return names;
}

void write_connectors(Writer& out, const Node& node) {
    const std::vector<std::string> pairs = passing(node);
    if (!pairs.empty()) {
        out << " passing (";
        for (std::size_t at = 0; at < pairs.size(); ++at) {
            if (at) out << ", ";
            write_connector(out, pairs[at]);
        }
        out << ")";
    }
    const auto rest = [&pairs](const Connectors& connectors, bool (*is_port)(std::string_view)) {
        std::vector<const Connectors::value_type*> result;
        for (const auto& connector : connectors) {
            const bool paired = is_port(connector.first) && std::ranges::binary_search(pairs, port_name(connector.first));
            if (!paired) result.push_back(&connector);
        }
        return result;
    };
    const auto in = rest(node.in, is_port_in), results = rest(node.out, is_port_out);
    if (!in.empty()) {
        out << " ";
        write_connector_list(out, in);
    }
    if (!results.empty()) {
        out << " -> ";
        write_connector_list(out, results);
    }
}

struct WriteNode {
    Writer& out;
    const Node& node;
    bool whole = true;  ///< With the contents of nested SDFGs.

    void head(std::string_view keyword, const std::string& label) const {
        out << keyword << " ";
        write_name(out, label);
    }
    void operator()(const Access& access) const {
        head("access", access.data);
        write_connectors(out, node);
        write_fields(out, access, {"data"});
    }
    void operator()(const Tasklet& tasklet) const {
        head("tasklet", tasklet.label);
        write_connectors(out, node);
        write_fields(out, tasklet, {"label", "code"});
        if (tasklet.code == CodeBlock()) return;
        out << " ";
        write_code(out, tasklet.code, Language::Python, true);
    }
    void operator()(const MapEntry& map) const {
        head("map_entry", map.label);
        const bool regular = map.params.size() == map.range.rank() && std::ranges::all_of(map.params, is_identifier);
        if (regular) {
            out << " [";
            for (std::size_t at = 0; at < map.params.size(); ++at)
                out << (at ? ", " : "") << map.params[at] << "=" << symbolic::to_string(map.range.dims[at]);
            out << "]";
        }
        write_connectors(out, node);
        if (regular)
            write_fields(out, map, {"label", "params", "range"});
        else
            write_fields(out, map, {"label"});
    }
    void operator()(const MapExit& exit) const {
        out << "map_exit " << node_name(exit.entry);
        write_connectors(out, node);
    }
    void operator()(const ConsumeEntry& consume) const {
        head("consume_entry", consume.label);
        const bool regular = is_identifier(consume.pe_index);
        if (regular) out << " [" << consume.pe_index << "=0:" << symbolic::to_string(consume.num_pes) << "]";
        write_connectors(out, node);
        if (regular)
            write_fields(out, consume, {"label", "pe_index", "num_pes"});
        else
            write_fields(out, consume, {"label"});
    }
    void operator()(const ConsumeExit& exit) const {
        out << "consume_exit " << node_name(exit.entry);
        write_connectors(out, node);
    }
    void operator()(const NestedSdfg& nested) const {
        head("nested", nested.label);
        write_connectors(out, node);
        write_fields(out, nested, {"label"});
        if (!whole) return;
        out << " ";
        write_sdfg(out, *nested.sdfg);
    }
    void operator()(const LibraryNode& library) const {
        head("library", library.operation);
        out << " ";
        write_name(out, library.label);
        write_connectors(out, node);
        write_fields(out, library, {"label"});
        if (!library.classpath.empty()) {
            out << " classpath=";
            write_name(out, library.classpath);
        }
        if (!library.properties.empty()) {
            out << " with ";
            write(out, library.properties);
        }
    }
};

void write_memlet(Writer& out, const Memlet& memlet) {
    if (memlet == Memlet()) return;
    out << " : ";
    write_name(out, memlet.data);
    if (memlet.subset) write(out, *memlet.subset);
    if (memlet.other_subset) {
        out << " -> ";
        write(out, *memlet.other_subset);
    }
    write_fields(out, memlet, {"data", "subset", "other_subset", "volume"});
    if (memlet.volume == (memlet.subset ? symbolic::num_elements(*memlet.subset) : Expr(0))) return;
    out << " volume=";
    write(out, memlet.volume);
}

void write_end(Writer& out, NodeId node, const std::string& connector) {
    out << node_name(node);
    if (connector.empty()) return;
    out << ".";
    write_connector(out, connector);
}

void write_edge(Writer& out, const Edge& edge) {
    write_end(out, edge.src, edge.src_connector);
    out << " -> ";
    write_end(out, edge.dst, edge.dst_connector);
    write_memlet(out, edge.memlet);
}

}  // namespace

void write_state(Writer& out, const State& state) {
    std::uint32_t expected = 0;
    for (auto [id, node] : state.nodes) {
        out.begin_line();
        out << node_name(id) << " = ";
        std::visit(WriteNode{out, node}, node.kind);
        out << "\n";
        expected = id.value + 1;
    }
    if (state.nodes.id_bound() > expected) {
        out.begin_line();
        out << "n" << std::to_string(state.nodes.id_bound() - 1) << " erased\n";
    }
    expected = 0;
    for (auto [id, edge] : state.edges) {
        out.begin_line();
        if (id.value != expected) out << "e" << std::to_string(id.value) << ": ";
        expected = id.value + 1;
        write_edge(out, edge);
        out << "\n";
    }
    if (state.edges.id_bound() > expected) {
        out.begin_line();
        out << "e" << std::to_string(state.edges.id_bound() - 1) << " erased\n";
    }
}

}  // namespace sluice::ir::text

namespace sluice::ir {

std::string node_text(const State& state, NodeId id) {
    text::Writer out;
    out << text::node_name(id) << " = ";
    std::visit(text::WriteNode{out, state.nodes[id], false}, state.nodes[id].kind);
    return std::move(out.text);
}

std::string edge_text(const Edge& edge) {
    text::Writer out;
    text::write_edge(out, edge);
    return std::move(out.text);
}

}  // namespace sluice::ir
