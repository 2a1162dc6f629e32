"""Assignments in maps that read and write one element: where points meet there they are updates, on every target."""
import numpy as np
import pytest
from devices import needs_opencl, on

import sluice

N = sluice.symbol("N")


def extremes(x: sluice.float64[N], w: sluice.float64[N], where: sluice.int64[N], largest: sluice.float64[7], least: sluice.float64[7], sums: sluice.int64[7]):
    for i in sluice.map[0:N]:
        largest[where[i]] = max(largest[where[i]], x[i])
        least[where[i]] = min(w[i], least[where[i]])
        sums[where[i]] = 1 + sums[where[i]]
    for i in sluice.map[0:N]:
        sums[where[i]] = sums[where[i]] - 3


def neighbours(x: sluice.float64[N], y: sluice.float64[N]):
    for i in sluice.map[0:N - 1]:
        y[i] += x[i]
        y[i + 1] += x[i + 1]


def through_a_view(x: sluice.float64[N], y: sluice.float64[N]):
    v = y[1:]
    for i in sluice.map[0:N - 1]:
        y[i] += x[i]
        v[i] += x[i + 1]


def by_numpy(x: sluice.float64[N], where: sluice.int64[N], largest: sluice.float64[7], least: sluice.float64[7]):
    for i in sluice.map[0:N]:
        largest[where[i]] = np.maximum(largest[where[i]], x[i])
        least[where[i]] = np.minimum(x[i], least[where[i]])


def own(x: sluice.float64[N], y: sluice.float64[N]):
    for i in sluice.map[0:N]:
        y[i] = y[i] + x[i]
        if x[i] > 0.5:
            y[i] = max(y[i], 2 * x[i])


@pytest.mark.parametrize("target", ["cpu", pytest.param("opencl", marks=needs_opencl)])
def test_points_that_meet(target):
    random = np.random.default_rng(0)
    n = 300_000
    x, w, where = random.random(n), random.random(n), random.integers(0, 7, n)
    x[5] = np.nan  # which Python's max(a, x) passes over
    largest, least, sums = np.full(7, 0.5), np.full(7, 0.5), np.zeros(7, int)
    on(target, extremes)(x, w, where, largest, least, sums)
    for k in range(7):
        assert largest[k] == np.nanmax(x[where == k]) and least[k] == w[where == k].min() and sums[k] == -2 * (where == k).sum()
    largest, least, x[5] = np.full(7, 0.5), np.full(7, 0.5), 0.25
    on(target, by_numpy)(x, where, largest, least)
    assert all(largest[k] == x[where == k].max() and least[k] == x[where == k].min() for k in range(7))
    for program in neighbours, through_a_view, own:
        x, y = random.random(n), random.random(n)
        mine = y.copy()
        on(target, program)(x, mine)
        expected = y.copy()
        if program is own:
            expected = np.where(x > 0.5, np.maximum(y + x, 2 * x), y + x)
        else:
            expected[:-1] += x[:-1]
            expected[1:] += x[1:]
        np.testing.assert_allclose(mine, expected, rtol=1e-13)


def test_what_is_an_update_and_what_not():
    text = sluice.program(extremes).to_sdfg().text()
    assert text.count('wcr="lambda a, b: a if not b > a else b"') >= 1 and text.count('wcr="lambda a, b: b if not a < b else a"') >= 1
    assert text.count("lambda a, b: a + b") >= 2
    assert "wcr" in sluice.program(neighbours).to_sdfg().text()
    source = sluice.program(neighbours).compile(np.ones(9), np.ones(9)).source
    assert "nowait reduction(+ : y[:N])" in source and "omp simd" not in source, "elements of other points too, in threads and in lanes"
    assert sluice.program(through_a_view).to_sdfg().text().count("wcr") >= 2, "a view's elements are the array's"
    assert sluice.program(by_numpy).to_sdfg().text().count("wcr") >= 4
    assert "wcr" not in sluice.program(own).to_sdfg().text(), "each point has an element of its own"

    def max(a, b):
        return a

    def shadowed(x: sluice.float64[N], y: sluice.float64[1]):
        for i in sluice.map[0:N]:
            y[0] = max(y[0], x[i])

    y = np.array([3.0])
    sluice.program(shadowed)(np.arange(9.0), y)
    assert y[0] == 3


def test_places_that_are_apart_stay_plain():
    def coordinates(v: sluice.float64[N, 3], x: sluice.float64[N, 3]):
        for i in sluice.map[0:N]:
            x[i, 0] += v[i, 0]
            x[i, 1] **= 2
            x[i, 2] = x[i, 2] - v[i, 1]

    assert "wcr" not in sluice.program(coordinates).to_sdfg().text()
    random = np.random.default_rng(1)
    v, x = random.random((9, 3)), random.random((9, 3))
    expected = np.stack((x[:, 0] + v[:, 0], x[:, 1] ** 2, x[:, 2] - v[:, 1]), axis=1)
    sluice.program(coordinates)(v, x)
    np.testing.assert_allclose(x, expected, rtol=1e-14)


def windows(y: sluice.int64[N]):
    for i in sluice.map[0:(N - 8) // 4]:
        for j in range(8):
            y[4 * i + j] += 1


def windows_of_a_view(y: sluice.int64[N]):
    for i in sluice.map[0:(N - 8) // 4]:
        row = y[4 * i:4 * i + 8]
        for j in range(8):
            row[j] = row[j] + 1


def slices(y: sluice.int64[N]):
    for i in sluice.map[0:(N - 8) // 4]:
        y[4 * i:4 * i + 8] += i


def named_slices(y: sluice.int64[N]):
    for i in sluice.map[0:(N - 8) // 4]:
        row = y[4 * i:4 * i + 8]
        row += 2
        y[4 * i:4 * i + 8] = y[4 * i:4 * i + 8] + 1


def own_slices(y: sluice.int64[N]):
    for i in sluice.map[0:N // 4]:
        y[4 * i:4 * i + 4] //= 2
        row = y[4 * i:4 * i + 4]
        row += i


def last_of_a_loop(y: sluice.int64[N]):
    for i in sluice.map[0:N // 2 - 9]:
        k = 0
        while k < 3 + i % 5:
            k += 1
        y[i + k] += 1


def same_name(y: sluice.int64[N]):
    for i in sluice.map[0:50]:
        for i in sluice.map[0:N]:
            y[i] += 1


def rows_of_data(y: sluice.int64[N], begin: sluice.int64[4]):
    for i in sluice.map[0:3]:
        for j in sluice.map[begin[i]:begin[i + 1]]:
            y[i + j] += 1


def blocks(y: sluice.int64[N]):
    for i, j in sluice.map[0:N // 4, 0:4]:
        y[4 * i + j] //= 2


def blocks_in_loops(y: sluice.int64[N]):
    for i in sluice.map[0:N // 8]:
        for k in range(2):
            for j in range(4 * k, 4 * k + 4):
                y[8 * i + j] += k


def columns(y: sluice.int64[N], z: sluice.int64[8, N]):
    for i in sluice.map[0:N]:
        for j in range(8):
            z[j, i] -= j
            y[i] += z[j, i]


def begun_by_a_loop(y: sluice.int64[N]):
    for t in range(3):
        for i in sluice.map[0:N // 4]:
            y[4 * i + t] //= 3


def resolved(program):
    """Does the graph resolve updates of one element by several points?"""
    return any(edge.data is not None and edge.data.wcr for edge, _ in program.to_sdfg().all_edges_recursive() if hasattr(edge.data, "wcr"))


def in_order(function, *arguments):
    """What Python makes of it, with `map` as a loop."""
    class Map:
        def __getitem__(self, ranges):
            ranges = ranges if isinstance(ranges, tuple) else (ranges,)
            spans = [range(one.start, one.stop) for one in ranges]
            return spans[0] if len(spans) == 1 else [(i, j) for i in spans[0] for j in spans[1]]
    names = dict(function.__globals__, sluice=type("sluice", (), {"map": Map()}), N=len(arguments[0]))
    type(function)(function.__code__, names)(*arguments)


@pytest.mark.parametrize("function, meet", [
    (windows, True), (windows_of_a_view, True), (slices, True), (named_slices, True), (own_slices, False),
    (last_of_a_loop, True), (same_name, True), (rows_of_data, True),
    (blocks, False), (blocks_in_loops, False), (columns, False), (begun_by_a_loop, False)])
def test_points_and_what_happens_in_each(function, meet):
    """What one point does in its loops may reach the elements of another one; an index may tell points apart by all of its parts together."""
    n = 4000
    given = [np.arange(n), *{rows_of_data: [np.array([0, 700, 1400, 2100])], columns: [np.arange(8 * n).reshape(8, n)]}.get(function, [])]
    expected, found = [x.copy() for x in given], [x.copy() for x in given]
    program = sluice.program(function, strict=True)
    assert resolved(program) == meet
    in_order(function, *expected)
    program(*found)
    for one, other in zip(expected, found):
        np.testing.assert_array_equal(one, other)
