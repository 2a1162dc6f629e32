// Cholesky: `_b` is the triangular factor of the symmetric positive definite `_a`: _b @ _b.T == _a, or with lower=False _b.T @ _b
// == _a. The other triangle of `_b` becomes zero; of `_a` only the lower triangle is read.
#include <cmath>

#include "library/extern_call.h"
#include "library/shared/blas.h"

namespace sluice::library {

using ir::Expr;
using symbolic::Range;

namespace {

/// L[i, j] = (a[i, j] - sum over k < j of L[i, k] * L[j, k]) / L[j, j], row by row.
void define_cholesky(ReferenceCall& call) {
    const ir::Operand& a = call.input("_a");
    ir::Operand& b = call.output("_b");
    const bool lower = call.number("lower").integer != 0;
    const auto n = static_cast<std::size_t>(a.shape[0]);
    std::vector<double> factor(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double rest = a.values[i * n + j].complex().real();
            for (std::size_t k = 0; k < j; ++k) rest -= factor[i * n + k] * factor[j * n + k];
            factor[i * n + j] = i == j ? std::sqrt(rest) : rest / factor[j * n + j];
        }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) b.values[i * n + j] = lower ? factor[i * n + j] : factor[j * n + i];
}

/// a @ a.T + n * I is positive definite.
void make_positive_definite(ir::Operands& operands) {
    ir::Operand& a = operands.at("_a");
    const auto n = static_cast<std::size_t>(a.shape[0]);
    const std::vector<ir::Number> random = a.values;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            ir::Number sum = i == j ? static_cast<double>(n) : 0.0;
            for (std::size_t k = 0; k < n; ++k) sum = sum + random[i * n + k] * random[j * n + k];
            a.values[i * n + j] = sum;
        }
}

/// The right-looking algorithm: one loop over columns around parallel maps (Golub and Van Loan, Matrix Computations, 4.2).
void expand_columns(NodeDraft& context) {
    const Binding binding = bind(context);
    const ir::EdgeId a = binding.inputs[0].edge, b = binding.outputs[0].edge;
    ir::Sdfg body{.name = "cholesky"};
    declare_operand(context, body, "_a", a, binding.inputs[0].dims);
    declare_operand(context, body, "_b", b, binding.outputs[0].dims);
    const bool lower = context.flag("lower");
    const Expr n = binding.sizes.at("N"), i = symbolic::symbol("__i"), j = symbolic::symbol("__j"), k = symbolic::symbol("__k");
    // Element (row, column) of the lower factor.
    const auto at = [&](const Expr& row, const Expr& column) {
        return ir::memlet("_b", lower ? ir::Subset::indices({row, column}) : ir::Subset::indices({column, row}));
    };
    const Range all = Range::extent(n), below{k + 1, n};
    const auto schedule = context.library().schedule;
    ir::BlockId start, columns;
    ir::add_state(body.body, "start", &start)
        .mapped_tasklet("copy", {{"__i", all}, {"__j", all}}, {{"__x", "_a[__i, __j]"}}, "__o = __x if __j <= __i else 0",
                        {{"__o", at(i, j)}}, {}, schedule);
    columns = ir::add_block(body.body, ir::for_loop("columns", "__k", "0", n));
    ir::add_transition(body.body, start, columns);
    ir::Region& loop = std::get<ir::LoopRegion>(body.body.blocks[columns].kind).body;
    ir::BlockId root, scale;
    ir::StateBuilder first = ir::add_state(loop, "root", &root);
    const ir::NodeId task = first.tasklet("root", {{"__x", code::DType()}}, {{"__o", code::DType()}}, "__o = sqrt(__x)");
    first.edge(first.access("_b"), "", task, "__x", at(k, k));
    first.edge(task, "__o", first.access("_b"), "", at(k, k));
    ir::add_state_after(loop, root, "scale", &scale)
        .mapped_tasklet("scale", {{"__i", below}}, {{"__x", at(i, k)}, {"__d", at(k, k)}}, "__o = __x / __d", {{"__o", at(i, k)}},
                        {}, schedule);
    ir::add_state_after(loop, scale, "update")
        .mapped_tasklet("update", {{"__i", below}, {"__j", Range{k + 1, i + 1}}},
                        {{"__x", at(i, j)}, {"__l", at(i, k)}, {"__m", at(j, k)}}, "__o = __x - __l * __m", {{"__o", at(i, j)}}, {},
                        schedule);
    replace_by(context, std::move(body), {{a, "_a"}}, {{b, "_b"}});
}

/// A call of LAPACK's potrf: whose LAPACK it is, the environment says.
Expansion lapack_cholesky(const std::string& name, const std::string& environment, std::vector<std::string> aliases) {
    Expansion expansion{.name = name,
                        .summary = "A call of potrf.",
                        .aliases = std::move(aliases),
                        .requirement = {environment, true},
                        .expand = {}};
    expansion.why_not = [](const NodeContext& context) { return why_not_blas_operands(bind(context), false); };
    expansion.expand = [environment](NodeDraft& draft) {
        const Binding binding = bind(draft);
        const BoundOperand &a = binding.inputs[0], &b = binding.outputs[0];
        const auto stride = [](const char* connector, std::size_t dim) { return ExternCall::Stride{connector, dim, 2}; };
        const ExternCall call{.environment = environment,
                              .function = "sluice::lapack::cholesky",
                              .arguments = {a.operand.shape[0], ExternCall::Address{"_a"}, stride("_a", 0), stride("_a", 1),
                                            ExternCall::Address{"_b"}, stride("_b", 0), stride("_b", 1),
                                            ir::Expr(std::int64_t{draft.flag("lower")})}};
        become_call(draft, call, {{a.edge, "_a"}}, {{b.edge, "_b"}}, false);
    };
    return expansion;
}

}  // namespace

Operation cholesky() {
    return {.name = "Cholesky",
            .classpath = "dace.libraries.linalg.nodes.cholesky.Cholesky",
            .summary = "The triangular factor of a symmetric positive definite matrix.",
            .forms = {form("_a[N, N] -> _b[N, N]", {{"lower", true}}), form("_a[N, N] -> _b[N, N]", {{"lower", false}})},
            .properties = {{"lower", true, "The factor is lower triangular."}},
            .types = {code::Scalar::Float64, code::Scalar::Float32},
            .one_type = true,
            .make_valid = make_positive_definite,
            .flops = [](const Form&) { return std::string("N**3/3"); },
            .reference = define_cholesky,
            .expansions = {lapack_cholesky("NumPy", "numpy_lapack", {}),
                           lapack_cholesky("LAPACKE", "lapacke", {"OpenBLAS"}),
                           lapack_cholesky("MKL", "mkl", {}),
                           {.name = "native",
                            .summary = "A loop over columns around parallel maps.",
                            .aliases = {"pure"},
                            .expand = expand_columns}}};
}

}  // namespace sluice::library
