#include <mutex>

#include "analysis/loop_range.h"
#include "analysis/nesting.h"
#include "analysis/symbols.h"
#include "analysis/updates.h"
#include "code/walk.h"
#include "ir/query.h"
#include "transform/decision/decision.h"

namespace sluice::transform {

namespace {

struct Target {
    std::mutex mutex;
    analysis::Machine machine;
};
Target& target() {
    static Target one;
    return one;
}

}  // namespace

analysis::Machine decided_for() {
    const std::lock_guard lock(target().mutex);
    return target().machine;
}

void decide_for(const analysis::Machine& machine) {
    const std::lock_guard lock(target().mutex);
    target().machine = machine;
}

namespace {

// Properties do not move nodes: what is known of a state is found once for all decisions in it.
class Decider {
public:
    explicit Decider(const analysis::Machine& machine) : machine_(machine) {}
    /// Takes back what would be wrong, and decides nothing.
    static Decider that_only_takes_back(const analysis::Machine& machine) {
        Decider decider(machine);
        decider.decides_ = false;
        return decider;
    }

    void program(ir::Sdfg& sdfg) {
        containers(sdfg, sdfg.name);
        region(sdfg, sdfg.body, sdfg.name, analysis::assumptions_of(sdfg), {}, {});
        synchronize(sdfg, sdfg.name, analysis::assumptions_of(sdfg));
    }

    std::vector<Decision> taken;

private:
    /// Who calls the SDFG.
    struct Caller {
        bool team = false;                  ///< Threads of a team.
        std::set<std::string> shared = {};  ///< Arguments of which they may write the same elements.
    };

    /// Elements of the container are written by the calling thread alone.
    static bool is_own(const ir::Sdfg& sdfg, const Caller& caller, const std::string& data) {
        const ir::Container* container = ir::find_container(sdfg, data);
        return container && container->binding == ir::Binding::Own && !caller.shared.contains(std::string(ir::root_name(data)));
    }

    using Loops = std::vector<CountedLoop>;

    void region(ir::Sdfg& sdfg, ir::Region& region, const std::string& path, const symbolic::Assumptions& known,
                const Caller& caller, const Loops& team_loops) {
        for (auto [id, block] : region.blocks)
            std::visit(code::Overloaded{
                           [&](Cow<ir::State>& state) {
                               this->state(sdfg, state.edit(), path + "/" + block.label, known, caller, team_loops);
                           },
                           [&](ir::LoopRegion&) { this->loop(sdfg, region, id, path, known, caller, team_loops); },
                           [&](ir::ConditionalBlock& conditional) {
                               for (ir::Branch& branch : conditional.branches)
                                   this->region(sdfg, branch.body, path, known, caller, team_loops);
                           },
                           [&](ir::NamedRegion& named) { this->region(sdfg, named.body, path, known, caller, team_loops); },
                           [](auto&) {},
                       },
                       block.kind);
    }

    void loop(ir::Sdfg& sdfg, ir::Region& around, ir::BlockId id, const std::string& path, const symbolic::Assumptions& known,
              const Caller& caller, Loops team_loops) {
        const std::string place = path + "/" + around.blocks[id].label;
        auto& loop = std::get<ir::LoopRegion>(around.blocks[id].kind);
        symbolic::Assumptions inside = known;
        const auto range = analysis::loop_range(loop);
        if (range && !loop.variable.empty()) analysis::assume_in(inside, loop.variable, *range);
        if (decides_) {
            const auto choice = scheduled_loop(sdfg, loop, known, caller.team || !team_loops.empty(), machine_);
            if (const auto* chosen = std::get_if<LoopChoice>(&choice)) {
                take(sdfg, loop, *chosen);
                note("ChooseLoopSchedule", place, *chosen);
            }
        }
        if (!team_loops.empty() || loop.schedule == ir::Schedule::CPU_Persistent) team_loops.push_back(counted(loop));
        this->region(sdfg, loop.body, path, inside, caller, team_loops);
    }

    /// A loop by the way to it, and where its threads need not wait. Found before anything is written: the sets that are asked
    /// keep the graph.
    struct Unsynchronized {
        std::vector<rewrite::RegionStep> way;
        ir::BlockId loop;
        SynchronizationChoice choice;
    };

    void synchronize(ir::Sdfg& sdfg, const std::string& path, const symbolic::Assumptions& known) {
        std::vector<Unsynchronized> found;
        collect_unsynchronized(sdfg, sdfg.body, known, false, {}, found);
        for (const Unsynchronized& one : found) {
            ir::Region& region = rewrite::region_at(sdfg, {.nested = {}, .regions = one.way, .state = {}});
            take(std::get<ir::LoopRegion>(region.blocks[one.loop].kind), one.choice);
            if (decides_) note("ChooseSynchronization", path + "/" + region.blocks[one.loop].label, one.choice);
        }
    }

    void collect_unsynchronized(const ir::Sdfg& sdfg, const ir::Region& region, const symbolic::Assumptions& known, bool in_team,
                                const std::vector<rewrite::RegionStep>& way, std::vector<Unsynchronized>& found) const {
        for (auto [id, block] : region.blocks) {
            const auto* loop = std::get_if<ir::LoopRegion>(&block.kind);
            const bool by_team = in_team || (loop && loop->schedule == ir::Schedule::CPU_Persistent);
            if (loop && by_team) {
                SynchronizationChoice choice = synchronized(sdfg, region, id, known);
                if (!decides_) std::erase_if(choice.maps, [&](const auto& map) { return !is_nosync(*loop, map); });
                if (changes(*loop, choice)) found.push_back({way, id, std::move(choice)});
            }
            const std::vector<const ir::Region*> inner = rewrite::bodies(block);
            for (std::uint32_t branch = 0; branch < inner.size(); ++branch) {
                std::vector<rewrite::RegionStep> further = way;
                further.push_back({id, branch});
                collect_unsynchronized(sdfg, *inner[branch], known, by_team, further, found);
            }
        }
    }

    static bool is_nosync(const ir::LoopRegion& loop, const std::pair<ir::BlockId, ir::NodeId>& map) {
        return std::get<ir::MapEntry>(ir::as_state(loop.body.blocks[map.first])->nodes[map.second].kind).nosync;
    }

    void note(const char* transformation, const std::string& place, const Choice& choice) {
        taken.push_back({transformation, place, choice.choice, choice.why});
    }

    void containers(ir::Sdfg& sdfg, const std::string& path) {
        if (!decides_) return;
        std::map<std::string, StorageChoice> choices;
        const ir::Sdfg& read = sdfg;
        std::optional<std::map<std::string, analysis::AllocationScope>> scopes;
        for (const auto& [name, container] : read.containers) {
            if (!storage_is_open(container)) continue;
            if (!scopes) scopes = analysis::allocation_scopes(sdfg);
            choices.emplace(name, allocated(sdfg, name, *scopes, machine_));
        }
        for (const auto& [name, choice] : choices) {
            take(sdfg.containers.at(name), choice);
            note("ChooseAllocation", path + "/" + name, choice);
        }
    }

    void state(const ir::Sdfg& sdfg, ir::State& state, const std::string& path, const symbolic::Assumptions& known,
               const Caller& caller, const Loops& team_loops) {
        const ir::Adjacency adjacency(state);
        const analysis::ScopeTree scopes(state, adjacency);
        const Surroundings around{sdfg, state, adjacency, scopes, known, caller.team, machine_, team_loops};
        // What threads of a team call updates only their own elements plainly.
        if (decides_ && caller.team)
            for (auto [id, edge] : state.edges)
                if (edge.memlet.wcr && is_own(sdfg, caller, edge.memlet.data)) edge.memlet.wcr_nonatomic = true;
        if (decides_ && sections_are_open(around)) {
            const SectionsChoice choice = scheduled_sections(around);
            state.schedule = choice.schedule;
            note("ChooseSections", path, choice);
        }
        scope(around, caller, state, {}, path);
    }

    void scope(const Surroundings& around, const Caller& caller, ir::State& state, ir::NodeId entry, const std::string& path) {
        for (const ir::NodeId child : around.scopes.children(entry)) {
            ir::Node& node = state.nodes[child];
            const std::string place = path + "/" + ir::label_of(state, child);
            if (decides_ && schedule_is_open(node)) choose_schedule(around, node, child, place);
            if (!decides_ && std::holds_alternative<ir::MapEntry>(node.kind)) take_back(around, node, child);
            if (decides_ && std::holds_alternative<ir::MapEntry>(node.kind)) {
                choose_resolution(around, state, child, place);
                choose_lanes(around, node, child, place);
            }
            if (ir::is_entry(node)) scope(around, caller, state, child, path);
            if (decides_ && std::holds_alternative<ir::Access>(node.kind)) choose_copies(around, state, child, place);
            if (auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) call(around, caller, state, child, *nested, place);
        }
    }

    static void take_back(const Surroundings& around, ir::Node& node, ir::NodeId entry) {
        auto& map = std::get<ir::MapEntry>(node.kind);
        std::erase_if(map.private_updates, [&](const std::string& data) {
            return !analysis::may_be_private(around.sdfg, around.state, around.adjacency, around.scopes, entry, data, around.known);
        });
    }

    void choose_schedule(const Surroundings& around, ir::Node& node, ir::NodeId entry, const std::string& place) {
        const ScheduleChoice choice = scheduled(around, entry);
        if (!changes(node, choice)) return;
        take(node, choice);
        note("ChooseSchedule", place, choice);
    }

    void choose_copies(const Surroundings& around, ir::State& state, ir::NodeId from, const std::string& place) {
        for (const ir::EdgeId edge : around.adjacency.out(from)) {
            if (!copy_is_open(around, edge)) continue;
            const CopyChoice choice = scheduled_copy(around, edge);
            take(state.edges[edge], choice);
            note("ChooseCopySchedule", place + " -> " + ir::label_of(state, state.edges[edge].dst), choice);
        }
    }

    void choose_resolution(const Surroundings& around, ir::State& state, ir::NodeId entry, const std::string& place) {
        const ConflictChoice choice = resolved(around, entry);
        if (!changes(state, entry, choice)) return;
        take(state, entry, choice);
        note("ChooseConflictResolution", place, choice);
    }

    void choose_lanes(const Surroundings& around, ir::Node& node, ir::NodeId entry, const std::string& place) {
        auto& map = std::get<ir::MapEntry>(node.kind);
        const analysis::Lanes lanes = analysis::lanes_of(around.sdfg, around.state, around.adjacency, around.scopes, entry);
        if (map.simd ? lanes.possible() : !lanes.pays()) return;
        map.simd = !map.simd;
        taken.push_back({"ChooseVectorization", place, map.simd ? "simd" : "no simd",
                         map.simd ? why_lanes(lanes) : "its body cannot fill vector lanes"});
    }

    void call(const Surroundings& around, const Caller& caller, ir::State& state, ir::NodeId node, ir::NestedSdfg& nested,
              const std::string& place) {
        const ir::NodeId entry = around.scopes.parent(node);
        Caller inner{.team = caller.team || in_team(state, around.scopes, entry)};
        if (inner.team)
            for (const ir::EdgeId edge : around.adjacency.out(node))
                if (threads_share(around, caller, entry, state.edges[edge].memlet))
                    inner.shared.insert(state.edges[edge].src_connector);
        const symbolic::Assumptions here = analysis::assumptions_in(state, around.scopes, entry, around.known);
        const symbolic::Assumptions inside = analysis::assumptions_inside(nested, here);
        ir::Sdfg& called = nested.sdfg.edit();
        containers(called, place);
        region(called, called.body, place, inside, inner, {});
        if (!inner.team) synchronize(called, place, inside);
    }

    /// May two threads of the teams around the scope write the same element by the memlet?
    bool threads_share(const Surroundings& around, const Caller& caller, ir::NodeId scope, const ir::Memlet& memlet) const {
        if (memlet.empty()) return false;
        if (caller.team && caller.shared.contains(std::string(ir::root_name(memlet.data)))) return true;
        for (ir::NodeId at = scope; at.valid(); at = around.scopes.parent(at)) {
            const auto* map = std::get_if<ir::MapEntry>(&around.state.nodes[at].kind);
            const bool team =
                in_team(around.state, around.scopes, at) && !in_team(around.state, around.scopes, around.scopes.parent(at));
            if (!team) continue;
            if (!map || map->schedule == ir::Schedule::CPU_Persistent) return true;
            const auto shared = static_cast<std::size_t>(std::max<std::int64_t>(map->collapse, 1));
            return analysis::iterations_meet(around.sdfg, around.state, around.scopes, at, shared, scope, memlet, around.known);
        }
        return false;
    }

    const analysis::Machine& machine_;
    bool decides_ = true;
};

}  // namespace

void take_back_wrong_decisions(ir::Sdfg& sdfg) {
    const analysis::Machine machine;
    Decider::that_only_takes_back(machine).program(sdfg);
}

std::vector<Decision> decide(ir::Sdfg& sdfg, const analysis::Machine& machine) {
    Decider decider(machine);
    decider.program(sdfg);
    return std::move(decider.taken);
}

}  // namespace sluice::transform
