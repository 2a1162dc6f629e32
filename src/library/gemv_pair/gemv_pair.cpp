// GemvPair: _y = _A @ _x and _w = _z @ _A, or _w = _y @ _A where there is no _z: two products with one matrix, which need read it
// only once (GEMVT of Blackford et al., An Updated Set of Basic Linear Algebra Subprograms, 2002).
#include <algorithm>

#include "library/extern_call.h"
#include "library/shared/blas.h"

namespace sluice::library {

namespace {

bool has_z(const Binding& binding) {
    return binding.inputs.size() == 3;
}

void define_pair(ReferenceCall& call) {
    const ir::Operand &a = call.input("_A"), &x = call.input("_x");
    ir::Operand &y = call.output("_y"), &w = call.output("_w");
    const ir::Operand& z = call.form.inputs.size() == 3 ? call.input("_z") : y;
    const auto rows = static_cast<std::size_t>(a.shape[0]), columns = static_cast<std::size_t>(a.shape[1]);
    std::fill(y.values.begin(), y.values.end(), ir::Number(0.0));
    std::fill(w.values.begin(), w.values.end(), ir::Number(0.0));
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) y.values[i] = y.values[i] + a.values[i * columns + j] * x.values[j];
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) w.values[j] = w.values[j] + z.values[i] * a.values[i * columns + j];
}

std::string why_not_one_pass(const NodeContext& context) {
    const Binding binding = bind(context);
    if (std::string why = why_not_blas_operands(binding, false); !why.empty()) return why;
    const std::vector<ir::Expr>& strides = binding.input("_A").operand.strides;
    if (strides[1].is_integer(1)) return "";
    if (!strides[0].is_integer(1)) return "neither rows nor columns of the matrix are contiguous";
    return has_z(binding) ? "" : "the second product waits for all of the first, as columns are contiguous";
}

std::string why_rather_not_one_pass(const NodeContext& context) {
    const Binding binding = bind(context);
    const auto rows = binding.sizes.at("M").constant(), columns = binding.sizes.at("N").constant();
    const bool small = rows && columns && *rows <= kSmallProduct && *columns <= kSmallProduct && *rows * *columns <= kSmallProduct;
    return small ? "loops are faster for so small a matrix" : "";
}

void expand_one_pass(NodeDraft& draft) {
    const Binding binding = bind(draft);
    const bool pair = has_z(binding);
    ExternCall call{.environment = "matrix_vector_pair",
                    .function = pair ? "sluice::matrix_vector::multiply_pair" : "sluice::matrix_vector::multiply_twice",
                    .arguments = {ExternCall::Address{"_A"}, binding.sizes.at("M"), binding.sizes.at("N"),
                                  ExternCall::Stride{"_A", 0, 2}, ExternCall::Stride{"_A", 1, 2}}};
    std::vector<Lead> inputs, outputs;
    const auto add = [&](const BoundOperand& one, std::vector<Lead>& leads) {
        leads.push_back({one.edge, one.connector});
        if (one.sizes.size() == 2) return;
        call.arguments.insert(call.arguments.end(), {ExternCall::Address{one.connector}, ExternCall::Stride{one.connector, 0, 1}});
    };
    for (const BoundOperand& one : binding.inputs) add(one, inputs);
    for (const BoundOperand& one : binding.outputs) add(one, outputs);
    become_call(draft, call, inputs, outputs, false);
}

/// Two Gemvs, the second after the first where it takes its result.
void expand_apart(NodeDraft& draft) {
    const Binding binding = bind(draft);
    ir::Sdfg body{.name = "pair"};
    std::vector<Lead> inputs, outputs;
    for (const BoundOperand& one : binding.inputs) inputs.push_back({one.edge, one.connector});
    for (const BoundOperand& one : binding.outputs) outputs.push_back({one.edge, one.connector});
    for (const auto* operands : {&binding.inputs, &binding.outputs})
        for (const BoundOperand& one : *operands) declare_operand(draft, body, one.connector, one.edge, one.dims);
    ir::StateBuilder state = ir::add_state(body.body, "products");
    const auto whole = [&](const std::string& name) {
        return ir::memlet(name, symbolic::Subset::extents(body.containers.at(name).shape));
    };
    const auto product = [&](ir::NodeId vector, const std::string& name, bool transposed, const std::string& result) {
        const ir::NodeId gemv = state.library("Gemv", "gemv", {"_A", "_x"}, {"_y"}, {{"transA", transposed}});
        std::get<ir::LibraryNode>(state.state().nodes[gemv].kind).implementation = draft.library().implementation;
        state.edge(state.access("_A"), "", gemv, "_A", whole("_A"));
        state.edge(vector, "", gemv, "_x", whole(name));
        const ir::NodeId to = state.access(result);
        state.edge(gemv, "_y", to, "", whole(result));
        return to;
    };
    const ir::NodeId y = product(state.access("_x"), "_x", false, "_y");
    has_z(binding) ? product(state.access("_z"), "_z", true, "_w") : product(y, "_y", true, "_w");
    replace_by(draft, std::move(body), inputs, outputs);
}

}  // namespace

Operation gemv_pair() {
    return {.name = "GemvPair",
            .classpath = {},
            .summary = "_y = _A @ _x and _w = _z @ _A, or _w = _y @ _A, for a matrix and vectors.",
            .forms = {form("_A[M, N], _x[N], _z[M] -> _y[M], _w[N]"), form("_A[M, N], _x[N] -> _y[M], _w[N]")},
            .types = {code::Scalar::Float64, code::Scalar::Float32},
            .one_type = true,
            .flops = [](const Form&) { return std::string("4*M*N"); },
            .reference = define_pair,
            .expansions = {{.name = "one_pass",
                            .summary = "A pass of the runtime over the matrix, four rows at a time, by a team where it is large.",
                            .requirement = {"matrix_vector_pair", true},
                            .why_not = why_not_one_pass,
                            .why_rather_not = why_rather_not_one_pass,
                            .expand = expand_one_pass},
                           {.name = "native", .summary = "A Gemv for each product.", .aliases = {"pure"}, .expand = expand_apart}}};
}

}  // namespace sluice::library
