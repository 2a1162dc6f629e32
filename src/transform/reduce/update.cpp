#include "transform/reduce/update.h"

#include <algorithm>

#include "code/print.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "transform/reduce/reduce.h"
#include "transform/tasklet/tasklet.h"

namespace sluice::transform {

using code::BinaryOp;
using ir::EdgeId;
using ir::NodeId;

namespace {

struct Update {
    std::string connector;  ///< The input that is the old value.
    code::ExprPtr rest;
    std::string wcr;
};

const std::string* name_of(const code::ExprPtr& e) {
    const auto* name = std::get_if<code::NameExpr>(&e->node);
    return name ? &name->id : nullptr;
}

std::optional<std::string> resolution(BinaryOp op, bool truth) {
    if (op == BinaryOp::Add || op == BinaryOp::Sub) return "lambda x, y: x + y";
    if (op == BinaryOp::Mul) return "lambda x, y: x * y";
    if (op == BinaryOp::BitAnd) return truth ? "lambda x, y: x and y" : "lambda x, y: x & y";
    if (op == BinaryOp::BitOr) return truth ? "lambda x, y: x or y" : "lambda x, y: x | y";
    if (op == BinaryOp::BitXor) return "lambda x, y: x ^ y";
    return {};
}

void add_if_update(std::vector<Update>& found, const code::ExprPtr& old, code::ExprPtr rest, const std::string& wcr) {
    const std::string* name = name_of(old);
    if (name && !ir::free_names(*rest).contains(*name)) found.push_back({*name, std::move(rest), wcr});
}

/// `b if b < a else a`: Python's min(a, b). Of integers it does not matter which of two equal ones it is, and none is NaN.
void add_extremes(std::vector<Update>& found, const code::ConditionalExpr& choice) {
    const auto* compare = std::get_if<code::CompareExpr>(&choice.condition->node);
    if (!compare || compare->ops.size() != 1) return;
    using enum code::CompareOp;
    const code::CompareOp op = compare->ops[0];
    const bool less = op == Lt || op == Le;
    if (!less && op != Gt && op != Ge) return;
    const std::string left = code::to_string(*compare->operands[0]), right = code::to_string(*compare->operands[1]);
    const std::string yes = code::to_string(*choice.if_true), no = code::to_string(*choice.if_false);
    const bool same = yes == left && no == right, crossed = yes == right && no == left;
    if (!same && !crossed) return;
    const std::string wcr = less == same ? "lambda x, y: min(x, y)" : "lambda x, y: max(x, y)";
    add_if_update(found, choice.if_true, choice.if_false, wcr);
    add_if_update(found, choice.if_false, choice.if_true, wcr);
}

/// The ways to read the value as an update of one of its operands, of which all have the type.
std::vector<Update> updates(const code::Expr& value, const code::DType& type) {
    std::vector<Update> found;
    if (const auto* choice = std::get_if<code::ConditionalExpr>(&value.node); choice && code::is_integer(type.scalar))
        add_extremes(found, *choice);
    if (const auto* binary = std::get_if<code::BinaryExpr>(&value.node)) {
        const auto wcr = resolution(binary->op, type == code::DType(code::Scalar::Bool));
        if (!wcr) return found;
        if (binary->op == BinaryOp::Sub) {
            const code::UnaryExpr negated{.op = code::UnaryOp::Minus, .operand = binary->right};
            add_if_update(found, binary->left, std::make_shared<code::Expr>(code::Expr{.node = negated, .span = {}}), *wcr);
            return found;
        }
        add_if_update(found, binary->left, binary->right, *wcr);
        add_if_update(found, binary->right, binary->left, *wcr);
    } else if (const auto* call = std::get_if<code::CallExpr>(&value.node)) {
        const code::Function* function = code::find_function(code::dotted_name(*call->function));
        const bool least = function && function->name == "minimum", most = function && function->name == "maximum";
        if (!(least || most) || call->arguments.size() != 2 || !call->keywords.empty()) return found;
        add_if_update(found, call->arguments[0], call->arguments[1], least ? "lambda x, y: min(x, y)" : "lambda x, y: max(x, y)");
    }
    return found;
}

/// The value that the tasklet's only statement assigns to its only output.
code::ExprPtr assigned(const ir::Tasklet& tasklet, const std::string& output) {
    if (tasklet.code.language != ir::Language::Python) return {};
    const auto body = ir::parsed_body(tasklet.code);
    if (!body || body->size() != 1) return {};
    const auto* assignment = std::get_if<code::AssignStmt>(&body->front()->node);
    if (!assignment || assignment->targets.size() != 1) return {};
    const std::string* target = name_of(assignment->targets[0]);
    return target && *target == output ? assignment->value : code::ExprPtr();
}

bool surely_one(const ir::Memlet& memlet) {
    return memlet.subset && memlet.subset->is_index() && !memlet.dynamic && !memlet.other_subset && !memlet.wcr;
}

}  // namespace

std::variant<TaskletUpdate, NoUpdate> find_update(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency,
                                                  NodeId node) {
    const auto& tasklet = std::get<ir::Tasklet>(state.nodes[node].kind);
    const auto refuse = [](std::string code, std::string why) { return NoUpdate(std::move(code), std::move(why)); };
    const std::vector<EdgeId> out = data_out(state, adjacency, node);
    if (out.size() != 1) return refuse("A1", "the tasklet has not one output");
    const ir::Edge& written = state.edges[out[0]];
    const code::ExprPtr value = assigned(tasklet, written.src_connector);
    const ir::Container* updated = ir::find_container(sdfg, written.memlet.data);
    const std::vector<Update> candidates = value && updated ? updates(*value, updated->dtype) : std::vector<Update>();
    if (candidates.empty()) return refuse("A1", "the code is no update of an input by an operator that commutes");
    const NodeId target = access_behind(state, adjacency, out[0]);
    if (!target.valid() || !surely_one(written.memlet)) return refuse("A2", "the output is not surely one element");
    const std::string& data = std::get<ir::Access>(state.nodes[target].kind).data;
    const ir::Container& container = *ir::find_container(sdfg, data);
    for (const Update& update : candidates)
        for (const EdgeId in : data_in(state, adjacency, node)) {
            const ir::Edge& read = state.edges[in];
            const NodeId source = access_before(state, adjacency, in);
            if (read.dst_connector != update.connector || !source.valid()) continue;
            if (std::get<ir::Access>(state.nodes[source].kind).data != data || written.memlet.data != data) continue;
            if (!surely_one(read.memlet) || read.memlet.data != data || !(*read.memlet.subset == *written.memlet.subset)) continue;
            const auto type = code::infer(*update.rest, types_in(sdfg, state, node));
            const bool negated = std::holds_alternative<code::UnaryExpr>(update.rest->node);
            if (!type || !keeps_type(container.dtype, *type) || (negated && !type->weak && !(type->dtype == container.dtype)))
                return refuse("A3", "`" + code::to_string(*update.rest) + "` has another type than the elements of " + data);
            return TaskletUpdate{in, out[0], update.connector, update.rest, update.wcr};
        }
    return refuse("A2", "no input that the code updates is the element that it writes");
}

void make_update(ir::State& state, const ir::Adjacency& adjacency, NodeId node, const TaskletUpdate& found) {
    auto& tasklet = std::get<ir::Tasklet>(state.nodes[node].kind);
    tasklet.code.text = state.edges[found.out].src_connector + " = " + code::to_string(*found.rest);
    for (const EdgeId id : rewrite::memlet_path(state, adjacency, found.out)) state.edges[id].memlet.wcr = found.wcr;
    const NodeId source = state.edges[found.in].src, origin = access_before(state, adjacency, found.in);
    state.edges.erase(found.in);
    state.nodes[node].in.erase(found.connector);
    if (!std::holds_alternative<ir::Access>(state.nodes[source].kind)) {
        const auto joined = [&](const auto& entry) { return entry.second.src == source && entry.second.dst == node; };
        if (std::ranges::none_of(state.edges, joined)) state.edges.add({source, "", node, "", ir::no_memlet()});
        rewrite::erase_unread_inputs(state, source);
    } else if (!adjacency.in(source).empty()) {
        state.edges.add({source, "", node, "", ir::no_memlet()});
    }
    // Without a write before it, the place where the data came from orders nothing.
    const bool reads = std::ranges::any_of(state.edges, [&](const auto& entry) {
        return entry.second.dst == origin || (entry.second.src == origin && !entry.second.memlet.empty());
    });
    if (!reads) rewrite::erase_node(state, origin);
}

}  // namespace sluice::transform
