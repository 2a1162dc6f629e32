// Memory of kernels. D1 what iterations of blocks allocate is memory of the block.  D2 what kernels and the host use is an input,
// or is refused.  D3 inputs are copied to the device at the beginning, results back at the end, and there first where kernels leave
// some of their elements as they are.  D5 an input in the memory of constants is read by kernels, and fits.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/scopes.h"
#include "ir/builder.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "poly/convert.h"
#include "rewrite/device_copy.h"
#include "rewrite/edit.h"
#include "schedule/program.h"

namespace sluice::schedule {

namespace {

bool has_kernel(const ir::State& state) {
    for (const auto& [id, node] : state.nodes)
        if (const auto* map = std::get_if<ir::MapEntry>(&node.kind); map && map->schedule == ir::Schedule::GPU_Device) return true;
    return false;
}

std::set<std::string> used_in(const ir::State& state) {
    std::set<std::string> names;
    for (const auto& [id, node] : state.nodes)
        if (const auto* access = std::get_if<ir::Access>(&node.kind)) names.insert(access->data);
    return names;
}

/// Do the computations that are stored there write every element?
bool is_written_whole(const Program& program, const std::string& buffer) {
    const Storage& storage = program.storage.at(buffer);
    poly::Set written;
    for (const Definition& of : program.definitions) {
        if (of.is_inlined || of.target || of.buffer != buffer || !of.guard.empty()) continue;
        const poly::Set own = program.place(of).range();
        written = written.known() ? written.unite(own) : own;
    }
    std::vector<std::string> dims;
    symbolic::Expr within = symbolic::boolean(true);
    for (std::size_t at = 0; at < storage.shape.size(); ++at) {
        dims.push_back("e" + std::to_string(at));
        const symbolic::Expr index = symbolic::symbol(dims.back());
        within = symbolic::logical_and(
            within, symbolic::logical_and(symbolic::less_equal(0, index), symbolic::less(index, storage.shape[at])));
    }
    const auto all = poly::to_set(within, {.tuple = buffer, .dims = dims});
    return all.ok() && written.known() &&
           all.value->intersect_parameters(program.context()).is_subset(written) == poly::Answer::Yes;
}

void add_copies(ir::Sdfg& sdfg, const std::vector<std::pair<std::string, std::string>>& copies, bool first) {
    if (copies.empty()) return;
    ir::BlockId last;
    for (const auto& [id, block] : sdfg.body.blocks) last = id;
    const ir::BlockId start = sdfg.body.start;
    ir::State state;
    for (const auto& [from, to] : copies) rewrite::copy_whole(sdfg, state, from, to);
    const ir::BlockId added = ir::add_block(
        sdfg.body, {.label = first ? "to_device" : "from_device", .kind = Cow<ir::State>(std::move(state)), .metadata = {}});
    if (first) {
        ir::add_transition(sdfg.body, added, start);
        sdfg.body.start = added;
    } else {
        ir::add_transition(sdfg.body, last, added);
    }
}

}  // namespace

namespace {

/// D4 blocks are no part of blocks, and threads are of blocks, of which each state has at most one nest.
void expect_nests(const ir::Sdfg& sdfg, bool in_blocks, bool in_threads) {
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        const ir::Adjacency adjacency(state);
        const analysis::ScopeTree scopes(state, adjacency);
        for (const auto& [id, node] : state.nodes) {
            bool blocks = in_blocks, threads = in_threads;
            for (ir::NodeId around = scopes.parent(id); around.valid(); around = scopes.parent(around)) {
                const auto& map = std::get<ir::MapEntry>(state.nodes[around].kind);
                blocks = blocks || map.schedule == ir::Schedule::GPU_Device;
                threads = threads || map.schedule == ir::Schedule::GPU_ThreadBlock;
            }
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) expect_nests(*nested->sdfg, blocks, threads);
            const auto* map = std::get_if<ir::MapEntry>(&node.kind);
            if (!map) continue;
            const bool is_blocks = map->schedule == ir::Schedule::GPU_Device,
                       is_threads = map->schedule == ir::Schedule::GPU_ThreadBlock;
            if ((is_blocks && blocks) || (is_threads && (!blocks || threads)))
                refuse("M009", "blocks and threads of a device are no nest of blocks around threads",
                       "Compute other computations at the innermost level of blocks, and order loops outside of them.");
        }
    });
}

void expect_constants(const Program& program, const std::set<std::string>& device) {
    std::int64_t bytes = 0;
    for (const auto& [name, storage] : program.storage) {
        if (!storage.is_gpu_constant) continue;
        if (!device.contains(name))
            refuse("M010", fmt::format("`{}` is tagged as constant memory of a device, where nothing reads it", name),
                   "Map its readers by gpu or tile_gpu, or take the tag away.");
        std::int64_t elements = 1;
        for (const symbolic::Expr& extent : storage.shape) elements *= extent.constant().value();
        bytes += elements * static_cast<std::int64_t>(code::size_in_bytes(storage.type));
    }
    if (bytes > ir::kConstantMemoryBytes)
        refuse("M010", fmt::format("inputs tagged as constant memory take {} bytes of {}", bytes, ir::kConstantMemoryBytes),
               "Tag the small ones.");
}

}  // namespace

void place_on_device(ir::Sdfg& sdfg, const Program& program, const std::set<std::string>& results) {
    expect_nests(sdfg, false, false);
    std::set<std::string> device, host, copied_out;
    for (const std::string& name : program.copies.out) copied_out.insert(program.find(name)->buffer);
    ir::for_each_state(sdfg.body, [&](const ir::State& state) { (has_kernel(state) ? device : host).merge(used_in(state)); });
    for (const std::set<std::string>* said : {&program.copies.in, &std::as_const(copied_out)})
        for (const std::string& name : *said)
            if (!device.contains(name))
                refuse("M010", fmt::format("`{}` is copied to or from the device, where nothing uses it", name),
                       "Map its users by gpu or tile_gpu, or take the copy away.");
    expect_constants(program, device);
    std::vector<std::pair<std::string, std::string>> in, out;
    for (const std::string& name : device) {
        ir::Container& container = sdfg.containers.at(name);
        const bool is_input = program.storage.contains(name) && program.storage.at(name).is_input;
        if (!is_input && host.contains(name))
            refuse("M010", fmt::format("`{}` is used by kernels and by loops of the host", name),
                   "Map all of its users by gpu or tile_gpu.");
        if (container.transient) {
            container.storage = ir::Storage::GPU_Global;
            container.lifetime = ir::Lifetime::SDFG;
            continue;
        }
        const std::string there = rewrite::add_device_copy(sdfg, name, "gpu_", ir::Storage::GPU_Global);
        if (is_input && program.storage.at(name).is_gpu_constant)
            sdfg.containers.at(there).location[ir::kMemoryLocation] = ir::kConstantMemory;
        ir::edit_each_state(sdfg.body, [&](ir::State& state) {
            if (has_kernel(state)) rewrite::rename_data(state, name, there);
        });
        const auto expect_said = [&](const std::set<std::string>& said, const char* command, const char* what) {
            if (program.copies.explicitly() && !said.contains(name))
                refuse("M010", fmt::format("kernels {} `{}`, and no {} says so", what, name, command),
                       fmt::format("Add {}() for it, or leave all copies to codegen.", command));
        };
        if (is_input) expect_said(program.copies.in, "host_to_device", "read");
        // Where reads name memory, they may find what the caller passed.
        if (is_input || program.semantics == Reads::Memory || !is_written_whole(program, name)) in.emplace_back(name, there);
        const bool is_stored =
            std::ranges::any_of(program.definitions, [&](const Definition& of) { return !of.is_inlined && of.buffer == name; });
        if (!results.contains(name) || !is_stored) continue;
        expect_said(copied_out, "device_to_host", "write");
        out.emplace_back(there, name);
    }
    add_copies(sdfg, out, false);  // First: behind the last block that there is.
    add_copies(sdfg, in, true);
}

}  // namespace sluice::schedule
