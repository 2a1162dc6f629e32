// BatchedMatMul: _c = alpha * _a @ _b + beta * _c for every index of the leading dimensions, which broadcast.
#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "library/shared/batched_product.h"
#include "library/shared/blas.h"
#include "library/shared/sum_of_products.h"

namespace sluice::library {

namespace {

/// Names of the leading dimensions.
std::vector<std::string> batches(const Binding& binding) {
    std::vector<std::string> sizes = binding.outputs[0].sizes;
    sizes.resize(sizes.size() - 2);
    std::erase(sizes, "1");
    return sizes;
}

bool has_vector(const Binding& binding) {
    return binding.input("_a").sizes.size() < 2 || binding.input("_b").sizes.size() < 2;
}

std::string why_not_gemms(const NodeContext& context) {
    const Binding binding = bind(context);
    if (has_vector(binding)) return "an operand is a vector";
    return batches(binding).empty() ? "there is one product only" : "";
}

/// `name[__B0, 0, 0:M, 0:K]`
ir::Memlet matrix_of(const std::string& name, const BoundOperand& operand) {
    ir::Subset matrix;
    const std::size_t leading = operand.sizes.size() - 2;
    for (std::size_t dim = 0; dim < operand.sizes.size(); ++dim) {
        const std::string& size = operand.sizes[dim];
        if (dim >= leading)
            matrix.dims.push_back(symbolic::Range::extent(operand.operand.shape[dim]));
        else
            matrix.dims.push_back(symbolic::Range::index(size == "1" ? ir::Expr(0) : symbolic::symbol("__" + size)));
    }
    return ir::memlet(name, std::move(matrix));
}

/// A map around a Gemm: a sequential one where a library's own threads may carry out each product.
void expand_gemms(NodeDraft& draft, std::optional<std::string> implementation, ir::Schedule schedule = ir::Schedule::Sequential) {
    const Binding binding = bind(draft);
    const BoundOperand &a = binding.input("_a"), &b = binding.input("_b"), &c = binding.output("_c");
    ir::Sdfg body{.name = "gemms"};
    std::vector<Lead> leads{{a.edge, "_a"}, {b.edge, "_b"}};
    for (const BoundOperand* one : {&a, &b, &c}) declare_operand(draft, body, one->connector, one->edge, one->dims);
    ir::MapRanges params;
    for (const std::string& size : batches(binding))
        params.emplace_back("__" + size, symbolic::Range::extent(binding.sizes.at(size)));
    ir::StateBuilder state = ir::add_state(body.body, "products");
    const auto [entry, exit] = state.map("batch", params, schedule);
    std::vector<std::string> inputs{"_a", "_b"};
    if (draft.updates()) inputs.emplace_back("_c");
    const ir::NodeId gemm = state.library("Gemm", "gemm", inputs, {"_c"}, draft.library().properties);
    std::get<ir::LibraryNode>(state.state().nodes[gemm].kind).implementation = std::move(implementation);
    for (const BoundOperand* one : {&a, &b})
        state.memlet_path({state.access(one->connector), entry, gemm}, "", one->connector, matrix_of(one->connector, *one));
    if (draft.updates()) {
        const std::string old = old_values(draft, binding, body, leads, "_c");
        state.memlet_path({state.access(old), entry, gemm}, "", "_c", matrix_of(old, c));
    }
    state.memlet_path({gemm, exit, state.access("_c")}, "_c", "", matrix_of("_c", c));
    replace_by(draft, std::move(body), leads, {{c.edge, "_c"}});
}

/// Multiplications of one product.
ir::Expr multiplications(const Binding& binding) {
    const BoundOperand &a = binding.input("_a"), &b = binding.input("_b");
    ir::Expr count = 1;
    std::set<std::string> seen{"1"};
    for (const BoundOperand* one : {&a, &b})
        for (auto size = one->sizes.end() - 2; size != one->sizes.end(); ++size)
            if (seen.insert(*size).second) count = count * binding.sizes.at(*size);
    return count;
}

/// Loops for small products, a call for each large one, as the sizes say when the program runs.
void expand_by_size(NodeDraft& draft, const std::string& implementation) {
    const Binding binding = bind(draft);
    const ir::Expr size = multiplications(binding);
    if (size.is_integer() || draft.updates()) return expand_gemms(draft, implementation);
    ir::Sdfg body{.name = "batches"};
    std::vector<Lead> leads;
    for (const auto* operands : {&binding.inputs, &binding.outputs})
        for (const BoundOperand& one : *operands) {
            declare_operand(draft, body, one.connector, one.edge, one.dims);
            if (operands == &binding.inputs) leads.push_back({one.edge, one.connector});
        }
    ir::ConditionalBlock choice;
    const auto add_branch = [&](std::optional<ir::CodeBlock> condition, const std::function<void(NodeDraft&)>& expand) {
        ir::Branch branch{.condition = std::move(condition), .body = {}};
        ir::StateBuilder state = ir::add_state(branch.body, "products");
        const ir::NodeId node = state.library("BatchedMatMul", "products", {"_a", "_b"}, {"_c"}, draft.library().properties);
        const auto whole = [&](const char* name) {
            return ir::memlet(name, symbolic::Subset::extents(body.containers.at(name).shape));
        };
        state.edge(state.access("_a"), "", node, "_a", whole("_a"));
        state.edge(state.access("_b"), "", node, "_b", whole("_b"));
        state.edge(node, "_c", state.access("_c"), "", whole("_c"));
        NodeDraft product(body, state.state(), node, draft.operation, draft.path, draft.around);
        expand(product);
        choice.branches.push_back(std::move(branch));
    };
    add_branch(ir::CodeBlock{fmt::format("{} <= {}", symbolic::to_string(size), kSmallProduct)},
               [](NodeDraft& product) { expand_sum_of_products(product, {.innermost = "N"}); });
    add_branch({}, [&](NodeDraft& product) { expand_gemms(product, implementation); });
    ir::add_block(body.body, ir::Block{.label = "by_size", .kind = std::move(choice), .metadata = {}});
    replace_by(draft, std::move(body), leads, {{binding.outputs[0].edge, "_c"}});
}

std::string why_not_calls(const NodeContext& context) {
    if (std::string why = why_not_gemms(context); !why.empty()) return why;
    const Binding binding = bind(context);
    const auto has_unit_stride = [](const BoundOperand& one, std::size_t from_end) {
        return one.operand.strides[one.operand.strides.size() - from_end].is_integer(1);
    };
    for (const char* name : {"_a", "_b"})
        if (!has_unit_stride(binding.input(name), 1) && !has_unit_stride(binding.input(name), 2))
            return "neither rows nor columns of the matrices are contiguous";
    if (!has_unit_stride(binding.output("_c"), 1)) return "the rows of the output are not contiguous";
    return why_not_blas_operands(binding);
}

std::string why_rather_not_calls(const NodeContext& context) {
    const ir::Expr size = multiplications(bind(context));
    return size.is_integer() && size.integer() <= kSmallProduct ? "loops are faster for so small products" : "";
}

Expansion calls(const std::string& name, const std::string& environment) {
    return {.name = name,
            .summary = "A call of the library for each large product, loops over small ones.",
            .requirement = {environment, true},
            .why_not = why_not_calls,
            .why_rather_not = why_rather_not_calls,
            .expand = [name](NodeDraft& draft) { expand_by_size(draft, name); }};
}

std::string why_not_small(const NodeContext& context) {
    if (std::string why = why_not_calls(context); !why.empty()) return why;
    const Binding binding = bind(context);
    if (why_rather_not_calls(context).empty()) return "the matrices are large, or their sizes are not known";
    const BoundOperand& b = binding.input("_b");
    const std::size_t along = context.flag("transB") ? 2 : 1;
    if (!b.operand.strides[b.operand.strides.size() - along].is_integer(1))
        return "the rows of the right matrices are not contiguous";
    return code::is_complex(b.operand.type.scalar) ? "it has no loops for complex numbers" : "";
}

/// All rows of an operand's matrices as the rows of one.
struct Stack {
    ir::Expr rows = 1, stride;
};
/// Where the rows of all matrices, one after the other, are equally far apart.
std::optional<Stack> stacked(const BoundOperand& operand) {
    const std::vector<ir::Expr>&shape = operand.operand.shape, &strides = operand.operand.strides;
    Stack stack{.stride = shape.back()};
    bool one = true;
    for (std::size_t dim = shape.size() - 1; dim-- > 0;) {
        if (shape[dim].is_integer(1)) continue;
        if (one) stack.stride = strides[dim];
        if (strides[dim] != stack.stride * stack.rows) return {};
        stack.rows = stack.rows * shape[dim];
        one = false;
    }
    return stack;
}

std::string why_not_stacked(const NodeContext& context) {
    const Binding binding = bind(context);
    if (has_vector(binding)) return "an operand is a vector";
    const BoundOperand& b = binding.input("_b");
    if (!std::ranges::all_of(b.sizes.begin(), b.sizes.end() - 2, [](const std::string& size) { return size == "1"; }))
        return "the right matrices differ";
    if (context.flag("transA") || context.updates()) return "the left matrices are transposed, or the output is updated";
    const auto left = stacked(binding.input("_a")), result = stacked(binding.output("_c"));
    return left && result && left->rows == result->rows ? "" : "the rows of the matrices are not equally far apart";
}

/// The left matrices one below the other, times the right one.
void expand_stacked(NodeDraft& draft) {
    const Binding binding = bind(draft);
    const BoundOperand &a = binding.input("_a"), &b = binding.input("_b"), &c = binding.output("_c");
    ir::Sdfg body{.name = "stacked"};
    declare_operand(draft, body, "_b", b.edge, std::vector<std::size_t>(b.dims.end() - 2, b.dims.end()));
    ir::StateBuilder state = ir::add_state(body.body, "product");
    const auto access = [&](const BoundOperand& one) {
        const Stack stack = *stacked(one);
        const ir::Expr columns = one.operand.shape.back(), step = one.operand.strides.back();
        auto& array = std::get<ir::Array>(ir::add_array(body, one.connector, one.operand.type, {stack.rows, columns}).kind);
        array.strides = {stack.stride, step};
        array.total_size = 1 + stack.stride * (stack.rows - 1) + step * (columns - 1);
        return state.access(one.connector);
    };
    const auto whole = [&](const std::string& name) {
        return ir::memlet(name, symbolic::Subset::extents(body.containers.at(name).shape));
    };
    const ir::NodeId gemm = state.library("Gemm", "gemm", {"_a", "_b"}, {"_c"}, draft.library().properties);
    std::get<ir::LibraryNode>(state.state().nodes[gemm].kind).implementation = draft.library().implementation;
    const ir::NodeId left = access(a), right = state.access("_b"), result = access(c);
    state.edge(left, "", gemm, "_a", whole("_a"));
    state.edge(right, "", gemm, "_b", whole("_b"));
    state.edge(gemm, "_c", result, "", whole("_c"));
    replace_by(draft, std::move(body), {{a.edge, "_a"}, {b.edge, "_b"}}, {{c.edge, "_c"}});
}

}  // namespace

Operation batched_matmul() {
    Operation made = batched_product("BatchedMatMul", "dace.libraries.blas.nodes.batched_matmul.BatchedMatMul",
                                     "_c = alpha * _a @ _b + beta * _c for every index of the leading dimensions.");
    made.forms = {form("_a[B, M, K], _b[B, K, N] -> _c[B, M, N]"), form("_a[B, M, K], _b[K, N] -> _c[B, M, N]"),
                  form("_a[M, K], _b[B, K, N] -> _c[B, M, N]"), form("_a[B, M, K], _b[1, K, N] -> _c[B, M, N]"),
                  form("_a[B, C, M, K], _b[C, K, N] -> _c[B, C, M, N]")};
    made.expansions = {{.name = "stacked",
                        .summary = "One Gemm, of the left matrices one below the other and the right one.",
                        .why_not = why_not_stacked,
                        .expand = expand_stacked},
                       calls("NumPy", "numpy"),
                       calls("OpenBLAS", "openblas"),
                       calls("MKL", "mkl"),
                       {.name = "Small",
                        .summary = "Loops of constant sizes for each product, whose sums lie in registers.",
                        .requirement = {"small_product", false},
                        .why_not = why_not_small,
                        .expand = [](NodeDraft& draft) { expand_gemms(draft, "Small", draft.library().schedule); }},
                       native_sum_of_products({.innermost = "N"}),
                       sums_in_blocks(),
                       {.name = "gemms",
                        .summary = "A Gemm for each index of the leading dimensions, one after the other.",
                        .why_not = why_not_gemms,
                        .expand = [](NodeDraft& draft) { expand_gemms(draft, draft.library().implementation); }}};
    return made;
}

}  // namespace sluice::library
