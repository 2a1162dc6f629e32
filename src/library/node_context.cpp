#include "library/node_context.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/symbols.h"
#include "ir/port.h"
#include "ir/strides.h"
#include "ir/walk.h"
#include "library/registry.h"

namespace sluice::library {

using ir::EdgeId;
using ir::Expr;

void NodeContext::refuse(const std::string& code, const std::string& message, const std::string& remedy) const {
    fail(Diagnostic{
        .code = code, .message = message, .where = state.nodes[node].metadata.where, .path = path, .remedy = remedy, .notes = {}});
}

const ir::Property* NodeContext::property(const std::string& name) const {
    const auto at = library().properties.find(name);
    if (at != library().properties.end()) return &at->second;
    if (operation)
        for (const PropertyRule& rule : operation->properties)
            if (rule.name == name) return &rule.default_value;
    return nullptr;
}

namespace {

template <class T> const T* property_as(const NodeContext& context, const std::string& name) {
    const ir::Property* found = context.property(name);
    return found ? std::get_if<T>(found) : nullptr;
}

/// Does the edge at `present` serve the connector of this name?
bool serves(const NodeContext& context, const std::string& present, const std::string& connector) {
    if (present == connector) return true;
    if (!context.operation) return false;
    const auto alias = context.operation->connector_aliases.find(present);
    return alias != context.operation->connector_aliases.end() && alias->second == connector;
}

}  // namespace

std::string NodeContext::factor(const std::string& name, const std::string& otherwise) const {
    if (const auto* v = property_as<std::int64_t>(*this, name)) return std::to_string(*v);
    if (const auto* v = property_as<double>(*this, name)) {
        const std::string text = fmt::format("{}", *v);
        return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
    }
    if (const auto* v = property_as<std::string>(*this, name)) return *v;
    if (const auto* v = property_as<Expr>(*this, name)) return symbolic::to_string(*v);
    return otherwise;
}

bool NodeContext::flag(const std::string& name, bool otherwise) const {
    const auto* value = property_as<bool>(*this, name);
    return value ? *value : otherwise;
}

std::vector<std::int64_t> NodeContext::axes(const std::string& name) const {
    const auto* value = property_as<std::vector<std::int64_t>>(*this, name);
    return value ? *value : std::vector<std::int64_t>();
}

EdgeId NodeContext::find_input(const std::string& connector) const {
    for (const auto& [id, edge] : state.edges)
        if (edge.dst == node && !edge.memlet.empty() && serves(*this, edge.dst_connector, connector)) return id;
    return {};
}

EdgeId NodeContext::find_output(const std::string& connector) const {
    for (const auto& [id, edge] : state.edges)
        if (edge.src == node && !edge.memlet.empty() && serves(*this, edge.src_connector, connector)) return id;
    return {};
}

EdgeId NodeContext::input(const std::string& connector) const {
    const EdgeId found = find_input(connector);
    if (!found.valid())
        refuse("B002", "the library node " + library().operation + " has no input " + connector, "connect its input");
    return found;
}

EdgeId NodeContext::output(const std::string& connector) const {
    const EdgeId found = find_output(connector);
    if (!found.valid())
        refuse("B002", "the library node " + library().operation + " has no output " + connector, "connect its output");
    return found;
}

bool NodeContext::updates() const {
    if (!operation || operation->update_factor.empty()) return false;
    const std::string factor = this->factor(operation->update_factor, "0");
    return factor != "0" && factor != "0.0";
}

const ir::Container& NodeContext::container(EdgeId edge) const {
    const std::string& data = state.edges[edge].memlet.data;
    const ir::Container* found = sdfg.containers.find(data);
    if (const ir::Constant* constant = found ? nullptr : sdfg.constants.find(data)) found = &constant->container;
    if (!found) refuse("B002", "the memlet names no container: " + data, "declare the container");
    return *found;
}

ir::Subset NodeContext::subset(EdgeId edge) const {
    const ir::Memlet& memlet = state.edges[edge].memlet;
    return memlet.subset ? *memlet.subset : ir::Subset::extents(container(edge).shape);
}

std::vector<std::size_t> NodeContext::dims(EdgeId edge, std::size_t rank) const {
    const ir::Subset moved = subset(edge);
    std::vector<std::size_t> all, ranges;
    for (std::size_t dim = 0; dim < moved.rank(); ++dim) {
        all.push_back(dim);
        if (!moved.dims[dim].is_index()) ranges.push_back(dim);
    }
    if (all.size() <= rank) return all;
    const std::size_t leading = all.size() - rank;
    const bool indices_lead = std::all_of(moved.dims.begin(), moved.dims.begin() + static_cast<std::ptrdiff_t>(leading),
                                          [](const auto& dim) { return dim.is_index(); });
    if (ranges.size() < rank && indices_lead) return {all.begin() + static_cast<std::ptrdiff_t>(leading), all.end()};
    return ranges;
}

bool has_stream(const NodeContext& context) {
    return std::ranges::any_of(context.state.edges, [&](const auto& entry) {
        const auto& [id, edge] = entry;
        return !edge.memlet.empty() && (edge.src == context.node || edge.dst == context.node) &&
               std::holds_alternative<ir::Stream>(context.container(id).kind);
    });
}

namespace {

/// Of a part of a container. Loop variables and parameters of maps may be 0.
std::vector<Expr> sizes_in(const NodeContext& context, const ir::Subset& moved) {
    if (symbolic::free_symbols(moved).empty()) return symbolic::sizes(moved);
    symbolic::Assumptions known;
    ir::for_each_block(context.sdfg.body, [&](const ir::Block& block) {
        if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind); loop && !loop->variable.empty())
            known.assume_any(loop->variable);
    });
    for (const auto& [id, other] : context.state.nodes)
        if (const auto* entry = std::get_if<ir::MapEntry>(&other.kind))
            for (std::size_t at = 0; at < entry->params.size(); ++at)
                known.assume_in(entry->params[at], entry->range.dims[at].begin, entry->range.dims[at].end);
    return symbolic::sizes(moved, known);
}

}  // namespace

Operand NodeContext::operand(EdgeId edge, const std::vector<std::size_t>& dims) const {
    const ir::Container& outer = container(edge);
    const ir::Subset moved = subset(edge);
    const std::vector<Expr> sizes = sizes_in(*this, moved);
    const std::vector<Expr> strides = ir::strides_of(outer);
    Operand operand{.type = outer.dtype, .shape = {}, .strides = {}};
    if (std::holds_alternative<ir::Stream>(outer.kind)) {
        if (state.edges[edge].memlet.dynamic)
            refuse("B002", "the memlet of the stream " + state.edges[edge].memlet.data + " does not say how many elements it moves",
                   "give it a volume");
        return {
            .type = outer.dtype, .shape = {state.edges[edge].memlet.volume}, .strides = {1}, .in_memory = false, .is_stream = true};
    }
    for (const std::size_t dim : dims) {
        operand.shape.push_back(sizes[dim]);
        operand.strides.push_back(strides[dim] * moved.dims[dim].step);
    }
    const ir::Edge& end = state.edges[edge];
    const auto carries_value = [&](ir::NodeId other) {
        const auto& kind = state.nodes[other].kind;
        return std::holds_alternative<ir::Tasklet>(kind) || std::holds_alternative<ir::NestedSdfg>(kind) ||
               std::holds_alternative<ir::LibraryNode>(kind);
    };
    operand.in_memory = !carries_value(end.src == node ? end.dst : end.src);
    return operand;
}

void declare_operand(const NodeContext& context, ir::Sdfg& body, const std::string& name, EdgeId edge,
                     const std::vector<std::size_t>& dims) {
    const Operand operand = context.operand(edge, dims);
    if (operand.is_stream) {
        ir::add_stream(body, name, operand.type).transient = false;
        return;
    }
    if (dims.empty()) {
        ir::add_scalar(body, name, operand.type);
        return;
    }
    Expr extent = 1;
    for (std::size_t dim = 0; dim < dims.size(); ++dim) extent = extent + operand.strides[dim] * (operand.shape[dim] - 1);
    auto& array = std::get<ir::Array>(ir::add_array(body, name, operand.type, operand.shape).kind);
    std::vector<Expr> packed(operand.shape.size(), Expr(1));
    for (std::size_t dim = packed.size(); dim-- > 1;) packed[dim - 1] = packed[dim] * operand.shape[dim];
    if (packed != operand.strides) {
        array.strides = operand.strides;
        array.total_size = extent;
    }
}

namespace {

/// An edge that no lead names brings what the replacement does not read: it only orders.
void set_kind(NodeDraft& draft, auto kind, const std::vector<Lead>& inputs, const std::vector<Lead>& outputs) {
    ir::State& state = draft.state_draft;
    ir::Node& node = state.nodes[draft.node];
    node.kind = std::move(kind);
    node.in.clear();
    node.out.clear();
    const auto led = [](const std::vector<Lead>& leads, ir::EdgeId id) {
        return std::ranges::any_of(leads, [&](const Lead& lead) { return lead.edge == id; });
    };
    for (auto [id, edge] : state.edges) {
        if (edge.dst != draft.node || edge.memlet.empty() || led(inputs, id)) continue;
        edge.dst_connector.clear();
        if (!ir::is_port_out(edge.src_connector)) edge.memlet = ir::no_memlet();
    }
    for (const Lead& lead : inputs) {
        node.in.emplace(lead.connector, code::DType());
        state.edges[lead.edge].dst_connector = lead.connector;
    }
    for (const Lead& lead : outputs) {
        node.out.emplace(lead.connector, code::DType());
        state.edges[lead.edge].src_connector = lead.connector;
        state.edges[lead.edge].memlet.wcr.reset();
    }
}

}  // namespace

void replace_by(NodeDraft& draft, ir::Sdfg body, const std::vector<Lead>& inputs, const std::vector<Lead>& outputs) {
    ir::NestedSdfg nested;
    nested.label = draft.library().label.empty() ? draft.library().operation : draft.library().label;
    const auto need = [&](const Expr& e) {
        for (const std::string& name : symbolic::free_symbols(e)) {
            const auto known = draft.sdfg.symbols.find(name);
            body.symbols.emplace(name, known == draft.sdfg.symbols.end() ? code::DType(code::Scalar::Int64) : known->second);
        }
    };
    for (const auto& [name, container] : body.containers) {
        for (const Expr& extent : container.shape) need(extent);
        if (const auto* array = std::get_if<ir::Array>(&container.kind)) {
            for (const Expr& stride : array->strides) need(stride);
            need(array->total_size);
        }
    }
    for (const std::string& name : analysis::free_symbols(body)) need(symbolic::symbol(name));
    for (const auto& [name, type] : body.symbols) nested.symbol_mapping.emplace(name, symbolic::symbol(name));
    nested.sdfg = Cow<ir::Sdfg>(std::move(body));
    set_kind(draft, std::move(nested), inputs, outputs);
}

void become(NodeDraft& draft, const std::string& operation, const std::vector<Lead>& inputs, const std::vector<Lead>& outputs,
            std::map<std::string, ir::Property> properties) {
    ir::LibraryNode node = draft.library();
    node.operation = operation;
    const Operation* known = operations().find(operation);
    node.classpath = known ? known->classpath : std::string();
    node.properties = std::move(properties);
    set_kind(draft, std::move(node), inputs, outputs);
}

}  // namespace sluice::library
