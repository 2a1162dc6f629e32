#include "rewrite/edit.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/symbols.h"
#include "ir/code_block.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/walk.h"

namespace sluice::rewrite {

using ir::EdgeId;
using ir::NodeId;

// ---- looking ------------------------------------------------------------------------------------------------------------
std::vector<NodeId> nodes_inside(const analysis::ScopeTree& scopes, NodeId entry) {
    std::vector<NodeId> found;
    const NodeId exit = scopes.exit_of(entry);
    for (const NodeId child : scopes.children(entry)) {
        if (child == exit) continue;
        found.push_back(child);
        if (!scopes.exit_of(child).valid()) continue;
        for (const NodeId inner : nodes_inside(scopes, child)) found.push_back(inner);
        found.push_back(scopes.exit_of(child));
    }
    std::vector<NodeId> unique;
    std::set<NodeId> seen;
    for (const NodeId id : found)
        if (seen.insert(id).second) unique.push_back(id);
    return unique;
}

std::vector<EdgeId> edges_at(const ir::State& state, std::span<const NodeId> nodes) {
    const std::set<NodeId> wanted(nodes.begin(), nodes.end());
    std::vector<EdgeId> found;
    for (const auto& [id, edge] : state.edges)
        if (wanted.contains(edge.src) || wanted.contains(edge.dst)) found.push_back(id);
    return found;
}

EdgeId outer_edge(const ir::State& state, const ir::Adjacency& adjacency, EdgeId edge) {
    const ir::Edge& inner = state.edges[edge];
    if (is_entry(state.nodes[inner.src]) && ir::is_port_out(inner.src_connector))
        return adjacency.in_at(inner.src, ir::across(inner.src_connector)).value_or(EdgeId());
    if (is_exit(state.nodes[inner.dst]) && ir::is_port_in(inner.dst_connector))
        return adjacency.out_at(inner.dst, ir::across(inner.dst_connector)).value_or(EdgeId());
    return {};
}

std::vector<EdgeId> memlet_path(const ir::State& state, const ir::Adjacency& adjacency, EdgeId edge) {
    const auto before = [&](EdgeId at) -> EdgeId {
        const ir::Edge& e = state.edges[at];
        const ir::Node& src = state.nodes[e.src];
        if ((!is_entry(src) && !is_exit(src)) || !ir::is_port_out(e.src_connector)) return {};
        return adjacency.in_at(e.src, ir::across(e.src_connector)).value_or(EdgeId());
    };
    const auto after = [&](EdgeId at) -> EdgeId {
        const ir::Edge& e = state.edges[at];
        const ir::Node& dst = state.nodes[e.dst];
        if ((!is_entry(dst) && !is_exit(dst)) || !ir::is_port_in(e.dst_connector)) return {};
        return adjacency.out_at(e.dst, ir::across(e.dst_connector)).value_or(EdgeId());
    };
    std::vector<EdgeId> path{edge};
    for (EdgeId at = before(edge); at.valid(); at = before(at)) path.push_back(at);
    std::ranges::reverse(path);
    for (EdgeId at = after(edge); at.valid(); at = after(at)) path.push_back(at);
    return path;
}

std::vector<EdgeId> memlet_leaves(const ir::State& state, const ir::Adjacency& adjacency, EdgeId edge) {
    const ir::Edge& outer = state.edges[edge];
    std::vector<EdgeId> leaves;
    const auto descend = [&](std::span<const EdgeId> next, auto connector_of, const std::string& wanted) {
        for (const EdgeId inner : next)
            if (connector_of(state.edges[inner]) == wanted)
                for (const EdgeId leaf : memlet_leaves(state, adjacency, inner)) leaves.push_back(leaf);
    };
    if (is_entry(state.nodes[outer.dst]) && ir::is_port_in(outer.dst_connector))
        descend(
            adjacency.out(outer.dst), [](const ir::Edge& e) { return e.src_connector; }, ir::across(outer.dst_connector));
    else if (is_exit(state.nodes[outer.src]) && ir::is_port_out(outer.src_connector))
        descend(
            adjacency.in(outer.src), [](const ir::Edge& e) { return e.dst_connector; }, ir::across(outer.src_connector));
    else
        leaves.push_back(edge);
    return leaves;
}

std::size_t count_accesses(const ir::Sdfg& sdfg, const std::string& data) {
    std::size_t count = 0;
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes)
            if (const auto* access = std::get_if<ir::Access>(&node.kind)) count += ir::root_name(access->data) == data;
    });
    return count;
}

namespace {

bool code_reads(const ir::CodeBlock& code, const std::string& name) {
    const auto body = ir::parsed_body(code);
    return !body || ir::free_names(*body).contains(name);
}

bool text_reads(const std::string& python, const std::string& name) {
    const auto parsed = ir::parsed_expr(python);
    return !parsed || ir::free_names(**parsed).contains(name);
}

bool region_reads(const ir::Region& region, const std::string& name) {
    bool found = false;
    ir::for_each_region(region, [&](const ir::Region& each) {
        ir::for_each_code(
            each, [&](const ir::CodeBlock& statement) { found = found || code_reads(statement, name); },
            [&](const std::string& expression) { found = found || text_reads(expression, name); });
    });
    return found;
}

bool subset_reads(const ir::Subset& subset, const std::string& name) {
    return symbolic::free_symbols(subset).contains(name);
}

/// Element reads in subsets and ranges, `A[i]` as a call, name their container as a symbol.
bool dataflow_reads(const ir::State& state, const std::string& name) {
    for (const auto& [id, node] : state.nodes)
        if (const auto* map = std::get_if<ir::MapEntry>(&node.kind); map && subset_reads(map->range, name)) return true;
    return std::ranges::any_of(state.edges, [&](const auto& entry) {
        const ir::Memlet& memlet = entry.second.memlet;
        return (memlet.subset && subset_reads(*memlet.subset, name)) ||
               (memlet.other_subset && subset_reads(*memlet.other_subset, name)) ||
               (memlet.prefetch && subset_reads(*memlet.prefetch, name));
    });
}

}  // namespace

bool used_in_control(const ir::Sdfg& sdfg, const std::string& name) {
    if (region_reads(sdfg.body, name)) return true;
    for (const auto& [other, container] : sdfg.containers) {
        for (const ir::Expr& extent : container.shape)
            if (symbolic::depends_on(extent, name)) return true;
    }
    bool found = false;
    ir::for_each_state(sdfg.body, [&](const ir::State& state) { found = found || dataflow_reads(state, name); });
    return found;
}

std::string fresh_symbol(const ir::Sdfg& sdfg, const std::string& base) {
    // Symbols that are free in the program are declared: fresh_name knows them.
    std::set<std::string> taken;
    const auto take = [&](const std::string& name) {
        if (name.starts_with(base)) taken.insert(name);
    };
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes) {
            if (const auto* map = std::get_if<ir::MapEntry>(&node.kind)) std::ranges::for_each(map->params, take);
            if (const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind)) take(consume->pe_index);
            for (const auto* connectors : {&node.in, &node.out})
                for (const auto& [name, type] : *connectors) take(name);
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind))
                for (const auto& [name, value] : nested->symbol_mapping) take(name);
        }
    });
    for (const std::string& name : ir::assigned_symbols(sdfg)) take(name);
    const auto free = [&](const std::string& name) { return !taken.contains(name) && ir::fresh_name(sdfg, name) == name; };
    if (free(base)) return base;
    for (std::size_t i = 0;; ++i)
        if (const std::string name = fmt::format("{}_{}", base, i); free(name)) return name;
}

// ---- graph --------------------------------------------------------------------------------------------------------------
void erase_node(ir::State& state, NodeId node) {
    for (const EdgeId edge : edges_at(state, {&node, 1})) state.edges.erase(edge);
    state.nodes.erase(node);
}

std::string add_passing_connector(ir::Node& scope_node, const std::string& name) {
    std::string base = name;
    std::ranges::replace(base, '.', '_');
    std::string x = base;
    for (std::size_t i = 0; scope_node.in.contains(ir::port_in(x)) || scope_node.out.contains(ir::port_out(x)); ++i)
        x = fmt::format("{}_{}", base, i);
    scope_node.in.emplace(ir::port_in(x), code::DType());
    scope_node.out.emplace(ir::port_out(x), code::DType());
    return x;
}

void erase_unused_connectors(ir::State& state, NodeId node) {
    std::set<std::string> in, out;
    for (const auto& [id, edge] : state.edges) {
        if (edge.dst == node) in.insert(edge.dst_connector);
        if (edge.src == node) out.insert(edge.src_connector);
    }
    std::erase_if(state.nodes[node].in, [&](const auto& entry) { return !in.contains(entry.first); });
    std::erase_if(state.nodes[node].out, [&](const auto& entry) { return !out.contains(entry.first); });
}

void erase_unread_inputs(ir::State& state, NodeId entry) {
    std::set<std::string> read;
    for (const auto& [id, edge] : state.edges)
        if (edge.src == entry) read.insert(edge.src_connector);
    std::vector<std::string> unread;
    for (const auto& [name, type] : state.nodes[entry].out)
        if (!read.contains(name)) unread.push_back(ir::across(name));
    if (unread.empty()) return;
    std::vector<EdgeId> feeding;
    for (const auto& [id, edge] : state.edges)
        if (edge.dst == entry && std::ranges::find(unread, edge.dst_connector) != unread.end()) feeding.push_back(id);
    std::set<NodeId> around;
    for (const EdgeId id : feeding) {
        ir::Edge& edge = state.edges[id];
        if (is_entry(state.nodes[edge.src])) around.insert(edge.src);
        const bool ordered = std::ranges::any_of(state.edges, [&](const auto& other) {
            return other.first != id && other.second.src == edge.src && other.second.dst == entry;
        });
        if (ordered)
            state.edges.erase(id);
        else
            edge = {edge.src, "", entry, "", ir::no_memlet()};
    }
    for (const std::string& name : unread) {
        state.nodes[entry].in.erase(name);
        state.nodes[entry].out.erase(ir::across(name));
    }
    for (const NodeId outer : around) erase_unread_inputs(state, outer);
}

std::map<NodeId, NodeId> copy_nodes(ir::State& to, const ir::State& from, std::span<const NodeId> nodes) {
    // `to` may be `from`: values are copied out before the tables grow.
    std::map<NodeId, NodeId> copies;
    for (const NodeId id : nodes) {
        ir::Node copy = from.nodes[id];
        copies[id] = to.nodes.add(std::move(copy));
    }
    for (const auto& [old, copy] : copies) {
        const auto follow = [&](NodeId& entry) {
            if (const auto at = copies.find(entry); at != copies.end()) entry = at->second;
        };
        if (auto* exit = std::get_if<ir::MapExit>(&to.nodes[copy].kind)) follow(exit->entry);
        if (auto* exit = std::get_if<ir::ConsumeExit>(&to.nodes[copy].kind)) follow(exit->entry);
    }
    std::vector<ir::Edge> edges;
    for (const auto& [id, edge] : from.edges)
        if (copies.contains(edge.src) && copies.contains(edge.dst)) edges.push_back(edge);
    for (ir::Edge& edge : edges) {
        edge.src = copies.at(edge.src);
        edge.dst = copies.at(edge.dst);
        to.edges.add(std::move(edge));
    }
    return copies;
}

void erase_isolated_accesses(ir::State& state) {
    std::set<NodeId> connected;
    for (const auto& [id, edge] : state.edges) connected.insert({edge.src, edge.dst});
    std::vector<NodeId> gone;
    for (const auto& [id, node] : state.nodes)
        if (const auto* access = std::get_if<ir::Access>(&node.kind); access && !access->setzero && !connected.contains(id))
            gone.push_back(id);
    for (const NodeId id : gone) state.nodes.erase(id);
}

}  // namespace sluice::rewrite
