#include "analysis/edge_accesses.h"

#include "analysis/liveness.h"
#include "analysis/symbols.h"
#include "code/assignments.h"
#include "ir/code_block.h"
#include "ir/port.h"
#include "ir/query.h"

namespace sluice::analysis {

using symbolic::Assumptions;
using symbolic::Expr;
using symbolic::Subset;

const ir::Container& container_at(const ir::Sdfg& sdfg, const std::string& data) {
    const ir::Container* container = ir::find_container(sdfg, data);
    if (const ir::Constant* constant = container ? nullptr : sdfg.constants.find(data)) container = &constant->container;
    check(container != nullptr, "access of ", data, ", which is no container of ", sdfg.name);
    return *container;
}

namespace {

/// What a nested SDFG touches of its container, placed within what the memlet moves, where both have the same dimensions.
std::optional<Subset> placed_within(const Subset& outer, const Subset& inner, const ir::NestedSdfg& nested,
                                    const std::string& connector, const Assumptions& known) {
    const ir::Container* container = nested.sdfg->containers.find(connector);
    if (!container) return std::nullopt;
    symbolic::Substitution mapping;
    for (const auto& [symbol, value] : nested.symbol_mapping) mapping.emplace(symbol, value);
    std::vector<std::size_t> wide;
    for (std::size_t d = 0; d < outer.rank(); ++d)
        if (!outer.dims[d].is_index() || outer.rank() == inner.rank()) wide.push_back(d);
    if (wide.size() != inner.rank() || container->shape.size() != inner.rank()) return std::nullopt;
    Subset within = outer;
    for (std::size_t d = 0; d < outer.rank(); ++d)
        if (outer.dims[d].is_index()) within.dims[d] = symbolic::Range::index(0);
    for (std::size_t k = 0; k < wide.size(); ++k) {
        const Expr extent = symbolic::substitute(container->shape[k], mapping);
        if (!(extent == symbolic::num_elements(outer.dims[wide[k]], known))) return std::nullopt;
        within.dims[wide[k]] = symbolic::substitute(inner.dims[k], mapping);
    }
    return symbolic::compose(outer, within);
}

/// May the tasklet leave its output, or some elements of it, alone? The name of an output of several elements is the first of them.
bool writes_perhaps(const ir::Tasklet& tasklet, const ir::Connectors& outputs, const std::string& connector, const Subset& subset) {
    const auto type = outputs.find(connector);
    const std::int64_t lanes = type != outputs.end() && type->second.is_vector() ? type->second.lanes : 1;
    if (!symbolic::num_elements(subset).is_integer(lanes)) return true;
    if (tasklet.code.language != ir::Language::Python) return false;
    const Result<code::Body> body = ir::parsed_body(tasklet.code);
    return body.ok() && !code::assigned_on_every_path(*body, connector);
}

}  // namespace

EdgeAccesses::EdgeAccesses(const ir::Sdfg& sdfg, const ir::State& state, Assumptions known)
    : sdfg_(sdfg), state_(state), adjacency_(state), scopes_(state, adjacency_), known_(std::move(known)) {}

std::optional<EdgeAccess> EdgeAccesses::at_top(ir::EdgeId id, const std::string& data, bool reading) const {
    std::optional<EdgeAccess> access = at(id, data, reading);
    if (!access) return std::nullopt;
    const ir::Container& container = container_at(sdfg_, data);
    const ir::NodeId node = reading ? state_.edges[id].src : state_.edges[id].dst;
    for (ir::NodeId scope = scopes_.parent(node); scope.valid(); scope = scopes_.parent(scope))
        access->moved = leave(std::move(access->moved), binder_of(state_.nodes[scope]), container, inside(scope));
    return access;
}

Assumptions EdgeAccesses::inside(ir::NodeId scope) const {
    return assumptions_in(state_, scopes_, scope, known_);
}

std::optional<EdgeAccess> EdgeAccesses::at(ir::EdgeId id, const std::string& data, bool reading) const {
    const ir::Edge& edge = state_.edges[id];
    if (edge.memlet.empty()) return std::nullopt;
    const ir::NodeId far = reading ? edge.dst : edge.src;
    const std::string& connector = reading ? edge.dst_connector : edge.src_connector;
    const ir::Node& node = state_.nodes[far];
    const Assumptions here = inside(scopes_.parent(edge.dst));
    const bool resolves = !reading && edge.memlet.wcr;
    std::optional<EdgeAccess> found;
    if (std::holds_alternative<ir::NestedSdfg>(node.kind)) {
        found = at_nested(node, edge.memlet, connector, data, reading, here);
    } else if ((reading ? ir::is_entry(node) : ir::is_exit(node)) &&
               (reading ? ir::is_port_in(connector) : ir::is_port_out(connector))) {
        found = at_scope(far, connector, data, reading, here);
    } else {
        ir::Memlet memlet = edge.memlet;
        const auto* other = std::get_if<ir::Access>(&node.kind);
        if (other && other->data == data && !memlet.is_data_src) memlet.is_data_src = true;
        if (const ir::Container* named = memlet.subset ? nullptr : ir::find_container(sdfg_, memlet.data))
            memlet.subset = whole(*named);
        found = EdgeAccess{.moved = side_of(memlet, data, container_at(sdfg_, data), reading, here)};
        if (other) found->moved.exact &= container_at(sdfg_, other->data).binding == ir::Binding::Own;
        if (const auto* library = std::get_if<ir::LibraryNode>(&node.kind)) found->updates = !reading && updates_output(*library);
        const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind);
        if (tasklet && !reading && writes_perhaps(*tasklet, node.out, connector, found->moved.subset)) found->moved.dynamic = true;
    }
    if (found) found->updates |= resolves;
    return found;
}

std::optional<EdgeAccess> EdgeAccesses::at_scope(ir::NodeId node, const std::string& connector, const std::string& data,
                                                 bool reading, const Assumptions& here) const {
    const ir::NodeId entry = reading ? node : scopes_.parent(node);
    const ir::Container& container = container_at(sdfg_, data);
    const Binder binder = binder_of(state_.nodes[entry]);
    const Assumptions within = inside(entry);
    const std::string across = ir::across(connector);
    std::optional<EdgeAccess> all;
    for (const ir::EdgeId id : reading ? adjacency_.out(node) : adjacency_.in(node)) {
        const ir::Edge& edge = state_.edges[id];
        if ((reading ? edge.src_connector : edge.dst_connector) != across) continue;
        std::optional<EdgeAccess> one = at(id, data, reading);
        if (!one) continue;
        one->moved = leave(std::move(one->moved), binder, container, within);
        if (all)
            all = EdgeAccess{together(all->moved, one->moved, container, here), all->updates || one->updates};
        else
            all = std::move(one);
    }
    return all;
}

std::optional<EdgeAccess> EdgeAccesses::at_nested(const ir::Node& node, const ir::Memlet& memlet, const std::string& connector,
                                                  const std::string& data, bool reading, const Assumptions& here) const {
    const auto& nested = std::get<ir::NestedSdfg>(node.kind);
    const Accesses& inner = nested_accesses(nested);
    const auto& sets = reading ? inner.reads : inner.writes;
    const auto at = sets.find(connector);
    if (at == sets.end()) return std::nullopt;
    EdgeAccess access{.moved = side_of(memlet, data, container_at(sdfg_, data), reading, here),
                      .updates = !node.in.contains(connector) && inner.reads.contains(connector) && continues(nested, connector)};
    access.moved.dynamic |= !at->second.must;
    std::optional<Subset> placed =
        memlet.data == data ? placed_within(access.moved.subset, at->second.subset, nested, connector, here) : std::nullopt;
    if (placed) access.moved.subset = std::move(*placed);
    access.moved.exact = access.moved.exact && at->second.exact && placed;
    return access;
}

bool EdgeAccesses::continues(const ir::NestedSdfg& nested, const std::string& connector) const {
    const auto [at, added] = needed_.try_emplace(&*nested.sdfg);
    if (added) at->second = needed_at_start(*nested.sdfg, assumptions_wherever_called(*nested.sdfg));
    return at->second.contains(connector);
}

const Accesses& EdgeAccesses::nested_accesses(const ir::NestedSdfg& nested) const {
    const auto [at, added] = nested_.try_emplace(&*nested.sdfg);
    if (added) {
        at->second = accesses_of(*nested.sdfg, assumptions_wherever_called(*nested.sdfg));
    }
    return at->second;
}

}  // namespace sluice::analysis
