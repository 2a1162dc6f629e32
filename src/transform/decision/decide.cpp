#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/loop_range.h"
#include "analysis/nesting.h"
#include "analysis/symbols.h"
#include "analysis/updates.h"
#include "code/walk.h"
#include "ir/query.h"
#include "transform/decision/decision.h"

namespace sluice::transform {

namespace {

// Properties do not move nodes: what is known of a state is found once for all decisions in it.
class Decider {
public:
    explicit Decider(const analysis::Machine& machine) : machine_(machine) {}

    void program(ir::Sdfg& sdfg) {
        containers(sdfg, sdfg.name);
        region(sdfg, sdfg.body, sdfg.name, analysis::assumptions_of(sdfg), {});
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

    void region(const ir::Sdfg& sdfg, ir::Region& region, const std::string& path, const symbolic::Assumptions& known,
                const Caller& caller) {
        for (auto [id, block] : region.blocks)
            std::visit(code::Overloaded{
                           [&](Cow<ir::State>& state) { this->state(sdfg, state.edit(), path + "/" + block.label, known, caller); },
                           [&](ir::LoopRegion& loop) {
                               symbolic::Assumptions inside = known;
                               if (const auto range = analysis::loop_range(loop); range && !loop.variable.empty())
                                   analysis::assume_in(inside, loop.variable, *range);
                               this->region(sdfg, loop.body, path, inside, caller);
                           },
                           [&](ir::ConditionalBlock& conditional) {
                               for (ir::Branch& branch : conditional.branches) this->region(sdfg, branch.body, path, known, caller);
                           },
                           [&](ir::NamedRegion& named) { this->region(sdfg, named.body, path, known, caller); },
                           [](auto&) {},
                       },
                       block.kind);
    }

    void containers(ir::Sdfg& sdfg, const std::string& path) {
        for (auto& [name, container] : sdfg.containers) {
            if (!storage_is_open(container)) continue;
            container.storage = allocated(container, machine_);
            const bool stack = container.storage == ir::Storage::Register;
            taken.push_back({"ChooseAllocation", path + "/" + name, std::string(ir::to_string(container.storage)),
                             stack ? "it is small and its size is known" : "its size is large, or known only when it runs"});
        }
    }

    void state(const ir::Sdfg& sdfg, ir::State& state, const std::string& path, const symbolic::Assumptions& known,
               const Caller& caller) {
        const ir::Adjacency adjacency(state);
        const analysis::ScopeTree scopes(state, adjacency);
        const Surroundings around{sdfg, state, adjacency, scopes, known, caller.team, machine_};
        // What threads of a team call updates only their own elements plainly.
        if (caller.team)
            for (auto [id, edge] : state.edges)
                if (edge.memlet.wcr && is_own(sdfg, caller, edge.memlet.data)) edge.memlet.wcr_nonatomic = true;
        scope(around, caller, state, {}, path);
    }

    void scope(const Surroundings& around, const Caller& caller, ir::State& state, ir::NodeId entry, const std::string& path) {
        for (const ir::NodeId child : around.scopes.children(entry)) {
            ir::Node& node = state.nodes[child];
            const std::string place = path + "/" + ir::label_of(state, child);
            if (schedule_is_open(node)) choose_schedule(around, node, child, place);
            if (std::holds_alternative<ir::MapEntry>(node.kind)) {
                choose_resolution(around, state, child, place);
                choose_lanes(around, node, child, place);
            }
            if (ir::is_entry(node)) scope(around, caller, state, child, path);
            if (auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) call(around, caller, state, child, *nested, place);
        }
    }

    void choose_schedule(const Surroundings& around, ir::Node& node, ir::NodeId entry, const std::string& place) {
        const ScheduleChoice choice = scheduled(around, entry);
        if (!changes(node, choice)) return;
        take(node, choice);
        const bool always = choice.condition == symbolic::boolean(true);
        taken.push_back(
            {"ChooseSchedule", place,
             std::string(ir::to_string(choice.schedule)) + (always ? "" : " where " + symbolic::to_string(choice.condition)),
             choice.reason});
    }

    void choose_resolution(const Surroundings& around, ir::State& state, ir::NodeId entry, const std::string& place) {
        const ConflictChoice choice = resolved(around, entry);
        if (!changes(state, entry, choice)) return;
        take(state, entry, choice);
        if (!choice.private_updates.empty())
            taken.push_back({"ChooseConflictResolution", place, fmt::format("private {}", fmt::join(choice.private_updates, ", ")),
                             "the updates can be combined when the loops that share them end"});
        if (!choice.apart.empty())
            taken.push_back({"ChooseConflictResolution", place, fmt::format("{} updates plain", choice.apart.size()),
                             "threads of the team update different elements"});
    }

    void choose_lanes(const Surroundings& around, ir::Node& node, ir::NodeId entry, const std::string& place) {
        auto& map = std::get<ir::MapEntry>(node.kind);
        if (map.simd || !fills_lanes(around, entry)) return;
        map.simd = true;
        taken.push_back({"ChooseVectorization", place, "simd", "straight-line code on neighbouring elements"});
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
        region(called, called.body, place, inside, inner);
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
};

}  // namespace

std::vector<Decision> decide(ir::Sdfg& sdfg, const analysis::Machine& machine) {
    Decider decider(machine);
    decider.program(sdfg);
    return std::move(decider.taken);
}

}  // namespace sluice::transform
