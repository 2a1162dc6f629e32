#include "ir/builder.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "ir/port.h"
#include "ir/query.h"
#include "support/words.h"

namespace sluice::ir {

// ---- declarations -------------------------------------------------------------------------------------------------------
namespace {

bool taken(const Sdfg& sdfg, const std::string& name) {
    return sdfg.containers.contains(name) || sdfg.symbols.contains(name) || sdfg.constants.contains(name);
}

template <class Kind> Container& declare(Sdfg& sdfg, const std::string& name, DType type, std::vector<Expr> shape, Kind kind) {
    check(!taken(sdfg, name), "the SDFG ", sdfg.name, " has a ", name, " already");
    Container container;
    container.dtype = std::move(type);
    container.shape = std::move(shape);
    container.kind = std::move(kind);
    return sdfg.containers.set(name, std::move(container));
}

}  // namespace

void add_symbol(Sdfg& sdfg, const std::string& name, DType type) {
    check(!taken(sdfg, name), "the SDFG ", sdfg.name, " has a ", name, " already");
    sdfg.symbols.emplace(name, std::move(type));
}

Container& add_array(Sdfg& sdfg, const std::string& name, DType type, std::vector<Expr> shape) {
    return declare(sdfg, name, std::move(type), std::move(shape), Array{});
}

Container& add_transient(Sdfg& sdfg, const std::string& name, DType type, std::vector<Expr> shape) {
    Container& container = declare(sdfg, name, std::move(type), std::move(shape), Array{});
    container.transient = true;
    return container;
}

Container& add_scalar(Sdfg& sdfg, const std::string& name, DType type, bool transient) {
    Container& container = declare(sdfg, name, std::move(type), {}, Scalar{});
    container.transient = transient;
    return container;
}

Container& add_stream(Sdfg& sdfg, const std::string& name, DType type, Expr buffer_size, std::vector<Expr> shape) {
    Container& container = declare(sdfg, name, std::move(type), std::move(shape), Stream{.buffer_size = buffer_size, .offset = {}});
    container.transient = true;
    return container;
}

Container& add_view(Sdfg& sdfg, const std::string& name, DType type, std::vector<Expr> shape) {
    Container& container = add_transient(sdfg, name, std::move(type), std::move(shape));
    container.binding = Binding::View;
    return container;
}

std::string fresh_name(const Sdfg& sdfg, const std::string& base) {
    std::string name = base;
    for (int suffix = 0; taken(sdfg, name); ++suffix) name = base + "_" + std::to_string(suffix);
    return name;
}

// ---- memlets ------------------------------------------------------------------------------------------------------------
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return text;
}

Subset subset_of(std::string_view text) {
    Result<Subset> subset = symbolic::parse_subset(text);
    check(subset.ok(), "the subset `", text, "` does not parse: ", subset.ok() ? "" : subset.error().message);
    return std::move(subset).value();
}

}  // namespace

Memlet memlet(std::string_view text, const MemletOptions& options) {
    text = trimmed(text);
    const std::size_t bracket = text.find('[');
    const std::string data(trimmed(text.substr(0, bracket)));
    check(!data.empty(), "the memlet `", text, "` names no container");
    if (bracket == std::string_view::npos) return memlet(data, std::optional<Subset>(), options);
    check(text.back() == ']', "the memlet `", text, "` lacks its closing bracket");
    return memlet(data, subset_of(text.substr(bracket + 1, text.size() - bracket - 2)), options);
}

Memlet memlet(const std::string& data, std::optional<Subset> subset, const MemletOptions& options) {
    Memlet result;
    result.data = data;
    if (subset) result.volume = symbolic::num_elements(*subset);
    result.subset = std::move(subset);
    if (!options.other_subset.empty()) result.other_subset = subset_of(options.other_subset);
    if (!options.wcr.empty()) result.wcr = options.wcr;
    result.dynamic = options.dynamic;
    return result;
}

Memlet no_memlet() {
    return {};
}

RangeArgument::RangeArgument(const std::string& text) {
    const Subset subset = subset_of(text);
    check(subset.rank() == 1, "the range `", text, "` is not one dimension");
    value = subset.dims[0];
}

// ---- nodes --------------------------------------------------------------------------------------------------------------
namespace {

Connectors untyped(const std::vector<std::string>& names) {
    Connectors connectors;
    for (const std::string& name : names) connectors.emplace(name, DType());
    return connectors;
}

NodeId add_node(State& state, decltype(Node::kind) kind, Connectors in = {}, Connectors out = {}) {
    return state.nodes.add(Node{.kind = std::move(kind), .in = std::move(in), .out = std::move(out), .metadata = {}});
}

}  // namespace

NodeId StateBuilder::access(const std::string& data) {
    Access node;
    node.data = data;
    return add_node(*state_, std::move(node));
}

NodeId StateBuilder::tasklet(const std::string& label, Connectors in, Connectors out, const std::string& code, Language language) {
    Tasklet node;
    node.label = label;
    node.code = {code, language};
    return add_node(*state_, std::move(node), std::move(in), std::move(out));
}

std::pair<NodeId, NodeId> StateBuilder::map(const std::string& label, const MapRanges& params, Schedule schedule) {
    MapEntry node;
    node.label = label;
    node.schedule = schedule;
    for (const auto& [param, range] : params) {
        node.params.push_back(param);
        node.range.dims.push_back(range.value);
    }
    const NodeId entry = add_node(*state_, std::move(node));
    return {entry, add_node(*state_, MapExit{entry})};
}

std::pair<NodeId, NodeId> StateBuilder::consume(const std::string& label, const std::string& pe_index, Expr num_pes,
                                                std::optional<std::string> condition) {
    ConsumeEntry node;
    node.label = label;
    node.pe_index = pe_index;
    node.num_pes = num_pes;
    if (condition) node.condition = CodeBlock{std::move(*condition), Language::Python};
    const NodeId entry = add_node(*state_, std::move(node), untyped({kStreamIn}), untyped({kStreamOut}));
    return {entry, add_node(*state_, ConsumeExit{entry})};
}

NodeId StateBuilder::nested(const std::string& label, Sdfg sdfg, const std::vector<std::string>& in,
                            const std::vector<std::string>& out, std::map<std::string, Expr> symbol_mapping) {
    NestedSdfg node;
    node.label = label;
    node.sdfg = Cow<Sdfg>(std::move(sdfg));
    node.symbol_mapping = std::move(symbol_mapping);
    return add_node(*state_, std::move(node), untyped(in), untyped(out));
}

NodeId StateBuilder::library(const std::string& operation, const std::string& label, const std::vector<std::string>& in,
                             const std::vector<std::string>& out, std::map<std::string, Property> properties) {
    LibraryNode node;
    node.operation = operation;
    node.label = label;
    node.properties = std::move(properties);
    return add_node(*state_, std::move(node), untyped(in), untyped(out));
}

// ---- edges --------------------------------------------------------------------------------------------------------------
EdgeId StateBuilder::edge(NodeId src, std::string src_connector, NodeId dst, std::string dst_connector, Memlet memlet) {
    check(state_->nodes.contains(src) && state_->nodes.contains(dst), "an edge between nodes that the state does not have");
    return state_->edges.add({src, std::move(src_connector), dst, std::move(dst_connector), std::move(memlet)});
}

namespace {

/// The first of `x`, `x_0`, `x_1`, ... for which neither IN_x nor OUT_x exists, added as a pair of connectors.
std::string add_pair(Node& node, const std::string& data) {
    std::string base = data;
    std::ranges::replace(base, '.', '_');
    std::string name = base;
    for (int suffix = 0; node.in.contains(port_in(name)) || node.out.contains(port_out(name)); ++suffix)
        name = base + "_" + std::to_string(suffix);
    node.in.emplace(port_in(name), DType());
    node.out.emplace(port_out(name), DType());
    return name;
}

/// A consume entry whose stream is not connected yet.
bool waits_for_stream(const State& state, NodeId entry) {
    if (!std::holds_alternative<ConsumeEntry>(state.nodes[entry].kind)) return false;
    for (auto [id, edge] : state.edges)
        if (edge.dst == entry && edge.dst_connector == kStreamIn) return false;
    return true;
}

void widen(Memlet& outer, const Memlet& more, const symbolic::Assumptions& known) {
    if (outer.subset && more.subset && outer.subset->rank() == more.subset->rank()) {
        outer.subset = symbolic::hull_union(*outer.subset, *more.subset, known);
        outer.volume = symbolic::num_elements(*outer.subset);
    } else {
        outer.subset.reset();
        outer.volume = 0;
    }
    outer.other_subset.reset();
    outer.dynamic |= more.dynamic;
}

/// An edge of the same container from the same place into the scope: paths that read one container share it.
std::optional<EdgeId> shared_edge(const State& state, NodeId src, const std::string& src_connector, NodeId entry,
                                  const Memlet& memlet) {
    // The search runs from the newest edge and gives up soon: paths that share are added together, and a state may be huge.
    constexpr std::uint32_t kRecent = 64;
    const auto bound = static_cast<std::uint32_t>(state.edges.id_bound());
    for (std::uint32_t at = bound; at > 0 && at + kRecent > bound; --at) {
        const EdgeId id(at - 1);
        if (!state.edges.contains(id)) continue;
        const Edge& edge = state.edges[id];
        if (edge.src == src && edge.dst == entry && edge.src_connector == src_connector && edge.memlet.data == memlet.data &&
            is_port_in(edge.dst_connector))
            return id;
    }
    return std::nullopt;
}

}  // namespace

namespace {

/// The memlet outside the scope of `entry` of a memlet inside: the image over the scope's parameters. A subset that depends on
/// the scope otherwise (a dynamic range) becomes the whole container.
Memlet outside(const Node& entry, Memlet inner, const symbolic::Assumptions& known) {
    inner.other_subset.reset();
    inner.prefetch.reset();
    if (!inner.subset) return inner;
    const auto over = [&](const std::string& param, const Range& range) {
        if (symbolic::free_symbols(*inner.subset).contains(param))
            inner.subset = symbolic::image_over(*inner.subset, param, range, known).subset;
    };
    std::vector<std::string> inside;
    if (const auto* map = std::get_if<MapEntry>(&entry.kind)) {
        inside = map->params;
        for (std::size_t at = map->params.size(); at-- > 0;) over(map->params[at], map->range.dims[at]);
    } else if (const auto* consume = std::get_if<ConsumeEntry>(&entry.kind)) {
        inside = {consume->pe_index};
        over(consume->pe_index, Range::extent(consume->num_pes));
    }
    for (const auto& [connector, type] : entry.in) inside.push_back(connector);
    const std::set<std::string> symbols = symbolic::free_symbols(*inner.subset);
    if (std::ranges::any_of(inside, [&](const std::string& name) { return symbols.contains(name); })) {
        inner.subset.reset();
        inner.volume = 0;
        inner.dynamic = true;
    } else {
        inner.volume = symbolic::num_elements(*inner.subset);
    }
    return inner;
}

/// Parameters of the scopes that a path enters may be any integers, as sizes may not.
symbolic::Assumptions known_along(const State& state, const std::vector<NodeId>& path) {
    symbolic::Assumptions known;
    for (const NodeId id : path) {
        const Node& node = state.nodes[id];
        const Node& entry = is_exit(node) ? state.nodes[entry_of_exit(node)] : node;
        if (const auto* map = std::get_if<MapEntry>(&entry.kind))
            for (const std::string& param : map->params) known.assume_any(param);
        if (const auto* consume = std::get_if<ConsumeEntry>(&entry.kind)) known.assume_any(consume->pe_index);
    }
    return known;
}

/// The memlet of each edge of a path: `inner` lies between the entries and the exits, the others outside of them.
std::vector<Memlet> along_path(const State& state, const std::vector<NodeId>& path, const Memlet& inner,
                               const symbolic::Assumptions& known) {
    std::vector<Memlet> memlets(path.size() - 1, inner);
    std::size_t innermost = 0;
    while (innermost + 2 < path.size() && is_entry(state.nodes[path[innermost + 1]])) ++innermost;
    for (std::size_t at = innermost; at > 0; --at) memlets[at - 1] = outside(state.nodes[path[at]], memlets[at], known);
    for (std::size_t at = innermost + 1; at < memlets.size(); ++at) {
        const Node& exit = state.nodes[path[at]];
        const auto* map = std::get_if<MapExit>(&exit.kind);
        const auto* consume = std::get_if<ConsumeExit>(&exit.kind);
        check(map || consume, "node n", path[at].value, " inside a memlet path is not an exit, but an exit or nothing can follow");
        memlets[at] = outside(state.nodes[map ? map->entry : consume->entry], memlets[at - 1], known);
    }
    return memlets;
}

}  // namespace

void StateBuilder::memlet_path(const std::vector<NodeId>& path, std::string src_connector, std::string dst_connector,
                               const Memlet& memlet) {
    check(path.size() >= 2, "a memlet path needs two nodes");
    const symbolic::Assumptions known = known_along(*state_, path);
    const std::vector<Memlet> memlets = along_path(*state_, path, memlet, known);
    std::string connector = std::move(src_connector);
    for (std::size_t at = 0; at + 1 < path.size(); ++at) {
        const NodeId next = path[at + 1];
        if (at + 2 == path.size()) {
            edge(path[at], connector, next, dst_connector, memlets[at]);
            break;
        }
        if (memlet.empty()) {
            edge(path[at], connector, next, "", memlet);
            continue;
        }
        Node& scope = state_->nodes[next];
        if (is_entry(scope)) {
            if (const auto shared = shared_edge(*state_, path[at], connector, next, memlet)) {
                Edge& outer = state_->edges[*shared];
                widen(outer.memlet, memlets[at], known);
                connector = across(outer.dst_connector);
                continue;
            }
        }
        const bool popped = waits_for_stream(*state_, next);
        const std::string name = popped ? "stream" : add_pair(scope, memlet.data);
        edge(path[at], connector, next, port_in(name), memlets[at]);
        connector = port_out(name);
    }
}

StateBuilder::Mapped StateBuilder::mapped_tasklet(const std::string& label, const MapRanges& params, const NamedMemlets& inputs,
                                                  const std::string& code, const NamedMemlets& outputs, const std::string& wcr,
                                                  Schedule schedule) {
    const auto [entry, exit] = map(label, params, schedule);
    Connectors in, out;
    for (const auto& [connector, read] : inputs) in.emplace(connector, DType());
    for (const auto& [connector, write] : outputs) out.emplace(connector, DType());
    const NodeId body = tasklet(label, std::move(in), std::move(out), code);
    std::map<std::string, NodeId> reads, writes;
    const auto node_of = [this](std::map<std::string, NodeId>& nodes, const std::string& data) {
        const auto [at, added] = nodes.try_emplace(data);
        if (added) at->second = access(data);
        return at->second;
    };
    for (const auto& [connector, read] : inputs)
        memlet_path({node_of(reads, read.value.data), entry, body}, "", connector, read.value);
    for (const auto& [connector, write] : outputs) {
        Memlet update = write.value;
        if (!wcr.empty()) update.wcr = wcr;
        memlet_path({body, exit, node_of(writes, update.data)}, connector, "", update);
    }
    if (inputs.empty()) edge(entry, "", body, "", no_memlet());
    if (outputs.empty()) edge(body, "", exit, "", no_memlet());
    return {entry, body, exit};
}

// ---- control flow -------------------------------------------------------------------------------------------------------
BlockId add_block(Region& region, Block block) {
    const BlockId id = region.blocks.add(std::move(block));
    if (!region.start.valid()) region.start = id;
    return id;
}

StateBuilder add_state(Region& region, const std::string& label, BlockId* id) {
    const BlockId block = add_block(region, Block{.label = label, .kind = Cow<State>(), .metadata = {}});
    if (id) *id = block;
    return edit_state(region, block);
}

StateBuilder add_state(Sdfg& sdfg, const std::string& label) {
    return add_state(sdfg.body, label);
}

StateBuilder edit_state(Region& region, BlockId id) {
    State* state = as_state(region.blocks[id]);
    check(state != nullptr, "block b", id.value, " is not a state");
    return StateBuilder(*state);
}

StateBuilder add_state_after(Region& region, BlockId before, const std::string& label, BlockId* id) {
    const BlockId block = add_block(region, Block{.label = label, .kind = Cow<State>(), .metadata = {}});
    add_transition(region, before, block);
    if (id) *id = block;
    return edit_state(region, block);
}

TransitionId add_transition(Region& region, BlockId src, BlockId dst, const std::string& condition,
                            std::vector<std::pair<std::string, std::string>> assignments) {
    check(region.blocks.contains(src) && region.blocks.contains(dst), "a transition between blocks that the region does not have");
    return region.transitions.add({.src = src,
                                   .dst = dst,
                                   .condition = {condition, Language::Python},
                                   .assignments = std::move(assignments),
                                   .metadata = {}});
}

namespace {

/// In parentheses unless it is one name or number.
std::string as_operand(const std::string& text) {
    const auto plain = [](char c) { return is_word_part(c) || c == '.'; };
    return std::ranges::all_of(text, plain) ? text : "(" + text + ")";
}

}  // namespace

Block for_loop(const std::string& label, const std::string& variable, const BoundArgument& begin, const BoundArgument& end,
               const BoundArgument& by) {
    const std::string& step = by.text;
    const bool down =
        step.size() > 1 && step[0] == '-' && std::ranges::all_of(step.substr(1), [](char c) { return c >= '0' && c <= '9'; });
    LoopRegion loop;
    loop.variable = variable;
    loop.init = CodeBlock{variable + " = " + begin.text, Language::Python};
    loop.condition = CodeBlock{variable + (down ? " > " : " < ") + as_operand(end.text), Language::Python};
    loop.update =
        CodeBlock{variable + " = " + variable + (down ? " - " + step.substr(1) : " + " + as_operand(step)), Language::Python};
    return Block{.label = label, .kind = std::move(loop), .metadata = {}};
}

Block while_loop(const std::string& label, const std::string& condition) {
    LoopRegion loop;
    loop.condition = CodeBlock{condition, Language::Python};
    return Block{.label = label, .kind = std::move(loop), .metadata = {}};
}

}  // namespace sluice::ir
