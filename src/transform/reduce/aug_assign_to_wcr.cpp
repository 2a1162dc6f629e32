// AugAssignToWCR: let a memlet update what a tasklet reads, changes and writes back.
//     A[s] -> tasklet { out = a + e } -> A[s]   ->   tasklet { out = e } -wcr +-> A[s]
// A1 the tasklet is one assignment in Python whose value is `a + e`, `a - e`, `a * e`, `a & e`, `a | e`, `a ^ e`, `min(a, e)` or
// `max(a, e)`, for + * & | ^ in either order, and `e` does not read `a`. A2 `a` surely reads the one element that `out` surely
// writes. A3 `e` converted to the type of the elements gives the same result. A loop or a map around it may then update in any
// order, atomically where points meet.
#include <algorithm>

#include "code/print.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "transform/reduce/reduce.h"
#include "transform/tasklet/tasklet.h"

namespace sluice::transform {

namespace {

using code::BinaryOp;
using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;

struct Update {
    std::string connector;  ///< The input that is the old value.
    code::ExprPtr rest;
    std::string wcr;
};

const std::string* name_of(const code::ExprPtr& e) {
    const auto* name = std::get_if<code::NameExpr>(&e->node);
    return name ? &name->id : nullptr;
}

std::optional<std::string> resolution(BinaryOp op) {
    if (op == BinaryOp::Add || op == BinaryOp::Sub) return "lambda x, y: x + y";
    if (op == BinaryOp::Mul) return "lambda x, y: x * y";
    if (op == BinaryOp::BitAnd) return "lambda x, y: x & y";
    if (op == BinaryOp::BitOr) return "lambda x, y: x | y";
    if (op == BinaryOp::BitXor) return "lambda x, y: x ^ y";
    return {};
}

void add_if_update(std::vector<Update>& found, const code::ExprPtr& old, code::ExprPtr rest, const std::string& wcr) {
    const std::string* name = name_of(old);
    if (name && !ir::free_names(*rest).contains(*name)) found.push_back({*name, std::move(rest), wcr});
}

/// The ways to read the value as an update of one of its operands.
std::vector<Update> updates(const code::Expr& value) {
    std::vector<Update> found;
    if (const auto* binary = std::get_if<code::BinaryExpr>(&value.node)) {
        const auto wcr = resolution(binary->op);
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

struct UpdatePlan {
    EdgeId in, out;
    Update update;
};

rewrite::Planned<UpdatePlan> plan_aug_assign_to_wcr(const rewrite::Site& site) {
    const NodeId node = site.node("tasklet");
    const ir::State& state = site.state();
    const ir::Adjacency& adjacency = site.view().adjacency;
    const auto& tasklet = site.get<ir::Tasklet>("tasklet");
    const auto refuse = [&](std::string code, std::string why) {
        return Refusal{.code = std::move(code), .why = std::move(why), .nodes = {node}};
    };
    const std::vector<EdgeId> out = data_out(state, adjacency, node);
    if (out.size() != 1) return refuse("A1", "the tasklet has not one output");
    const ir::Edge& written = state.edges[out[0]];
    const code::ExprPtr value = assigned(tasklet, written.src_connector);
    const std::vector<Update> candidates = value ? updates(*value) : std::vector<Update>();
    if (candidates.empty()) return refuse("A1", "the code is no update of an input by an operator that commutes");
    const NodeId target = access_behind(state, adjacency, out[0]);
    if (!target.valid() || !surely_one(written.memlet)) return refuse("A2", "the output is not surely one element");
    const std::string& data = std::get<ir::Access>(state.nodes[target].kind).data;
    const ir::Container& container = *ir::find_container(site.sdfg(), data);
    for (const Update& update : candidates)
        for (const EdgeId in : data_in(state, adjacency, node)) {
            const ir::Edge& read = state.edges[in];
            const NodeId source = access_before(state, adjacency, in);
            if (read.dst_connector != update.connector || !source.valid()) continue;
            if (std::get<ir::Access>(state.nodes[source].kind).data != data || written.memlet.data != data) continue;
            if (!surely_one(read.memlet) || read.memlet.data != data || !(*read.memlet.subset == *written.memlet.subset)) continue;
            const auto type = code::infer(*update.rest, types_in(site.sdfg(), state, node));
            const bool negated = std::holds_alternative<code::UnaryExpr>(update.rest->node);
            if (!type || !keeps_type(container.dtype, *type) || (negated && !type->weak && !(type->dtype == container.dtype)))
                return refuse("A3", "`" + code::to_string(*update.rest) + "` has another type than the elements of " + data);
            return UpdatePlan{in, out[0], update};
        }
    return refuse("A2", "no input that the code updates is the element that it writes");
}

void apply_aug_assign_to_wcr(rewrite::Draft& draft, const UpdatePlan& found) {
    const rewrite::Site& site = draft.before();
    const NodeId node = draft.node("tasklet");
    ir::State& state = draft.state();
    auto& tasklet = draft.get<ir::Tasklet>("tasklet");
    tasklet.code.text = state.edges[found.out].src_connector + " = " + code::to_string(*found.update.rest);
    for (const EdgeId id : rewrite::memlet_path(state, site.view().adjacency, found.out))
        state.edges[id].memlet.wcr = found.update.wcr;
    const NodeId source = state.edges[found.in].src, origin = access_before(state, site.view().adjacency, found.in);
    state.edges.erase(found.in);
    state.nodes[node].in.erase(found.update.connector);
    if (!std::holds_alternative<ir::Access>(state.nodes[source].kind)) {
        const auto joined = [&](const auto& entry) { return entry.second.src == source && entry.second.dst == node; };
        if (std::ranges::none_of(state.edges, joined)) state.edges.add({source, "", node, "", ir::no_memlet()});
        rewrite::erase_unread_inputs(state, source);
    } else if (!site.view().adjacency.in(source).empty()) {
        state.edges.add({source, "", node, "", ir::no_memlet()});
    }
    // Without a write before it, the place where the data came from orders nothing.
    const bool reads = std::ranges::any_of(state.edges, [&](const auto& entry) {
        return entry.second.dst == origin || (entry.second.src == origin && !entry.second.memlet.empty());
    });
    if (!reads) rewrite::erase_node(state, origin);
}

}  // namespace

rewrite::Transformation aug_assign_to_wcr() {
    return rewrite::transformation(
        {.name = "AugAssignToWCR",
         .summary = "Lets a memlet update what a tasklet reads, changes and writes back.",
         .drawing = "A[s] -> tasklet { out = a + e } -> A[s]   ->   tasklet { out = e } -wcr +-> A[s]",
         .decided_by = {.structural = "The element that is read is the one that is written: both become one update of it."},
         .patterns = {{.nodes = {{"tasklet", rewrite::kind::tasklet}}, .edges = {}}},
         .conditions = {{"A1", "the code is one assignment that updates an input by an operator that commutes"},
                        {"A2", "the input surely is the one element that the output surely writes"},
                        {"A3", "what it is updated by may be converted to the type of the elements first"}}},
        plan_aug_assign_to_wcr, apply_aug_assign_to_wcr);
}

}  // namespace sluice::transform
