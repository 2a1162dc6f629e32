#include "transform/map/merge.h"

#include <algorithm>

#include "analysis/legality/fuse.h"
#include "ir/port.h"

namespace sluice::transform {

using ir::EdgeId;

const ir::MapEntry& map_at(const ir::State& state, ir::NodeId id) {
    return std::get<ir::MapEntry>(state.nodes[id].kind);
}

namespace {

class PairingSearch {
public:
    PairingSearch(const ir::MapEntry& first, const ir::MapEntry& second)
        : first_(first), second_(second), taken_(second.params.size(), false) {
        // Parameters that are not paired have names that no range of the other map can use.
        for (const std::string& name : first.params) of_first_.insert_or_assign(name, symbolic::symbol("$first_" + name));
        for (const std::string& name : second.params) of_second_.insert_or_assign(name, symbolic::symbol("$second_" + name));
    }
    std::vector<Pairing> run() {
        extend(0);
        std::size_t largest = 1;
        for (const Pairing& pairing : found_) largest = std::max(largest, pairing.size());
        std::erase_if(found_, [&](const Pairing& pairing) { return pairing.size() < largest; });
        if (found_.size() > kMost) found_.resize(kMost);
        return std::move(found_);
    }

private:
    static constexpr std::size_t kMost = 24, kMostTried = 1000;

    /// Decides about the first map's dimensions from `a` on: each partner, then none.
    void extend(std::size_t a) {
        if (found_.size() >= kMostTried) return;
        if (a == first_.params.size()) {
            found_.push_back(pairs_);
            return;
        }
        const symbolic::Range range = symbolic::substitute(first_.range.dims[a], of_first_);
        for (std::size_t b = 0; b < second_.params.size(); ++b) {
            if (taken_[b] || !(symbolic::substitute(second_.range.dims[b], of_second_) == range)) continue;
            const auto before_first = of_first_, before_second = of_second_;
            const symbolic::Expr common = symbolic::symbol("$common_" + first_.params[a]);
            of_first_.insert_or_assign(first_.params[a], common);
            of_second_.insert_or_assign(second_.params[b], common);
            taken_[b] = true;
            pairs_.emplace_back(a, b);
            extend(a + 1);
            pairs_.pop_back();
            taken_[b] = false;
            of_first_ = before_first;
            of_second_ = before_second;
        }
        extend(a + 1);
    }

    const ir::MapEntry& first_;
    const ir::MapEntry& second_;
    symbolic::Substitution of_first_, of_second_;
    std::vector<bool> taken_;
    Pairing pairs_;
    std::vector<Pairing> found_;
};

}  // namespace

std::vector<Pairing> common_dimensions(const ir::MapEntry& first, const ir::MapEntry& second) {
    return PairingSearch(first, second).run();
}

void split_off(ir::State& state, Scope scope, const std::vector<std::size_t>& outer) {
    auto& map = std::get<ir::MapEntry>(state.nodes[scope.entry].kind);
    const ir::MapEntry all = map;
    ir::MapEntry rest;
    rest.label = all.label + "_inner";
    for (std::size_t d = 0; d < all.params.size(); ++d) {
        if (std::ranges::find(outer, d) != outer.end()) continue;
        rest.params.push_back(all.params[d]);
        rest.range.dims.push_back(all.range.dims[d]);
    }
    map.params.clear();
    map.range.dims.clear();
    map.collapse = std::min<std::int64_t>(all.collapse, static_cast<std::int64_t>(outer.size()));
    for (const std::size_t d : outer) {
        map.params.push_back(all.params[d]);
        map.range.dims.push_back(all.range.dims[d]);
    }
    if (!rest.params.empty()) nest_scope(state, scope, std::move(rest));
}

namespace {

/// A parameter of the map gets a name that is free in the whole SDFG.
void rename_parameter(const ir::Sdfg& sdfg, ir::State& state, ir::NodeId entry, std::size_t dimension) {
    const std::string old = std::get<ir::MapEntry>(state.nodes[entry].kind).params[dimension];
    const std::string name = rewrite::fresh_symbol(sdfg, old);
    const rewrite::StateView view(state);
    const symbolic::Substitution replacement = {{old, symbolic::symbol(name)}};
    if (hidden_name(state, view.scopes, entry, replacement)) return;
    substitute_inside(state, rewrite::nodes_inside(view.scopes, entry), replacement);
    auto& map = std::get<ir::MapEntry>(state.nodes[entry].kind);
    map.params[dimension] = name;
    for (symbolic::Range& range : map.range.dims) range = symbolic::substitute(range, replacement);
}

}  // namespace

void split_both(const ir::Sdfg& sdfg, ir::State& state, const MapScopes& maps, const Pairing& pairing) {
    std::vector<std::size_t> of_first, of_second;
    for (const auto& [a, b] : pairing) {
        of_first.push_back(a);
        of_second.push_back(b);
    }
    const std::vector<std::string> taken = std::get<ir::MapEntry>(state.nodes[maps.first.entry].kind).params;
    const std::vector<std::string> names = std::get<ir::MapEntry>(state.nodes[maps.second.entry].kind).params;
    for (std::size_t d = 0; d < names.size(); ++d)
        if (std::ranges::find(of_second, d) == of_second.end() && std::ranges::find(taken, names[d]) != taken.end())
            rename_parameter(sdfg, state, maps.second.entry, d);
    split_off(state, maps.first, of_first);
    split_off(state, maps.second, of_second);
}

bool pairs_all(const Pairing& pairing, const ir::State& state, ir::NodeId first, ir::NodeId second) {
    return pairing.size() == map_at(state, first).params.size() && pairing.size() == map_at(state, second).params.size();
}

std::optional<std::string> kept_apart(const ir::State& state, ir::NodeId first, ir::NodeId second) {
    const ir::MapEntry &a = map_at(state, first), &b = map_at(state, second);
    if (has_dynamic_range(state.nodes[first]) || has_dynamic_range(state.nodes[second])) return "a range is read from data";
    if (!common_schedule(a.schedule, b.schedule)) return "the maps are scheduled differently";
    if (common_dimensions(a, b).empty()) return "the maps " + a.label + " and " + b.label + " have no range in common";
    return {};
}

std::optional<rewrite::Refusal> refuse_conflicts(const rewrite::Site& site, std::string code, const ir::Sdfg& sdfg,
                                                 const ir::State& state, ir::NodeId first, ir::NodeId second,
                                                 const Pairing& pairing) {
    std::vector<std::size_t> places;
    for (const auto& [a, b] : pairing) places.push_back(b);
    const analysis::Verdict verdict = analysis::maps_fusible(sdfg, state, first, second, site.assumptions(), places);
    if (verdict.yes()) return {};
    rewrite::Refusal refusal{.code = std::move(code), .why = verdict.why, .nodes = {first, second}};
    if (verdict.witness) refusal.notes.push_back({analysis::to_string(*verdict.witness), {}});
    return site.unless_assumed(std::move(refusal));
}

MapScopes scopes_of(const analysis::ScopeTree& scopes, ir::NodeId first, ir::NodeId second) {
    return {.first = {first, scopes.exit_of(first)}, .second = {second, scopes.exit_of(second)}};
}

Pairing straight(std::size_t rank) {
    Pairing pairing;
    for (std::size_t d = 0; d < rank; ++d) pairing.emplace_back(d, d);
    return pairing;
}

namespace {

/// The connector through which the entry already gets what an edge brings.
std::optional<std::string> connector_for(const ir::State& state, ir::NodeId entry, const ir::Edge& outer) {
    for (const auto& [id, edge] : state.edges)
        if (edge.dst == entry && edge.src == outer.src && edge.src_connector == outer.src_connector &&
            edge.memlet.data == outer.memlet.data && ir::is_port_in(edge.dst_connector))
            return std::string(ir::port_name(edge.dst_connector));
    return {};
}

std::vector<EdgeId> all_edges(const ir::State& state) {
    std::vector<EdgeId> ids;
    for (const auto& [id, edge] : state.edges) ids.push_back(id);
    return ids;
}

}  // namespace

void merge_scopes(ir::State& state, Scope into, Scope from) {
    std::map<std::string, std::string> opened, closed;  // x of `from` -> x of `into`
    for (const EdgeId id : all_edges(state)) {
        ir::Edge& edge = state.edges[id];
        if (edge.dst == from.entry) {
            edge.dst = into.entry;
            if (edge.dst_connector.empty()) continue;
            const std::string x(ir::port_name(edge.dst_connector));
            ir::Edge probe = edge;
            edge.dst = from.entry;  // not among those that are looked at
            if (const auto present = connector_for(state, into.entry, probe)) {
                opened[x] = *present;
                state.edges.erase(id);
                continue;
            }
            opened[x] = rewrite::add_passing_connector(state.nodes[into.entry], x);
            edge.dst = into.entry;
            edge.dst_connector = ir::port_in(opened[x]);
        } else if (edge.src == from.exit) {
            edge.src = into.exit;
            if (edge.src_connector.empty()) continue;
            const std::string x(ir::port_name(edge.src_connector));
            closed[x] = rewrite::add_passing_connector(state.nodes[into.exit], x);
            edge.src_connector = ir::port_out(closed[x]);
        }
    }
    for (const EdgeId id : all_edges(state)) {
        ir::Edge& edge = state.edges[id];
        if (edge.src == from.entry) {
            edge.src = into.entry;
            if (!edge.src_connector.empty())
                edge.src_connector = ir::port_out(opened.at(std::string(ir::port_name(edge.src_connector))));
        }
        if (edge.dst == from.exit) {
            edge.dst = into.exit;
            if (!edge.dst_connector.empty())
                edge.dst_connector = ir::port_in(closed.at(std::string(ir::port_name(edge.dst_connector))));
        }
    }
    rewrite::erase_node(state, from.entry);
    rewrite::erase_node(state, from.exit);
}

std::optional<ir::Schedule> common_schedule(ir::Schedule first, ir::Schedule second) {
    if (first == second || second == ir::Schedule::Default) return first;
    if (first == ir::Schedule::Default) return second;
    return {};
}

}  // namespace sluice::transform
