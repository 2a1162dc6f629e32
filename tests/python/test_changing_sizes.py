"""Programs without annotations that are called with other sizes: symbols from the second size on, with NumPy's answers."""
import numpy as np
import pytest

import sluice
from against_numpy import differences


def versions(program):
    return len({id(one) for one in program._versions.values()})


def agree(program, *arguments):
    ours, theirs = ([one.copy() if isinstance(one, np.ndarray) else one for one in arguments] for _ in "ab")
    found = differences(program.f(*theirs), program(*ours), "result")
    for at, (one, other) in enumerate(zip(theirs, ours)):
        found += differences(one, other, f"argument {at}")
    assert not found, "\n".join(found)


def test_two_versions_serve_all_sizes():
    @sluice.program
    def scaled(x, y, k):
        z = x + y * k
        return z, z.sum(axis=0)

    for n in (5, 9, 12, 7, 2, 100):
        agree(scaled, np.arange(3.0 * n).reshape(n, 3), np.ones((n, 3)), 2.0)
    assert versions(scaled) == 2


def test_extents_of_nothing_and_one_stay_numbers():
    @sluice.program
    def broadcast(x, y):
        return x + y

    for rows, columns in ((4, 5), (6, 5), (1, 5), (0, 5), (7, 5)):
        agree(broadcast, np.ones((rows, columns)), np.arange(1.0 * columns))
        agree(broadcast, np.ones((rows, columns)), np.ones(1))
    with pytest.raises(ValueError):
        broadcast(np.ones((8, 5)), np.ones(6))


def test_extents_that_were_equal_once_may_differ_later():
    @sluice.program
    def product(a, b):
        return a @ b

    for rows, inner, columns in ((3, 3, 3), (4, 4, 4), (4, 5, 6), (6, 5, 4), (5, 5, 2), (9, 2, 3)):
        agree(product, np.arange(1.0 * rows * inner).reshape(rows, inner), np.ones((inner, columns)))


def test_what_needs_the_numbers_gets_them():
    @sluice.program
    def unrolled(x):
        squares = [v * v for v in x]
        return squares[0] + squares[-1], len(squares)

    for n in (3, 4, 6):
        agree(unrolled, np.arange(1.0 * n))


def test_loops_and_slices():
    @sluice.program
    def smooth(x, steps):
        y = np.zeros_like(x)
        for _ in range(steps):
            y[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3
            for i in range(x.shape[0] // 2):
                y[i] += x[-1 - i]
            x, y = y, x
        return x[::2], y

    for n in (8, 9, 30, 3):
        agree(smooth, np.arange(1.0 * n), 5)
    assert versions(smooth) == 2


item = 1.0


def test_variables_of_comprehensions_are_no_names_of_the_module():
    """`item` of the module may change: the program has a variable of that name, and is not compiled again."""
    global item

    @sluice.program
    def squares(x):
        return sum([item * item for item in x])

    before = squares(np.arange(3.0))
    compiled = set(map(id, squares._versions.values()))
    item = 7.0
    assert squares(np.arange(3.0)) == before == 5.0
    assert set(map(id, squares._versions.values())) == compiled
