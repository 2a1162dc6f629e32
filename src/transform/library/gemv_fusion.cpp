// GemvFusion: two products of one matrix with vectors, one of them by its transpose, become one operation, which reads it once.
//     A -> MatMul(A, x) -> y, A -> MatMul(z, A) -> w   ->   A, x, z -> GemvPair -> y, w
// P1 both multiply one real matrix by a vector, the second transposed, and nobody has chosen how; no factor is another than 1, no
// old value is added. P2 no path leads from one product to the other, but the first's result may be the second's vector. P3 no
// result lies in a container that the other product reads or writes.
#include <algorithm>

#include "library/contract.h"
#include "library/registry.h"
#include "rewrite/edit.h"
#include "transform/library/library.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;

/// A matrix times a vector, as a node computes it.
struct Gemv {
    EdgeId matrix, vector, result;
    bool transposed = false;
};

/// Missing: the node is another operation, or does more than the plain product.
std::optional<Gemv> gemv_at(const library::NodeContext& context) {
    const ir::LibraryNode& node = context.library();
    if ((node.operation != "MatMul" && node.operation != "Gemv") || !context.operation || context.updates() ||
        node.implementation || node.schedule != ir::Schedule::Default)
        return {};
    if (const std::string alpha = context.factor("alpha", "1"); alpha != "1" && alpha != "1.0") return {};
    const Result<library::Binding> bound = capture([&] { return library::bind(context); });
    if (!bound.ok()) return {};
    const library::BoundOperand &left = bound->inputs[0], &right = bound->inputs[1], &result = bound->outputs[0];
    const bool matrix_left = left.sizes.size() == 2 && right.sizes.size() == 1;
    if (!matrix_left && (left.sizes.size() != 1 || right.sizes.size() != 2)) return {};
    const library::BoundOperand &matrix = matrix_left ? left : right, &vector = matrix_left ? right : left;
    const code::DType type = result.operand.type;
    for (const library::BoundOperand* one : {&matrix, &vector, &result})
        if (!one->operand.in_memory || !(one->operand.type == type)) return {};
    if (!(type == code::Scalar::Float64) && !(type == code::Scalar::Float32)) return {};
    const bool transposed = matrix_left ? context.flag("transA") : !context.flag("transB");
    return Gemv{matrix.edge, vector.edge, result.edge, transposed};
}

struct Pair {
    Gemv first, second;  ///< The second is the transposed one.
    bool chained = false;
};

/// Does a path lead from one node to another, other than through the edge?
bool reaches_around(const ir::State& state, const ir::Adjacency& adjacency, NodeId from, NodeId to, EdgeId without) {
    std::vector<NodeId> waiting{from};
    std::set<NodeId> seen{from};
    while (!waiting.empty()) {
        const NodeId at = waiting.back();
        waiting.pop_back();
        for (const EdgeId out : adjacency.out(at)) {
            const NodeId next = state.edges[out].dst;
            if (out == without) continue;
            if (next == to) return true;
            if (seen.insert(next).second) waiting.push_back(next);
        }
    }
    return false;
}

rewrite::Planned<Pair> plan_gemv_fusion(const rewrite::Site& site) {
    const ir::State& state = site.state();
    const NodeId first = site.node("first"), second = site.node("second"), matrix = site.node("matrix");
    const auto refuse = [&](std::string code, std::string why) {
        return Refusal{.code = std::move(code), .why = std::move(why), .nodes = {first, second}};
    };
    const auto one = gemv_at(context_at(site.root(), site.match().place, first)),
               other = gemv_at(context_at(site.root(), site.match().place, second));
    if (!one || !other) return refuse("P1", "a node is no plain product of a matrix and a vector of real numbers");
    if (one->transposed || !other->transposed)
        return refuse("P1", "the products are not of the matrix first, then of its transpose");
    const ir::Edge &left = state.edges[one->matrix], &right = state.edges[other->matrix];
    if (left.src != matrix || right.src != matrix || left.memlet.data != right.memlet.data ||
        !(left.memlet.subset == right.memlet.subset))
        return refuse("P1", "the products read different parts of the container");

    const ir::Adjacency& adjacency = site.view().adjacency;
    const ir::Edge &result = state.edges[one->result], &vector = state.edges[other->vector];
    const bool chained = vector.src == result.dst;
    if (chained && (vector.memlet.data != result.memlet.data || !(vector.memlet.subset == result.memlet.subset) ||
                    adjacency.in(vector.src).size() != 1))
        return refuse("P2", "the second product reads another part than what the first computes");
    if (reaches_around(state, adjacency, first, second, chained ? other->vector : EdgeId{}) ||
        reaches_around(state, adjacency, second, first, {}))
        return refuse("P2", "the products are ordered by what lies between them");

    const std::string &y = result.memlet.data, &w = state.edges[other->result].memlet.data;
    const auto touched = {left.memlet.data, state.edges[one->vector].memlet.data, vector.memlet.data};
    const bool apart = y != w && std::ranges::count(touched, w) == 0 && std::ranges::count(touched, y) == (chained ? 1 : 0);
    if (!apart) return refuse("P3", "a result lies in a container that the products read, or both lie in one");
    return Pair{*one, *other, chained};
}

void apply_gemv_fusion(rewrite::Draft& draft, const Pair& pair) {
    ir::State& state = draft.state();
    const NodeId first = draft.node("first"), second = draft.node("second");
    ir::Node& node = state.nodes[first];
    auto& product = std::get<ir::LibraryNode>(node.kind);
    product.operation = "GemvPair";
    product.classpath.clear();
    product.properties.clear();
    node.in = {{"_A", {}}, {"_x", {}}};
    node.out = {{"_y", {}}, {"_w", {}}};
    state.edges[pair.first.matrix].dst_connector = "_A";
    state.edges[pair.first.vector].dst_connector = "_x";
    state.edges[pair.first.result].src_connector = "_y";
    state.edges[pair.second.result].src_connector = "_w";
    state.edges.erase(pair.second.matrix);
    if (pair.chained) {
        state.edges.erase(pair.second.vector);
    } else {
        node.in.emplace("_z", code::DType());
        state.edges[pair.second.vector].dst_connector = "_z";
    }
    for (const EdgeId id : rewrite::edges_at(state, std::vector{second})) {
        ir::Edge& edge = state.edges[id];
        (edge.dst == second ? edge.dst : edge.src) = first;
    }
    state.nodes.erase(second);
    draft.forward(second, first);
}

}  // namespace

rewrite::Transformation gemv_fusion() {
    return rewrite::transformation(
        {.name = "GemvFusion",
         .summary = "Makes one operation of two products of a matrix and of its transpose with vectors, so that it is read once.",
         .drawing = "A -> MatMul(A, x) -> y, A -> MatMul(z, A) -> w   ->   A, x, z -> GemvPair -> y, w",
         .decided_by = {.structural = "The operation computes what both products do, and no other node stands between them."},
         .patterns =
             {{.nodes = {{"matrix", rewrite::kind::access}, {"first", rewrite::kind::library}, {"second", rewrite::kind::library}},
               .edges = {{0, 1}, {0, 2}}}},
         .conditions = {{"P1", "both multiply one real matrix by a vector, the second transposed, and nobody has chosen how"},
                        {"P2", "no path leads from one product to the other, but the first's result may be the second's vector"},
                        {"P3", "no result lies in a container that the other product reads or writes"}}},
        plan_gemv_fusion, apply_gemv_fusion);
}

}  // namespace sluice::transform
