"""Operations of BLAS."""
from . import nodes
from .nodes.einsum import Einsum
from .._operations import operation

Axpy, BatchedMatMul, Dot, Gemm, Gemv, Ger, MatMul = map(operation, ("Axpy", "BatchedMatMul", "Dot", "Gemm", "Gemv", "Ger", "MatMul"))
