// Nodes of a state into a nested SDFG. Every edge that crosses the border is one of three: it carries data of a container that lies
// at its outer end (an access node, or beyond a scope node), it writes into an access node inside, or it reads from one inside. In
// the first case the inside gets an access node of its own; in the others the access node is shown outside as well.
#include <algorithm>
#include <map>
#include <vector>

#include "analysis/liveness.h"
#include "ir/port.h"
#include "ir/query.h"
#include "rewrite/edit.h"
#include "rewrite/nest.h"
#include "rewrite/nest_parts.h"
#include "rewrite/wires.h"

namespace sluice::rewrite {

using ir::EdgeId;
using ir::NodeId;

namespace {

const ir::Access* as_access(const ir::Node& node) {
    return std::get_if<ir::Access>(&node.kind);
}

/// An edge between the nodes and the rest of the state.
struct CutEdge {
    enum class Kind {
        Order,     ///< No data.
        Carries,   ///< Data of the container at the outer end.
        WritesIn,  ///< Something outside writes into the access node inside.
        ReadsOut,  ///< Something outside reads the access node inside.
    } kind;
    ir::Edge edge;
    NodeId outside, within;
    bool enters;
    std::string data;  ///< The container: at the outer end, or of the access node inside.
};

/// The nodes, and what is known of the state before the edit.
class Part {
public:
    Part(const ir::Sdfg& sdfg, const ir::State& state, std::span<const NodeId> nodes)
        : sdfg_(sdfg), state_(state), adjacency_(state), scopes_(state, adjacency_), nodes_(nodes.begin(), nodes.end()) {
        if (!nodes_.empty()) scope_ = scope_around(*nodes_.begin());
    }

    std::optional<std::string> why_not() const;
    std::vector<CutEdge> cut_edges() const;
    /// Transients that move into the nested SDFG, and views, which need no memory.
    Names inside() const;
    std::map<std::string, code::DType> symbol_types() const;

    bool contains(NodeId id) const { return nodes_.contains(id); }
    NodeId scope() const { return scope_; }
    NodeId scope_exit() const { return scope_.valid() ? scopes_.exit_of(scope_) : NodeId(); }
    /// By an edge that lies inside once the nodes are nested.
    bool written_inside(NodeId access) const {
        return std::ranges::any_of(adjacency_.in(access), [&](EdgeId id) {
            return nodes_.contains(state_.edges[id].src) || cut_edge_of(id).kind == CutEdge::Kind::Carries;
        });
    }

private:
    NodeId scope_around(NodeId id) const {
        NodeId at = scopes_.parent(id);
        while (at.valid() && nodes_.contains(at)) at = scopes_.parent(at);
        return at;
    }
    std::optional<std::string> why_not_closed() const;
    bool is_convex() const;
    std::optional<std::string> why_not_cut(const CutEdge& cut) const;
    CutEdge cut_edge_of(EdgeId id) const;
    /// A constant has memory of its own.
    ir::Binding binding(const std::string& data) const {
        const ir::Container* container = sdfg_.containers.find(ir::root_name(data));
        return container ? container->binding : ir::Binding::Own;
    }

    const ir::Sdfg& sdfg_;
    const ir::State& state_;
    ir::Adjacency adjacency_;
    analysis::ScopeTree scopes_;
    std::set<NodeId> nodes_;
    NodeId scope_;
};

std::optional<std::string> Part::why_not_closed() const {
    for (const NodeId id : nodes_) {
        if (is_entry(state_.nodes[id])) {
            const std::vector<NodeId> within = nodes_inside(scopes_, id);
            if (!nodes_.contains(scopes_.exit_of(id)) ||
                !std::ranges::all_of(within, [&](NodeId node) { return nodes_.contains(node); }))
                return "only a part of the scope of " + ir::label_of(state_, id) + " is named";
        }
        if (is_exit(state_.nodes[id]) && !nodes_.contains(scopes_.parent(id)))
            return "the exit of a scope is named without its entry";
        if (scope_around(id) != scope_) return "the nodes lie in different scopes";
    }
    return {};
}

bool Part::is_convex() const {
    std::set<NodeId> beyond;  // nodes outside that follow one inside
    for (const NodeId id : ir::topological_order(state_, adjacency_))
        for (const EdgeId edge : adjacency_.in(id)) {
            const NodeId src = state_.edges[edge].src;
            if (nodes_.contains(src) ? nodes_.contains(id) : !beyond.contains(src)) continue;
            if (nodes_.contains(id)) return false;
            beyond.insert(id);
        }
    return true;
}

CutEdge Part::cut_edge_of(EdgeId id) const {
    const ir::Edge& edge = state_.edges[id];
    CutEdge found{
        .kind = CutEdge::Kind::Order, .edge = edge, .outside = {}, .within = {}, .enters = contains(edge.dst), .data = {}};
    found.outside = found.enters ? edge.src : edge.dst;
    found.within = found.enters ? edge.dst : edge.src;
    if (edge.memlet.empty()) return found;
    const ir::Access* far = as_access(state_.nodes[found.outside]);
    const ir::Access* near = as_access(state_.nodes[found.within]);
    // A view outside stays joined to what it views.
    const bool view_outside = (found.enters ? edge.src_connector : edge.dst_connector) == "views";
    const ir::Node& outer = state_.nodes[found.outside];
    if (far && !view_outside) {
        found.kind = CutEdge::Kind::Carries;
        found.data = far->data;
    } else if (found.enters ? is_entry(outer) : is_exit(outer)) {
        found.kind = CutEdge::Kind::Carries;
        const std::vector<EdgeId> path = memlet_path(state_, adjacency_, id);
        const ir::Edge& end = state_.edges[found.enters ? path.front() : path.back()];
        const ir::Access* access = as_access(state_.nodes[found.enters ? end.src : end.dst]);
        found.data = access ? access->data : "";
    } else {
        found.kind = found.enters ? CutEdge::Kind::WritesIn : CutEdge::Kind::ReadsOut;
        found.data = near ? near->data : "";
    }
    return found;
}

std::vector<CutEdge> Part::cut_edges() const {
    std::vector<CutEdge> found;
    for (const auto& [id, edge] : state_.edges)
        if (contains(edge.src) != contains(edge.dst)) found.push_back(cut_edge_of(id));
    return found;
}

std::optional<std::string> Part::why_not_cut(const CutEdge& cut) const {
    const ir::Edge& edge = cut.edge;
    if (cut.kind == CutEdge::Kind::Order) {
        if (edge.src_connector.empty() && edge.dst_connector.empty()) return {};
        return "a value goes straight from code to code across the border";
    }
    if (cut.data.empty() || cut.data != ir::root_name(cut.data)) return "a member of a structure crosses the border";
    if (edge.dst_connector == "set" || binding(cut.data) == ir::Binding::Reference) return cut.data + " is a reference";
    if (cut.enters && std::holds_alternative<ir::ConsumeEntry>(state_.nodes[cut.outside].kind))
        return "an element that a consume scope popped goes straight into the nodes";
    // A view moves in as what it is: the nodes of it must not be on both sides.
    const bool view_inside = std::ranges::any_of(nodes_, [&](NodeId id) {
        const ir::Access* access = as_access(state_.nodes[id]);
        return access && access->data == cut.data && binding(access->data) == ir::Binding::View;
    });
    if (view_inside) return "the view " + cut.data + " is used on both sides of the border";
    const ir::Access* far = as_access(state_.nodes[cut.outside]);
    const bool joined = edge.src_connector == "views" || edge.dst_connector == "views";
    if (far && binding(far->data) == ir::Binding::View && as_access(state_.nodes[cut.within]) && !joined)
        return "the view " + far->data + " is joined to the nodes by an edge that does not say which end is the view";
    return {};
}

std::optional<std::string> Part::why_not() const {
    if (nodes_.empty()) return "no node is named";
    if (auto reason = why_nothing_nests(sdfg_)) return reason;
    if (auto reason = why_not_closed()) return reason;
    if (!is_convex()) return "a path leaves the nodes and comes back to them";
    for (const NodeId id : nodes_)
        if (const ir::Access* access = as_access(state_.nodes[id])) {
            if (access->data != ir::root_name(access->data)) return "a member of a structure is accessed";
            if (binding(access->data) == ir::Binding::Reference) return access->data + " is a reference";
        }
    for (const CutEdge& cut : cut_edges())
        if (auto reason = why_not_cut(cut)) return reason;
    return {};
}

Names Part::inside() const {
    Names found, shown;
    for (const CutEdge& cut : cut_edges())
        if (!cut.data.empty()) shown.insert(cut.data);
    std::map<std::string, std::size_t> here;
    for (const NodeId id : nodes_)
        if (const ir::Access* access = as_access(state_.nodes[id])) ++here[access->data];
    std::optional<std::map<std::string, analysis::AllocationScope>> allocated;
    for (const auto& [name, count] : here) {
        if (sdfg_.constants.contains(name)) continue;
        const ir::Container& container = sdfg_.containers.at(name);
        if (container.binding == ir::Binding::View) found.insert(name);
        if (!container.transient || container.lifetime != ir::Lifetime::Scope || container.binding != ir::Binding::Own) continue;
        if (shown.contains(name) || count != count_accesses(sdfg_, name) || used_in_control(sdfg_, name)) continue;
        if (!allocated) allocated = analysis::allocation_scopes(sdfg_);
        const auto allocation = allocated->find(name);
        if (allocation != allocated->end() && allocation->second.level != analysis::AllocationScope::Level::Sdfg)
            found.insert(name);
    }
    return found;
}

std::map<std::string, code::DType> Part::symbol_types() const {
    std::map<std::string, code::DType> types;
    for (NodeId at = scope_; at.valid(); at = scopes_.parent(at)) {
        const ir::Node& entry = state_.nodes[at];
        if (const auto* map = std::get_if<ir::MapEntry>(&entry.kind))
            for (const std::string& name : map->params) types.emplace(name, code::Scalar::Int64);
        if (const auto* consume = std::get_if<ir::ConsumeEntry>(&entry.kind)) types.emplace(consume->pe_index, code::Scalar::Int64);
        for (const EdgeId id : adjacency_.in(at)) {
            const ir::Edge& edge = state_.edges[id];
            if (edge.dst_connector.empty() || ir::is_port_in(edge.dst_connector)) continue;
            if (const ir::Container* container = ir::find_container(sdfg_, edge.memlet.data))
                types.emplace(edge.dst_connector, symbol_type(*container));
        }
    }
    types.insert(sdfg_.symbols.begin(), sdfg_.symbols.end());
    return types;
}

/// The edit. Outer edges are made last: what flows into the nested node and out of it, by container.
class Nesting {
public:
    Nesting(ir::Sdfg& sdfg, ir::State& state, std::span<const NodeId> nodes)
        : sdfg_(sdfg), state_(state), nodes_(nodes.begin(), nodes.end()), part_(sdfg, state, nodes) {}

    NodeId run(const std::string& label) {
        const Names inside = part_.inside();
        const std::map<std::string, code::DType> types = part_.symbol_types();
        place_ = state_.nodes[nodes_.front()].metadata;
        place_.guid.clear();
        copies_ = copy_nodes(body_, state_, nodes_);
        for (const CutEdge& cut : part_.cut_edges()) cross(cut);
        erase_isolated_accesses(body_);
        ir::Region region;
        ir::add_block(region, {.label = "body", .kind = Cow<ir::State>(std::move(body_)), .metadata = {}});
        MadeNested made = make_nested(sdfg_, std::move(region), label, inside, types);

        const NodeId scope = part_.scope(), exit = part_.scope_exit();
        ir::Node node{.kind = std::move(made.nested), .in = {}, .out = {}, .metadata = place_};
        for (const std::string& name : made.in) node.in.emplace(name, code::DType());
        for (const std::string& name : made.out) node.out.emplace(name, code::DType());
        for (const EdgeId id : edges_at(state_, nodes_)) state_.edges.erase(id);
        for (const NodeId id : nodes_) state_.nodes.erase(id);
        nested_ = state_.nodes.add(std::move(node));
        for (ir::Edge& edge : rebuilt_) state_.edges.add(std::move(edge));
        connect(made);
        if (scope.valid()) hold_in(scope, exit);
        for (const std::string& name : inside)
            if (count_accesses(sdfg_, name) == 0) erase_container(sdfg_, name);
        return nested_;
    }

private:
    struct End {
        NodeId node;
        std::string connector;
        bool operator==(const End&) const = default;
    };

    NodeId add_access(ir::State& to, const std::string& data) {
        const NodeId id = to.nodes.add({.kind = ir::Access{.data = data}, .in = {}, .out = {}, .metadata = place_});
        if (&to == &state_) made_.push_back(id);
        return id;
    }

    void cross(const CutEdge& cut) {
        ir::Edge edge = cut.edge;
        switch (cut.kind) {
            case CutEdge::Kind::Order:
                (cut.enters ? before_ : after_).insert(cut.outside);
                return;
            case CutEdge::Kind::Carries: {
                const bool view = edge.src_connector == "views" || edge.dst_connector == "views";
                std::string& outer = cut.enters ? edge.src_connector : edge.dst_connector;
                const End end{cut.outside, view ? "" : outer};
                auto& list = (cut.enters ? sources_ : targets_)[cut.data];
                if (std::ranges::find(list, end) == list.end()) list.push_back(end);
                NodeId& inner = inner_ends_[{cut.outside, end.connector}];
                if (!inner.valid()) inner = add_access(body_, cut.data);
                (cut.enters ? edge.src : edge.dst) = inner;
                (cut.enters ? edge.dst : edge.src) = copies_.at(cut.within);
                outer.clear();
                body_.edges.add(std::move(edge));
                return;
            }
            case CutEdge::Kind::WritesIn:
                edge.dst = shown(cut.within, cut.data, true);
                break;
            case CutEdge::Kind::ReadsOut:
                edge.src = shown(cut.within, cut.data, !part_.written_inside(cut.within));
                break;
        }
        rebuilt_.push_back(std::move(edge));
    }

    /// The access node outside that stands for one inside, before the nested node or after it.
    NodeId shown(NodeId within, const std::string& data, bool before) {
        NodeId& stand_in = (before ? shown_before_ : shown_after_)[within];
        if (!stand_in.valid()) {
            stand_in = add_access(state_, data);
            (before ? sources_ : targets_)[data].push_back({stand_in, ""});
        }
        return stand_in;
    }

    void connect(const MadeNested& made) {
        for (const std::string& name : made.in) {
            auto& from = sources_[name];
            if (from.empty()) from.push_back({add_access(state_, name), ""});
            state_.edges.add({from[0].node, from[0].connector, nested_, name, whole_memlet(name, argument(name))});
            // A connector takes one edge: further sources order the node.
            for (std::size_t at = 1; at < from.size(); ++at) before_.insert(from[at].node);
        }
        for (const auto& [name, from] : sources_)
            if (!made.in.contains(name))
                for (const End& end : from) before_.insert(end.node);
        for (const std::string& name : made.out) {
            auto& to = targets_[name];
            if (to.empty()) to.push_back({add_access(state_, name), ""});
            for (const End& end : to)
                state_.edges.add({nested_, name, end.node, end.connector, whole_memlet(name, argument(name))});
        }
        for (const NodeId id : before_) state_.edges.add({id, "", nested_, "", ir::no_memlet()});
        for (const NodeId id : after_) state_.edges.add({nested_, "", id, "", ir::no_memlet()});
    }
    const ir::Container& argument(const std::string& name) const { return sdfg_.containers.at(name); }

    /// New nodes without an edge on one side are held in their scope by empty memlets; data that the scope no longer passes on is
    /// not brought to it.
    void hold_in(NodeId scope, NodeId exit) {
        std::set<NodeId> with_in, with_out;
        for (const auto& [id, edge] : state_.edges) {
            with_out.insert(edge.src);
            with_in.insert(edge.dst);
        }
        std::vector<NodeId> loose = made_;
        loose.push_back(nested_);
        for (const NodeId id : loose) {
            if (!with_in.contains(id)) state_.edges.add({scope, "", id, "", ir::no_memlet()});
            if (!with_out.contains(id)) state_.edges.add({id, "", exit, "", ir::no_memlet()});
        }
        erase_unread_inputs(state_, scope);
    }

    ir::Sdfg& sdfg_;
    ir::State& state_;
    std::vector<NodeId> nodes_;
    Part part_;
    ir::State body_;
    ir::Metadata place_;
    NodeId nested_;
    std::map<NodeId, NodeId> copies_, shown_before_, shown_after_;
    std::map<std::pair<NodeId, std::string>, NodeId> inner_ends_;
    std::map<std::string, std::vector<End>> sources_, targets_;
    std::set<NodeId> before_, after_;  ///< Ordered with the nested node without data.
    std::vector<ir::Edge> rebuilt_;
    std::vector<NodeId> made_;
};

}  // namespace

std::optional<std::string> why_not_nested(const ir::Sdfg& sdfg, const ir::State& state, std::span<const NodeId> nodes) {
    return Part(sdfg, state, nodes).why_not();
}

NodeId nest_nodes(ir::Sdfg& sdfg, ir::State& state, std::span<const NodeId> nodes, const std::string& label) {
    return Nesting(sdfg, state, nodes).run(label);
}

}  // namespace sluice::rewrite
