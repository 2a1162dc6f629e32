"""Products of arrays that lie in blocks on a grid of ranks, inside of programs."""
from .comm import _of_programs

MatMult = _of_programs("MatMult", "C = MatMult(A, B, (M, N, K)): the block of this rank of the product of an M x K matrix and a K x N one.", "distr")
