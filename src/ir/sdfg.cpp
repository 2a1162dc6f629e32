#include "ir/sdfg.h"

#include <array>

namespace sluice::ir {

namespace {

struct LabelOf {
    const State& state;

    std::string operator()(const Access& node) const { return node.data; }
    std::string operator()(const Tasklet& node) const { return node.label; }
    std::string operator()(const MapEntry& node) const {
        std::string text = node.label + "[";
        for (std::size_t at = 0; at < node.params.size(); ++at) {
            text += (at ? ", " : "") + node.params[at];
            if (at < node.range.rank()) text += "=" + symbolic::to_string(node.range.dims[at]);
        }
        return text + "]";
    }
    std::string operator()(const ConsumeEntry& node) const {
        return node.label + "[" + node.pe_index + "=0:" + symbolic::to_string(node.num_pes) + "]";
    }
    std::string operator()(const MapExit& node) const { return exit_of(node.entry); }
    std::string operator()(const ConsumeExit& node) const { return exit_of(node.entry); }
    std::string operator()(const NestedSdfg& node) const { return node.label; }
    std::string operator()(const LibraryNode& node) const { return node.label.empty() ? node.operation : node.label; }

    std::string exit_of(NodeId entry) const {
        if (!state.nodes.contains(entry)) return "exit";
        const auto& kind = state.nodes[entry].kind;
        if (!std::holds_alternative<MapEntry>(kind) && !std::holds_alternative<ConsumeEntry>(kind)) return "exit";
        return label_of(state, entry);
    }
};

}  // namespace

const State* as_state(const Block& block) {
    const auto* state = std::get_if<Cow<State>>(&block.kind);
    return state ? &**state : nullptr;
}

State* as_state(Block& block) {
    auto* state = std::get_if<Cow<State>>(&block.kind);
    return state ? &state->edit() : nullptr;
}

std::string_view kind_name(const Node& node) {
    static constexpr std::array<std::string_view, std::variant_size_v<decltype(Node::kind)>> kNames{
        "access", "tasklet", "map_entry", "map_exit", "consume_entry", "consume_exit", "nested", "library"};
    return kNames[node.kind.index()];
}

std::string label_of(const State& state, NodeId node) {
    return std::visit(LabelOf{state}, state.nodes[node].kind);
}

}  // namespace sluice::ir
