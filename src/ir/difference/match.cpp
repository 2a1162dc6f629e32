// Which node of one state is which node of the other. Nodes are described by what they are; descriptions are refined, round by
// round, by those of the neighbours (colour refinement after Weisfeiler and Leman), and nodes pair up where descriptions agree: the
// finest first, so that an edit somewhere leaves the pairs elsewhere alone. What remains pairs by kind and name, then by kind and
// id.
#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "ir/adjacency.h"
#include "ir/difference/compare.h"
#include "ir/query.h"
#include "ir/text.h"

namespace sluice::ir::difference {

namespace {

constexpr int kRounds = 4;
using Descriptions = std::vector<std::string>;  // by node

std::string name_of(const State& state, NodeId id) {
    std::string name(kind_name(state.nodes[id]));
    const auto add_label = [&](const auto& kind) {
        if constexpr (requires { kind.label; }) name += " " + kind.label;
        if constexpr (requires { kind.data; }) name += " " + kind.data;
    };
    std::visit(add_label, state.nodes[id].kind);
    return name;
}

/// The line of the textual form without the ids in it.
std::string line_of(const State& state, NodeId id) {
    const Node& node = state.nodes[id];
    if (is_exit(node)) return std::string(kind_name(node)) + label_of(state, id);
    const std::string line = node_text(state, id);
    return line.substr(std::min(line.find('='), line.size()));
}

/// What a node sees along an edge.
std::string seen(const Edge& edge, const std::string& neighbour, const char* direction) {
    text::Writer out;
    out << direction << edge.src_connector << ">" << edge.dst_connector << edge.memlet.data;
    if (edge.memlet.subset) write(out, *edge.memlet.subset);
    out << "\n" << neighbour;
    return std::move(out.text);
}

/// Round 0: what the nodes are; round k: with their neighbourhoods up to distance k, as ordinals that `known` hands out.
std::vector<Descriptions> describe(const State& state, std::map<std::string, std::size_t>& known) {
    const auto ordinal = [&](const std::string& text) { return std::to_string(known.emplace(text, known.size()).first->second); };
    const Adjacency adjacency(state);
    std::vector<Descriptions> rounds(1, Descriptions(state.nodes.id_bound()));
    for (auto [id, node] : state.nodes) rounds[0][id.value] = ordinal(line_of(state, id));
    for (int round = 1; round <= kRounds; ++round) {
        const Descriptions& last = rounds.back();
        Descriptions next(state.nodes.id_bound());
        for (auto [id, node] : state.nodes) {
            std::vector<std::string> around;
            for (EdgeId edge : adjacency.in(id)) around.push_back(seen(state.edges[edge], last[state.edges[edge].src.value], "<"));
            for (EdgeId edge : adjacency.out(id)) around.push_back(seen(state.edges[edge], last[state.edges[edge].dst.value], ">"));
            std::ranges::sort(around);
            std::string text = last[id.value];
            for (const std::string& one : around) text += "\n" + one;
            next[id.value] = ordinal(text);
        }
        rounds.push_back(std::move(next));
    }
    return rounds;
}

class Matching {
public:
    Matching(const State& before, const State& after) : before_(before), after_(after) {
        partner_.assign(before.nodes.id_bound(), NodeId());
        taken_.assign(after.nodes.id_bound(), false);
    }
    /// Pairs those whose keys agree; among several, those of one id first, then in order.
    template <class Key> void pair_by(Key&& key_before, Key&& key_after) {
        std::map<std::string, std::vector<NodeId>> free;
        for (auto [id, node] : after_.nodes)
            if (!taken_[id.value]) free[key_after(id)].push_back(id);
        const auto settle = [&](NodeId id, bool same_id) {
            if (partner_[id.value].valid()) return;
            const auto found = free.find(key_before(id));
            if (found == free.end() || found->second.empty()) return;
            const auto at = same_id ? std::ranges::find(found->second, id) : found->second.begin();
            if (at == found->second.end()) return;
            partner_[id.value] = *at;
            taken_[at->value] = true;
            found->second.erase(at);
        };
        for (const bool same_id : {true, false})
            for (auto [id, node] : before_.nodes) settle(id, same_id);
    }
    Pairs<NodeId> pairs() const {
        Pairs<NodeId> result;
        for (auto [id, node] : before_.nodes) {
            if (partner_[id.value].valid())
                result.both.emplace_back(id, partner_[id.value]);
            else
                result.only_before.push_back(id);
        }
        for (auto [id, node] : after_.nodes)
            if (!taken_[id.value]) result.only_after.push_back(id);
        return result;
    }

private:
    const State &before_, &after_;
    std::vector<NodeId> partner_;
    std::vector<bool> taken_;
};

}  // namespace

Pairs<NodeId> match_nodes(const State& before, const State& after) {
    std::map<std::string, std::size_t> known;
    const std::vector<Descriptions> rounds_before = describe(before, known), rounds_after = describe(after, known);
    Matching matching(before, after);
    using Key = std::function<std::string(NodeId)>;
    for (std::size_t round = rounds_before.size(); round-- > 0;)
        matching.pair_by<Key>([&](NodeId id) { return rounds_before[round][id.value]; },
                              [&](NodeId id) { return rounds_after[round][id.value]; });
    matching.pair_by<Key>([&](NodeId id) { return name_of(before, id); }, [&](NodeId id) { return name_of(after, id); });
    const auto by_kind = [](const State& state) {
        return [&state](NodeId id) { return std::string(kind_name(state.nodes[id])) + std::to_string(id.value); };
    };
    matching.pair_by<Key>(by_kind(before), by_kind(after));
    return matching.pairs();
}

}  // namespace sluice::ir::difference
