"""break, continue and else of loops over tuples, whose iterations are written out; lists in conditions. As in Python."""
import numpy as np
import pytest

import sluice
from test_returned_structures import assert_same


def neighbours(g):
    h, w = g.shape
    total = np.zeros_like(g)
    for i in range(h):
        for j in range(w):
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if di == 0 and dj == 0:
                        continue
                    y, x = i + di, j + dj
                    if not (0 <= y < h and 0 <= x < w):
                        continue
                    total[i, j] += g[y, x]
    return total


def first_step(g):
    steps = 0
    for i in range(g.shape[0]):
        for dy, dx in [(0, 1), (1, 0), (0, -1)]:
            y, x = i + dy, 1 + dx
            if y >= g.shape[0]:
                continue
            if g[y, x] > 2:
                steps += 10 * dx + dy
                break
            steps += 1
    return steps


def left_early(g):
    seen = []
    for k in (2, 1, 0):
        if g[k, 0] > 1:
            if g[k, 1] > 1:
                break
            seen.append(k)
        else:
            if g[k, 1] < 0:
                continue
            seen.append(-k)
        seen.append(k * 10)
    return seen, k


def with_else(g):
    for k in [0, 1, 2]:
        if g[k, 0] == 3:
            break
    else:
        return -1
    return k


def returned(g):
    def find(x):
        for k in (0, 1, 2):
            if x[k, 1] > 2:
                return k
            if x[k, 0] > 90:
                break
        return -1

    return find(g), find(g * 0)


def inside_a_loop(g):
    n = 0
    for i in range(3):
        for k in (1, 2):
            if k == i:
                break
            n += 10 ** k
        if n > 200:
            continue
        n += 1
    return n


def next_greater(g):
    a = g.ravel()
    stack = []
    out = np.full(len(a), -1)
    for i in range(len(a)):
        while stack and a[stack[-1]] < a[i]:
            out[stack.pop()] = i
        if stack and i - stack[-1] > 1 or not stack:
            out[i] += 0
        stack.append(i)
    return out


GRIDS = [np.array([[0, 4, 2], [3, 1, 1], [2, 0, 5]]), np.array([[3, 3, 3], [1, 0, 1], [0, 2, 2]]), np.zeros((3, 3), int), -np.ones((3, 3), int)]


@pytest.mark.parametrize("function", [neighbours, first_step, left_early, with_else, returned, inside_a_loop, next_greater], ids=lambda f: f.__name__)
def test_as_in_python(function):
    program = sluice.program(strict=True)(function)
    for grid in GRIDS:
        assert_same(function(grid.copy()), program(grid.copy()))


def test_an_exit_in_the_else_of_an_inner_loop_is_refused():
    @sluice.program(strict=True)
    def skips(a):
        n = 0
        for i in range(3):
            for k in (1, 2):
                for j in range(3):
                    if a[j] == k:
                        break
                else:
                    continue
                n += 1
            n += 10
        return n

    with pytest.raises(sluice.CompileError) as refused:
        skips(np.arange(3))
    assert refused.value.code == "F001"
