#include "transform/map/fission_plan.h"

#include <algorithm>

#include "transform/map/boundary.h"

namespace sluice::transform {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;
using symbolic::Expr;

namespace {

class FissionPlanner {
public:
    FissionPlanner(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view, NodeId entry,
                   const symbolic::Assumptions& known)
        : sdfg_(sdfg), state_(state), view_(view), map_(std::get<ir::MapEntry>(state.nodes[entry].kind)), known_(known) {
        plan_.entry = entry;
        plan_.exit = view.scopes.exit_of(entry);
        for (const std::string& name : private_transients(sdfg, state, view, entry)) private_.insert(name);
        for (const NodeId id : view.scopes.children(entry))
            if (id != plan_.exit) root_[id] = id;
    }

    std::variant<FissionPlan, Refusal> run() {
        if (auto refusal = check_ranges()) return *refusal;
        for (const auto& [id, same] : root_) join_neighbours(id);
        join_users_of_inner_nodes();
        while (join_circles()) {
        }
        collect();
        if (plan_.parts.size() < 2) return refuse("F2", "the contents of the map do not fall into parts");
        if (auto refusal = check_growth()) return *refusal;
        return std::move(plan_);
    }

private:
    Refusal refuse(std::string code, std::string why) const {
        return {.code = std::move(code), .why = std::move(why), .nodes = {plan_.entry}};
    }

    std::optional<Refusal> check_ranges() const {
        if (has_dynamic_range(state_.nodes[plan_.entry])) return refuse("F1", "the range is read from data");
        for (const symbolic::Range& range : map_.range.dims)
            for (const std::string& name : symbolic::free_symbols(range))
                if (std::ranges::find(map_.params, name) != map_.params.end())
                    return refuse("F1", "the range `" + symbolic::to_string(range) + "` uses the parameter " + name);
        return {};
    }

    const ir::Access* access_at(NodeId id) const { return std::get_if<ir::Access>(&state_.nodes[id].kind); }

    // ---- which nodes stay together -----------------------------------------------------------------------------------------
    /// The child of the map that the node stands for: an inner exit belongs to its entry.
    NodeId child(NodeId id) const {
        const auto* exit = std::get_if<ir::MapExit>(&state_.nodes[id].kind);
        const auto* consumed = std::get_if<ir::ConsumeExit>(&state_.nodes[id].kind);
        return exit ? exit->entry : consumed ? consumed->entry : id;
    }
    bool is_inside(NodeId id) const { return root_.contains(child(id)); }
    NodeId part_of(NodeId id) const {
        NodeId at = child(id);
        while (root_.at(at) != at) at = root_.at(at);
        return at;
    }
    void join(NodeId a, NodeId b) {
        const NodeId from = part_of(a), to = part_of(b);
        root_[std::max(from, to)] = std::min(from, to);
    }
    std::vector<EdgeId> edges_around(NodeId id) const {
        std::vector<EdgeId> found(view_.adjacency.in(id).begin(), view_.adjacency.in(id).end());
        const NodeId end = view_.scopes.exit_of(id).valid() ? view_.scopes.exit_of(id) : id;
        found.insert(found.end(), view_.adjacency.out(end).begin(), view_.adjacency.out(end).end());
        return found;
    }
    NodeId other_end(EdgeId edge, NodeId id) const {
        const NodeId src = state_.edges[edge].src;
        return is_inside(src) && child(src) == id ? state_.edges[edge].dst : src;
    }

    /// Code stays with the code that it is joined to; a container that cannot grow stays with all that touch it.
    void join_neighbours(NodeId id) {
        const ir::Access* access = access_at(id);
        if (access && can_grow(access->data)) return;
        for (const EdgeId edge : edges_around(id)) {
            const NodeId other = other_end(edge, id);
            if (!is_inside(other)) continue;
            const ir::Access* far = access_at(other);
            if (!far || access || !can_grow(far->data)) join(id, other);
        }
        if (!access || !private_.contains(access->data)) return;
        for (const auto& [peer, same] : root_)
            if (access_at(peer) && access_at(peer)->data == access->data) join(id, peer);
    }

    /// A transient of the map with access nodes in inner scopes stays with all of its users.
    void join_users_of_inner_nodes() {
        std::map<std::string, NodeId> users;
        for (const NodeId id : rewrite::nodes_inside(view_.scopes, plan_.entry)) {
            const ir::Access* access = access_at(id);
            if (!access || !private_.contains(access->data) || can_grow(access->data)) continue;
            NodeId top = id;
            while (view_.scopes.parent(top) != plan_.entry) top = view_.scopes.parent(top);
            const auto [first, is_first] = users.emplace(access->data, top);
            if (!is_first) join(first->second, top);
        }
    }

    bool can_grow(const std::string& name) {
        const auto known = can_grow_.find(name);
        if (known == can_grow_.end()) return can_grow_.emplace(name, grows(name)).first->second;
        return known->second;
    }
    bool grows(const std::string& name) const {
        const ir::Container* container = sdfg_.containers.find(name);
        if (!private_.contains(name) || container->binding != ir::Binding::Own || container->lifetime != ir::Lifetime::Scope)
            return false;
        const auto* array = std::get_if<ir::Array>(&container->kind);
        if (!array && !std::holds_alternative<ir::Scalar>(container->kind)) return false;
        if (array && (!array->strides.empty() || !array->offset.empty() || !array->start_offset.is_integer(0))) return false;
        for (const Expr& extent : container->shape)
            for (const std::string& symbol : symbolic::free_symbols(extent))
                if (std::ranges::find(map_.params, symbol) != map_.params.end()) return false;
        for (const auto& [id, node] : state_.nodes)
            if (const ir::Access* access = access_at(id); access && access->data == name)
                if (!root_.contains(id) || !is_handed_to_code(id, name)) return false;
        return true;
    }
    /// No copies, and nothing whose meaning depends on the rank.
    bool is_handed_to_code(NodeId id, const std::string& name) const {
        return std::ranges::all_of(edges_around(id), [&](EdgeId edge) {
            const NodeId other = other_end(edge, id);
            if (state_.edges[edge].memlet.empty()) return is_inside(other);
            if (!is_inside(other) || access_at(other)) return false;
            return std::ranges::all_of(edges_inward(state_, view_.adjacency, edge), [&](EdgeId inner) {
                const ir::Edge& at = state_.edges[inner];
                return at.memlet.data == name && !std::holds_alternative<ir::LibraryNode>(state_.nodes[at.src].kind) &&
                       !std::holds_alternative<ir::LibraryNode>(state_.nodes[at.dst].kind) &&
                       !std::holds_alternative<ir::ConsumeEntry>(state_.nodes[at.dst].kind) &&
                       !std::holds_alternative<ir::ConsumeExit>(state_.nodes[at.src].kind);
            });
        });
    }

    /// Parts that would each have to run before the other are one part.
    bool join_circles() {
        std::map<NodeId, std::set<NodeId>> next;
        for (const auto& [id, same] : root_)
            for (const EdgeId edge : edges_around(id)) {
                const NodeId src = state_.edges[edge].src, dst = state_.edges[edge].dst;
                if (is_inside(src) && is_inside(dst) && part_of(src) != part_of(dst)) next[part_of(src)].insert(part_of(dst));
            }
        for (const auto& [from, direct] : next) {
            std::set<NodeId> seen;
            std::vector<NodeId> open(direct.begin(), direct.end());
            while (!open.empty()) {
                const NodeId at = open.back();
                open.pop_back();
                if (at == from) {
                    // Everything on the circle: what is reached and reaches back. Joining one step at a time ends there as well.
                    join(from, *std::ranges::find_if(direct, [&](NodeId to) { return leads(next, to, from); }));
                    return true;
                }
                if (seen.insert(at).second && next.contains(at)) open.insert(open.end(), next.at(at).begin(), next.at(at).end());
            }
        }
        return false;
    }
    static bool leads(const std::map<NodeId, std::set<NodeId>>& next, NodeId from, NodeId to) {
        std::set<NodeId> seen;
        std::vector<NodeId> open{from};
        while (!open.empty()) {
            const NodeId at = open.back();
            open.pop_back();
            if (at == to) return true;
            if (seen.insert(at).second && next.contains(at)) open.insert(open.end(), next.at(at).begin(), next.at(at).end());
        }
        return false;
    }

    // ---- the result --------------------------------------------------------------------------------------------------------
    /// Parts that hold code; containers that more than one of them touches grow, others go with the part that does.
    void collect() {
        std::map<NodeId, std::set<NodeId>> parts;
        for (const NodeId id : view_.scopes.children(plan_.entry))
            if (id != plan_.exit && !is_between(id)) parts[part_of(id)].insert(id);
        std::map<std::string, std::set<NodeId>> touching;
        for (const auto& [id, same] : root_) {
            if (!access_at(id)) continue;
            if (!is_between(id)) touching[access_at(id)->data].insert(part_of(id));
            if (is_between(id))
                for (const EdgeId edge : edges_around(id)) touching[access_at(id)->data].insert(part_of(other_end(edge, id)));
        }
        for (const auto& [id, same] : root_) {
            if (!is_between(id)) continue;
            const std::set<NodeId>& users = touching[access_at(id)->data];
            if (users.size() > 1) {
                plan_.between.insert(id);
                plan_.grown.insert(access_at(id)->data);
            } else if (!users.empty()) {
                parts[*users.begin()].insert(id);
            }
        }
        for (const NodeId id : view_.scopes.children(plan_.entry)) {
            const auto part = parts.find(id);
            if (part == parts.end()) continue;
            std::set<NodeId> nodes;
            for (const NodeId member : part->second) {
                nodes.insert(member);
                if (!view_.scopes.exit_of(member).valid()) continue;
                for (const NodeId inner : scope_nodes(view_.scopes, member)) nodes.insert(inner);
            }
            plan_.parts.push_back(std::move(nodes));
        }
    }
    /// An access node that nothing keeps with its neighbours.
    bool is_between(NodeId id) const {
        const ir::Access* access = access_at(id);
        const auto grows = access ? can_grow_.find(access->data) : can_grow_.end();
        if (grows == can_grow_.end() || !grows->second) return false;
        return std::ranges::none_of(root_,
                                    [&](const auto& entry) { return entry.first != id && part_of(entry.first) == part_of(id); });
    }

    std::optional<Refusal> check_growth() {
        if (plan_.grown.empty()) return {};
        symbolic::Substitution parameters;
        for (const std::string& name : map_.params) parameters.emplace(name, symbolic::symbol(name));
        if (const auto name = hidden_name(state_, view_.scopes, plan_.entry, parameters))
            return refuse("F4", "the name " + *name + " means something else inside the map");
        for (std::size_t d = 0; d < map_.params.size(); ++d) {
            const symbolic::Range& range = map_.range.dims[d];
            const auto extent = extent_outside(state_, view_, plan_.entry, range, known_);
            if (!extent)
                return refuse("F4", "the number of points of `" + symbolic::to_string(range) +
                                        "` is 0, or not known outside of the map around");
            plan_.extents.push_back(*extent);
            plan_.indices.push_back(symbolic::floor_divide(symbolic::symbol(map_.params[d]) - range.begin, range.step));
        }
        return {};
    }

    const ir::Sdfg& sdfg_;
    const ir::State& state_;
    const rewrite::StateView& view_;
    const ir::MapEntry& map_;
    const symbolic::Assumptions& known_;
    FissionPlan plan_;
    std::set<std::string> private_;
    std::map<std::string, bool> can_grow_;
    std::map<NodeId, NodeId> root_;  ///< Children of the map -> one further up in their part.
};

}  // namespace

std::variant<FissionPlan, Refusal> plan_fission(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view,
                                                NodeId entry, const symbolic::Assumptions& known) {
    return FissionPlanner(sdfg, state, view, entry, known).run();
}

}  // namespace sluice::transform
