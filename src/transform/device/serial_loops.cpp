#include "transform/device/serial_loops.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ir/query.h"
#include "ir/walk.h"
#include "rewrite/nest.h"
#include "target/device.h"
#include "transform/device/device.h"
#include "transform/device/host_parts.h"

namespace sluice::transform {

namespace {

/// Can one thread of a device run the node, and does it use an array?
struct Use {
    bool possible = true, array = false;
};

Use use_of(const ir::Sdfg& sdfg, const ir::State& state) {
    Use use;
    for (auto [id, node] : state.nodes) {
        if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) {
            use.possible = use.possible && tasklet->code.language == ir::Language::Python && tasklet->environments.empty() &&
                           tasklet->code_global.text.empty() && !target::asserts(*tasklet, node.metadata.where);
            continue;
        }
        const auto* access = std::get_if<ir::Access>(&node.kind);
        const ir::Container* container = access ? sdfg.containers.find(access->data) : nullptr;
        const bool array = container && std::holds_alternative<ir::Array>(container->kind);
        use.array = use.array || array;
        use.possible = use.possible && container && container->binding == ir::Binding::Own &&
                       (array || std::holds_alternative<ir::Scalar>(container->kind));
    }
    // Elements that are copied may be copied at the same time.
    for (auto [id, edge] : state.edges)
        use.possible = use.possible && !(std::holds_alternative<ir::Access>(state.nodes[edge.src].kind) &&
                                         std::holds_alternative<ir::Access>(state.nodes[edge.dst].kind));
    return use;
}

bool is_serial(const ir::Sdfg& sdfg, const ir::Block& loop) {
    Use all;
    const auto region = [&](const auto& self, const ir::Block& block) -> void {
        if (const ir::State* state = ir::as_state(block)) {
            const Use use = use_of(sdfg, *state);
            all.possible = all.possible && use.possible, all.array = all.array || use.array;
        } else if (!std::holds_alternative<ir::LoopRegion>(block.kind) &&
                   !std::holds_alternative<ir::ConditionalBlock>(block.kind)) {
            all.possible = false;
        }
        ir::for_each_inner_region(block, [&](const ir::Region& inner) {
            for (auto [id, one] : inner.blocks) self(self, one);
        });
    };
    region(region, loop);
    return all.possible && all.array;
}

/// Transients of the loop alone that a thread has memory for.
std::set<std::string> of_thread(const ir::Sdfg& sdfg, const ir::Region& region, std::span<const ir::BlockId> loop) {
    std::set<std::string> names = rewrite::transients_only_in(sdfg, region, loop);
    std::erase_if(names, [&](const std::string& name) {
        return !std::ranges::all_of(sdfg.containers.at(name).shape,
                                    [](const symbolic::Expr& extent) { return extent.is_integer(); });
    });
    return names;
}

void gather(ir::Sdfg& sdfg, ir::Region& region, const HostParts& parts) {
    std::vector<ir::BlockId> blocks;
    for (auto [id, block] : region.blocks) blocks.push_back(id);
    for (const ir::BlockId id : blocks) {
        const std::array one{id};
        ir::Block& block = region.blocks[id];
        if (parts.keeps(block)) continue;
        const bool gathered = std::holds_alternative<ir::LoopRegion>(block.kind) && is_serial(sdfg, block) &&
                              !rewrite::why_not_nested(sdfg, region, one);
        if (!gathered) {
            ir::for_each_inner_region(block, [&](ir::Region& inner) { gather(sdfg, inner, parts); });
            continue;
        }
        const std::string label = block.label;
        const ir::BlockId at = rewrite::nest_blocks(sdfg, region, one, label, of_thread(sdfg, region, one));
        ir::State& state = *ir::as_state(region.blocks[at]);
        std::vector<ir::NodeId> calls;
        for (auto [node, kind] : state.nodes)
            if (std::holds_alternative<ir::NestedSdfg>(kind.kind)) calls.push_back(node);
        for (const ir::NodeId call : calls) wrap_in_map(state, call);
    }
}

}  // namespace

void gather_serial_loops(ir::Sdfg& sdfg) {
    gather(sdfg, sdfg.body, HostParts(sdfg));
}

}  // namespace sluice::transform
