#include "rewrite/step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "analysis/lanes.h"
#include "analysis/loop_range.h"
#include "analysis/propagate.h"
#include "analysis/updates.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/verify.h"
#include "ir/walk.h"
#include "rewrite/aliases.h"
#include "rewrite/edit.h"

namespace sluice::rewrite {

namespace {

using Clock = std::chrono::steady_clock;

Options completed(const Transformation& transformation, const Options& options) {
    return complete(transformation.descriptor.name, transformation.descriptor.parameters, options).or_fail();
}

/// Symbols that have a value where the match lies: around its nodes, not inside of them.
std::set<std::string> symbols_around(const ir::Sdfg& root, const Match& match) {
    const ir::Sdfg& sdfg = sdfg_at(root, match.place);
    std::set<std::string> names;
    for (const auto& [name, type] : sdfg.symbols) names.insert(name);
    for (const auto& [name, constant] : sdfg.constants) names.insert(name);
    for (const std::string& name : ir::assigned_symbols(sdfg)) names.insert(name);
    if (match.nodes.empty()) return names;
    const ir::State& state = state_at(root, match.place);
    const StateView view(state);
    ir::NodeId at = match.nodes.front();
    if (const auto* exit = std::get_if<ir::MapExit>(&state.nodes[at].kind)) at = exit->entry;
    for (at = view.scopes.parent(at); at.valid(); at = view.scopes.parent(at)) {
        if (const auto* map = std::get_if<ir::MapEntry>(&state.nodes[at].kind))
            names.insert(map->params.begin(), map->params.end());
        if (const auto* consume = std::get_if<ir::ConsumeEntry>(&state.nodes[at].kind)) names.insert(consume->pe_index);
        for (const auto& [connector, type] : state.nodes[at].in)
            if (!ir::is_port_in(connector)) names.insert(connector);
    }
    return names;
}

/// Expressions among the options are over symbols that have a value there: E002.
void check_symbols(const ir::Sdfg& root, const Descriptor& descriptor, const Match& match, const Options& options) {
    std::optional<std::set<std::string>> known;
    const auto check = [&](const std::string& parameter, const symbolic::Expr& expression) {
        for (const std::string& name : symbolic::free_symbols(expression)) {
            if (!known) known = symbols_around(root, match);
            if (known->contains(name)) continue;
            fail({.code = "E002",
                  .message = fmt::format("{}: {} uses {}, which is no symbol there", descriptor.name, parameter, name),
                  .where = {},
                  .path = to_string(root, match.place),
                  .remedy = known->empty() ? "use numbers: there are no symbols"
                                           : fmt::format("use numbers and the symbols {}", fmt::join(*known, ", ")),
                  .notes = {}});
        }
    };
    for (const auto& [name, value] : options) {
        if (const auto* one = std::get_if<symbolic::Expr>(&value)) check(name, *one);
        if (const auto* list = std::get_if<std::vector<symbolic::Expr>>(&value))
            for (const symbolic::Expr& each : *list) check(name, each);
    }
}

Refusal stale(const Descriptor& descriptor) {
    return {.code = "stale", .why = "the program no longer holds this match of " + descriptor.name};
}

/// What is known in the region of a place: of the SDFG, and of the loops around.
symbolic::Assumptions known_in_region(const ir::Sdfg& program, const Place& place, Views& views) {
    symbolic::Assumptions known = views.known(program, place);
    const ir::Region* region = &sdfg_at(program, place).body;
    for (const RegionStep& step : place.regions) {
        const ir::Block& block = region->blocks[step.block];
        if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind))
            if (const auto range = analysis::loop_range(*loop)) analysis::assume_in(known, loop->variable, *range);
        region = bodies(block)[step.branch];
    }
    return known;
}

/// Has a container another layout, or a symbol another meaning, so that memlets all over the SDFG may be others?
bool redeclares(const ir::Sdfg& before, const ir::Sdfg& after) {
    if (before.symbols != after.symbols || !(before.constants == after.constants)) return true;
    if (before.containers.shares(after.containers)) return false;
    return std::ranges::any_of(before.containers, [&](const auto& entry) {
        const ir::Container* now = after.containers.find(entry.first);
        return now && !(now->shape == entry.second.shape && now->kind == entry.second.kind);
    });
}

std::size_t node_count(const ir::Region& region) {
    std::size_t count = 0;
    ir::for_each_state(region, [&](const ir::State& state) { count += state.nodes.size(); });
    return count;
}

/// The memlets that depend on what was edited; the number of nodes that were looked at.
std::size_t propagate_changes(const ir::Sdfg& before, ir::Sdfg& draft, const Changes& changes, Views& views) {
    std::size_t nodes = 0;
    std::set<std::vector<NestedStep>> whole;
    const ir::Sdfg& read = draft;
    const auto propagate_graph = [&](const Place& place) {
        if (!whole.insert(place.nested).second) return;
        nodes += node_count(sdfg_at(read, place).body);
        analysis::propagate_memlets(sdfg_at(draft, place), views.known(read, place));
    };
    for (const Place& place : changes.declarations) {
        const ir::Sdfg *was = find_sdfg(before, place), *is = find_sdfg(read, place);
        if (was && is && redeclares(*was, *is)) propagate_graph(place);
    }
    for (const RegionChange& change : changes.regions) {
        const ir::Region* region = find_region(read, change.place);
        if (!region) continue;
        for (const ir::BlockId id : change.blocks)
            if (region->blocks.contains(id) && std::holds_alternative<ir::LoopRegion>(region->blocks[id].kind))
                propagate_graph({.nested = change.place.nested, .regions = {}, .state = {}});
    }
    // Callers first: what is handed on to a call may make other states of the called.
    std::vector<const StateChange*> outside_in;
    for (const StateChange& change : changes.states) outside_in.push_back(&change);
    std::ranges::stable_sort(outside_in, {}, [](const StateChange* change) { return change->place.nested.size(); });
    for (const StateChange* each : outside_in) {
        const StateChange& change = *each;
        if (whole.contains(change.place.nested) || !find_state(read, change.place)) continue;
        const symbolic::Assumptions known = known_in_region(read, change.place, views);
        ir::State& state = state_at(draft, change.place);
        const StateView& view = views.of(state);
        nodes += analysis::propagate_memlets(sdfg_at(read, change.place), state, known, view.adjacency, view.scopes, change.nodes);
    }
    return nodes;
}

/// Maps around the nodes, themselves included, that say something about how their body is run.
std::set<ir::NodeId> decided_maps(const ir::State& state, const StateView& view, std::span<const ir::NodeId> nodes) {
    std::set<ir::NodeId> maps;
    for (const ir::NodeId id : nodes) {
        if (!state.nodes.contains(id)) continue;
        for (ir::NodeId at = ir::is_entry(state.nodes[id]) ? id : view.scopes.parent(id); at.valid(); at = view.scopes.parent(at)) {
            const auto* map = std::get_if<ir::MapEntry>(&state.nodes[at].kind);
            if (map && (map->simd || !map->private_updates.empty())) maps.insert(at);
        }
    }
    return maps;
}

/// Decisions that an edit took the ground from are open again: private copies of what a map no longer updates, or now reads as
/// well, and lanes that its body cannot fill.
void reopen_decisions(ir::Sdfg& draft, const Changes& changes, Views& views) {
    const ir::Sdfg& read = draft;
    for (const StateChange& change : changes.states) {
        const ir::State* state = find_state(read, change.place);
        if (!state) continue;
        const StateView& view = views.of(*state);
        const ir::Sdfg& sdfg = sdfg_at(read, change.place);
        for (const ir::NodeId entry : decided_maps(*state, view, change.nodes)) {
            ir::MapEntry map = std::get<ir::MapEntry>(state->nodes[entry].kind);
            const symbolic::Assumptions known = known_in_region(read, change.place, views);
            std::erase_if(map.private_updates, [&](const std::string& data) {
                return !analysis::may_be_private(sdfg, *state, view.adjacency, view.scopes, entry, data, known);
            });
            map.simd = map.simd && analysis::lanes_of(sdfg, *state, view.adjacency, view.scopes, entry).possible();
            if (map == std::get<ir::MapEntry>(state->nodes[entry].kind)) continue;
            state_at(draft, change.place).nodes[entry].kind = std::move(map);
            state = find_state(read, change.place);
        }
    }
}

/// What was touched, by SDFG, as the verifier takes it.
std::vector<ir::Touched> touched_by(const Changes& changes, const ir::Sdfg& program, Views& views) {
    std::map<std::vector<NestedStep>, ir::Touched> graphs;
    const auto graph_of = [&](const Place& place) -> ir::Touched* {
        const Place graph{.nested = place.nested, .regions = {}, .state = {}};
        const ir::Sdfg* sdfg = find_sdfg(program, graph);
        if (!sdfg) return nullptr;
        const auto [at, added] = graphs.try_emplace(place.nested);
        if (!added) return &at->second;
        at->second.sdfg = sdfg;
        at->second.path = program.name;
        if (place.nested.empty()) return &at->second;
        at->second.path += "/" + to_string(program, graph);
        const NestedStep& call = place.nested.back();
        Place around{.nested = {place.nested.begin(), place.nested.end() - 1}, .regions = call.regions, .state = call.state};
        at->second.call = &std::get<ir::NestedSdfg>(state_at(program, around).nodes[call.node].kind);
        return &at->second;
    };
    for (const Place& place : changes.declarations)
        if (ir::Touched* graph = graph_of(place)) graph->declarations = true;
    for (const RegionChange& change : changes.regions) {
        const ir::Region* region = find_region(program, change.place);
        if (!region) continue;
        bool in_loop = false;
        const ir::Region* at = &sdfg_at(program, change.place).body;
        for (const RegionStep& step : change.place.regions) {
            in_loop = in_loop || std::holds_alternative<ir::LoopRegion>(at->blocks[step.block].kind);
            at = bodies(at->blocks[step.block])[step.branch];
        }
        graph_of(change.place)->regions.push_back({region, in_loop, change.blocks, change.transitions});
    }
    for (const StateChange& change : changes.states) {
        const ir::State* state = find_state(program, change.place);
        if (!state) continue;
        const StateView& view = views.of(*state);
        graph_of(change.place)
            ->states.push_back({.state = state,
                                .adjacency = &view.adjacency,
                                .scope_of = [&view](ir::NodeId id) { return view.scopes.parent(id); },
                                .exit_of = [&view](ir::NodeId id) { return view.scopes.exit_of(id); },
                                .label = region_at(program, change.place).blocks[change.place.state].label,
                                .nodes = change.nodes,
                                .edges = change.edges});
    }
    std::vector<ir::Touched> all;
    for (auto& [nested, touched] : graphs) all.push_back(std::move(touched));
    return all;
}

/// `before`: the program that somebody gave to the transformation, whose own problems are not the transformation's.
[[noreturn]] void fail_invalid(const ir::Sdfg& before, const std::string& by, const Diagnostic& problem) {
    for (const Diagnostic& given : ir::verify(before))
        if (given.code == problem.code && given.message == problem.message) fail(given);
    if (problem.code == "V405")
        fail({.code = "E012",
              .message = fmt::format("after {} an index would be known to be out of bounds: {}", by, problem.message),
              .where = problem.where,
              .path = problem.path,
              .remedy = "the program is unchanged; if the code with the index never runs, remove it first",
              .notes = {{problem.code + ": " + problem.remedy}}});
    fail({.code = "E003",
          .message = fmt::format("{} left an invalid graph: {}", by, problem.message),
          .where = problem.where,
          .path = problem.path,
          .remedy = "the program is unchanged; please report this with the program and the recipe",
          .notes = {{problem.code + ": " + problem.remedy}}});
}

/// The points of an FPGA_Device map run in order, and streams rely on it: what changes maps keeps its hands off those that move
/// elements of streams, whatever it knows of memory.
std::optional<Refusal> order_refusal(const Site& site, const Descriptor& descriptor, const std::set<std::string>& assumed) {
    if ((descriptor.group != "map" && descriptor.name != "SetSchedule") || !site.match().place.state.valid() ||
        assumed.contains("order"))
        return std::nullopt;
    const ir::State& state = site.state();
    for (const ir::NodeId node : site.match().nodes) {
        const auto* exit = std::get_if<ir::MapExit>(&state.nodes[node].kind);
        const ir::NodeId entry = exit ? exit->entry : node;
        const auto* map = std::get_if<ir::MapEntry>(&state.nodes[entry].kind);
        if (!map || map->schedule != ir::Schedule::FPGA_Device) continue;
        std::vector<ir::NodeId> inside = nodes_inside(site.view().scopes, entry);
        inside.push_back(entry);
        for (const ir::EdgeId edge : edges_at(state, inside)) {
            const ir::Memlet& memlet = state.edges[edge].memlet;
            const ir::Container* container = memlet.empty() ? nullptr : ir::find_container(site.sdfg(), memlet.data);
            if (container && std::holds_alternative<ir::Stream>(container->kind))
                return Refusal{
                    .code = "order",
                    .why = "the points of map `" + map->label + "` run in order, and stream `" + memlet.data + "` relies on it",
                    .nodes = {entry}};
        }
    }
    return std::nullopt;
}

}  // namespace

Result<Done> verify_whole(const ir::Sdfg& before, const ir::Sdfg& program, const std::string& by) {
    return capture([&] {
        const std::vector<Diagnostic> problems = ir::verify(program);
        if (!problems.empty()) fail_invalid(before, by, problems.front());
        return Done{};
    });
}

Result<Planned<Plan>> Engine::plan(const ir::Sdfg& program, const Transformation& transformation, const Match& match,
                                   const Options& options, const std::set<std::string>& assumed) {
    return capture([&]() -> Planned<Plan> {
        const Descriptor& descriptor = transformation.descriptor;
        const Options all = completed(transformation, options);
        if (!still_matches(program, descriptor, match, views)) return stale(descriptor);
        check_symbols(program, descriptor, match, all);
        ++effort.planned;
        const std::optional<ir::Sdfg> declared = with_aliases_declared(program, match.place);
        Views of_declared;
        const Site site(declared ? *declared : program, descriptor, match, all, declared ? of_declared : views, assumed);
        if (auto refusal = order_refusal(site, descriptor, assumed)) return std::move(*refusal);
        return transformation.plan(site);
    });
}

Result<Outcome> Engine::apply(ir::Sdfg& program, const Transformation& transformation, std::shared_ptr<const Descriptor> descriptor,
                              const Match& match, const Options& options, const std::set<std::string>& assumed) {
    return capture([&]() -> Outcome {
        const auto start = Clock::now();
        Options all = completed(transformation, options);
        if (!still_matches(program, *descriptor, match, views)) return stale(*descriptor);
        check_symbols(program, *descriptor, match, all);
        ++effort.planned;
        const std::optional<ir::Sdfg> declared = with_aliases_declared(program, match.place);
        const ir::Sdfg before = declared ? *declared : program;
        Views of_declared;
        const Site site(before, *descriptor, match, all, declared ? of_declared : views, assumed);
        if (auto refusal = order_refusal(site, *descriptor, assumed)) return std::move(*refusal);
        auto planned = transformation.plan(site);
        if (auto* refusal = std::get_if<Refusal>(&planned)) return std::move(*refusal);
        ir::Sdfg copy = before;
        Draft draft(site, copy);
        const Plan& plan = std::get<Plan>(planned);
        transformation.apply(draft, plan);
        try {
            settle(program, copy, descriptor->name);
        } catch (...) {
            views.clear();
            throw;
        }
        for (const auto& [name, chosen] : plan.options())
            if (!options.contains(name)) all.insert_or_assign(name, chosen);
        Applied applied{.descriptor = std::move(descriptor), .match = match, .options = all, .assumed = assumed};
        applied.forwarded = draft.forwarded();
        applied.before = std::move(program);
        program = std::move(copy);
        applied.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        return applied;
    });
}

void Engine::settle(const ir::Sdfg& before, ir::Sdfg& draft, const std::string& by) {
    ++effort.applied;
    const Changes edited = changes_between(before, draft);
    for (const StateChange& change : edited.states) {
        const ir::State *was = find_state(before, change.place), *is = find_state(draft, change.place);
        if (!change.place.nested.empty() && was) views.forget(*was);  // Propagation may make another state of what is called.
        if (change.place.nested.empty() && is) state_at(draft, change.place);  // From here on it stays where it is.
    }
    views.follow(before, draft, edited);
    effort.propagated += propagate_changes(before, draft, edited, views);
    reopen_decisions(draft, edited, views);
    changes = changes_between(before, draft);
    views.follow(before, draft, changes);
    effort.touched += changes.elements();
    for (const ir::Touched& touched : touched_by(changes, draft, views)) {
        const std::vector<Diagnostic> problems = ir::verify(touched, &effort.verified);
        if (!problems.empty()) fail_invalid(before, by, problems.front());
    }
    if (verify_everything) {
        verify_whole(before, draft, by).or_fail();
        views.check_followed(draft, changes);
    }
    effort.indexed = views.indexed;
}

}  // namespace sluice::rewrite
