// Products by OpenBLAS: cblas_?gemm for two matrices, cblas_?gemv for a matrix and a vector.
#pragma once

#include "library/node_context.h"

namespace sluice::library {

/// The edges and factors of _c = alpha * _a @ _b + beta * _c; factors are Python text.
struct ProductOperands {
    ir::EdgeId a, b, c;
    bool trans_a, trans_b;
    std::string alpha, beta;
    std::vector<Lead> inputs;  ///< Of the nested SDFG; _c among them where beta is not zero.
};

/// Can the linker find OpenBLAS (`-lopenblas`)? Looked up once per process.
bool openblas_installed();

/// Replaces the node by a call if the operands are matrices and vectors of one float or complex type with contiguous rows (or
/// columns) and the factors are numbers; false, and nothing happens, where they are not. `body` declares _a, _b and _c and is
/// consumed only if the answer is true. At run time the call gives way to plain loops where a size or stride is none of BLAS's.
bool call_openblas(NodeContext& context, ir::Sdfg& body, const ProductOperands& operands);

}  // namespace sluice::library
