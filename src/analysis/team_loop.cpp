#include "analysis/team_loop.h"

#include <algorithm>
#include <set>

#include "analysis/counted_loops.h"
#include "analysis/dependences/builder.h"
#include "analysis/lanes.h"
#include "analysis/liveness.h"
#include "analysis/loop_range.h"
#include "analysis/unchanged.h"
#include "analysis/updates.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/walk.h"

namespace sluice::analysis {

namespace {

/// What is asked of a whole graph for each of its loops.
struct Facts {
    std::set<std::string> counted;
    std::vector<std::string> assigned;
    std::map<std::string, AllocationScope> scopes;
};

Facts facts_of(const ir::Sdfg& sdfg) {
    thread_local OfUnchanged<Facts> latest;
    return latest.of(sdfg, [&] { return Facts{counted_variables(sdfg), ir::assigned_symbols(sdfg), allocation_scopes(sdfg)}; });
}

/// Looks through a loop for what a team cannot run.
class Inspection {
public:
    explicit Inspection(const ir::Sdfg& sdfg) : sdfg_(sdfg), facts_(facts_of(sdfg)) {}

    void loop(const ir::LoopRegion& loop) {
        if (returns(loop.body)) return refuse("something in it returns");
        header(loop);
        region(loop.body);
    }
    std::string why;

private:
    void refuse(std::string reason) {
        if (why.empty()) why = std::move(reason);
    }
    static bool returns(const ir::Region& region) {
        return ir::any_block(region, [](const ir::Block& block) { return std::holds_alternative<ir::ReturnBlock>(block.kind); });
    }

    /// All threads find the same values under the names: symbols, of which each keeps its own, and memory that they share and read
    /// while nobody writes.
    void asked_by_all(const std::set<std::string>& names) {
        for (const std::string& name : names)
            if (sdfg_.containers.contains(std::string(ir::root_name(name)))) container(name);
    }

    void asked_by_all(const std::string& text) {
        if (text.empty()) return;
        const auto parsed = ir::parsed_expr(text);
        if (!parsed.ok()) return refuse("`" + text + "` is no expression");
        asked_by_all(ir::free_names(**parsed));
    }

    void header(const ir::LoopRegion& loop) {
        if (const auto range = range_before(sdfg_, loop);
            range && !loop.variable.empty() && facts_.counted.contains(loop.variable)) {
            if (!range->step.constant()) refuse("its step is not a number");
            return asked_by_all(symbolic::free_symbols(*range));
        }
        for (const std::optional<ir::CodeBlock>* statement : {&loop.init, &loop.update})
            if (*statement)
                if (const auto parsed = ir::parsed_body(**statement); parsed.ok()) asked_by_all(ir::free_names(*parsed));
        if (loop.condition) asked_by_all(loop.condition->text);
    }

    void region(const ir::Region& region) {
        if (!straight_line(region)) return refuse("its blocks follow one another by conditions");
        for (auto [id, transition] : region.transitions)
            for (const auto& [symbol, value] : transition.assignments) asked_by_all(value);
        for (auto [id, block] : region.blocks)
            std::visit(code::Overloaded{
                           [&](const Cow<ir::State>& state) { this->state(*state); },
                           [&](const ir::LoopRegion& loop) {
                               header(loop);
                               this->region(loop.body);
                           },
                           [&](const ir::ConditionalBlock& conditional) {
                               for (const ir::Branch& branch : conditional.branches) {
                                   if (branch.condition) asked_by_all(branch.condition->text);
                                   this->region(branch.body);
                               }
                           },
                           [&](const ir::NamedRegion& named) { this->region(named.body); },
                           [](const auto&) {},
                       },
                       block.kind);
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
                       [&](const ir::Access& access) { container(access.data); },
                       [&](const ir::Tasklet& tasklet) {
                           if (!only_assigns(tasklet) || tasklet.instrument != ir::Instrumentation::No_Instrumentation)
                               refuse("the tasklet " + tasklet.label + " may fail or does more than assign");
                       },
                       [&](const ir::MapEntry& map) { this->map(state, adjacency, scopes, id, map, top); },
                       [](const ir::MapExit&) {},
                       [&](const ir::NestedSdfg& nested) { call(nested); },
                       [&](const ir::LibraryNode& operation) {
                           refuse("the library that " + operation.label + " calls may run out of memory");
                       },
                       [&](const auto&) { refuse("it holds consume scopes"); },
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
        if (top && reads_data(symbolic::free_symbols(map.range))) return refuse("the range of " + map.label + " reads data");
        for (const ir::NodeId child : scopes.children(id)) node(state, adjacency, scopes, child, false);
    }

    bool reads_data(const std::set<std::string>& names) const {
        return std::ranges::any_of(
            names, [&](const std::string& name) { return sdfg_.containers.contains(std::string(ir::root_name(name))); });
    }

    /// One thread calls, or each for its share of a map: what is called may neither fail nor keep anything.
    void call(const ir::NestedSdfg& nested) {
        if (nested.instrument != ir::Instrumentation::No_Instrumentation || nested.sdfg->instrument != nested.instrument)
            return refuse("the call of " + nested.label + " is timed");
        if (!cannot_fail(*nested.sdfg)) refuse("the call of " + nested.label + " may fail, or allocates memory");
    }

    static bool cannot_fail(const ir::Sdfg& sdfg) {
        const auto plain = [](const auto& entry) {
            const ir::Container& container = entry.second;
            const bool array = std::holds_alternative<ir::Array>(container.kind);
            if (!array && !std::holds_alternative<ir::Scalar>(container.kind)) return false;
            if (!container.transient || container.binding != ir::Binding::Own) return true;
            const bool small = container.storage == ir::Storage::Register && constant_size(container);
            const bool on_stack = small || (!array && container.storage == ir::Storage::Default);
            return on_stack && container.lifetime != ir::Lifetime::Persistent && container.lifetime != ir::Lifetime::External &&
                   container.lifetime != ir::Lifetime::Global;
        };
        if (!std::ranges::all_of(sdfg.containers, plain)) return false;
        bool fails = false;
        ir::for_each_state(sdfg.body, [&](const ir::State& state) {
            fails = fails || state.instrument != ir::Instrumentation::No_Instrumentation ||
                    std::ranges::any_of(state.nodes, [](const auto& entry) { return may_fail(entry.second); });
        });
        return !fails;
    }

    static bool may_fail(const ir::Node& node) {
        if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind))
            return !only_assigns(*tasklet) || tasklet->instrument != ir::Instrumentation::No_Instrumentation;
        if (const auto* map = std::get_if<ir::MapEntry>(&node.kind))
            return map->instrument != ir::Instrumentation::No_Instrumentation;
        if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) return !cannot_fail(*nested->sdfg);
        return !std::holds_alternative<ir::Access>(node.kind) && !std::holds_alternative<ir::MapExit>(node.kind);
    }

    static bool constant_size(const ir::Container& container) {
        return std::ranges::all_of(container.shape, [](const symbolic::Expr& extent) { return extent.constant().has_value(); });
    }

    void container(const std::string& data) {
        const std::string name(ir::root_name(data));
        const ir::Container* container = sdfg_.containers.find(name);
        if (!container || name != data) return refuse("`" + data + "` is part of a structure");
        const auto* array = std::get_if<ir::Array>(&container->kind);
        const bool plain = array || std::holds_alternative<ir::Scalar>(container->kind);
        if (!plain || container->binding != ir::Binding::Own) return refuse("`" + name + "` is no array or scalar of its own");
        if (!container->transient) return;
        if (container->storage == ir::Storage::CPU_ThreadLocal) return refuse("each thread has a `" + name + "` of its own");
        if (array && sized_by_assigned(*container, *array)) return refuse("the size of `" + name + "` depends on what is assigned");
        const auto found = facts_.scopes.find(name);
        if (found == facts_.scopes.end() || found->second.level == AllocationScope::Level::Sdfg) return;
        if (found->second.level == AllocationScope::Level::State) return refuse("`" + name + "` is allocated in a state");
        if (array && !(constant_size(*container) && container->storage == ir::Storage::Register))
            refuse("`" + name + "` is allocated on the heap in a map");
    }

    bool sized_by_assigned(const ir::Container& container, const ir::Array& array) const {
        std::set<std::string> names = symbolic::free_symbols(array.total_size);
        for (const symbolic::Expr& extent : container.shape) names.merge(symbolic::free_symbols(extent));
        return std::ranges::any_of(facts_.assigned, [&](const std::string& symbol) { return names.contains(symbol); });
    }

    const ir::Sdfg& sdfg_;
    Facts facts_;
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
    for (const auto& [name, scope] : facts_of(sdfg).scopes)
        if (scope.level == AllocationScope::Level::State && states.contains(scope.state)) names.push_back(name);
    return names;
}

bool shared_by_team(const ir::MapEntry& map) {
    return map.schedule == ir::Schedule::CPU_Multicore && !map.unroll && map.omp_if != symbolic::boolean(false);
}

}  // namespace sluice::analysis
