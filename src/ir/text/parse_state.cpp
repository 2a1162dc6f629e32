// Parser of dataflow.
#include "ir/port.h"
#include "ir/text/parse.h"

namespace sluice::ir::text {

namespace {

void read_connector_list(Cursor& in, Connectors& connectors) {
    in.expect("(");
    for (bool first = true; !in.accept(")"); first = false) {
        if (!first) in.expect(",");
        std::string name = in.connector();
        DType type;
        if (in.accept(":")) type = read_type(in);
        if (!connectors.emplace(name, std::move(type)).second)
            in.error("X005", "the connector " + name + " is listed twice", "list each connector once");
    }
}

void read_connectors(Cursor& in, Node& node) {
    if (in.accept_word("passing")) {
        in.expect("(");
        for (bool first = true; !in.accept(")"); first = false) {
            if (!first) in.expect(",");
            const std::string name = in.connector();
            node.in.emplace(port_in(name), DType());
            node.out.emplace(port_out(name), DType());
        }
    }
    if (in.next_is("(")) read_connector_list(in, node.in);
    if (in.accept("->")) read_connector_list(in, node.out);
}

NodeId read_node_id(Cursor& in) {
    return in.accept_word("none") ? NodeId() : NodeId(in.id('n'));
}

void read_params(Cursor& in, MapEntry& map) {
    if (!in.accept("[")) return;
    const std::size_t begin = in.position();
    for (std::string_view part : split_list(in.balanced(']'))) {
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos)
            in.error_at(in.span_from(begin), "X001", "expected `parameter=range`", "write for example [i=0:N, j=0:M]");
        std::string_view param = part.substr(0, equals);
        param.remove_prefix(std::min(param.find_first_not_of(' '), param.size()));
        map.params.emplace_back(param.substr(0, param.find_last_not_of(' ') + 1));
        const Subset range = subset_of(in, part.substr(equals + 1));
        if (range.rank() != 1)
            in.error_at(in.span_from(begin), "X004", "the range of " + map.params.back() + " is not one dimension");
        map.range.dims.push_back(range.dims[0]);
    }
}

void read_elements(Cursor& in, ConsumeEntry& consume) {
    if (!in.accept("[")) return;
    const std::size_t begin = in.position();
    consume.pe_index = in.identifier();
    in.expect("=");
    if (in.integer() != 0) in.error_at(in.span_from(begin), "X001", "processing elements are numbered from 0");
    in.expect(":");
    consume.num_pes = expr_of(in, in.balanced(']'));
}

void read_library(Cursor& in, Node& node) {
    auto& library = node.kind.emplace<LibraryNode>();
    library.operation = in.name();
    library.label = in.name();
    read_connectors(in, node);
    for (;;) {
        if (in.accept_word("classpath")) {
            in.expect("=");
            library.classpath = in.name();
        } else if (in.accept_word("with")) {
            read(in, library.properties);
        } else {
            const std::size_t before = in.position();
            read_fields_until(in, {"classpath", "with"}, library);
            if (in.position() == before) return;
        }
    }
}

Node read_node(Cursor& in) {
    Node node;
    in.space();
    const std::size_t begin = in.position();
    const std::string_view word = in.identifier();
    const auto labelled = [&](auto& kind) -> auto& {
        kind.label = in.name();
        return kind;
    };
    if (word == "access") {
        auto& access = node.kind.emplace<Access>();
        access.data = in.name();
        read_connectors(in, node);
        read_fields(in, access);
    } else if (word == "tasklet") {
        auto& tasklet = labelled(node.kind.emplace<Tasklet>());
        read_connectors(in, node);
        read_fields(in, tasklet);
        if (in.next_is_code()) tasklet.code = in.code(Language::Python);
    } else if (word == "map_entry") {
        auto& map = labelled(node.kind.emplace<MapEntry>());
        read_params(in, map);
        read_connectors(in, node);
        read_fields(in, map);
    } else if (word == "map_exit") {
        node.kind = MapExit{read_node_id(in)};
        read_connectors(in, node);
    } else if (word == "consume_entry") {
        auto& consume = labelled(node.kind.emplace<ConsumeEntry>());
        read_elements(in, consume);
        read_connectors(in, node);
        read_fields(in, consume);
    } else if (word == "consume_exit") {
        node.kind = ConsumeExit{read_node_id(in)};
        read_connectors(in, node);
    } else if (word == "nested") {
        auto& nested = labelled(node.kind.emplace<NestedSdfg>());
        read_connectors(in, node);
        read_fields(in, nested);
        nested.sdfg = Cow<Sdfg>(read_sdfg(in));
    } else if (word == "library") {
        read_library(in, node);
    } else {
        unknown_word(in, begin, "kind of node", word,
                     "access, tasklet, map_entry, map_exit, consume_entry, consume_exit, nested, library");
    }
    return node;
}

void read_memlet(Cursor& in, Memlet& memlet) {
    if (!in.accept(":")) return;
    in.space();
    const std::size_t begin = in.position();
    memlet.data = in.name();
    if (in.next_is("[")) {
        read(in, memlet.subset);
        memlet.volume = symbolic::num_elements(*memlet.subset);
    }
    if (in.accept("->")) read(in, memlet.other_subset);
    read_fields(in, memlet);
    memlet.metadata.where = in.span_from(begin);
}

class StateReader {
public:
    StateReader(Cursor& in, State& state) : in_(in), state_(state) {}

    void read_line() {
        in_.space();
        const std::size_t begin = in_.position();
        if (in_.next_is_id('e')) {
            const std::uint32_t id = in_.id('e');
            if (in_.accept_word("erased")) {
                add_at(in_, state_.edges, id, Edge{}, begin);
                return state_.edges.erase(EdgeId(id));
            }
            in_.expect(":");
            return read_edge(id);
        }
        if (!in_.next_is_id('n'))
            in_.error("X001", "expected a node or an edge", "write for example `n0 = access A` or `n0 -> n1 : A[0:N]`");
        const std::uint32_t id = in_.id('n');
        const Span where = in_.span_from(begin);
        if (in_.accept_word("erased")) {
            add_at(in_, state_.nodes, id, Node{}, begin);
            state_.nodes.erase(NodeId(id));
        } else if (in_.accept("=")) {
            Node node = read_node(in_);
            node.metadata.where = where;
            add_at(in_, state_.nodes, id, std::move(node), begin);
        } else {
            in_.rewind(begin);
            read_edge(static_cast<std::uint32_t>(state_.edges.id_bound()));
        }
    }

    /// Edges may stand before their nodes.
    void resolve() const {
        for (const auto& [node, where] : ends_)
            if (!state_.nodes.contains(node))
                in_.error_at(where, "X006", "the state has no node n" + std::to_string(node.value),
                             "declare the node, or correct the id");
    }

private:
    std::pair<NodeId, std::string> read_end() {
        in_.space();
        const std::size_t begin = in_.position();
        const NodeId node(in_.id('n'));
        if (!state_.nodes.contains(node)) ends_.emplace_back(node, in_.span_from(begin));
        return {node, in_.accept(".") ? in_.connector() : std::string()};
    }
    void read_edge(std::uint32_t at) {
        in_.space();
        const std::size_t begin = in_.position();
        Edge edge;
        std::tie(edge.src, edge.src_connector) = read_end();
        in_.expect("->");
        std::tie(edge.dst, edge.dst_connector) = read_end();
        edge.memlet.metadata.where = in_.span_from(begin);
        read_memlet(in_, edge.memlet);
        add_at(in_, state_.edges, at, std::move(edge), begin);
    }

    Cursor& in_;
    State& state_;
    std::vector<std::pair<NodeId, Span>> ends_;  ///< Ends that were not declared when they were named.
};

}  // namespace

void read_state(Cursor& in, State& state) {
    const Cursor::Level level(in);
    StateReader reader(in, state);
    for (in.blank_lines(); !in.accept("}"); in.blank_lines()) {
        if (in.at_end()) in.error("X001", "expected `}`, found the end of the text");
        reader.read_line();
        if (!in.next_is("}")) in.end_of_line();
    }
    reader.resolve();
}

}  // namespace sluice::ir::text
