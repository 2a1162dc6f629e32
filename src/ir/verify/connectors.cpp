// V303 to V306: connectors.
#include "ir/port.h"
#include "ir/query.h"
#include "ir/verify/verification.h"

namespace sluice::ir::verification {

namespace {

class ConnectorCheck {
public:
    ConnectorCheck(Report& report, const State& state, const Adjacency& adjacency)
        : report_(report), state_(state), adjacency_(adjacency) {}

    void run(NodeId id) {
        const Node& node = state_.nodes[id];
        if (const bool plain = node.in.empty() && node.out.empty(); !plain) {
            const bool access = std::holds_alternative<Access>(node.kind), scope = is_entry(node) || is_exit(node);
            for (const auto* connectors : {&node.in, &node.out}) {
                for (const auto& [name, type] : *connectors) {
                    if (!is_identifier(name)) add("V102", "the connector name `" + name + "` is not an identifier", id);
                    if (access && name != "views" && name != "set") add("V305", "the access node has a connector " + name, id);
                }
            }
            if (scope) check_pairs(id, node);
        }
        check_edges(id, node);
    }

private:
    void add(std::string_view code, const std::string& message, NodeId id) {
        report_.add(code, message, state_.nodes[id].metadata.where, node_place(state_, id));
    }

    void check_pairs(NodeId id, const Node& node) {
        const bool dynamic_inputs = std::holds_alternative<MapEntry>(node.kind);
        for (const auto& [name, type] : node.in) {
            if (is_port_in(name) ? !node.out.contains(across(name)) : !dynamic_inputs)
                add("V306", "the input connector " + name + " has no output to pair with", id);
        }
        for (const auto& [name, type] : node.out)
            if (!is_port_out(name) || !node.in.contains(across(name)))
                add("V306", "the output connector " + name + " has no input to pair with", id);
    }

    void check_edges(NodeId id, const Node& node) {
        std::unordered_map<std::string_view, int> uses;
        for (EdgeId edge_id : adjacency_.in(id)) {
            const Edge& edge = state_.edges[edge_id];
            if (edge.dst_connector.empty()) continue;
            ++uses[edge.dst_connector];
            if (!node.in.contains(edge.dst_connector)) missing(edge, edge.dst_connector, id, "input");
        }
        for (const auto& [name, type] : node.in) {
            const auto used = uses.find(name);
            if (used == uses.end())
                add("V304", "nothing is connected to the input " + name, id);
            else if (used->second > 1 && !is_exit(node))
                add("V304", std::to_string(used->second) + " edges lead to the input " + name, id);
        }
        uses.clear();
        for (EdgeId edge_id : adjacency_.out(id)) {
            const Edge& edge = state_.edges[edge_id];
            if (edge.src_connector.empty()) continue;
            ++uses[edge.src_connector];
            if (!node.out.contains(edge.src_connector)) missing(edge, edge.src_connector, id, "output");
        }
        for (const auto& [name, type] : node.out)
            if (!uses.contains(name)) add("V304", "nothing is connected to the output " + name, id);
    }

    void missing(const Edge& edge, const std::string& connector, NodeId id, const std::string& direction) {
        report_.add("V303", "node n" + std::to_string(id.value) + " has no " + direction + " connector " + connector,
                    span_of(state_, edge), edge_place(edge));
    }

    Report& report_;
    const State& state_;
    const Adjacency& adjacency_;
};

}  // namespace

void check_connectors(Report& report, const State& state, const Adjacency& adjacency, NodeId id) {
    ConnectorCheck(report, state, adjacency).run(id);
}

}  // namespace sluice::ir::verification
