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

using Matrix = std::vector<std::vector<std::complex<double>>>;  ///< Of rows.

/// The elements of an operand of two dimensions.
Matrix matrix_of(const ir::Operand& operand);
/// Sets an element of an operand of real or complex numbers.
void set_element(ir::Operand& operand, std::size_t at, std::complex<double> value);

struct Eigensystem {
    std::vector<double> values;  ///< Ascending.
    Matrix vectors;              ///< One in each column.
};
/// Of a Hermitian matrix, by Jacobi's rotations of its largest element (Golub and Van Loan, Matrix Computations, 8.5.2).
Eigensystem eigensystem_of(Matrix a);

}  // namespace sluice::library
