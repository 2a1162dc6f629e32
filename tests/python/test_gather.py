"""Integer arrays as an index beside slices and integers: reading, writing, updating."""
import numpy as np
import pytest

import sluice
from against_numpy import agree

N, M, K = sluice.symbol("N"), sluice.symbol("M"), sluice.symbol("K")
f8, i8 = sluice.float64, sluice.int64


@sluice.program
def rows(A: f8[N, M], J: i8[K]):
    return A[J], A[J, 1:], A[J, 0], A[1:, 1][J]


@sluice.program
def columns(A: f8[N, M], J: i8[K]):
    return A[:, J], A[1:-1, J], A[0, J], A[::-1, J] * 2.0


@sluice.program
def assigned(A: f8[N, M], J: i8[K]):
    A[J] = 1.5
    A[:, J] = A[:, J] * 2.0
    A[0, J] = 7.0


@sluice.program
def updated(A: f8[N, M], J: i8[K]):
    A[J] += 1.0
    A[:, J] -= 0.5
    A[1:, J] *= 3.0


@sluice.program
def from_another(A: f8[N, M], J: i8[K]):
    B = A[J] + 1.0
    A[J] = B
    A[J, 1] = B[:, 0]


@pytest.mark.parametrize("J", [[0, 2, 1], [2, 2, -1], [-3, 1, 1]])
@pytest.mark.parametrize("program", [rows, columns, assigned, updated, from_another], ids=lambda p: p.name)
def test_means_what_numpy_means(program, J):
    agree(program, np.arange(15.0).reshape(5, 3), np.array(J), N=5, M=3, K=3)


@sluice.program
def several(T: f8[N, M, K], I: i8[3], J: i8[3], B: i8[2, 1]):
    return T[I, J], T[I, :, J], T[:, I, J], T[B, J], T[J, :, 0], T[0, :, J], T[1, J, I], T[B, 1:, J], T[I, None, J], T[np.ix_(I, J, J)], T[[0, 2], [1, 1]], T[(I, J, -1)]


@sluice.program
def several_written(T: f8[N, M, K], I: i8[3], J: i8[3], B: i8[2, 1]):
    T[I, J] = 1.0
    T[J, :, 0] = 2.0
    T[I, J, 0] += 5.0
    place = (0, I)
    T[place] = T[place] * 2.0
    T[np.ix_(J[:2], J[:2])] = 9.0


@pytest.mark.parametrize("program", [several, several_written], ids=lambda p: p.name)
def test_several_arrays_are_broadcast(program):
    agree(program, np.arange(64.0).reshape(4, 4, 4), np.array([0, 3, 1]), np.array([2, -1, 0]), np.array([[0], [-2]]), N=4, M=4, K=4)
