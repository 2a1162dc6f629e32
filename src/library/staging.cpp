#include "library/staging.h"

#include <algorithm>

#include "analysis/projection.h"
#include "analysis/symbols.h"
#include "ir/query.h"
#include "library/contract.h"

namespace sluice::library {

namespace {

/// A transient for what the edge moves, packed, without the dimensions of single indices where others are left.
std::string add_staged(NodeDraft& draft, const BoundOperand& operand, ir::Subset& whole) {
    const std::string name = ir::fresh_name(draft.sdfg, "staged" + operand.connector);
    if (operand.dims.empty()) {
        ir::add_scalar(draft.sdfg_draft, name, operand.operand.type, true);
        return name;
    }
    ir::add_transient(draft.sdfg_draft, name, operand.operand.type, operand.operand.shape);
    whole = ir::Subset::extents(operand.operand.shape);
    return name;
}

/// source -> [copy] -> node
void stage_input(NodeDraft& draft, const BoundOperand& operand) {
    ir::Subset whole;
    const std::string name = add_staged(draft, operand, whole);
    ir::StateBuilder state(draft.state_draft);
    const ir::NodeId copy = state.access(name);
    ir::Memlet read = ir::memlet(name);
    if (!operand.dims.empty()) read.subset = whole;
    read.volume = symbolic::num_elements(whole);
    const std::string connector = draft.state.edges[operand.edge].dst_connector;
    state.edge(copy, "", draft.node, connector, read);
    ir::Edge& before = draft.state_draft.edges[operand.edge];
    before.dst = copy;
    before.dst_connector.clear();
}

/// node -> [sum] -wcr-> target
void stage_output(NodeDraft& draft, const BoundOperand& operand) {
    ir::Subset whole;
    const std::string name = add_staged(draft, operand, whole);
    ir::StateBuilder state(draft.state_draft);
    const ir::NodeId copy = state.access(name);
    ir::Memlet written = ir::memlet(name);
    if (!operand.dims.empty()) written.subset = whole;
    written.volume = symbolic::num_elements(whole);
    const std::string connector = draft.state.edges[operand.edge].src_connector;
    state.edge(draft.node, connector, copy, "", written);
    ir::Edge& after = draft.state_draft.edges[operand.edge];
    after.src = copy;
    after.src_connector.clear();
}

bool may_share(const NodeContext& context, const BoundOperand& input, const BoundOperand& output) {
    const ir::Memlet &in = context.state.edges[input.edge].memlet, &out = context.state.edges[output.edge].memlet;
    if (ir::root_name(in.data) != ir::root_name(out.data)) return false;
    const ir::Subset read = context.subset(input.edge), written = context.subset(output.edge);
    // Parameters of scopes around, and of scopes around the call of a nested graph, may be 0.
    symbolic::Assumptions known = analysis::assumptions_wherever_called(context.sdfg);
    for (const ir::NodeId scope : context.around.scopes)
        for (const auto& [name, range] : analysis::binder_of(context.state.nodes[scope]).parameters) known.assume_any(name);
    if (in.data == out.data && read.rank() == written.rank() && symbolic::is_yes(symbolic::disjoint(read, written, known)))
        return false;
    return !(context.operation->element_wise && in.data == out.data && read == written && input.sizes == output.sizes);
}

}  // namespace

void stage_operands(NodeDraft& draft, bool takes_streams) {
    const Binding binding = bind(draft);
    if (!takes_streams)
        for (const BoundOperand& input : binding.inputs)
            if (input.operand.is_stream) stage_input(draft, input);
    for (const BoundOperand& output : binding.outputs) {
        const bool resolves = draft.state.edges[output.edge].memlet.wcr && draft.library().operation != "Reduce";
        if (resolves && (draft.updates() || !binding.old_values.empty()))
            draft.refuse("B002",
                         draft.operation->name + " updates " + output.connector + ", whose memlet resolves conflicts as well",
                         "set its beta to 0, or take the resolution off the memlet");
        if (resolves || (output.operand.is_stream && !takes_streams)) stage_output(draft, output);
        for (const BoundOperand& input : binding.inputs)
            if (!resolves && !input.operand.is_stream && input.connector != output.connector &&
                draft.state.edges[input.edge].dst == draft.node && may_share(draft, input, output))
                stage_input(draft, input);
    }
}

}  // namespace sluice::library
