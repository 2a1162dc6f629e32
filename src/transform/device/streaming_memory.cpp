// StreamingMemory: a processing element of its own reads, or writes, off-chip memory for a map.
//     A -> map i { A[i] -> t }   ->   A -> map i { A[i] -> S }   S -> map i { S -> t }
// What each point of the maps reads comes out of a stream, in the order in which the points run; a map with the same points fills
// the stream (and the other way round for what is written). A bounded stream and one more component of the state: a leaf among
// those that streams join, so that nobody waits in a circle. M1 an array in off-chip memory goes into a map, or comes out of one,
// in a kernel of an FPGA. M2 tasklets access one element in each point of maps that run in order. M3 nothing else in the state
// writes the array or, if it is written, uses it. M4 the stream has room for an element.
#include <algorithm>

#include "ir/builder.h"
#include "rewrite/edit.h"
#include "transform/device/streaming.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

struct Streaming {
    std::string data;
    bool reads = true;
    std::vector<Walk> walks;
};

rewrite::Planned<Streaming> plan_streaming_memory(const rewrite::Site& site) {
    const ir::State& state = site.state();
    const rewrite::StateView& view = site.view();
    Streaming plan;
    plan.reads = site.match().pattern == 0;
    if (site.integer("buffer_size") < 1)
        return Refusal{.code = "M4", .why = "a stream on the chip has room for one element or more"};
    const ir::NodeId access = site.node("memory"), scope = site.node("map");
    plan.data = std::get<ir::Access>(state.nodes[access].kind).data;
    if (!is_off_chip(site.sdfg(), state, plan.data) || view.scopes.parent(access).valid())
        return Refusal{.code = "M1", .why = "`" + plan.data + "` is no array in off-chip memory of a kernel", .nodes = {access}};
    for (const ir::EdgeId edge : plan.reads ? view.adjacency.out(access) : view.adjacency.in(access)) {
        if ((plan.reads ? state.edges[edge].dst : state.edges[edge].src) != scope) continue;
        for (const ir::EdgeId leaf : rewrite::memlet_leaves(state, view.adjacency, edge)) {
            auto walk = walk_at(state, view, leaf);
            if (const auto* why = std::get_if<std::string>(&walk))
                return Refusal{.code = "M2", .why = *why, .nodes = {access, scope}};
            plan.walks.push_back(std::get<Walk>(std::move(walk)));
        }
    }
    if (plan.walks.empty() || (!plan.reads && plan.walks.size() > 1))
        return Refusal{
            .code = "M2", .why = "`" + plan.data + "` is written at several places in each point", .nodes = {access, scope}};
    for (auto [id, node] : state.nodes) {
        const auto* other = std::get_if<ir::Access>(&node.kind);
        if (!other || other->data != plan.data) continue;
        const bool written = !view.adjacency.in(id).empty(), read = !view.adjacency.out(id).empty();
        const bool own_write = !plan.reads && id == access && view.adjacency.in(id).size() == 1;
        if ((written && !own_write) || (read && !plan.reads))
            return Refusal{
                .code = "M3",
                .why = "`" + plan.data + "` is " + (written ? "written" : "read") + " in the same state, at another time",
                .nodes = {access, id}};
    }
    return plan;
}

/// The map that walks over the memory for somebody else.
void add_walker(ir::State& state, const Streaming& plan, const Walk& walk, const std::string& stream) {
    ir::StateBuilder builder(state);
    ir::MapRanges ranges;
    for (std::size_t d = 0; d < walk.params.size(); ++d) ranges.emplace_back(walk.params[d], walk.ranges[d]);
    const auto [entry, exit] = builder.map((plan.reads ? "read_" : "write_") + plan.data, ranges, ir::Schedule::FPGA_Device);
    ir::Memlet element = ir::memlet(plan.data, walk.place), queued = ir::memlet(stream, symbolic::Subset::indices({0}));
    const ir::NodeId memory = builder.access(plan.data), pipe = builder.access(stream);
    const ir::NodeId tasklet = builder.tasklet(plan.reads ? "push" : "pop", {{"value", {}}}, {{"element", {}}}, "element = value");
    builder.memlet_path({plan.reads ? memory : pipe, entry, tasklet}, "", "value", plan.reads ? element : queued);
    builder.memlet_path({tasklet, exit, plan.reads ? pipe : memory}, "element", "", plan.reads ? queued : element);
}

void apply_streaming_memory(rewrite::Draft& draft, const Streaming& plan) {
    for (const Walk& walk : plan.walks) {
        const std::string stream =
            add_pipe(draft.sdfg(), plan.data, draft.before().text("prefix"), draft.before().integer("buffer_size"));
        walk_through(draft.state(), walk, stream, plan.reads);
        add_walker(draft.state(), plan, walk, stream);
    }
}

}  // namespace

rewrite::Transformation streaming_memory() {
    return rewrite::transformation(
        {.name = "StreamingMemory",
         .summary = "Lets a processing element of its own read or write off-chip memory, through a stream.",
         .drawing = "A -> map i { A[i] -> t }   ->   A -> map i { A[i] -> S }   S -> map i { S -> t }",
         .decided_by = {.structural = "A map that runs in order visits the same places in the same order, and nothing else in the "
                                      "state writes there."},
         .patterns = {rewrite::chain({{"memory", rewrite::kind::access}, {"map", rewrite::kind::map_entry}}),
                      rewrite::chain({{"map", rewrite::kind::map_exit}, {"memory", rewrite::kind::access}})},
         .conditions = {{"M1", "an array in off-chip memory goes into a map, or comes out of one, in a kernel of an FPGA"},
                        {"M2", "tasklets access one element in each point of maps that run in order"},
                        {"M3", "nothing else in the state writes the array or, if it is written, uses it"},
                        {"M4", "the stream has room for an element"}},
         .parameters = {{"buffer_size", std::int64_t{16}, "Elements for which the stream has room."},
                        {.name = "prefix",
                         .default_value = std::string("stream_"),
                         .help = "The stream's name begins with it.",
                         .begins_names = true}}},
        plan_streaming_memory, apply_streaming_memory);
}

}  // namespace sluice::transform
