#include "library/shared/lapack.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "library/extern_call.h"
#include "library/shared/blas.h"

namespace sluice::library {

namespace {

void become_function(NodeDraft& draft, const LapackFunction& function, const std::string& environment, const std::string& space) {
    const Binding binding = bind(draft);
    ExternCall call{.environment = environment, .function = "sluice::" + space + "::" + function.name(binding), .arguments = {}};
    for (const std::string& size : function.sizes) call.arguments.emplace_back(binding.sizes.at(size));
    std::vector<Lead> inputs, outputs;
    for (const auto* operands : {&binding.inputs, &binding.outputs})
        for (const BoundOperand& one : *operands) {
            call.arguments.emplace_back(ExternCall::Address{one.connector});
            for (std::size_t dim = 0; dim < one.sizes.size(); ++dim)
                call.arguments.emplace_back(ExternCall::Stride{one.connector, dim, one.sizes.size()});
            (operands == &binding.inputs ? inputs : outputs).push_back({one.edge, one.connector});
        }
    become_call(draft, call, inputs, outputs, false);
}

}  // namespace

std::vector<Expansion> lapack_expansions(const LapackFunction& function) {
    std::vector<Expansion> result;
    const auto add_library = [&](const std::string& name, const std::string& environment, std::vector<std::string> aliases) {
        result.push_back({.name = name,
                          .summary = "A call of " + function.routine + ".",
                          .aliases = std::move(aliases),
                          .requirement = {environment, true},
                          .why_not = [](const NodeContext& context) { return why_not_blas_operands(bind(context)); },
                          .expand = [=](NodeDraft& draft) { become_function(draft, function, environment, "lapack"); }});
    };
    add_library("NumPy", "numpy_lapack", {});
    add_library("LAPACKE", "lapacke", {"OpenBLAS"});
    add_library("MKL", "mkl", {});
    result.push_back({.name = "native",
                      .summary = function.method,
                      .aliases = {"pure"},
                      .requirement = {function.header, false},
                      .expand = [=](NodeDraft& draft) { become_function(draft, function, function.header, function.header); }});
    return result;
}

ComplexRows matrix_of(const ir::Operand& operand) {
    const auto rows = static_cast<std::size_t>(operand.shape[0]), columns = static_cast<std::size_t>(operand.shape[1]);
    ComplexRows result(rows);
    for (std::size_t at = 0; at < rows * columns; ++at) result[at / columns].push_back(operand.values[at].complex());
    return result;
}

void set_element(ir::Operand& operand, std::size_t at, std::complex<double> value) {
    operand.values[at] = code::is_complex(operand.type) ? ir::Number(value) : ir::Number(value.real());
}

Eigensystem eigensystem_of(ComplexRows a) {
    const std::size_t n = a.size();
    ComplexRows v(n, std::vector<std::complex<double>>(n));
    for (std::size_t i = 0; i < n; ++i) {
        v[i][i] = 1;
        a[i][i] = a[i][i].real();
        for (std::size_t j = 0; j < i; ++j) a[j][i] = std::conj(a[i][j]);
    }
    double norm = 0;
    for (const auto& row : a)
        for (const auto& value : row) norm = std::max(norm, std::abs(value));
    for (std::size_t turn = 0; turn < 60 * n * n; ++turn) {
        std::size_t p = 0, q = 0;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = i + 1; j < n; ++j)
                if (p == q || std::abs(a[i][j]) > std::abs(a[p][q])) p = i, q = j;
        if (p == q || std::abs(a[p][q]) <= 1e-17 * norm) break;
        // The eigenvectors of [[a_pp, a_pq], [conj(a_pq), a_qq]] are the columns of the rotation.
        const double angle = std::atan2(2 * std::abs(a[p][q]), a[q][q].real() - a[p][p].real()) / 2;
        const std::complex<double> phase = std::polar(1.0, std::arg(a[p][q]));
        const std::complex<double> c = std::cos(angle), s = std::sin(angle) * phase;
        for (ComplexRows* columns : {&a, &v})
            for (auto& row : *columns) {
                const auto left = row[p], right = row[q];
                row[p] = c * left - std::conj(s) * right;
                row[q] = s * left + c * right;
            }
        for (std::size_t j = 0; j < n; ++j) {
            const auto left = a[p][j], right = a[q][j];
            a[p][j] = c * left - s * right;
            a[q][j] = std::conj(s) * left + c * right;
        }
        a[p][q] = a[q][p] = 0;
    }
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::size_t i) { return a[i][i].real(); });
    Eigensystem result{{}, ComplexRows(n)};
    for (const std::size_t j : order) {
        result.values.push_back(a[j][j].real());
        for (std::size_t i = 0; i < n; ++i) result.vectors[i].push_back(v[i][j]);
    }
    return result;
}

SingularSystem singular_system_of(const ComplexRows& a, std::size_t columns, std::size_t count) {
    const std::size_t m = a.size(), n = columns;
    ComplexRows both(m + n, std::vector<std::complex<double>>(m + n));
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) both[m + j][i] = std::conj(a[i][j]);
    const Eigensystem system = eigensystem_of(both);
    const auto zeros = [](std::size_t rows, std::size_t width) {
        return ComplexRows(rows, std::vector<std::complex<double>>(width));
    };
    SingularSystem result{std::vector<double>(count), zeros(m, count), zeros(count, n)};
    for (std::size_t at = 0; at < count && at < std::min(m, n); ++at) {
        const std::size_t column = m + n - 1 - at;
        result.s[at] = system.values[column];
        for (std::size_t i = 0; i < m; ++i) result.u[i][at] = std::sqrt(2) * system.vectors[i][column];
        for (std::size_t i = 0; i < n; ++i) result.v[at][i] = std::sqrt(2) * std::conj(system.vectors[m + i][column]);
    }
    return result;
}

TriangularFactors triangular_factors_of(ComplexRows a) {
    const std::size_t n = a.size();
    double sign = 1;
    const auto size = [](std::complex<double> x) { return std::abs(x.real()) + std::abs(x.imag()); };
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = k; i < n; ++i)
            for (std::size_t j = 0; j < k; ++j) a[i][k] -= a[i][j] * a[j][k];
        const auto first = a.begin() + static_cast<std::ptrdiff_t>(k);
        const auto pivot = std::max_element(first, a.end(), [&](const auto& x, const auto& y) { return size(x[k]) < size(y[k]); });
        if (pivot != first) {
            std::swap(*pivot, *first);
            sign = -sign;
        }
        for (std::size_t j = k + 1; j < n; ++j)
            for (std::size_t i = 0; i < k; ++i) a[k][j] -= a[k][i] * a[i][j];
        for (std::size_t i = k + 1; i < n && a[k][k] != 0.0; ++i) a[i][k] /= a[k][k];
    }
    return {std::move(a), sign};
}

}  // namespace sluice::library
