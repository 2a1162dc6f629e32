// Dataflow nodes, one by one; their scopes are the business of the state.
#include <array>

#include "interchange/document.h"
#include "interchange/elements.h"
#include "interchange/read_values.h"
#include "interchange/write_values.h"
#include "ir/port.h"

namespace sluice::interchange {

namespace {

// The nested graph is an object, in old files the text of one.
void read_nested(Reader& reader, Members& attributes, NestedSdfg& out) {
    if (Value* path = attributes.peek("ext_sdfg_path"); path && path->is_string() && !attributes.peek("sdfg"))
        reader.fail("J012", "the nested SDFG lies in another file, `" + *path->string() + "`",
                    "Save the graph with its nested SDFGs embedded");
    Value& graph = attributes.need("sdfg");
    const Place here(reader, "sdfg");
    if (graph.is_null()) {
        const Value* path = attributes.peek("ext_sdfg_path");
        const std::string place = path && path->is_string() ? "in another file, `" + *path->string() + "`" : std::string("nowhere");
        reader.fail("J012", "the nested SDFG lies " + place, "Save the graph with its nested SDFGs embedded");
    }
    if (std::string* text = graph.string()) graph = parse_document(std::string(std::move(*text)), reader.file, reader.depth());
    read_sdfg(reader, graph, out.sdfg.edit(), false);
}

template <class Kind> Kind& begin_kind(Reader& reader, Members& attributes, Node& node) {
    Kind& kind = node.kind.emplace<Kind>();
    read_fields(reader, attributes, kind);
    return kind;
}

void bind_names(Reader& reader, const Node& node) {
    if (!reader.scope) return;
    if (const auto* map = std::get_if<MapEntry>(&node.kind)) {
        reader.scope->bound.insert(map->params.begin(), map->params.end());
        for (const auto& [name, type] : node.in)
            if (!ir::is_port_in(name)) reader.scope->bound.insert(name);
    } else if (const auto* consume = std::get_if<ConsumeEntry>(&node.kind)) {
        reader.scope->bound.insert(consume->pe_index);
    }
}

void read_kind(Reader& reader, const std::string& type, Members& keys, Members& attributes, Node& out) {
    if (type == "AccessNode") {
        begin_kind<Access>(reader, attributes, out);
    } else if (type == "Tasklet") {
        begin_kind<Tasklet>(reader, attributes, out);
    } else if (type == "MapEntry") {
        const MapEntry& map = begin_kind<MapEntry>(reader, attributes, out);
        if (map.params.size() != map.range.rank())
            reader.fail("J013",
                        "the map has " + std::to_string(map.params.size()) + " parameters and " + std::to_string(map.range.rank()) +
                            " ranges",
                        "Give every parameter one range");
    } else if (type == "MapExit") {
        out.kind = MapExit{};
    } else if (type == "ConsumeEntry") {
        begin_kind<ConsumeEntry>(reader, attributes, out);
    } else if (type == "ConsumeExit") {
        out.kind = ConsumeExit{};
    } else if (type == "NestedSDFG") {
        NestedSdfg& nested = begin_kind<NestedSdfg>(reader, attributes, out);
        attributes.take("schedule");  // had no meaning and went away
        read_nested(reader, attributes, nested);
    } else if (type == "LibraryNode" || keys.peek("classpath")) {
        read_library_node(reader, keys, attributes, out);
    } else {
        const bool fpga = type == "PipelineEntry" || type == "PipelineExit";
        reader.fail("J009", "unknown node type `" + type + "`",
                    fpga ? "Pipelines were for FPGAs and left the format; make it a map" : "Use a node type of the format");
    }
}

}  // namespace

void read_node(Reader& reader, Value& value, Node& out) {
    Members keys(reader, value);
    std::string type;
    {
        Value& name = keys.need("type");
        const Place here(reader, "type");
        read(reader, name, type);
    }
    Value& found = keys.need("attributes");
    const Place here(reader, "attributes");
    Members attributes(reader, found);
    const auto connectors = [&](std::string_view key, Connectors& side) {
        if (Value* names = attributes.take(key)) {
            const Place there(reader, key);
            read_connectors(reader, *names, side);
        }
    };
    connectors("in_connectors", out.in);
    connectors("out_connectors", out.out);
    read_kind(reader, type, keys, attributes, out);
    bind_names(reader, out);
    read_metadata(reader, keys, attributes, out.metadata);
}

namespace {

struct TypeName {
    std::string_view operator()(const Access&) const { return "AccessNode"; }
    std::string_view operator()(const Tasklet&) const { return "Tasklet"; }
    std::string_view operator()(const MapEntry&) const { return "MapEntry"; }
    std::string_view operator()(const MapExit&) const { return "MapExit"; }
    std::string_view operator()(const ConsumeEntry&) const { return "ConsumeEntry"; }
    std::string_view operator()(const ConsumeExit&) const { return "ConsumeExit"; }
    std::string_view operator()(const NestedSdfg&) const { return "NestedSDFG"; }
    std::string_view operator()(const LibraryNode&) const { return "LibraryNode"; }
};

void write_kind(Element& element, const Node& node) {
    Emitter& to = element.emitter;
    std::visit(
        [&](const auto& kind) {
            using Kind = std::decay_t<decltype(kind)>;
            if constexpr (requires { Kind::fields(); }) write_fields(element, kind);
            if constexpr (std::is_same_v<Kind, NestedSdfg>) {
                element.key("sdfg");
                write_sdfg(to, *kind.sdfg, false);
            } else if constexpr (std::is_same_v<Kind, LibraryNode>) {
                write_library_properties(element, kind);
            } else if constexpr (std::is_same_v<Kind, MapEntry>) {
                if (kind.range.dims.empty()) {
                    element.key("range");
                    write(to, kind.range);
                }
            }
        },
        node.kind);
}

}  // namespace

void write_node(Emitter& to, const Node& node, std::size_t position, const std::string& label, const ScopeKeys& scope) {
    Element element(to, std::visit(TypeName{}, node.kind), parse_extra(node.metadata));
    const auto index = [&](std::string_view name, const std::string& text) {
        TextWriter& out = element.key(name);
        if (text.empty())
            out.null();
        else
            out.string(text);
    };
    element.key("label").string(label);
    element.key("id").integer(static_cast<std::int64_t>(position));
    index("scope_entry", scope.entry);
    index("scope_exit", scope.exit);
    if (const auto* library = std::get_if<LibraryNode>(&node.kind)) {
        element.key("classpath").string(library->classpath.empty() ? library->operation : library->classpath);
    }
    element.begin_attributes();
    write_kind(element, node);
    const auto connectors = [&](std::string_view name, const Connectors& side) {
        if (side.empty()) return;
        element.key(name);
        write_connectors(to, side);
    };
    connectors("in_connectors", node.in);
    connectors("out_connectors", node.out);
    write_metadata(element, node.metadata);
    element.end_attributes();
    element.end();
}

}  // namespace sluice::interchange
