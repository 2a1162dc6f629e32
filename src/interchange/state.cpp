// A state: its nodes in order, its edges, and the scopes that the format spells out.
#include <algorithm>

#include "interchange/elements.h"
#include "interchange/read_values.h"
#include "interchange/scopes.h"
#include "interchange/write_values.h"
#include "ir/query.h"

namespace sluice::interchange {

namespace {

Value::Array& array_of(Reader& reader, Value& value) {
    if (!value.is_array()) reader.fail_type(value, "an array");
    return *value.array();
}

// The entry that a node names as its scope; old files may only say it at the entry (`scope_exit`, `scope_exits`).
struct ScopeClaim {
    std::optional<std::uint32_t> entry;
    std::vector<std::uint32_t> exits;
};

ScopeClaim read_claim(Reader& reader, Value& node, std::size_t count) {
    ScopeClaim claim;
    const auto index = [&](const Value& value) { return read_index(reader, value, count, "nodes"); };
    if (const Value* entry = node.find("scope_entry"); entry && !entry->is_null()) {
        const Place here(reader, "scope_entry");
        claim.entry = index(*entry);
    }
    if (const Value* exit = node.find("scope_exit"); exit && !exit->is_null()) {
        const Place here(reader, "scope_exit");
        claim.exits.push_back(index(*exit));
    }
    if (const Value* exits = node.find("scope_exits"); exits && exits->is_array()) {
        const Place here(reader, "scope_exits");
        for (const Value& exit : *exits->array()) claim.exits.push_back(index(exit));
    }
    return claim;
}

NodeId* entry_slot(Node& node) {
    if (auto* exit = std::get_if<MapExit>(&node.kind)) return &exit->entry;
    if (auto* exit = std::get_if<ConsumeExit>(&node.kind)) return &exit->entry;
    return nullptr;
}

bool match(const Node& entry, const Node& exit) {
    return std::holds_alternative<MapExit>(exit.kind) ? std::holds_alternative<MapEntry>(entry.kind)
                                                      : std::holds_alternative<ConsumeEntry>(entry.kind);
}

// Ties every exit to its entry: by its own `scope_entry`, else by the entry's `scope_exit`.
void tie_exits(Reader& reader, const std::vector<ScopeClaim>& claims, State& state) {
    for (const auto [id, node] : state.nodes) {
        if (!is_entry(node)) continue;
        for (const std::uint32_t exit : claims[id.value].exits) {
            Node& other = state.nodes[NodeId(exit)];
            NodeId* slot = entry_slot(other);
            const Place here(reader, static_cast<std::size_t>(id.value));
            if (!slot || !match(node, other)) {
                const Place there(reader, "scope_exit");
                reader.fail("J008", "node " + std::to_string(exit) + " does not end the scope that this node opens",
                            "Name the exit node of the scope");
            }
            *slot = id;
        }
    }
    for (const auto [id, node] : state.nodes) {
        NodeId* slot = entry_slot(node);
        if (!slot) continue;
        if (const auto claimed = claims[id.value].entry) *slot = NodeId(*claimed);
        const Place here(reader, static_cast<std::size_t>(id.value));
        const Place there(reader, "scope_entry");
        if (!slot->valid())
            reader.fail("J008", "this exit is not tied to an entry", "Name the entry of its scope in `scope_entry`");
        if (!match(state.nodes[*slot], node))
            reader.fail("J008", "node " + std::to_string(slot->value) + " does not open the scope that this node ends",
                        "Name the entry node of the scope");
    }
}

void read_nodes(Reader& reader, Value& value, State& out) {
    Value::Array& items = array_of(reader, value);
    out.nodes.reserve(items.size());
    std::vector<ScopeClaim> claims;
    claims.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Place here(reader, i);
        claims.push_back(items[i].is_object() ? read_claim(reader, items[i], items.size()) : ScopeClaim{});
        Node node;
        read_node(reader, items[i], node);
        out.nodes.add(std::move(node));
    }
    tie_exits(reader, claims, out);
}

Edge read_edge(Reader& reader, Value& value, std::size_t nodes) {
    Members keys(reader, value);
    Edge edge;
    const auto end = [&](std::string_view key) {
        const Value& index = keys.need(key);
        const Place here(reader, key);
        return NodeId(read_index(reader, index, nodes, "nodes"));
    };
    edge.src = end("src");
    edge.dst = end("dst");
    const auto connector = [&](std::string_view key, std::string& out) {
        if (Value* name = keys.take(key)) {
            const Place here(reader, key);
            read(reader, *name, out);
        }
    };
    connector("src_connector", edge.src_connector);
    connector("dst_connector", edge.dst_connector);
    Value none{Value::Object{}};
    Value* found = keys.take("attributes");
    const Place here(reader, "attributes");
    Members attributes(reader, found ? *found : none);
    read_memlet(reader, keys, attributes, edge.memlet);
    return edge;
}

bool is_single(const Sdfg& sdfg, const std::string& data) {
    const Container* container = data.empty() ? nullptr : resolve_data(sdfg, data);
    return container && (std::holds_alternative<Scalar>(container->kind) || std::holds_alternative<Structure>(container->kind));
}

// The file gives one-element containers a dimension of size 1; here they have none.
void drop_unit_dimension(const Sdfg& sdfg, const std::string& data, std::optional<Subset>& subset) {
    if (subset && subset->rank() == 1 && subset->dims[0] == Range{} && is_single(sdfg, data)) subset->dims.clear();
}

// `is_data_src` says something only where both ends of the path are the same container.
void settle_memlets(State& state, const Sdfg& sdfg) {
    const std::vector<PathEnds> ends = path_ends(state);
    for (const auto [id, edge] : state.edges) {
        Memlet& memlet = edge.memlet;
        const auto& [source, target] = ends[id.value];
        if (source != target || source != memlet.data) memlet.is_data_src.reset();
        drop_unit_dimension(sdfg, memlet.data, memlet.subset);
        drop_unit_dimension(sdfg, memlet.data == source ? target : source, memlet.other_subset);
    }
}

}  // namespace

void read_state(Reader& reader, Members& keys, Members& attributes, const Sdfg& sdfg, State& out) {
    {
        const Place here(reader, "attributes");
        read_fields(reader, attributes, out);
    }
    {
        Value& nodes = keys.need("nodes");
        const Place here(reader, "nodes");
        read_nodes(reader, nodes, out);
    }
    Value& edges = keys.need("edges");
    const Place here(reader, "edges");
    Value::Array& items = array_of(reader, edges);
    out.edges.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Place there(reader, i);
        out.edges.add(read_edge(reader, items[i], out.nodes.size()));
    }
    settle_memlets(out, sdfg);
}

namespace {

// Positions in the written arrays: ids without the holes that erasing leaves.
std::vector<std::size_t> positions_of(const State& state) {
    std::vector<std::size_t> positions(state.nodes.id_bound(), 0);
    std::size_t next = 0;
    for (const auto [id, node] : state.nodes) positions[id.value] = next++;
    return positions;
}

struct StateWriter {
    const State& state;
    std::vector<std::size_t> positions;
    std::vector<NodeId> scopes;
    std::vector<NodeId> exits;  // of each entry

    explicit StateWriter(const State& state)
        : state(state), positions(positions_of(state)), scopes(enclosing_entries(state)), exits(state.nodes.id_bound()) {
        for (const auto [id, node] : state.nodes)
            if (const NodeId entry = entry_of_exit(node); state.nodes.contains(entry)) exits[entry.value] = id;
    }

    std::string text(NodeId id) const { return state.nodes.contains(id) ? std::to_string(positions[id.value]) : std::string(); }

    ScopeKeys keys(NodeId id, const Node& node) const {
        const NodeId entry = scopes[id.value];
        if (is_entry(node)) return {text(entry), text(exits[id.value])};
        return {text(entry), state.nodes.contains(entry) ? text(exits[entry.value]) : std::string()};
    }

    void scope_dict(TextWriter& out) const {
        std::map<std::int64_t, std::vector<std::size_t>> children;
        children[-1];
        for (const auto [id, node] : state.nodes) {
            const NodeId entry = scopes[id.value];
            children[state.nodes.contains(entry) ? static_cast<std::int64_t>(positions[entry.value]) : -1].push_back(
                positions[id.value]);
        }
        out.begin_object();
        for (const auto& [entry, inside] : children) {
            out.key(std::to_string(entry));
            out.begin_array();
            for (const std::size_t position : inside) out.integer(static_cast<std::int64_t>(position));
            out.end_array();
        }
        out.end_object();
    }

    void edge(Emitter& to, const Edge& edge) const {
        Value extra = parse_extra(edge.memlet.metadata);
        Value own{Value::Object{}};
        if (const Value* kept = extra.find("edge"); kept && kept->is_object()) own = *kept;
        Element element(to, "MultiConnectorEdge", std::move(own));
        const auto connector = [&](std::string_view key, const std::string& name) {
            TextWriter& out = element.key(key);
            if (name.empty())
                out.null();
            else
                out.string(name);
        };
        element.key("src").string(text(edge.src));
        connector("src_connector", edge.src_connector);
        element.key("dst").string(text(edge.dst));
        connector("dst_connector", edge.dst_connector);
        element.begin_attributes();
        element.key("data");
        write_memlet(to, edge.memlet, std::move(extra));
        element.end_attributes();
        element.end();
    }
};

}  // namespace

void write_state_body(Element& element, const State& state) {
    Emitter& to = element.emitter;
    const StateWriter writer(state);
    writer.scope_dict(element.key("scope_dict"));
    element.key("nodes").begin_array();
    for (const auto [id, node] : state.nodes)
        write_node(to, node, writer.positions[id.value], label_of(state, id), writer.keys(id, node));
    to.out.end_array();
    element.key("edges").begin_array();
    for (const auto [id, edge] : state.edges) writer.edge(to, edge);
    to.out.end_array();
}

}  // namespace sluice::interchange
