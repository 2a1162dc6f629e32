#include "lower/flow_graph.h"

#include <algorithm>
#include <optional>

#include "ir/code_block.h"
#include "lower/regions.h"

namespace sluice::lower {

namespace {

std::optional<symbolic::Expr> symbolic_condition(const ir::Transition& transition) {
    const auto parsed = ir::parsed_expr(transition.condition.text);
    if (!parsed) return std::nullopt;
    const auto value = ir::to_symbolic(**parsed);
    return value ? std::optional(*value) : std::nullopt;
}

bool complementary(const ir::Transition& a, const ir::Transition& b) {
    const auto left = symbolic_condition(a), right = symbolic_condition(b);
    return left && right && (symbolic::logical_not(*left) == *right || symbolic::logical_not(*right) == *left);
}

// Transitions that may be taken. The last is taken for certain if it has no condition or its condition complements the one
// before; else control may leave.
std::vector<const ir::Transition*> taken_from(const std::vector<const ir::Transition*>& all, bool& may_leave) {
    std::vector<const ir::Transition*> result;
    may_leave = true;
    for (const ir::Transition* transition : all) {
        result.push_back(transition);
        const std::size_t count = result.size();
        if (!is_unconditional(*transition) && !(count > 1 && complementary(*result[count - 2], *transition))) continue;
        may_leave = false;
        break;
    }
    return result;
}

// Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm": parents meet by walking up, in an order where parents come first.
std::vector<int> immediate_dominators(int count, int root, const std::vector<int>& order,
                                      const std::vector<std::vector<int>>& before) {
    std::vector<int> position(static_cast<std::size_t>(count), -1), parent(static_cast<std::size_t>(count), -1);
    for (std::size_t at = 0; at < order.size(); ++at) position[static_cast<std::size_t>(order[at])] = static_cast<int>(at);
    const auto index = [](int value) { return static_cast<std::size_t>(value); };
    parent[index(root)] = root;
    for (bool changed = true; changed;) {
        changed = false;
        for (const int node : order) {
            if (node == root) continue;
            int meet = -1;
            for (const int other : before[index(node)]) {
                if (parent[index(other)] < 0) continue;
                int a = other;
                if (meet < 0) {
                    meet = a;
                    continue;
                }
                while (a != meet) {
                    while (position[index(a)] > position[index(meet)]) a = parent[index(a)];
                    while (position[index(meet)] > position[index(a)]) meet = parent[index(meet)];
                }
            }
            if (meet >= 0 && parent[index(node)] != meet) parent[index(node)] = meet, changed = true;
        }
    }
    return parent;
}

}  // namespace

FlowGraph::FlowGraph(const ir::Region& region) {
    std::vector<std::vector<const ir::Transition*>> outgoing(region.blocks.id_bound());
    for (auto [id, transition] : region.transitions) outgoing[transition.src.value].push_back(&transition);
    // Postorder without recursion: machines of many thousand states are common.
    std::vector<int> seen(region.blocks.id_bound(), 0);
    std::vector<ir::BlockId> postorder;
    std::vector<std::pair<ir::BlockId, std::size_t>> stack{{region.start, 0}};
    seen[region.start.value] = 1;
    while (!stack.empty()) {
        auto& [block, next] = stack.back();
        if (next == outgoing[block.value].size()) {
            postorder.push_back(block);
            stack.pop_back();
            continue;
        }
        const ir::BlockId target = outgoing[block.value][next++]->dst;
        if (!seen[target.value]) {
            seen[target.value] = 1;
            stack.emplace_back(target, 0);
        }
    }
    blocks.assign(postorder.rbegin(), postorder.rend());
    std::vector<int> number(region.blocks.id_bound(), -1);
    for (std::size_t at = 0; at < blocks.size(); ++at) number[blocks[at].value] = static_cast<int>(at);
    const std::size_t count = blocks.size() + 1;
    jumps.resize(count), before.resize(count);
    std::vector<std::vector<int>> after(count);
    for (std::size_t at = 0; at < blocks.size(); ++at) {
        bool may_leave = true;
        for (const ir::Transition* transition : taken_from(outgoing[blocks[at].value], may_leave))
            jumps[at].push_back({transition, number[transition->dst.value], false});
        if (!may_leave) jumps[at].back().otherwise = true;
        const auto& kind = region.blocks[blocks[at]].kind;
        const bool ends = std::holds_alternative<ir::BreakBlock>(kind) || std::holds_alternative<ir::ContinueBlock>(kind) ||
                          std::holds_alternative<ir::ReturnBlock>(kind);
        if (ends) jumps[at].clear();
        if (may_leave || ends) jumps[at].push_back({nullptr, exit(), true});
        for (const Jump& jump : jumps[at]) {
            before[static_cast<std::size_t>(jump.target)].push_back(static_cast<int>(at));
            after[at].push_back(jump.target);
        }
    }
    std::vector<int> forward(count), backward;
    for (std::size_t at = 0; at < count; ++at) forward[at] = static_cast<int>(at);
    dominator = immediate_dominators(static_cast<int>(count), 0, forward, before);
    std::vector<std::pair<int, std::size_t>> walk{{exit(), 0}};
    std::vector<bool> met(count, false);
    met[count - 1] = true;
    while (!walk.empty()) {
        auto& [node, next] = walk.back();
        if (next == before[static_cast<std::size_t>(node)].size()) {
            backward.push_back(node);
            walk.pop_back();
            continue;
        }
        const int target = before[static_cast<std::size_t>(node)][next++];
        if (!met[static_cast<std::size_t>(target)]) {
            met[static_cast<std::size_t>(target)] = true;
            walk.emplace_back(target, 0);
        }
    }
    std::ranges::reverse(backward);
    join = immediate_dominators(static_cast<int>(count), exit(), backward, after);
    find_loops();
}

bool FlowGraph::dominates(int above, int below) const {
    while (below > above && dominator[static_cast<std::size_t>(below)] != below) below = dominator[static_cast<std::size_t>(below)];
    return below == above;
}

void FlowGraph::find_loops() {
    loop_.resize(blocks.size());
    for (std::size_t at = 0; at < blocks.size(); ++at)
        for (const Jump& jump : jumps[at]) {
            if (jump.target > static_cast<int>(at) || jump.target == exit()) continue;
            if (!dominates(jump.target, static_cast<int>(at))) {
                reducible = false;
                continue;
            }
            std::vector<bool>& members = loop_[static_cast<std::size_t>(jump.target)];
            members.resize(blocks.size(), false);
            members[static_cast<std::size_t>(jump.target)] = true;
            std::vector<int> pending{static_cast<int>(at)};
            while (!pending.empty()) {
                const int member = pending.back();
                pending.pop_back();
                if (members[static_cast<std::size_t>(member)]) continue;
                members[static_cast<std::size_t>(member)] = true;
                for (const int predecessor : before[static_cast<std::size_t>(member)]) pending.push_back(predecessor);
            }
        }
}

bool FlowGraph::is_loop_header(int block) const {
    return block < exit() && !loop_[static_cast<std::size_t>(block)].empty();
}

bool FlowGraph::in_loop(int header, int block) const {
    return block < exit() && is_loop_header(header) && loop_[static_cast<std::size_t>(header)][static_cast<std::size_t>(block)];
}

}  // namespace sluice::lower
