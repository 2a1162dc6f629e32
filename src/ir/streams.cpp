#include "ir/streams.h"

#include <algorithm>

#include "ir/walk.h"

namespace sluice::ir {

namespace {

bool consumes(const State& state, const std::string& stream) {
    return std::ranges::any_of(state.edges, [&](const auto& entry) {
        const Edge& edge = entry.second;
        return edge.memlet.data == stream && std::holds_alternative<ConsumeEntry>(state.nodes[edge.dst].kind);
    });
}

}  // namespace

bool feeds_consume_scope(const Sdfg& sdfg, const std::string& stream) {
    return any_block(sdfg.body, [&](const Block& block) {
        const State* state = as_state(block);
        return state && consumes(*state, stream);
    });
}

}  // namespace sluice::ir
