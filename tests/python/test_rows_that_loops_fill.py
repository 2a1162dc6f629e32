"""Lists of lists that a loop fills one after the other: how long each is follows from the loops, where all paths append as often."""
import itertools

import numpy as np
import pytest

import sluice
from test_types_by_path import same


def of_both_paths(x, m):
    rows = []
    for i in range(m):
        row = []
        for j in range(m):
            d = abs(x[i] - x[j])
            if d > 0.3:
                row.append(0.0)
            else:
                row.append(d)
        rows.append(row)
    return np.array(rows), len(rows), len(row)


def of_a_recurrence(x, m):
    rows = []
    for i in range(m):
        row = [x[i]]
        for j in range(0, m, 2):
            row.append(row[-1] * 0.5 + j)
        for j in range(m - 1, -1, -1):
            row.append(row[j // 3] + x[j])
        rows.append(row)
    return rows


def of_two_loops(x, m):
    rows = [[0] * (2 * m)]
    for i in range(3):
        row = []
        for j in range(m):
            for k in range(2):
                row.append(i + j + k + rows[i][j])
        rows.append(row)
    return rows


def with_names(x, m):
    table, rows = [], []
    for i in range(m):
        row = [i * 0.5 + j for j in range(m)]
        table.append(row)
        products = [x[i] * x[j] for j in range(len(x))]
        rows.append(products)
    return np.array(table) @ np.ones(m), rows


@pytest.mark.parametrize("function", [of_both_paths, of_a_recurrence, of_two_loops, with_names])
def test_rows(function):
    program = sluice.program(function, strict=True)
    x = np.random.default_rng(1).random(6)
    for m in (1, 4, 6):
        same(program(x, m), function(x, m))


def of_some(x, m):
    rows = []
    for i in range(m):
        row = []
        for j in range(m):
            if x[j] > x[i]:
                row.append(x[j])
        rows.append(row)
    return rows


def shortened(x, m):
    rows = []
    for i in range(m):
        row = []
        for j in range(m):
            row.append(x[j])
        row.pop()
        rows.append(row)
    return rows


def with_a_break(x, m):
    rows = []
    for i in range(m):
        row = []
        for j in range(m):
            if x[j] > 0.9:
                break
            row.append(x[j])
        rows.append(row)
    return rows


def changed_by_another(x, m):
    def add(r):
        r.append(3.0)

    rows = []
    for i in range(m):
        row = []
        for j in range(m):
            row.append(x[j])
        add(row)
        rows.append(row)
    return rows


def changed_behind(x, m):
    rows = []
    for i in range(m):
        row = [x[j] for j in range(m)]
        rows.append(row)
        row[0] = -1.0
    return rows


def in_two_places(x, m):
    rows, row = [], [1.0]
    for i in range(m):
        row = [x[j] for j in range(m)]
        rows.append(row)
    return rows, row


def of_other_lengths(x, m):
    rows = []
    for i in range(2):
        row = []
        for j in range(m):
            row.append(x[j])
        m = 2
        rows.append(row)
    return rows


def of_both_types(x, m):
    rows = []
    for i in range(m):
        row = [0.0]
        for j in range(m):
            row.append(x[j])
        rows.append(row)
    return rows


@pytest.mark.parametrize("function", [of_some, shortened, with_a_break, changed_by_another, changed_behind, in_two_places,
                                      of_other_lengths, of_both_types])
def test_others_are_lists_of_one_memory_or_pythons(function, monkeypatch):
    x = np.random.default_rng(1).random(6)
    same(sluice.program(function, strict=True)(x, 4), function(x, 4))
    monkeypatch.delenv("SLUICE_STRICT")
    with pytest.warns(sluice.FallbackWarning):
        same(sluice.program(function)(x, 4), function(x, 4))


def test_an_array_of_empty_rows_of_integers():
    """NumPy has it of float64."""
    def rows(n, m):
        all_rows = []
        for i in range(n):
            row = []
            for j in range(m):
                row.append(i + j)
            all_rows.append(row)
        return np.array(all_rows)

    program = sluice.program(rows, strict=True)
    same(program(3, 2), rows(3, 2))
    with pytest.raises(NotImplementedError):
        program(3, 0)


def running_statistics(x):
    n, mean, m2, out = 0, 0.0, 0.0, []
    for v in x:
        n += 1
        d = v - mean
        mean += d / n
        m2 += d * (v - mean)
        out.append((n, mean, m2 / n if n > 1 else 0.0))
    return out


def test_tuples_of_which_some_numbers_are_of_numpy():
    program = sluice.program(running_statistics, strict=True)
    for n in (1, 5):
        same(program(np.linspace(0.3, 1, n)), running_statistics(np.linspace(0.3, 1, n)))


def first_power(base, limit):
    found = []
    for power in itertools.count(1, 2):
        if power % 3 == 0:
            continue
        if base ** power > limit:
            break
        found.append(power)
    for step in itertools.count(step=0.5):
        if step * base > 4:
            return found, power, step


def test_loops_without_an_end():
    same(sluice.program(first_power, strict=True)(1.5, 40.0), first_power(1.5, 40.0))
