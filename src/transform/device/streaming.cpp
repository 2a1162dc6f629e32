#include "transform/device/streaming.h"

#include <algorithm>
#include <string_view>

#include "ir/builder.h"
#include "ir/port.h"
#include "ir/query.h"
#include "rewrite/edit.h"
#include "support/words.h"
#include "target/fpga.h"

namespace sluice::transform {

namespace {

/// Whether the code takes an element of the connector by an index, `x[0]`, which no stream has.
bool indexes(std::string_view code, std::string_view connector) {
    for (const std::string_view word : words_in(code)) {
        if (word != connector) continue;
        const std::size_t behind = code.find_first_not_of(' ', static_cast<std::size_t>(word.data() - code.data()) + word.size());
        if (behind != std::string_view::npos && code[behind] == '[') return true;
    }
    return false;
}

}  // namespace

std::variant<Walk, std::string> walk_at(const ir::State& state, const rewrite::StateView& view, ir::EdgeId leaf) {
    Walk walk;
    walk.leaf = leaf;
    const ir::Edge& edge = state.edges[leaf];
    const bool reads = std::holds_alternative<ir::Tasklet>(state.nodes[edge.dst].kind);
    const ir::NodeId tasklet = reads ? edge.dst : edge.src;
    if (!std::holds_alternative<ir::Tasklet>(state.nodes[tasklet].kind))
        return "`" + ir::label_of(state, tasklet) + "` accesses it and is no tasklet";
    const ir::Memlet& memlet = edge.memlet;
    const std::string what = "tasklet `" + ir::label_of(state, tasklet) + "` ";
    const bool one = memlet.subset && std::ranges::all_of(memlet.subset->dims, [](const symbolic::Range& range) {
                         return symbolic::num_elements(range).is_integer(1);
                     });
    if (!one || memlet.dynamic || memlet.other_subset) return what + "does not access one element that its memlet names";
    if (memlet.wcr) return what + "resolves conflicts in it";
    if (indexes(std::get<ir::Tasklet>(state.nodes[tasklet].kind).code.text, reads ? edge.dst_connector : edge.src_connector))
        return what + "accesses it by an index";
    walk.place = *memlet.subset;
    walk.path = rewrite::memlet_path(state, view.adjacency, leaf);
    for (ir::NodeId scope = view.scopes.parent(tasklet); scope.valid(); scope = view.scopes.parent(scope))
        walk.entries.insert(walk.entries.begin(), scope);
    if (walk.entries.empty()) return what + "is in no map";
    for (const ir::NodeId entry : walk.entries) {
        const auto* map = std::get_if<ir::MapEntry>(&state.nodes[entry].kind);
        if (!map) return what + "is in a consume scope";
        if (map->schedule != ir::Schedule::FPGA_Device || map->unroll)
            return "the points of map `" + map->label + "` do not run in order: its schedule is not FPGA_Device";
        for (const ir::EdgeId in : view.adjacency.in(entry))
            if (const std::string& connector = state.edges[in].dst_connector; !connector.empty() && !ir::is_port_in(connector))
                return "the range of map `" + map->label + "` is read from data";
        walk.params.insert(walk.params.end(), map->params.begin(), map->params.end());
        walk.ranges.insert(walk.ranges.end(), map->range.dims.begin(), map->range.dims.end());
    }
    for (std::size_t one_of = 0; one_of < walk.params.size(); ++one_of)
        if (std::count(walk.params.begin(), walk.params.end(), walk.params[one_of]) > 1)
            return "two maps around it have the parameter `" + walk.params[one_of] + "`";
    return walk;
}

bool is_off_chip(const ir::Sdfg& sdfg, const ir::State& state, const std::string& data) {
    const ir::Container* container = sdfg.containers.find(data);
    const bool views = std::ranges::any_of(state.nodes, [&](const auto& entry) {
        const auto* access = std::get_if<ir::Access>(&entry.second.kind);
        const ir::Container* one = access ? ir::find_container(sdfg, access->data) : nullptr;
        return one && one->binding != ir::Binding::Own;
    });
    return container && std::holds_alternative<ir::Array>(container->kind) && container->storage == ir::Storage::FPGA_Global &&
           !views && target::is_fpga_kernel(sdfg, state);
}

std::string add_pipe(ir::Sdfg& sdfg, const std::string& data, const std::string& prefix, const symbolic::Expr& depth) {
    const std::string name = rewrite::fresh_symbol(sdfg, prefix + data);
    ir::add_stream(sdfg, name, sdfg.containers.at(data).dtype, depth).storage = ir::Storage::FPGA_Local;
    return name;
}

void walk_through(ir::State& state, const Walk& walk, const std::string& stream, bool reads) {
    const ir::Edge leaf = state.edges[walk.leaf];
    ir::Memlet memlet = ir::memlet(stream, symbolic::Subset::indices({0}));
    memlet.volume = 1;
    ir::StateBuilder builder(state);
    const ir::NodeId access = builder.access(stream);
    if (reads) {
        const ir::NodeId source = state.edges[walk.path.front()].src;
        state.edges.erase(walk.leaf);
        std::vector<ir::NodeId> path{access};
        path.insert(path.end(), walk.entries.begin(), walk.entries.end());
        path.push_back(leaf.dst);
        builder.memlet_path(path, "", leaf.dst_connector, memlet);
        for (auto entry = walk.entries.rbegin(); entry != walk.entries.rend(); ++entry) rewrite::erase_unread_inputs(state, *entry);
        // Nobody waits for the memory any more: the stream says what is there.
        std::vector<ir::EdgeId> waits;
        for (const auto& [id, edge] : state.edges)
            if (edge.src == source && edge.dst == walk.entries.front() && edge.memlet.empty()) waits.push_back(id);
        for (const ir::EdgeId edge : waits) state.edges.erase(edge);
    } else {
        std::vector<ir::NodeId> path{leaf.src};
        for (const ir::EdgeId edge : walk.path)
            if (const ir::NodeId dst = state.edges[edge].dst; ir::is_exit(state.nodes[dst])) path.push_back(dst);
        for (const ir::EdgeId edge : walk.path) state.edges.erase(edge);
        const std::vector<ir::NodeId> exits(path.begin() + 1, path.end());
        path.push_back(access);
        builder.memlet_path(path, leaf.src_connector, "", memlet);
        for (const ir::NodeId exit : exits) rewrite::erase_unused_connectors(state, exit);
    }
    rewrite::erase_isolated_accesses(state);
}

}  // namespace sluice::transform
