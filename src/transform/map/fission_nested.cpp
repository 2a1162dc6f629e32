#include "transform/map/fission_nested.h"

#include <algorithm>

#include "analysis/propagate.h"
#include "analysis/symbols.h"
#include "ir/builder.h"
#include "ir/port.h"
#include "rewrite/nest.h"
#include "rewrite/wires.h"

namespace sluice::transform {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;
using symbolic::Expr;

namespace {

using Names = std::set<std::string>;

/// Containers by how the access nodes of a state use them. An update through a resolution reads as well.
struct Uses {
    Names read, written;
    bool any(const std::string& name) const { return read.contains(name) || written.contains(name); }
};
Uses uses_of(const ir::State& state) {
    Uses uses;
    for (const auto& [id, node] : state.nodes) {
        const auto* access = std::get_if<ir::Access>(&node.kind);
        if (!access) continue;
        if (access->setzero) uses.written.insert(access->data);
        for (const auto& [edge_id, edge] : state.edges) {
            if (edge.src == id) uses.read.insert(access->data);
            if (edge.dst == id) uses.written.insert(access->data);
            if (edge.dst == id && edge.memlet.wcr) uses.read.insert(access->data);
        }
    }
    return uses;
}

/// The states, if they run one after the other whatever happens.
std::optional<std::vector<ir::BlockId>> sequence(const ir::Region& region) {
    std::map<ir::BlockId, ir::BlockId> next;
    for (const auto& [id, transition] : region.transitions) {
        if (!transition.condition.text.empty() || !transition.assignments.empty()) return {};
        if (!next.emplace(transition.src, transition.dst).second) return {};
    }
    std::vector<ir::BlockId> order;
    for (ir::BlockId at = region.start; at.valid(); at = next.contains(at) ? next.at(at) : ir::BlockId()) {
        if (!ir::as_state(region.blocks[at]) || order.size() >= region.blocks.size()) return {};
        order.push_back(at);
    }
    return order.size() == region.blocks.size() ? std::optional(order) : std::nullopt;
}

symbolic::Substitution outer_names(const ir::NestedSdfg& nested) {
    symbolic::Substitution mapping;
    for (const auto& [name, value] : nested.symbol_mapping) mapping.insert_or_assign(name, value);
    return mapping;
}

Refusal refuse(const rewrite::Site& site, std::string code, std::string why) {
    return {.code = std::move(code), .why = std::move(why), .nodes = {site.node("map"), site.node("nested")}};
}

std::optional<Refusal> check_map(const rewrite::Site& site) {
    const NodeId map = site.node("map"), nested = site.node("nested"), exit = site.view().scopes.exit_of(map);
    const auto& entry = site.get<ir::MapEntry>("map");
    if (has_dynamic_range(site.state().nodes[map])) return refuse(site, "F1", "the range is read from data");
    for (const symbolic::Range& range : entry.range.dims)
        for (const std::string& name : symbolic::free_symbols(range))
            if (std::ranges::find(entry.params, name) != entry.params.end())
                return refuse(site, "F1", "the range `" + symbolic::to_string(range) + "` uses the parameter " + name);
    for (const NodeId id : site.view().scopes.children(map))
        if (id != nested && id != exit) return refuse(site, "F2", "the map holds more than the nested SDFG");
    if (auto why = rewrite::why_not_nested(site.sdfg(), site.state(), scope_nodes(site.view().scopes, map)))
        return refuse(site, "F4", *why);
    return {};
}

/// F4: may the transient have an element for each point, outside of the nested SDFG?
std::optional<std::string> why_not_grown(const rewrite::Site& site, const std::string& name) {
    const auto& nested = site.get<ir::NestedSdfg>("nested");
    const ir::Container& container = nested.sdfg->containers.at(name);
    const auto* array = std::get_if<ir::Array>(&container.kind);
    if ((!array && !std::holds_alternative<ir::Scalar>(container.kind)) || container.binding != ir::Binding::Own ||
        container.lifetime != ir::Lifetime::Scope)
        return name + " is neither an array nor a scalar of the nested SDFG's own";
    if (array && (!array->strides.empty() || !array->offset.empty() || !array->start_offset.is_integer(0)))
        return name + " has a layout of its own";
    if (rewrite::used_in_control(*nested.sdfg, name)) return name + " is read outside of dataflow";
    const auto& params = site.get<ir::MapEntry>("map").params;
    for (const Expr& extent : container.shape)
        for (const std::string& symbol : symbolic::free_symbols(symbolic::substitute(extent, outer_names(nested))))
            if (std::ranges::find(params, symbol) != params.end()) return "the size of " + name + " depends on " + symbol;
    return {};
}

}  // namespace

std::variant<NestedFission, Refusal> plan_nested_fission(const rewrite::Site& site) {
    if (auto refusal = check_map(site)) return *refusal;
    const auto& nested = site.get<ir::NestedSdfg>("nested");
    NestedFission plan;
    const auto states = sequence(nested.sdfg->body);
    if (!states || states->size() < 2) return refuse(site, "F2", nested.label + " is no sequence of several states");
    plan.states = *states;
    std::map<std::string, int> users;
    for (const ir::BlockId id : plan.states) {
        const Uses uses = uses_of(*ir::as_state(nested.sdfg->body.blocks[id]));
        for (const auto& [name, container] : nested.sdfg->containers)
            if (container.transient && container.binding != ir::Binding::View && uses.any(name) && ++users[name] > 1)
                plan.grown.insert(name);
    }
    for (const std::string& name : plan.grown)
        if (auto why = why_not_grown(site, name)) return refuse(site, "F4", *why);
    const auto& map = site.get<ir::MapEntry>("map");
    const symbolic::Assumptions known = known_around(site, site.node("map"));
    for (std::size_t d = 0; d < map.params.size() && !plan.grown.empty(); ++d) {
        const symbolic::Range& range = map.range.dims[d];
        const auto extent = extent_outside(site.state(), site.view(), site.node("map"), range, known);
        if (!extent)
            return refuse(
                site, "F4",
                "the number of points of `" + symbolic::to_string(range) + "` is 0, or not known outside of the map around");
        plan.extents.push_back(*extent);
        plan.indices.push_back(symbolic::floor_divide(symbolic::symbol(map.params[d]) - range.begin, range.step));
    }
    return plan;
}

namespace {

/// One state around a map around a nested SDFG of one state.
class Step {
public:
    Step(ir::State state, const ir::Sdfg& all, ir::BlockId block, const std::map<std::string, std::string>& grown)
        : state_(std::move(state)), grown_(grown) {
        for (const auto& [id, node] : state_.nodes) {
            if (std::holds_alternative<ir::NestedSdfg>(node.kind)) nested_ = id;
            if (std::holds_alternative<ir::MapEntry>(node.kind)) entry_ = id;
            if (std::holds_alternative<ir::MapExit>(node.kind)) exit_ = id;
        }
        part_ = all;
        part_.body = {};
        ir::add_block(part_.body, all.body.blocks[block]);
        uses_ = uses_of(*ir::as_state(all.body.blocks[block]));
    }

    ir::State run(const NestedFission& plan, const symbolic::Substitution& mapping) {
        for (const auto& [name, container] : std::vector(part_.containers.begin(), part_.containers.end())) {
            const bool in_text = rewrite::used_in_control(part_, name);
            if (container.transient && !grown_.contains(name)) {
                if (!uses_.any(name) && !in_text) rewrite::erase_container(part_, name);
                continue;
            }
            if (grown_.contains(name))
                pass_grown(name, plan, mapping);
            else
                pass_argument(name, in_text);
            if (!uses_.any(name) && !in_text) rewrite::erase_container(part_, name);
        }
        std::erase_if(part_.arg_names,
                      [&](const std::string& name) { return !part_.containers.contains(name) && !part_.symbols.contains(name); });
        std::get<ir::NestedSdfg>(state_.nodes[nested_].kind).sdfg = std::move(part_);
        hold();
        rewrite::erase_isolated_accesses(state_);
        return std::move(state_);
    }

private:
    EdgeId edge_at(const std::string& connector, bool in) const {
        for (const auto& [id, edge] : state_.edges)
            if (in ? edge.dst == nested_ && edge.dst_connector == connector
                   : edge.src == nested_ && edge.src_connector == connector)
                return id;
        return {};
    }

    void pass_argument(const std::string& name, bool in_text) {
        const EdgeId in = edge_at(name, true), out = edge_at(name, false);
        const bool reads = uses_.read.contains(name) || in_text;
        if (reads && !in.valid() && out.valid()) {
            const ir::Memlet memlet = state_.edges[out].memlet;
            connect_in(name, memlet.data, memlet);
        }
        if (!reads && in.valid()) disconnect(in, true);
        if (!uses_.written.contains(name) && out.valid()) disconnect(out, false);
    }

    void pass_grown(const std::string& name, const NestedFission& plan, const symbolic::Substitution& mapping) {
        ir::Container& container = *part_.containers.find(name);
        ir::Memlet memlet = ir::no_memlet();
        memlet.data = grown_.at(name);
        memlet.subset = symbolic::Subset::indices(plan.indices);
        for (const Expr& extent : container.shape)
            memlet.subset->dims.push_back(symbolic::Range::extent(symbolic::substitute(extent, mapping)));
        memlet.volume = symbolic::num_elements(*memlet.subset);
        container.transient = false;
        if (container.storage == ir::Storage::Register) container.storage = ir::Storage::Default;
        if (uses_.read.contains(name)) connect_in(name, memlet.data, memlet);
        if (!uses_.written.contains(name)) return;
        state_.nodes[nested_].out.emplace(name, code::DType());
        const std::string x = rewrite::add_passing_connector(state_.nodes[exit_], memlet.data);
        state_.edges.add({nested_, name, exit_, ir::port_in(x), memlet});
        state_.edges.add({exit_, ir::port_out(x), add_access(memlet.data), "", memlet});
    }

    void connect_in(const std::string& connector, const std::string& data, const ir::Memlet& memlet) {
        ir::Memlet plain = memlet;
        plain.wcr.reset();
        state_.nodes[nested_].in.emplace(connector, code::DType());
        const std::string x = rewrite::add_passing_connector(state_.nodes[entry_], data);
        state_.edges.add({add_access(data), "", entry_, ir::port_in(x), plain});
        state_.edges.add({entry_, ir::port_out(x), nested_, connector, plain});
    }
    NodeId add_access(const std::string& data) {
        return state_.nodes.add({.kind = ir::Access{.data = data}, .in = {}, .out = {}, .metadata = {}});
    }

    void disconnect(EdgeId id, bool in) {
        const ir::Edge edge = state_.edges[id];
        const std::string x = in ? std::string(ir::port_name(edge.src_connector)) : std::string(ir::port_name(edge.dst_connector));
        const NodeId border = in ? entry_ : exit_;
        state_.edges.erase(id);
        (in ? state_.nodes[nested_].in : state_.nodes[nested_].out).erase(in ? edge.dst_connector : edge.src_connector);
        std::vector<EdgeId> gone;
        bool still = false;
        for (const auto& [other_id, other] : state_.edges) {
            still = still || (in ? other.src == border && other.src_connector == ir::port_out(x)
                                 : other.dst == border && other.dst_connector == ir::port_in(x));
            if (in ? other.dst == border && other.dst_connector == ir::port_in(x)
                   : other.src == border && other.src_connector == ir::port_out(x))
                gone.push_back(other_id);
        }
        if (still) return;
        for (const EdgeId outer : gone) state_.edges.erase(outer);
        rewrite::erase_unused_connectors(state_, border);
    }

    /// The nested SDFG stays inside of the map.
    void hold() {
        bool opened = false, closed = false;
        for (const auto& [id, edge] : state_.edges) {
            opened = opened || edge.src == entry_;
            closed = closed || edge.dst == exit_;
        }
        if (!opened) state_.edges.add({entry_, "", nested_, "", ir::no_memlet()});
        if (!closed) state_.edges.add({nested_, "", exit_, "", ir::no_memlet()});
    }

    ir::State state_;
    ir::Sdfg part_;
    Uses uses_;
    const std::map<std::string, std::string>& grown_;  ///< Name in the nested SDFG -> outside of it.
    NodeId entry_, nested_, exit_;
};

}  // namespace

void split_nested(rewrite::Draft& draft, const NestedFission& plan) {
    const rewrite::Site& site = draft.before();
    const NodeId map = draft.node("map");
    const ir::NestedSdfg old = site.get<ir::NestedSdfg>("nested");
    const symbolic::Substitution mapping = outer_names(old);
    ir::State& state = draft.state();
    const NodeId around = rewrite::nest_nodes(draft.sdfg(), state, scope_nodes(site.view().scopes, map), old.label + "_states");
    auto& outer_node = std::get<ir::NestedSdfg>(state.nodes[around].kind);
    ir::Sdfg& outer = outer_node.sdfg.edit();
    const ir::State body = *ir::as_state(outer.body.blocks[outer.body.start]);
    std::map<std::string, std::string> grown;
    for (const std::string& name : plan.grown) {
        grown[name] = ir::fresh_name(outer, name);
        ir::Container container = old.sdfg->containers.at(name);
        for (Expr& extent : container.shape) extent = symbolic::substitute(extent, mapping);
        container.shape.insert(container.shape.begin(), plan.extents.begin(), plan.extents.end());
        container.kind = ir::Array{};
        if (container.storage == ir::Storage::Register) container.storage = ir::Storage::Default;
        container.metadata.guid.clear();
        outer.containers.set(grown[name], std::move(container));
    }
    outer.body = {};
    ir::BlockId last;
    for (const ir::BlockId id : plan.states) {
        Step step(body, *old.sdfg, id, grown);
        const ir::BlockId made = ir::add_block(
            outer.body,
            {.label = old.sdfg->body.blocks[id].label, .kind = Cow<ir::State>(step.run(plan, mapping)), .metadata = {}});
        if (last.valid()) ir::add_transition(outer.body, last, made);
        last = made;
    }
    // Outside of the maps nothing uses their parameters.
    analysis::propagate_memlets(outer, analysis::assumptions_wherever_called(outer));
    for (const std::string& name : analysis::free_symbols(outer)) {
        if (!outer_node.symbol_mapping.emplace(name, symbolic::symbol(name)).second) continue;
        const auto type = site.sdfg().symbols.find(name);
        outer.symbols.emplace(name, type == site.sdfg().symbols.end() ? code::DType(code::Scalar::Int64) : type->second);
    }
    draft.forward(map, around);
    draft.forward(site.node("nested"), around);
    draft.forward(site.view().scopes.exit_of(map), around);
}

}  // namespace sluice::transform
