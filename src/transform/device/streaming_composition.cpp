// StreamingComposition: what one map hands to another by off-chip memory goes through a stream.
//     map i { t -> A[i] } -> A -> map j { A[j] -> u }   ->   map i { t -> S }   S -> map j { S -> u }
// The two maps become processing elements that run at the same time. C1 a transient in off-chip memory is written by one map and
// read by another, and nothing else uses it. C2 each writes, or reads, one element in each point of maps that run in order. C3 they
// come to the same places in the same order, and to none twice. C4 without the array nothing joins the two maps, be it a stream
// or memory that one of them writes: elements that two ways join could wait for each other, and memory would be used in no order.
// C5 the stream has room for an element.
#include <algorithm>
#include <map>

#include "analysis/legality/within.h"
#include "analysis/sections.h"
#include "ir/query.h"
#include "rewrite/edit.h"
#include "transform/device/streaming.h"
#include "transform/ordering.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

struct Composition {
    std::string data;
    Walk writer, reader;
};

/// Is each parameter an index by itself, so that no two points come to one place?
bool visits_once(const Walk& walk) {
    return std::ranges::all_of(walk.params, [&](const std::string& param) {
        return std::ranges::any_of(
            walk.place.dims, [&](const symbolic::Range& range) { return range.begin.is_symbol() && range.begin.name() == param; });
    });
}

/// The reader's walk in terms of the writer's parameters is the writer's.
bool same_walk(const Walk& writer, const Walk& reader) {
    if (writer.params.size() != reader.params.size() || writer.place.dims.size() != reader.place.dims.size()) return false;
    symbolic::Substitution renamed;
    for (std::size_t d = 0; d < writer.params.size(); ++d) renamed.emplace(reader.params[d], symbolic::symbol(writer.params[d]));
    const auto same = [&](const symbolic::Range& a, const symbolic::Range& b) {
        return a.begin == symbolic::substitute(b.begin, renamed) && a.end == symbolic::substitute(b.end, renamed) &&
               a.step == symbolic::substitute(b.step, renamed);
    };
    return std::ranges::equal(writer.ranges, reader.ranges, same) &&
           std::ranges::equal(writer.place.dims, reader.place.dims, [&](const symbolic::Range& a, const symbolic::Range& b) {
               return a.begin == symbolic::substitute(b.begin, renamed);
           });
}

/// Does anything but the access node join the two, directly or through other components and the streams between them?
bool joined_otherwise(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view, ir::NodeId without,
                      ir::NodeId one, ir::NodeId other) {
    const auto numbers =
        analysis::joined_by_streams(sdfg, state, view.adjacency, view.scopes, [&](ir::NodeId node) { return node == without; });
    return numbers.at(one) == numbers.at(other);
}

/// Memory besides `without` that the components of both maps access and one of them writes: its accesses would be in no order.
std::string shared_memory(const rewrite::Site& site, ir::NodeId without, ir::NodeId one, ir::NodeId other) {
    const rewrite::StateView& view = site.view();
    const auto parts =
        analysis::components(site.state(), view.adjacency, view.scopes, [&](ir::NodeId node) { return node == without; });
    std::map<ir::NodeId, std::size_t> part_of;
    for (std::size_t at = 0; at < parts.size(); ++at)
        for (const ir::NodeId node : parts[at]) part_of[node] = at;
    const auto lies_with = [&](const Event& event, ir::NodeId map) {
        const auto part = part_of.find(event.start);
        return part != part_of.end() && part->second == part_of.at(map);
    };
    const Ordering ordering(site.sdfg(), site.state());
    const symbolic::Assumptions known = site.assumptions();
    const auto apart = [&](const Event& first, const Event& second) {
        return first.subset && second.subset && analysis::lies_apart(*first.subset, *second.subset, first.data, known).yes();
    };
    for (const Event& first : ordering.events())
        for (const Event& second : ordering.events())
            if (lies_with(first, one) && lies_with(second, other) && may_conflict(first, second, known) && !apart(first, second))
                return first.data;
    return {};
}

rewrite::Planned<Composition> plan_streaming_composition(const rewrite::Site& site) {
    const ir::Sdfg& sdfg = site.sdfg();
    const ir::State& state = site.state();
    const rewrite::StateView& view = site.view();
    const ir::NodeId writer = site.node("writer"), memory = site.node("memory"), reader = site.node("reader");
    Composition plan;
    plan.data = std::get<ir::Access>(state.nodes[memory].kind).data;
    const auto refuse = [&](const char* code, const std::string& why) {
        return Refusal{.code = code, .why = why, .nodes = {writer, memory, reader}};
    };
    if (site.integer("buffer_size") < 1) return refuse("C5", "a stream on the chip has room for one element or more");
    const ir::Container* container = sdfg.containers.find(plan.data);
    if (!is_off_chip(sdfg, state, plan.data) || !container->transient)
        return refuse("C1", "`" + plan.data + "` is no transient in off-chip memory of a kernel");
    if (view.adjacency.in(memory).size() != 1 || view.adjacency.out(memory).size() != 1 ||
        rewrite::count_accesses(sdfg, plan.data) != 1 || rewrite::used_in_control(sdfg, plan.data) ||
        view.scopes.parent(memory).valid())
        return refuse("C1", "`" + plan.data + "` is used elsewhere, too");
    for (const bool reads : {false, true}) {
        const ir::EdgeId edge = reads ? view.adjacency.out(memory)[0] : view.adjacency.in(memory)[0];
        const auto leaves = rewrite::memlet_leaves(state, view.adjacency, edge);
        if (leaves.size() != 1)
            return refuse("C2", "`" + plan.data + "` is accessed " + std::to_string(leaves.size()) + " times in each point");
        auto walk = walk_at(state, view, leaves[0]);
        if (const auto* why = std::get_if<std::string>(&walk)) return refuse("C2", *why);
        (reads ? plan.reader : plan.writer) = std::get<Walk>(std::move(walk));
    }
    if (!same_walk(plan.writer, plan.reader))
        return refuse("C3", "the maps come to the elements of `" + plan.data + "` in different orders");
    if (!visits_once(plan.writer)) return refuse("C3", "several points come to one element of `" + plan.data + "`");
    if (joined_otherwise(sdfg, state, view, memory, plan.writer.entries.front(), plan.reader.entries.front()))
        return refuse("C4", "something besides `" + plan.data + "` joins the two maps; StreamingMemory may take it apart");
    if (const std::string data = shared_memory(site, memory, plan.writer.entries.front(), plan.reader.entries.front());
        !data.empty())
        return refuse("C4", "both maps use `" + data + "`, which one of them writes; StreamingMemory may take it apart");
    return plan;
}

void apply_streaming_composition(rewrite::Draft& draft, const Composition& plan) {
    const std::string stream =
        add_pipe(draft.sdfg(), plan.data, draft.before().text("prefix"), draft.before().integer("buffer_size"));
    walk_through(draft.state(), plan.writer, stream, false);
    walk_through(draft.state(), plan.reader, stream, true);
    draft.sdfg().containers.erase(plan.data);
}

}  // namespace

rewrite::Transformation streaming_composition() {
    return rewrite::transformation(
        {.name = "StreamingComposition",
         .summary = "Lets one map hand its results to another through a stream, instead of off-chip memory.",
         .drawing = "map i { t -> A[i] } -> A -> map j { A[j] -> u }   ->   map i { t -> S }   S -> map j { S -> u }",
         .decided_by = {.structural = "Both maps run in order and come to the same places one after the other; the components that "
                                      "streams join stay a forest, in which nobody waits in a circle."},
         .patterns = {rewrite::chain(
             {{"writer", rewrite::kind::map_exit}, {"memory", rewrite::kind::access}, {"reader", rewrite::kind::map_entry}})},
         .conditions = {{"C1",
                         "a transient in off-chip memory is written by one map and read by another, and nothing else uses it"},
                        {"C2", "each writes, or reads, one element in each point of maps that run in order"},
                        {"C3", "they come to the same places in the same order, and to none twice"},
                        {"C4", "without the array nothing joins the two maps, be it a stream or memory that one of them writes"},
                        {"C5", "the stream has room for an element"}},
         .parameters = {{"buffer_size", std::int64_t{16}, "Elements for which the stream has room."},
                        {.name = "prefix",
                         .default_value = std::string("stream_"),
                         .help = "The stream's name begins with it.",
                         .begins_names = true}}},
        plan_streaming_composition, apply_streaming_composition);
}

}  // namespace sluice::transform
