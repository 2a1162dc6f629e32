#include "ir/streams.h"

#include <algorithm>

#include "code/walk.h"

namespace sluice::ir {

namespace {

bool consumes(const State& state, const std::string& stream) {
    return std::ranges::any_of(state.edges, [&](const auto& entry) {
        const Edge& edge = entry.second;
        return edge.memlet.data == stream && std::holds_alternative<ConsumeEntry>(state.nodes[edge.dst].kind);
    });
}

bool consumes(const Region& region, const std::string& stream) {
    return std::ranges::any_of(region.blocks, [&](const auto& entry) {
        return std::visit(code::Overloaded{
                              [&](const Cow<State>& state) { return consumes(*state, stream); },
                              [&](const LoopRegion& loop) { return consumes(loop.body, stream); },
                              [&](const ConditionalBlock& choice) {
                                  return std::ranges::any_of(choice.branches,
                                                             [&](const Branch& one) { return consumes(one.body, stream); });
                              },
                              [&](const NamedRegion& named) { return consumes(named.body, stream); },
                              [](const auto&) { return false; },
                          },
                          entry.second.kind);
    });
}

}  // namespace

bool feeds_consume_scope(const Sdfg& sdfg, const std::string& stream) {
    return consumes(sdfg.body, stream);
}

}  // namespace sluice::ir
