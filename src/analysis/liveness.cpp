#include "analysis/liveness.h"

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/edge_accesses.h"
#include "analysis/symbols.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"

namespace sluice::analysis {

using ir::NodeId;

namespace {

/// Where one container is accessed.
struct Uses {
    struct Place {
        const ir::State* state;
        ir::BlockId block;
        bool repeats;  ///< The state lies in a loop.
        std::vector<NodeId> nodes;
    };
    std::vector<Place> places;
    bool by_control_flow = false;  ///< A condition, assignment or loop bound reads it.
};

class Collector {
public:
    explicit Collector(const ir::Sdfg& sdfg) : sdfg_(sdfg) {}
    std::map<std::string, Uses> run() {
        region(sdfg_.body, false);
        return std::move(uses_);
    }

private:
    void region(const ir::Region& region, bool repeats) {
        const std::set<ir::BlockId> cyclic = repeats ? std::set<ir::BlockId>() : blocks_on_cycles(region);
        for (auto [id, transition] : region.transitions) {
            expression(transition.condition.text);
            for (const auto& [symbol, value] : transition.assignments) expression(value);
        }
        for (auto [id, block] : region.blocks) this->block(id, block, repeats || cyclic.contains(id));
    }

    void block(ir::BlockId id, const ir::Block& block, bool repeats) {
        std::visit(code::Overloaded{
                       [&](const Cow<ir::State>& state) { this->state(id, *state, repeats); },
                       [&](const ir::LoopRegion& loop) {
                           for (const auto* code : {&loop.init, &loop.update}) statement(*code);
                           if (loop.condition) expression(loop.condition->text);
                           region(loop.body, true);
                       },
                       [&](const ir::ConditionalBlock& conditional) {
                           for (const ir::Branch& branch : conditional.branches) {
                               if (branch.condition) expression(branch.condition->text);
                               region(branch.body, repeats);
                           }
                       },
                       [](const ir::BreakBlock&) {},
                       [](const ir::ContinueBlock&) {},
                       [](const ir::ReturnBlock&) {},
                       [&](const ir::NamedRegion& named) { region(named.body, repeats); },
                   },
                   block.kind);
    }

    void state(ir::BlockId id, const ir::State& state, bool repeats) {
        for (auto [node_id, node] : state.nodes) {
            const auto* access = std::get_if<ir::Access>(&node.kind);
            if (!access) {
                symbols_of_scope(node);
                continue;
            }
            Uses& uses = uses_[std::string(ir::root_name(access->data))];
            if (uses.places.empty() || uses.places.back().state != &state) uses.places.push_back({&state, id, repeats, {}});
            uses.places.back().nodes.push_back(node_id);
        }
    }

    // Ranges and symbol mappings may read scalars of the SDFG.
    void symbols_of_scope(const ir::Node& node) {
        if (const auto* map = std::get_if<ir::MapEntry>(&node.kind)) names(symbolic::free_symbols(map->range));
        if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind))
            for (const auto& [symbol, value] : nested->symbol_mapping) names(symbolic::free_symbols(value));
        if (const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind); consume && consume->condition)
            expression(consume->condition->text);
    }

    void expression(const std::string& text) {
        if (text.empty()) return;
        if (const auto parsed = ir::parsed_expr(text)) names(ir::free_names(**parsed));
    }
    void statement(const std::optional<ir::CodeBlock>& code) {
        if (!code) return;
        if (const auto parsed = ir::parsed_body(*code)) names(ir::free_names(*parsed));
    }
    void names(const std::set<std::string>& names) {
        for (const std::string& name : names)
            if (const std::string root(ir::root_name(name)); sdfg_.containers.contains(root)) uses_[root].by_control_flow = true;
    }

    // Strongly connected parts of more than one block, and blocks with a transition to themselves.
    static std::set<ir::BlockId> blocks_on_cycles(const ir::Region& region) {
        std::vector<std::vector<ir::BlockId>> after(region.blocks.id_bound()), before(region.blocks.id_bound());
        std::vector<int> open(region.blocks.id_bound(), 0), closing(region.blocks.id_bound(), 0);
        for (auto [id, transition] : region.transitions) {
            after[transition.src.value].push_back(transition.dst);
            before[transition.dst.value].push_back(transition.src);
            ++open[transition.dst.value], ++closing[transition.src.value];
        }
        // Peeling off blocks that nothing enters, then blocks that nothing leaves, keeps the cycles and what lies between them.
        std::set<ir::BlockId> rest;
        for (auto [id, block] : region.blocks) rest.insert(id);
        const auto peel = [&](std::vector<int>& degree, const std::vector<std::vector<ir::BlockId>>& next, std::vector<int>& other,
                              const std::vector<std::vector<ir::BlockId>>& back) {
            std::vector<ir::BlockId> free;
            for (const ir::BlockId id : rest)
                if (degree[id.value] == 0) free.push_back(id);
            while (!free.empty()) {
                const ir::BlockId id = free.back();
                free.pop_back();
                rest.erase(id);
                for (const ir::BlockId target : next[id.value])
                    if (rest.contains(target) && --degree[target.value] == 0) free.push_back(target);
                for (const ir::BlockId source : back[id.value]) --other[source.value];
            }
        };
        peel(open, after, closing, before);
        peel(closing, before, open, after);
        return rest;
    }

    const ir::Sdfg& sdfg_;
    std::map<std::string, Uses> uses_;
};

/// Does the state write all that it reads of the container, before it reads it?
bool writes_before_reading(const ir::Sdfg& sdfg, const ir::State& state, const EdgeAccesses& edges, const std::string& name,
                           const std::vector<NodeId>& nodes) {
    const auto is_stream = std::holds_alternative<ir::Stream>(sdfg.containers.find(name)->kind);
    const ir::Adjacency& adjacency = edges.adjacency();
    for (const NodeId node : nodes) {
        const auto& access = std::get<ir::Access>(state.nodes[node].kind);
        if (access.data != name) return false;
        if (adjacency.out(node).empty() || access.setzero) continue;
        if (adjacency.in(node).empty()) return false;
        if (is_stream) continue;
        const symbolic::Assumptions known = edges.known_at(node);
        std::optional<symbolic::Subset> written;
        for (const ir::EdgeId id : adjacency.in(node)) {
            const std::optional<EdgeAccess> write = edges.at(id, name, false);
            if (!write) continue;
            if (write->updates || !write->moved.exact || write->moved.dynamic) return false;
            if (!written || symbolic::is_yes(symbolic::covers(write->moved.subset, *written, known))) written = write->moved.subset;
        }
        if (!written) return false;
        for (const ir::EdgeId id : adjacency.out(node)) {
            const std::optional<EdgeAccess> read = edges.at(id, name, true);
            if (read && !symbolic::is_yes(symbolic::covers(*written, read->moved.subset, known))) return false;
        }
    }
    return true;
}

// The innermost scope around all nodes.
NodeId common_scope(const ScopeTree& scopes, const std::vector<NodeId>& nodes) {
    NodeId common = scopes.parent(nodes.front());
    for (const NodeId node : nodes)
        while (common.valid() && !scopes.encloses(common, node)) common = scopes.parent(common);
    return common;
}

bool has_memory(const ir::Container& container) {
    return container.transient && container.binding != ir::Binding::View;
}

AllocationScope allocation_scope_of(const ir::Sdfg& sdfg, const std::string& name, const ir::Container& container, const Uses& uses,
                                    const symbolic::Assumptions& known,
                                    std::map<const ir::State*, std::optional<ScopeTree>>& trees) {
    const bool outlives = container.lifetime != ir::Lifetime::Scope && container.lifetime != ir::Lifetime::State;
    if (outlives || uses.by_control_flow || uses.places.size() != 1 || container.binding == ir::Binding::Reference) return {};
    const Uses::Place& place = uses.places.front();
    std::optional<ScopeTree>& tree = trees[place.state];
    if (!tree) tree.emplace(*place.state, ir::Adjacency(*place.state));
    const NodeId scope = common_scope(*tree, place.nodes);
    if (scope.valid() && container.lifetime == ir::Lifetime::Scope)
        return {AllocationScope::Level::Scope, place.block, place.state, scope};
    if (place.repeats && !writes_before_reading(sdfg, *place.state, EdgeAccesses(sdfg, *place.state, known), name, place.nodes))
        return {};
    return {AllocationScope::Level::State, place.block, place.state, NodeId(), place.repeats};
}

}  // namespace

std::map<std::string, AllocationScope> allocation_scopes(const ir::Sdfg& sdfg) {
    return allocation_scopes(sdfg, assumptions_wherever_called(sdfg));
}

std::map<std::string, AllocationScope> allocation_scopes(const ir::Sdfg& sdfg, const symbolic::Assumptions& known) {
    std::map<std::string, Uses> uses = Collector(sdfg).run();
    std::map<const ir::State*, std::optional<ScopeTree>> trees;
    std::map<std::string, AllocationScope> result;
    for (const auto& [name, container] : sdfg.containers) {
        if (!has_memory(container)) continue;
        const auto used = uses.find(name);
        if (used == uses.end()) continue;
        result.emplace(name, allocation_scope_of(sdfg, name, container, used->second, known, trees));
    }
    return result;
}

// ---- liveness -----------------------------------------------------------------------------------------------------------

namespace {

using Names = std::set<std::string>;

/// Backward over the structure: `after` is live at the end, the result at the start. Loops are run to a fixed point; so are the
/// transitions of a region.
class Backward {
public:
    /// Of transients, unless `arguments` are asked for as well.
    Backward(const ir::Sdfg& sdfg, const symbolic::Assumptions& known, bool arguments = false)
        : sdfg_(sdfg), known_(known), arguments_(arguments) {}

    Names run() { return region(sdfg_.body, {}); }
    LiveSets at_start() const { return sets(live_); }
    LiveSets at_end() const { return sets(after_); }

private:
    /// What is live where control may go on to.
    struct Ends {
        Names after, on_break, on_continue;
        bool operator==(const Ends&) const = default;
    };
    struct Answer {
        bool known = false;
        Ends ends;
        Names start;
    };

    // Live at the start of the region.
    Names region(const ir::Region& region, const Ends& ends) {
        std::vector<std::vector<const ir::Transition*>> leaving(region.blocks.id_bound());
        for (auto [id, transition] : region.transitions) leaving[transition.src.value].push_back(&transition);
        const auto start = [&](ir::BlockId id) -> const Names& { return answers_[&region.blocks[id]].start; };
        const std::vector<ir::BlockId> order = postorder(region, leaving);
        for (bool changed = true; changed;) {
            changed = false;
            for (const ir::BlockId id : order) {
                Ends here = ends;  // control may leave after any block
                for (const ir::Transition* transition : leaving[id.value]) {
                    here.after.insert(start(transition->dst).begin(), start(transition->dst).end());
                    read(transition->condition.text, here.after);
                    for (const auto& [symbol, value] : transition->assignments) read(value, here.after);
                }
                changed |= update(region.blocks[id], std::move(here));
            }
        }
        return region.blocks.empty() ? ends.after : start(region.start);
    }

    /// Each block after those that it leads to, cycles aside: without cycles the second round changes nothing.
    static std::vector<ir::BlockId> postorder(const ir::Region& region,
                                              const std::vector<std::vector<const ir::Transition*>>& leaving) {
        std::vector<ir::BlockId> order;
        std::vector<bool> seen(region.blocks.id_bound());
        std::vector<std::pair<ir::BlockId, std::size_t>> path;
        const auto enter = [&](ir::BlockId id) {
            if (seen[id.value]) return;
            seen[id.value] = true;
            path.emplace_back(id, 0);
        };
        for (auto [first, block] : region.blocks) {
            enter(first);
            while (!path.empty()) {
                const auto [id, next] = path.back();
                if (next < leaving[id.value].size()) {
                    ++path.back().second;
                    enter(leaving[id.value][next]->dst);
                } else {
                    order.push_back(id);
                    path.pop_back();
                }
            }
        }
        return order;
    }

    /// Whether the block's start has changed. What is live only ever grows: each loop and region goes on from its last answer.
    bool update(const ir::Block& block, Ends ends) {
        Answer& answer = answers_[&block];
        if (answer.known && answer.ends == ends) return false;
        Names start = start_of(block, ends);
        const bool changed = start != answer.start;
        answer = {true, std::move(ends), std::move(start)};
        return changed;
    }

    Names start_of(const ir::Block& block, const Ends& ends) {
        return std::visit(code::Overloaded{
                              [&](const Cow<ir::State>& state) { return this->state(*state, ends.after); },
                              [&](const ir::LoopRegion& loop) { return this->loop(loop, ends.after); },
                              [&](const ir::ConditionalBlock& conditional) {
                                  Names begin = ends.after;
                                  for (const ir::Branch& branch : conditional.branches) {
                                      const Names inside = region(branch.body, ends);
                                      begin.insert(inside.begin(), inside.end());
                                      if (branch.condition) read(branch.condition->text, begin);
                                  }
                                  return begin;
                              },
                              [&](const ir::BreakBlock&) { return ends.on_break; },
                              [&](const ir::ContinueBlock&) { return ends.on_continue; },
                              [](const ir::ReturnBlock&) { return Names(); },
                              [&](const ir::NamedRegion& named) { return region(named.body, ends); },
                          },
                          block.kind);
    }

    Names loop(const ir::LoopRegion& loop, const Names& after) {
        Names& test = tests_[&loop];
        test.insert(after.begin(), after.end());
        if (loop.condition) read(loop.condition->text, test);
        for (;;) {
            const Names begin = region(loop.body, {test, after, test});
            const std::size_t before = test.size();
            test.insert(begin.begin(), begin.end());
            if (test.size() == before) return loop.inverted ? begin : test;
        }
    }

    Names state(const ir::State& state, const Names& after) {
        const auto [at, added] = effects_.try_emplace(&state);
        if (added) at->second = effect_of(state);
        Names begin = after;
        for (const std::string& name : at->second.kills) begin.erase(name);
        begin.insert(at->second.needs.begin(), at->second.needs.end());
        live_[&state] = begin;
        after_[&state] = after;
        return begin;
    }

    struct Effect {
        Names kills;  ///< Wholly written for certain.
        Names needs;  ///< Read as they were before the state.
    };
    Effect effect_of(const ir::State& state) const {
        Effect effect;
        const EdgeAccesses edges(sdfg_, state, known_);
        std::map<std::string, std::vector<NodeId>> nodes;
        for (auto [id, node] : state.nodes)
            if (const auto* access = std::get_if<ir::Access>(&node.kind))
                nodes[std::string(ir::root_name(access->data))].push_back(id);
        for (const auto& [name, places] : nodes) {
            const ir::Container* container = sdfg_.containers.find(name);
            if (!container || !counts(*container)) continue;
            bool reads = false, updates = false, kills = false;
            for (const NodeId node : places) {
                reads |= !edges.adjacency().out(node).empty();
                const std::string& data = std::get<ir::Access>(state.nodes[node].kind).data;
                for (const ir::EdgeId id : edges.adjacency().in(node)) {
                    const std::optional<EdgeAccess> write = edges.at_top(id, data, false);
                    if (!write) continue;
                    updates |= write->updates;
                    kills |= data == name && write->moved.exact && !write->moved.dynamic &&
                             symbolic::is_yes(symbolic::covers(write->moved.subset, whole(*container), known_));
                }
            }
            if (kills) effect.kills.insert(name);
            if (updates || (reads && !writes_before_reading(sdfg_, state, edges, name, places))) effect.needs.insert(name);
        }
        return effect;
    }

    void read(const std::string& text, Names& names) const {
        if (text.empty()) return;
        const auto parsed = ir::parsed_expr(text);
        if (!parsed) return;
        for (const std::string& name : ir::free_names(**parsed))
            if (const ir::Container* container = sdfg_.containers.find(name); container && counts(*container)) names.insert(name);
    }

    bool counts(const ir::Container& container) const { return has_memory(container) || (arguments_ && !container.transient); }

    static LiveSets sets(const std::map<const ir::State*, Names>& found) {
        LiveSets result;
        for (const auto& [state, names] : found) result.emplace(state, std::vector<std::string>(names.begin(), names.end()));
        return result;
    }

    const ir::Sdfg& sdfg_;
    const symbolic::Assumptions known_;
    const bool arguments_;
    std::map<const ir::State*, Effect> effects_;
    std::map<const ir::Block*, Answer> answers_;
    std::map<const ir::LoopRegion*, Names> tests_;  ///< Live where a loop tests its condition.
    std::map<const ir::State*, Names> live_, after_;
};

}  // namespace

LiveSets live_in(const ir::Sdfg& sdfg, const symbolic::Assumptions& known) {
    Backward backward(sdfg, known);
    backward.run();
    return backward.at_start();
}

LiveSets live_out(const ir::Sdfg& sdfg, const symbolic::Assumptions& known) {
    Backward backward(sdfg, known);
    backward.run();
    return backward.at_end();
}

std::set<std::string> needed_at_start(const ir::Sdfg& sdfg, const symbolic::Assumptions& known) {
    return Backward(sdfg, known, true).run();
}

}  // namespace sluice::analysis
