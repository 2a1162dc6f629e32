#include "library/node_context.h"

#include <fmt/format.h>

#include "analysis/symbols.h"

namespace sluice::library {

using ir::EdgeId;
using ir::Expr;

void NodeContext::refuse(const std::string& code, const std::string& message, const std::string& remedy) const {
    fail(Diagnostic{
        .code = code, .message = message, .where = state.nodes[node].metadata.where, .path = path, .remedy = remedy, .notes = {}});
}

namespace {

template <class T> const T* property(const NodeContext& context, const std::string& name) {
    const auto at = context.library().properties.find(name);
    return at == context.library().properties.end() ? nullptr : std::get_if<T>(&at->second);
}

}  // namespace

std::string NodeContext::factor(const std::string& name, const std::string& otherwise) const {
    if (const auto* v = property<std::int64_t>(*this, name)) return std::to_string(*v);
    if (const auto* v = property<double>(*this, name)) return fmt::format("{}", *v);
    if (const auto* v = property<std::string>(*this, name)) return *v;
    if (const auto* v = property<Expr>(*this, name)) return symbolic::to_string(*v);
    return otherwise;
}

bool NodeContext::flag(const std::string& name, bool otherwise) const {
    const auto* value = property<bool>(*this, name);
    return value ? *value : otherwise;
}

std::vector<std::int64_t> NodeContext::axes(const std::string& name) const {
    const auto* value = property<std::vector<std::int64_t>>(*this, name);
    return value ? *value : std::vector<std::int64_t>();
}

EdgeId NodeContext::input(const std::string& connector) const {
    EdgeId found;
    for (const auto& [id, edge] : state.edges)
        if (edge.dst == node && edge.dst_connector == connector && !edge.memlet.empty()) found = id;
    if (!found.valid())
        refuse("B002", "the library node " + library().operation + " has no input " + (connector.empty() ? "" : connector),
               "connect its input");
    return found;
}

EdgeId NodeContext::output(const std::string& connector) const {
    EdgeId found;
    for (const auto& [id, edge] : state.edges)
        if (edge.src == node && edge.src_connector == connector && !edge.memlet.empty()) found = id;
    if (!found.valid())
        refuse("B002", "the library node " + library().operation + " has no output " + (connector.empty() ? "" : connector),
               "connect its output");
    return found;
}

const ir::Container& NodeContext::container(EdgeId edge) const {
    const ir::Container* found = sdfg.containers.find(state.edges[edge].memlet.data);
    if (!found) refuse("B002", "the memlet names no container: " + state.edges[edge].memlet.data, "declare the container");
    return *found;
}

ir::Subset NodeContext::subset(EdgeId edge) const {
    const ir::Memlet& memlet = state.edges[edge].memlet;
    return memlet.subset ? *memlet.subset : ir::Subset::extents(container(edge).shape);
}

std::vector<std::size_t> operand_dims(const NodeContext& context, EdgeId edge, std::size_t rank) {
    const ir::Subset subset = context.subset(edge);
    std::vector<std::size_t> all, ranges;
    for (std::size_t dim = 0; dim < subset.rank(); ++dim) {
        all.push_back(dim);
        if (!subset.dims[dim].is_index()) ranges.push_back(dim);
    }
    return all.size() <= rank ? all : ranges;
}

void declare_operand(const NodeContext& context, ir::Sdfg& body, const std::string& name, EdgeId edge,
                     const std::vector<std::size_t>& dims) {
    const ir::Container& outer = context.container(edge);
    const ir::Subset subset = context.subset(edge);
    const std::vector<Expr> sizes = symbolic::sizes(subset);
    const auto* layout = std::get_if<ir::Array>(&outer.kind);
    std::vector<Expr> strides(outer.shape.size(), Expr(1));
    for (std::size_t dim = strides.size(); dim-- > 1;) strides[dim - 1] = strides[dim] * outer.shape[dim];
    if (layout && !layout->strides.empty()) strides = layout->strides;
    if (dims.empty()) {
        ir::add_scalar(body, name, outer.dtype);
        return;
    }
    std::vector<Expr> shape, inner_strides;
    Expr extent = 1;
    for (const std::size_t dim : dims) {
        shape.push_back(sizes[dim]);
        inner_strides.push_back(strides[dim] * subset.dims[dim].step);
        extent = extent + inner_strides.back() * (sizes[dim] - 1);
    }
    ir::Container& inner = ir::add_array(body, name, outer.dtype, shape);
    auto& array = std::get<ir::Array>(inner.kind);
    std::vector<Expr> packed(shape.size(), Expr(1));
    for (std::size_t dim = packed.size(); dim-- > 1;) packed[dim - 1] = packed[dim] * shape[dim];
    if (packed != inner_strides) {
        array.strides = inner_strides;
        array.total_size = extent;
    }
}

void replace_by(NodeContext& context, ir::Sdfg body, const std::vector<Lead>& inputs, const std::vector<Lead>& outputs) {
    ir::NestedSdfg nested;
    nested.label = context.library().label.empty() ? context.library().operation : context.library().label;
    ir::Connectors in, out;
    for (const Lead& lead : inputs) in.emplace(lead.connector, code::DType());
    for (const Lead& lead : outputs) out.emplace(lead.connector, code::DType());
    const auto need = [&](const Expr& e) {
        for (const std::string& name : symbolic::free_symbols(e)) {
            const auto known = context.sdfg.symbols.find(name);
            body.symbols.emplace(name, known == context.sdfg.symbols.end() ? code::DType(code::Scalar::Int64) : known->second);
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
    ir::Node& node = context.state.nodes[context.node];
    node.kind = std::move(nested);
    node.in = std::move(in);
    node.out = std::move(out);
    for (const Lead& lead : inputs) context.state.edges[lead.edge].dst_connector = lead.connector;
    for (const Lead& lead : outputs) {
        context.state.edges[lead.edge].src_connector = lead.connector;
        context.state.edges[lead.edge].memlet.wcr.reset();
    }
}

}  // namespace sluice::library
