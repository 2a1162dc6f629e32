#include "analysis/team_loop.h"

#include <algorithm>
#include <set>

#include "analysis/counted_loops.h"
#include "analysis/dependences/builder.h"
#include "analysis/lanes.h"
#include "analysis/liveness.h"
#include "analysis/loop_range.h"
#include "analysis/updates.h"
#include "ir/code_block.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/walk.h"

namespace sluice::analysis {

namespace {

/// Looks through a loop for what a team cannot run.
class Inspection {
public:
    explicit Inspection(const ir::Sdfg& sdfg)
        : sdfg_(sdfg), counted_(counted_variables(sdfg)), assigned_(ir::assigned_symbols(sdfg)), scopes_(allocation_scopes(sdfg)) {}

    void loop(const ir::LoopRegion& loop) {
        if (!jumpless(loop.body)) return refuse("something in it jumps");
        counted(loop);
        region(loop.body);
    }
    std::string why;

private:
    void refuse(std::string reason) {
        if (why.empty()) why = std::move(reason);
    }
    static bool jumpless(const ir::Region& region) {
        return !ir::any_block(region, [](const ir::Block& block) {
            return std::holds_alternative<ir::BreakBlock>(block.kind) || std::holds_alternative<ir::ContinueBlock>(block.kind) ||
                   std::holds_alternative<ir::ReturnBlock>(block.kind);
        });
    }

    /// All threads know the values of the names, and know them before the loop.
    bool known_to_all(const std::set<std::string>& names) const {
        return std::ranges::none_of(
            names, [&](const std::string& name) { return sdfg_.containers.contains(std::string(ir::root_name(name))); });
    }

    void counted(const ir::LoopRegion& loop) {
        const auto range = range_before(sdfg_, loop);
        if (!range || loop.variable.empty() || !counted_.contains(loop.variable))
            return refuse("it does not count, or its variable is used elsewhere");
        if (!known_to_all(symbolic::free_symbols(*range))) return refuse("its bounds read data");
        if (!range->step.constant()) refuse("its step is not a number");
    }

    void region(const ir::Region& region) {
        if (!straight_line(region)) return refuse("its blocks follow one another by conditions");
        for (auto [id, transition] : region.transitions)
            if (!transition.assignments.empty()) return refuse("it assigns symbols");
        for (auto [id, block] : region.blocks)
            std::visit(code::Overloaded{
                           [&](const Cow<ir::State>& state) { this->state(*state); },
                           [&](const ir::LoopRegion& loop) {
                               counted(loop);
                               this->region(loop.body);
                           },
                           [&](const ir::ConditionalBlock& conditional) {
                               for (const ir::Branch& branch : conditional.branches) {
                                   if (branch.condition) condition(branch.condition->text);
                                   this->region(branch.body);
                               }
                           },
                           [&](const ir::NamedRegion& named) { this->region(named.body); },
                           [](const auto&) {},
                       },
                       block.kind);
    }

    void condition(const std::string& text) {
        const auto parsed = ir::parsed_expr(text);
        if (!parsed.ok() || !known_to_all(ir::free_names(**parsed))) refuse("a condition in it reads data");
    }

    void state(const ir::State& state) {
        if (state.schedule == ir::Schedule::CPU_Multicore) return refuse("parts of a state run at the same time");
        if (state.instrument != ir::Instrumentation::No_Instrumentation) return refuse("a state is timed");
        const ir::Adjacency adjacency(state);
        const ScopeTree scopes(state, adjacency);
        for (const ir::NodeId id : scopes.children({})) node(state, adjacency, scopes, id, true);
        for (const auto& [id, edge] : state.edges)
            if (std::holds_alternative<ir::Tasklet>(state.nodes[edge.src].kind) && !edge.memlet.empty() &&
                !scopes.parent(edge.src).valid() && !std::holds_alternative<ir::Access>(state.nodes[edge.dst].kind))
                refuse("a tasklet hands a value on without a container");
    }

    void node(const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes, ir::NodeId id, bool top) {
        std::visit(code::Overloaded{
                       [&](const ir::Access& access) { container(access); },
                       [&](const ir::Tasklet& tasklet) {
                           if (!only_assigns(tasklet) || tasklet.instrument != ir::Instrumentation::No_Instrumentation)
                               refuse("the tasklet " + tasklet.label + " may fail or does more than assign");
                       },
                       [&](const ir::MapEntry& map) { this->map(state, adjacency, scopes, id, map, top); },
                       [](const ir::MapExit&) {},
                       [&](const auto&) { refuse("it holds calls, consume scopes or library nodes"); },
                   },
                   state.nodes[id].kind);
    }

    void map(const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes, ir::NodeId id,
             const ir::MapEntry& map, bool top) {
        if (map.instrument != ir::Instrumentation::No_Instrumentation) return refuse("the map " + map.label + " is timed");
        if (map.omp_num_threads > 0) return refuse("the map " + map.label + " says how many threads share it");
        if (map.schedule == ir::Schedule::CPU_Persistent) return refuse("the map " + map.label + " has a team of its own");
        for (const auto& [connector, type] : state.nodes[id].in)
            if (!ir::is_port_in(connector)) return refuse("the range of " + map.label + " reads data");
        if (top && !known_to_all(symbolic::free_symbols(map.range))) return refuse("the range of " + map.label + " reads data");
        if (top && shared_by_team(map) && !combines_inside(state, adjacency, scopes, id, map))
            return refuse("the map " + map.label + " combines values of its threads");
        for (const ir::NodeId child : scopes.children(id)) node(state, adjacency, scopes, child, false);
    }

    /// All private updates of the map are of elements that belong to one iteration of what the threads share.
    bool combines_inside(const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes, ir::NodeId entry,
                         const ir::MapEntry& map) const {
        if (map.private_updates.empty()) return true;
        std::set<std::string> inside;
        const auto shared = static_cast<std::size_t>(std::max<std::int64_t>(map.collapse, 1));
        for (const RepeatedUpdate& update : repeated_updates(sdfg_, state, adjacency, scopes, entry)) {
            if (update.level < shared) return false;
            inside.insert(state.edges[update.leaves[0]].memlet.data);
        }
        return std::ranges::all_of(map.private_updates, [&](const std::string& data) { return inside.contains(data); });
    }

    void container(const ir::Access& access) {
        const std::string name(ir::root_name(access.data));
        const ir::Container* container = sdfg_.containers.find(name);
        if (!container || name != access.data) return refuse("`" + access.data + "` is part of a structure");
        const auto* array = std::get_if<ir::Array>(&container->kind);
        const bool plain = array || std::holds_alternative<ir::Scalar>(container->kind);
        if (!plain || container->binding != ir::Binding::Own) return refuse("`" + name + "` is no array or scalar of its own");
        if (!container->transient) return;
        if (container->storage == ir::Storage::CPU_ThreadLocal) return refuse("each thread has a `" + name + "` of its own");
        if (array && sized_by_assigned(*container, *array)) return refuse("the size of `" + name + "` depends on what is assigned");
        const auto found = scopes_.find(name);
        if (found == scopes_.end() || found->second.level == AllocationScope::Level::Sdfg) return;
        if (found->second.level == AllocationScope::Level::State) return refuse("`" + name + "` is allocated in a state");
        const bool constant = array && std::ranges::all_of(container->shape, [](const symbolic::Expr& extent) {
                                  return extent.constant().has_value();
                              });
        if (array && !(constant && container->storage == ir::Storage::Register))
            refuse("`" + name + "` is allocated on the heap in a map");
    }

    bool sized_by_assigned(const ir::Container& container, const ir::Array& array) const {
        std::set<std::string> names = symbolic::free_symbols(array.total_size);
        for (const symbolic::Expr& extent : container.shape) names.merge(symbolic::free_symbols(extent));
        return std::ranges::any_of(assigned_, [&](const std::string& symbol) { return names.contains(symbol); });
    }

    const ir::Sdfg& sdfg_;
    std::set<std::string> counted_;
    std::vector<std::string> assigned_;
    std::map<std::string, AllocationScope> scopes_;
};

}  // namespace

std::string why_no_team(const ir::Sdfg& sdfg, const ir::LoopRegion& loop) {
    Inspection inspection(sdfg);
    inspection.loop(loop);
    return inspection.why;
}

std::vector<std::string> allocated_inside(const ir::Sdfg& sdfg, const ir::LoopRegion& loop) {
    std::set<const ir::State*> states;
    ir::for_each_state(loop.body, [&](const ir::State& state) { states.insert(&state); });
    std::vector<std::string> names;
    for (const auto& [name, scope] : allocation_scopes(sdfg))
        if (scope.level == AllocationScope::Level::State && states.contains(scope.state)) names.push_back(name);
    return names;
}

bool shared_by_team(const ir::MapEntry& map) {
    return map.schedule == ir::Schedule::CPU_Multicore && !map.unroll && map.omp_if != symbolic::boolean(false);
}

}  // namespace sluice::analysis
