// Operations that LAPACK carries out, or a header of the runtime where there is none.
#pragma once

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "library/contract.h"
#include "library/operation.h"

namespace sluice::library {

/// A function in `sluice::lapack` (runtime/lapack.h) and one of the same name and arguments in `sluice::<header>`
/// (runtime/<header>.h): the sizes, then for each operand of the form its address and the strides of its dimensions.
struct LapackFunction {
    std::function<std::string(const Binding&)> name;
    std::vector<std::string> sizes;
    std::string routine;  ///< LAPACK's, without the letter of the type: `gesv`.
    std::string header;
    std::string method;  ///< Of the header; one sentence.
};
/// NumPy, LAPACKE, MKL, native.
std::vector<Expansion> lapack_expansions(const LapackFunction& function);

using ComplexRows = std::vector<std::vector<std::complex<double>>>;  ///< A matrix.

/// The elements of an operand of two dimensions.
ComplexRows matrix_of(const ir::Operand& operand);
/// Sets an element of an operand of real or complex numbers.
void set_element(ir::Operand& operand, std::size_t at, std::complex<double> value);

struct Eigensystem {
    std::vector<double> values;  ///< Ascending.
    ComplexRows vectors;         ///< One in each column.
};
/// Of a Hermitian matrix, of which the lower triangle is read, by Jacobi's rotations of its largest element (Golub and Van Loan,
/// Matrix Computations, 8.5.2).
Eigensystem eigensystem_of(ComplexRows a);

/// a == u @ diag(s) @ v, as far as `count` goes; what lies beyond min(m, n) is 0.
struct SingularSystem {
    std::vector<double> s;  ///< Descending.
    ComplexRows u, v;
};
/// The eigenvectors of [[0, a], [a^H, 0]] for its positive eigenvalues are (u, v) / sqrt(2).
SingularSystem singular_system_of(const ComplexRows& a, std::size_t columns, std::size_t count);

struct TriangularFactors {
    ComplexRows both;  ///< The lower factor without its diagonal of ones, and the upper one.
    double sign = 1;   ///< Of the exchanges of rows.
};
/// Column by column, as the sums of the products say: b[i, j] = a[i, j] - sum over k < min(i, j) of b[i, k] * b[k, j].
TriangularFactors triangular_factors_of(ComplexRows a);

}  // namespace sluice::library
