#include "analysis/updates.h"

#include <algorithm>
#include <optional>

#include "analysis/conflicts.h"
#include "analysis/legality/within.h"
#include "analysis/symbols.h"
#include "code/reduction.h"
#include "ir/port.h"
#include "ir/query.h"

namespace sluice::analysis {

using code::ReductionType;
using code::Scalar;
using symbolic::Subset;

bool openmp_combines(ReductionType operation, const code::DType& type) {
    if (code::identity_of(operation, type) == code::Identity::None) return false;
    switch (operation) {
        case ReductionType::Sum:
        case ReductionType::Product:
            return type.scalar != Scalar::Bool;
        case ReductionType::Min:
        case ReductionType::Max:
        case ReductionType::LogicalAnd:
        case ReductionType::LogicalOr:
            return !is_complex(type.scalar);
        default:
            return is_integer(type.scalar);
    }
}

std::vector<ir::EdgeId> update_leaves(const ir::State& state, const ir::Adjacency& adjacency, ir::EdgeId id) {
    const ir::Edge& edge = state.edges[id];
    if (!ir::is_exit(state.nodes[edge.src]) || !ir::is_port_out(edge.src_connector)) return {id};
    const std::string inner = ir::across(edge.src_connector);
    std::vector<ir::EdgeId> leaves;
    for (const ir::EdgeId in : adjacency.in(edge.src))
        if (state.edges[in].dst_connector == inner)
            for (const ir::EdgeId leaf : update_leaves(state, adjacency, in)) leaves.push_back(leaf);
    return leaves;
}

namespace {

bool reads_data(const symbolic::Expr& e) {
    return e.kind() == symbolic::Kind::Call || std::ranges::any_of(e.operands(), reads_data);
}

// Names that a scope gives a value, which differs between iterations of what is around it.
std::set<std::string> names_bound_by(const ir::Node& entry) {
    std::set<std::string> names;
    if (const auto* map = std::get_if<ir::MapEntry>(&entry.kind)) names.insert(map->params.begin(), map->params.end());
    if (const auto* consume = std::get_if<ir::ConsumeEntry>(&entry.kind)) names.insert(consume->pe_index);
    for (const auto& [connector, type] : entry.in)
        if (!ir::is_port_in(connector)) names.insert(connector);
    return names;
}

Subset subset_of(const ir::Sdfg& sdfg, const ir::Memlet& memlet) {
    if (memlet.subset) return *memlet.subset;
    const ir::Container* container = ir::find_container(sdfg, memlet.data);
    return container ? Subset::extents(container->shape) : Subset();
}

bool same_update(const ir::Memlet& a, const ir::Memlet& b) {
    return a.data == b.data && a.subset == b.subset && a.wcr == b.wcr;
}

bool is_repeatable(const ir::Sdfg& sdfg, const ir::State& state, const std::vector<ir::EdgeId>& leaves) {
    const ir::Memlet& memlet = state.edges[leaves[0]].memlet;
    const ir::Container* container = memlet.wcr ? ir::find_container(sdfg, memlet.data) : nullptr;
    if (!container || std::holds_alternative<ir::Stream>(container->kind) || container->binding != ir::Binding::Own) return false;
    if (!std::ranges::all_of(leaves, [&](ir::EdgeId leaf) {
            return same_update(state.edges[leaf].memlet, memlet) &&
                   std::holds_alternative<ir::Tasklet>(state.nodes[state.edges[leaf].src].kind);
        }))
        return false;
    const Subset subset = subset_of(sdfg, memlet);
    return code::identity_of(memlet.wcr->type(), container->dtype) != code::Identity::None &&
           symbolic::num_elements(subset).is_integer(1) &&
           std::ranges::none_of(subset.dims, [](const symbolic::Range& range) { return reads_data(range.begin); });
}

}  // namespace

std::vector<RepeatedUpdate> repeated_updates(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency,
                                             const ScopeTree& scopes, ir::NodeId entry) {
    const auto& map = std::get<ir::MapEntry>(state.nodes[entry].kind);
    std::vector<RepeatedUpdate> updates;
    const std::span<const ir::EdgeId> into_exit = adjacency.in(scopes.exit_of(entry));
    for (const ir::EdgeId id : into_exit) {
        const ir::Edge& edge = state.edges[id];
        if (!ir::is_port_in(edge.dst_connector) || edge.memlet.empty()) continue;
        RepeatedUpdate update{std::string(ir::port_name(edge.dst_connector)), {}, 0};
        if (std::ranges::any_of(updates, [&](const RepeatedUpdate& one) { return one.connector == update.connector; })) continue;
        for (const ir::EdgeId in : into_exit)
            if (state.edges[in].dst_connector == edge.dst_connector)
                for (const ir::EdgeId leaf : update_leaves(state, adjacency, in)) update.leaves.push_back(leaf);
        if (!is_repeatable(sdfg, state, update.leaves)) continue;
        const std::set<std::string> used = symbolic::free_symbols(subset_of(sdfg, state.edges[update.leaves[0]].memlet));
        bool varies = false;
        for (ir::NodeId at = scopes.parent(state.edges[update.leaves[0]].src); at.valid() && at != entry; at = scopes.parent(at))
            varies = varies ||
                     std::ranges::any_of(names_bound_by(state.nodes[at]), [&](const auto& name) { return used.contains(name); });
        for (std::size_t p = 0; p < map.params.size(); ++p)
            if (used.contains(map.params[p])) update.level = p + 1;
        if (!varies && update.level < map.params.size()) updates.push_back(std::move(update));
    }
    return updates;
}

std::set<std::string> read_in_scope(const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes,
                                    ir::NodeId entry) {
    std::set<std::string> names;
    for (const ir::EdgeId edge : adjacency.in(entry)) names.insert(state.edges[edge].memlet.data);
    for (const ir::NodeId child : scopes.children(entry)) {
        if (const auto* access = std::get_if<ir::Access>(&state.nodes[child].kind)) names.insert(access->data);
        if (ir::is_entry(state.nodes[child])) names.merge(read_in_scope(state, adjacency, scopes, child));
    }
    return names;
}

namespace {

struct OpenRange {
    std::string parameter;
    symbolic::Range range;
};

/// Reads of one element's container in a scope, dimension by dimension inwards.
class ElementReads {
public:
    ElementReads(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes,
                 const ir::Memlet& element, const symbolic::Assumptions& known)
        : sdfg_(sdfg), state_(state), adjacency_(adjacency), scopes_(scopes), element_(element), known_(known) {}

    bool in_scope(ir::NodeId entry, std::vector<OpenRange> open) const {
        for (const ir::EdgeId id : adjacency_.out(entry)) {
            const ir::Edge& edge = state_.edges[id];
            const bool goes_on = ir::is_entry(state_.nodes[edge.dst]) && ir::is_port_in(edge.dst_connector);
            if (!goes_on && may_read(edge.memlet, open)) return true;
        }
        for (const ir::NodeId child : scopes_.children(entry)) {
            const ir::Node& node = state_.nodes[child];
            if (const auto* access = std::get_if<ir::Access>(&node.kind))
                if (ir::root_name(access->data) == ir::root_name(element_.data)) return true;
            if (!ir::is_entry(node)) continue;
            const auto* map = std::get_if<ir::MapEntry>(&node.kind);
            if (!map) {
                if (read_in_scope(state_, adjacency_, scopes_, child).contains(element_.data)) return true;
                continue;
            }
            std::vector<OpenRange> inner = open;
            for (std::size_t d = 0; d < map->params.size(); ++d) inner.push_back({map->params[d], map->range.dims[d]});
            if (in_scope(child, inner)) return true;
        }
        return false;
    }

private:
    bool may_read(const ir::Memlet& memlet, const std::vector<OpenRange>& open) const {
        if (memlet.empty() || ir::root_name(memlet.data) != ir::root_name(element_.data)) return false;
        if (memlet.data != element_.data) return true;
        Subset read = subset_of(sdfg_, memlet);
        const Subset written = subset_of(sdfg_, element_);
        for (auto at = open.rbegin(); at != open.rend(); ++at) {
            // A name that is open twice means two things.
            const bool hidden = std::ranges::count(open, at->parameter, &OpenRange::parameter) > 1;
            if (hidden) return true;
            read = symbolic::image_over(read, at->parameter, at->range, known_).subset;
        }
        for (const OpenRange& range : open)
            if (symbolic::free_symbols(read).contains(range.parameter)) return true;
        return !lies_apart(read, written, element_.data, known_).yes();
    }

    const ir::Sdfg& sdfg_;
    const ir::State& state_;
    const ir::Adjacency& adjacency_;
    const ScopeTree& scopes_;
    const ir::Memlet& element_;
    const symbolic::Assumptions& known_;
};

}  // namespace

bool reads_element(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes,
                   ir::NodeId entry, const RepeatedUpdate& update, const symbolic::Assumptions& known) {
    const auto& map = std::get<ir::MapEntry>(state.nodes[entry].kind);
    const ir::Memlet& element = state.edges[update.leaves[0]].memlet;
    for (const ir::EdgeId edge : adjacency.in(entry)) {
        const std::string& connector = state.edges[edge].dst_connector;
        if (!ir::is_port_in(connector) && state.edges[edge].memlet.data == element.data) return true;
    }
    std::vector<OpenRange> open;
    for (std::size_t d = update.level; d < map.params.size(); ++d) open.push_back({map.params[d], map.range.dims[d]});
    const symbolic::Assumptions inside = assumptions_in(state, scopes, entry, known);
    return ElementReads(sdfg, state, adjacency, scopes, element, inside).in_scope(entry, std::move(open));
}

bool may_be_private(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes,
                    ir::NodeId entry, const std::string& data, const symbolic::Assumptions& known) {
    const ir::Container* container = ir::find_container(sdfg, data);
    if (!container || container->binding != ir::Binding::Own) return false;
    std::set<ir::EdgeId> updates;
    std::optional<code::ReductionType> operation;
    for (const ir::EdgeId edge : adjacency.in(scopes.exit_of(entry)))
        for (const ir::EdgeId leaf : update_leaves(state, adjacency, edge)) {
            const ir::Memlet& memlet = state.edges[leaf].memlet;
            if (memlet.empty() || ir::root_name(memlet.data) != ir::root_name(data)) continue;
            if (memlet.data != data || !memlet.wcr) return false;
            const code::ReductionType own = memlet.wcr->type();
            if (operation.value_or(own) != own) return false;
            operation = own;
            updates.insert(leaf);
        }
    if (updates.empty() || code::identity_of(*operation, container->dtype) == code::Identity::None) return false;
    for (const RepeatedUpdate& update : repeated_updates(sdfg, state, adjacency, scopes, entry)) {
        if (state.edges[update.leaves[0]].memlet.data != data) continue;
        if (reads_element(sdfg, state, adjacency, scopes, entry, update, known)) return false;
        for (const ir::EdgeId leaf : update.leaves) updates.erase(leaf);
    }
    return updates.empty() || !read_in_scope(state, adjacency, scopes, entry).contains(data);
}

bool iterations_meet(const ir::Sdfg& sdfg, const ir::State& state, const ScopeTree& scopes, ir::NodeId team, std::size_t collapse,
                     ir::NodeId scope, const ir::Memlet& memlet, const symbolic::Assumptions& known) {
    const ir::Container* container = ir::find_container(sdfg, memlet.data);
    if (!container || container->binding != ir::Binding::Own) return true;
    std::vector<NestLoop> nest;
    std::set<std::string> varying;
    std::vector<ir::NodeId> chain;
    for (ir::NodeId at = scope; at != team; at = scopes.parent(at)) chain.push_back(at);
    chain.push_back(team);
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
        const ir::Node& node = state.nodes[*at];
        const auto* map = std::get_if<ir::MapEntry>(&node.kind);
        if (*at != team)
            for (const auto& [connector, type] : node.in)
                if (!ir::is_port_in(connector)) varying.insert(connector);
        if (!map) return true;
        for (std::size_t d = 0; d < map->params.size(); ++d)
            nest.push_back({map->params[d], map->range.dims[d], *at == team && d < collapse});
    }
    for (const NestLoop& loop : nest)
        if (std::ranges::count(nest, loop.parameter, &NestLoop::parameter) > 1) return true;
    const Subset written = subset_of(sdfg, memlet);
    // What is read inside of the iterations may be anything in each.
    std::set<std::string> variables = symbolic::free_symbols(written);
    for (auto loop = nest.rbegin(); loop != nest.rend(); ++loop)
        if (variables.contains(loop->parameter) && !loop->shared) variables.merge(symbolic::free_symbols(loop->range));
    if (std::ranges::any_of(variables, [&](const std::string& name) { return varying.contains(name); })) return true;
    return !iterations_disjoint(written, nest, assumptions_in(state, scopes, scopes.parent(team), known));
}

}  // namespace sluice::analysis
