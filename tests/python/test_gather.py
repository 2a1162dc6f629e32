"""Integer arrays as an index beside slices and integers: reading, writing, updating."""
import re

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


@sluice.program
def gathered(x: f8[N], at: i8[M], y: f8[M]):
    for i in range(at.shape[0]):
        y[i] = x[at[i]]


@sluice.program
def scattered(x: f8[N], at: i8[M], y: f8[M]):
    for i in range(at.shape[0]):
        x[at[i]] += y[i]


@sluice.program
def moved(x: f8[N], at: i8[M], y: f8[M]):
    for i in range(at.shape[0]):
        y[i] = x[at[i]]
        at[i] = i - 1


@sluice.program
def chosen(x: f8[N], at: i8[M], y: f8[M]):
    for i in range(at.shape[0]):
        if y[i] > 0.5:
            y[i] = x[at[i]]


@sluice.program
def twice(x: f8[N], at: i8[M], y: f8[M]):
    for i in range(at.shape[0]):
        y[i] += x[at[i]] * x[at[at[i]]]


@sluice.program
def of_rows(x: f8[N], at: i8[M], y: f8[M]):
    for i in range(3):
        for j in range(at[i], at[i + 1]):
            y[i] += x[at[j]]


@pytest.mark.parametrize("wrong", [None, 0, 511, 512, 1300])
@pytest.mark.parametrize("by", [1500, -1, -1501])
@pytest.mark.parametrize("program", [gathered, scattered, moved, chosen, twice, of_rows], ids=lambda p: p.name)
def test_indices_are_compared_in_blocks(program, by, wrong):
    """One is outside, or counts from the end: what the iterations before it stored stays, and those after it store nothing."""
    random = np.random.default_rng(5)
    given = [random.random(1500), random.integers(0, 1500, 1400), random.random(1400)]
    given[1][:4] = [0, 5, 600, 1390]
    if wrong is not None:
        given[1][wrong] = by
    mine, other = ([one.copy() for one in given] for _ in range(2))

    def raised(function, arguments):
        try:
            function(*arguments)
        except IndexError as error:
            return re.search(r"index -?\d+ is out of bounds for axis 0 with size \d+", str(error)).group()
    assert raised(program, mine) == raised(program.f, other)
    for one, another in zip(mine, other):
        assert np.array_equal(one, another)


def test_the_loop_behind_compared_indices_cannot_fail():
    source = gathered.compile(np.zeros(4), np.zeros(3, np.int64), np.zeros(3)).source
    assert "outside |=" in source and "x[in_at]" in source and source.count("try {") < 6
