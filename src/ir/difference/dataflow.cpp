// Two states: their nodes, paired, and their edges by the pairs that they join.
#include <map>

#include "ir/difference/compare.h"
#include "ir/text.h"

namespace sluice::ir::difference {

namespace {

std::string place_of(const State& state, NodeId id) {
    const std::string label = label_of(state, id);
    return "n" + std::to_string(id.value) + " (" + std::string(kind_name(state.nodes[id])) + (label.empty() ? "" : " " + label) +
           ")";
}

std::string place_of(const Edge& edge) {
    const auto end = [](NodeId id, const std::string& connector) {
        return "n" + std::to_string(id.value) + (connector.empty() ? "" : "." + connector);
    };
    return end(edge.src, edge.src_connector) + " -> " + end(edge.dst, edge.dst_connector);
}

std::string shown_memlet(const Edge& edge) {
    const std::string line = edge_text(edge);
    const std::size_t at = line.find(" : ");
    return at == std::string::npos ? "no memlet" : "`" + line.substr(at + 3) + "`";
}

class Comparison {
public:
    Comparison(Findings& findings, const State& before, const State& after)
        : findings_(findings), before_(before), after_(after), pairs_(match_nodes(before, after)) {}

    void run() {
        compare_fields(findings_, "", before_, after_);
        for (const auto& [one, other] : pairs_.both) compare_nodes(one, other);
        for (NodeId id : pairs_.only_before)
            findings_.add(place_of(before_, id), "the node is gone: `" + node_text(before_, id) + "`");
        for (NodeId id : pairs_.only_after) findings_.add(place_of(after_, id), "the node is new: `" + node_text(after_, id) + "`");
        compare_edges();
    }

private:
    void compare_connectors(const std::string& leaf, const std::string& direction, const Connectors& one, const Connectors& other) {
        for (const auto& [name, type] : one) {
            const auto found = other.find(name);
            if (found == other.end())
                findings_.add(leaf, "the " + direction + " connector " + name + " is gone");
            else if (!(found->second == type))
                findings_.add(leaf, "the " + direction + " connector " + name + " has the type " + shown(found->second) +
                                        " instead of " + shown(type));
        }
        for (const auto& [name, type] : other)
            if (!one.contains(name)) findings_.add(leaf, "the " + direction + " connector " + name + " is new");
    }

    void compare_nodes(NodeId one_id, NodeId other_id) {
        const Node &one = before_.nodes[one_id], &other = after_.nodes[other_id];
        const std::string leaf = place_of(before_, one_id);
        compare_connectors(leaf, "input", one.in, other.in);
        compare_connectors(leaf, "output", one.out, other.out);
        const auto same_kind = [&]<class Kind>(const Kind& kind) {
            const Kind& changed = std::get<Kind>(other.kind);
            if constexpr (requires { Kind::fields(); }) compare_fields(findings_, leaf, kind, changed);
            if constexpr (std::is_same_v<Kind, LibraryNode>) {
                compare(findings_, leaf, "the operation", kind.operation, changed.operation);
                compare(findings_, leaf, "the class path", kind.classpath, changed.classpath);
                compare(findings_, leaf, "the list of properties", kind.properties, changed.properties);
            }
            if constexpr (std::is_same_v<Kind, NestedSdfg>) {
                findings_.place.push_back(leaf);
                compare_sdfgs(findings_, *kind.sdfg, *changed.sdfg);
                findings_.place.pop_back();
            }
        };
        std::visit(same_kind, one.kind);
    }

    /// Edges that join the same connectors of the same pair come in order; the key names the nodes as the first graph does.
    using Key = std::tuple<bool, std::uint32_t, std::string, bool, std::uint32_t, std::string>;
    void compare_edges() {
        std::map<NodeId, NodeId> first_name;
        for (const auto& [one, other] : pairs_.both) first_name.emplace(other, one);
        const auto key_of = [](const Edge& edge, auto&& name) {
            const auto [src_known, src] = name(edge.src);
            const auto [dst_known, dst] = name(edge.dst);
            return Key{src_known, src.value, edge.src_connector, dst_known, dst.value, edge.dst_connector};
        };
        std::map<Key, std::vector<const Edge*>> free;
        for (auto [id, edge] : after_.edges)
            free[key_of(edge, [&](NodeId end) {
                const auto found = first_name.find(end);
                return found == first_name.end() ? std::pair(false, end) : std::pair(true, found->second);
            })].push_back(&edge);
        std::vector<const Edge*> gone;
        std::vector<std::pair<const Edge*, const Edge*>> changed;
        for (auto [id, edge] : before_.edges) {
            auto& candidates = free[key_of(edge, [](NodeId end) { return std::pair(true, end); })];
            auto best = candidates.begin();
            for (auto at = candidates.begin(); at != candidates.end(); ++at)
                if ((*at)->memlet == edge.memlet) {
                    best = at;
                    break;
                }
            if (best == candidates.end()) {
                gone.push_back(&edge);
                continue;
            }
            if (!((*best)->memlet == edge.memlet)) changed.emplace_back(&edge, *best);
            candidates.erase(best);
        }
        for (const auto& [one, other] : changed)
            findings_.add(place_of(*one), "the memlet is " + shown_memlet(*other) + " instead of " + shown_memlet(*one));
        for (const Edge* edge : gone) findings_.add(place_of(*edge), "the edge is gone; its memlet was " + shown_memlet(*edge));
        for (const auto& [key, edges] : free)
            for (const Edge* edge : edges) findings_.add(place_of(*edge), "the edge is new; its memlet is " + shown_memlet(*edge));
    }

    Findings& findings_;
    const State &before_, &after_;
    const Pairs<NodeId> pairs_;
};

}  // namespace

void compare_states(Findings& findings, const State& before, const State& after) {
    Comparison(findings, before, after).run();
}

}  // namespace sluice::ir::difference
