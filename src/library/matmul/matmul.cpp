// MatMul: _c = alpha * _a @ _b + beta * _c for operands of every rank, as NumPy's `@`. Usually it becomes the operation that suits
// the ranks: Gemm, Gemv, Dot or BatchedMatMul.
#include "library/shared/batched_product.h"
#include "library/shared/sum_of_products.h"

namespace sluice::library {

namespace {

enum class Product { Matrices, MatrixVector, VectorMatrix, Vectors, Batches };

/// Do the edge's last two dimensions alone form the operand? Single indices lead: A[i, 0:M, 0:K].
bool is_matrix(const NodeContext& context, ir::EdgeId edge) {
    const std::size_t rank = context.subset(edge).rank();
    return rank >= 2 && context.dims(edge, 2) == std::vector<std::size_t>{rank - 2, rank - 1};
}

Product product_of(const NodeContext& context, const Binding& binding) {
    const std::size_t left = binding.inputs[0].sizes.size(), right = binding.inputs[1].sizes.size();
    if (left == 2 && right == 2) return Product::Matrices;
    if (left == 2 && right == 1) return Product::MatrixVector;
    if (left == 1 && right == 2) return Product::VectorMatrix;
    if (left == 1 && right == 1) return Product::Vectors;
    const bool matrices = left > 1 && right > 1 && is_matrix(context, binding.inputs[0].edge) &&
                          is_matrix(context, binding.inputs[1].edge) && is_matrix(context, binding.outputs[0].edge);
    return matrices ? Product::Matrices : Product::Batches;
}

std::string why_not_specialize(const NodeContext& context) {
    const std::string alpha = context.factor("alpha", "1");
    const bool plain = (alpha == "1" || alpha == "1.0") && !context.updates();
    return product_of(context, bind(context)) == Product::Vectors && !plain ? "Dot has no factors alpha and beta" : "";
}

void specialize(NodeDraft& draft) {
    const Binding binding = bind(draft);
    const ir::EdgeId a = binding.inputs[0].edge, b = binding.inputs[1].edge, c = binding.outputs[0].edge;
    const auto with = [&](const char* left, const char* right, const char* result) {
        std::vector<Lead> inputs{{a, left}, {b, right}};
        if (draft.updates())
            for (const auto& [connector, edge] : binding.old_values) inputs.push_back({edge, result});
        return inputs;
    };
    std::map<std::string, ir::Property> properties;
    for (const char* name : {"alpha", "beta", "transA", "transB"})
        if (draft.library().properties.contains(name)) properties.emplace(name, draft.library().properties.at(name));
    switch (product_of(draft, binding)) {
        case Product::Matrices:
            return become(draft, "Gemm", with("_a", "_b", "_c"), {{c, "_c"}}, properties);
        case Product::Batches:
            return become(draft, "BatchedMatMul", with("_a", "_b", "_c"), {{c, "_c"}}, properties);
        case Product::MatrixVector:
            properties.erase("transB");
            return become(draft, "Gemv", with("_A", "_x", "_y"), {{c, "_y"}}, properties);
        case Product::VectorMatrix:  // x @ B is transpose(B) @ x.
            properties.erase("transB");
            properties.insert_or_assign("transA", !draft.flag("transB"));
            return become(draft, "Gemv", with("_x", "_A", "_y"), {{c, "_y"}}, properties);
        case Product::Vectors:
            return become(draft, "Dot", {{a, "_x"}, {b, "_y"}}, {{c, "_result"}}, {});
    }
}

}  // namespace

Operation matmul() {
    Operation made = batched_product("MatMul", "dace.libraries.blas.nodes.matmul.MatMul",
                                     "_c = alpha * _a @ _b + beta * _c for operands of every rank.");
    made.forms = {form("_a[M, K], _b[K, N] -> _c[M, N]"),
                  form("_a[M, K], _b[K] -> _c[M]"),
                  form("_a[K], _b[K, N] -> _c[N]"),
                  form("_a[K], _b[K] -> _c"),
                  form("_a[B, M, K], _b[B, K, N] -> _c[B, M, N]"),
                  form("_a[B, M, K], _b[K, N] -> _c[B, M, N]"),
                  form("_a[K, M], _b[K, N] -> _c[M, N]", {{"transA", true}})};
    made.expansions = {{.name = "specialize",
                        .summary = "Gemm, Gemv, Dot or BatchedMatMul, by the operands' ranks.",
                        .why_not = why_not_specialize,
                        .expand = specialize},
                       native_sum_of_products({.innermost = "N"})};
    return made;
}

}  // namespace sluice::library
