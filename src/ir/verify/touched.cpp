// What an edit touched of a state: the same topics as of a whole one, for these nodes and edges. That the state is a graph without
// cycles is known: somebody has asked who lies in which scope.
#include "ir/port.h"
#include "ir/query.h"
#include "ir/verify/verification.h"

namespace sluice::ir::verification {

namespace {

class TouchedState {
public:
    TouchedState(Report& report, Names& names, const Touched::InState& touched)
        : report_(report),
          names_(names),
          touched_(touched),
          state_(*touched.state),
          flow_{
              .state = state_, .adjacency = *touched.adjacency, .order = {}, .scope = {}, .exit_of = {}, .source = {}, .sink = {}} {
        for (const NodeId id : touched.nodes)
            if (state_.nodes.contains(id)) nodes_.insert(id);
        for (const EdgeId id : touched.edges)
            if (state_.edges.contains(id)) edges_.insert(id);
    }

    void run() {
        add_contents();
        trace();
        for (const NodeId id : nodes_) {
            check_connectors(report_, state_, flow_.adjacency, id);
            check_scope(id);
        }
        check_parts(report_, names_, flow_, std::vector(nodes_.begin(), nodes_.end()), std::vector(edges_.begin(), edges_.end()));
    }

private:
    /// Nodes inside of an entry that was touched are touched, and so are their edges: the entry says what their symbols mean.
    void add_contents() {
        std::vector<NodeId> pending;
        for (const NodeId id : nodes_)
            if (is_entry(state_.nodes[id])) pending.push_back(id);
        const std::set<NodeId> opened(pending.begin(), pending.end());
        std::set<NodeId> seen = opened;
        while (!pending.empty()) {
            const NodeId at = pending.back();
            pending.pop_back();
            for (const EdgeId id : flow_.adjacency.out(at)) {
                edges_.insert(id);
                const NodeId next = state_.edges[id].dst;
                // The last exit leads out of the scope; what follows an inner one lies in the outer scope.
                if ((is_exit(state_.nodes[at]) && !lies_in(opened, next)) || !seen.insert(next).second) continue;
                nodes_.insert(next);
                pending.push_back(next);
            }
        }
    }
    bool lies_in(const std::set<NodeId>& entries, NodeId id) const {
        for (NodeId at = touched_.scope_of(id); at.valid(); at = touched_.scope_of(at))
            if (entries.contains(at)) return true;
        return false;
    }

    /// Scopes and ends of paths, where somebody will ask.
    void trace() {
        flow_.scope.assign(state_.nodes.id_bound(), NodeId());
        flow_.exit_of = flow_.scope;
        flow_.source.assign(state_.edges.id_bound(), NodeId());
        flow_.sink = flow_.source;
        std::set<EdgeId> edges = edges_;
        for (const NodeId id : nodes_) {
            place(id);
            for (const auto incident : {flow_.adjacency.in(id), flow_.adjacency.out(id)})
                edges.insert(incident.begin(), incident.end());
        }
        for (const EdgeId id : edges) {
            place(state_.edges[id].src);
            place(state_.edges[id].dst);
            flow_.source[id.value] = end(id, true);
            flow_.sink[id.value] = end(id, false);
        }
    }
    void place(NodeId id) {
        for (NodeId at = id; at.valid() && state_.nodes.contains(at);) {
            const NodeId around = touched_.scope_of(at);
            flow_.scope[at.value] = around;
            if (is_entry(state_.nodes[at])) flow_.exit_of[at.value] = touched_.exit_of(at);
            at = around;
        }
    }
    /// Of the memlet path through scopes.
    NodeId end(EdgeId id, bool source) const {
        for (;;) {
            const Edge& edge = state_.edges[id];
            const NodeId node = source ? edge.src : edge.dst;
            const std::string& connector = source ? edge.src_connector : edge.dst_connector;
            const bool scope = is_entry(state_.nodes[node]) || is_exit(state_.nodes[node]);
            if (!scope || !(source ? is_port_out(connector) : is_port_in(connector))) return node;
            const std::string paired = across(connector);
            const auto next = source ? flow_.adjacency.in_at(node, paired) : flow_.adjacency.out_at(node, paired);
            if (!next) return node;
            id = *next;
        }
    }

    void check_scope(NodeId id) {
        const Node& node = state_.nodes[id];
        const auto add = [&](std::string_view code, const std::string& message) {
            report_.add(code, message, node.metadata.where, node_place(state_, id));
        };
        if (is_entry(node) && !flow_.exit_of[id.value].valid()) add("V307", "the entry has no exit");
        const NodeId around = flow_.scope[id.value];
        for (const EdgeId edge : flow_.adjacency.in(id))
            if (flow_.scope_of_edge(state_.edges[edge]) != around)
                return add("V308", "edges from different scopes meet at the node");
        if (is_exit(node)) {
            const NodeId entry = entry_of_exit(node);
            if (!state_.nodes.contains(entry) || !is_entry(state_.nodes[entry]))
                add("V307", "the exit belongs to no entry of its kind");
        } else if (around.valid() && flow_.adjacency.out(id).empty()) {
            add("V308", "the node lies in the scope of n" + std::to_string(around.value) + " and does not lead to its exit");
        }
    }

    Report& report_;
    Names& names_;
    const Touched::InState& touched_;
    const State& state_;
    Dataflow flow_;
    std::set<NodeId> nodes_;
    std::set<EdgeId> edges_;
};

}  // namespace

void check_touched(Report& report, Names& names, const Touched::InState& touched) {
    TouchedState(report, names, touched).run();
}

}  // namespace sluice::ir::verification
