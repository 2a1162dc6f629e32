"""Warnings of maps whose points touch one element without an order (L043)."""
import itertools
import warnings

import numpy as np
import pytest

import sluice

N, M = sluice.symbol("N"), sluice.symbol("M")


def warned(program):
    """The warnings of races while the program, or graph, is compiled."""
    with warnings.catch_warnings(record=True) as all_of_them:
        warnings.simplefilter("always")
        (program if isinstance(program, sluice.SDFG) else program.to_sdfg(simplify=False)).compile(optimize=0)
    return [str(one.message) for one in all_of_them if one.category is sluice.RaceWarning]


def shifted(x: sluice.float64[N], y: sluice.float64[N], z: sluice.float64[N]):
    for i in sluice.map[1:N]:
        y[i] = x[i]
        z[i] = y[i - 1]


def one_place(x: sluice.float64[N], s: sluice.float64[1]):
    for i in sluice.map[0:N]:
        s[0] = x[i]


def rows(a: sluice.float64[N, M], s: sluice.float64[N]):
    for i, j in sluice.map[0:N, 0:M]:
        s[i] = a[i, j]


def reversed_in_place(a: sluice.float64[N]):
    for i in sluice.map[0:N]:
        a[i] = a[N - 1 - i]


@pytest.mark.parametrize("function, witness", [(shifted, "y[1]: written by"), (one_place, "s[0]: written by"), (rows, "s[0]: written by"),
                                               (reversed_in_place, "a[")], ids=lambda one: getattr(one, "__name__", ""))
def test_a_race_is_a_warning_with_two_points(function, witness):
    (text,) = warned(sluice.program(function))
    assert "warning L043: what the map" in text and witness in text and __file__ in text and "help: update with a conflict resolution" in text


def updates(x: sluice.float64[N], s: sluice.float64[1]):
    for i in sluice.map[0:N]:
        s[0] += x[i]


def own_elements(a: sluice.float64[N, M], t: sluice.float64[M, N]):
    for i, j in sluice.map[0:N, 0:M]:
        t[j, i] = a[i, j]
        a[i, j] = 2 * a[i, j]


def far_away(a: sluice.float64[N + M]):  # a race only where M is less than N
    for i in sluice.map[0:N]:
        a[i] = a[i + M]


def of_the_data(x: sluice.float64[N], s: sluice.float64[1]):
    for i in sluice.map[0:N]:
        if x[i] > 3:
            s[0] = 1


def even_and_odd(a: sluice.float64[2 * N]):
    for i in sluice.map[0:N]:
        a[2 * i] = a[2 * i + 1]


def in_a_loop(a: sluice.float64[N, M]):
    for k in range(1, N):
        for j in sluice.map[0:M]:
            a[k, j] = a[k - 1, j]


@pytest.mark.parametrize("function", [updates, own_elements, far_away, of_the_data, even_and_odd, in_a_loop])
def test_nothing_else_is(function):
    assert warned(sluice.program(function)) == []


def test_updates_by_a_function_of_the_users_are_not():
    sdfg = sluice.SDFG("norm")
    sdfg.add_array("a", [N], sluice.float64)
    sdfg.add_array("s", [1], sluice.float64)
    sdfg.add_state("main").add_mapped_tasklet("norm", {"i": "0:N"}, {"x": sluice.Memlet("a[i]")}, "y = x", {"y": sluice.Memlet(
        "s[0]", wcr="lambda old, new: sqrt(old * old + new * new)")}, external_edges=True)
    assert warned(sdfg) == []
    a, s = np.arange(5.0), np.zeros(1)
    sdfg(a=a, s=s, N=5)
    np.testing.assert_allclose(s, np.sqrt(30.0))


def test_views_with_strides_of_their_own_are_not():
    @sluice.program
    def shifted(a: sluice.float64[N, M]):
        a += 1

    @sluice.program
    def rows(a: sluice.float64[N, M]):
        for i in sluice.map[1:N]:
            a[i] = a[i - 1]

    for program, count in (shifted, 0), (rows, 1):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            for view in np.arange(12.0).reshape(3, 4).T[::2], np.arange(40.0).reshape(5, 8)[:, ::2]:
                program(view)
        assert len([one for one in said if one.category is sluice.RaceWarning]) == count, program.name


def test_maps_with_an_order_are_not():
    for schedule, count in (sluice.ScheduleType.Default, 1), (sluice.ScheduleType.Sequential, 0):
        sdfg = graph(10, (1, 0), (1, 1), schedule)
        assert len(warned(sdfg)) == count


def graph(size, written, read, schedule=sluice.ScheduleType.Default):
    """a[p * i + q] = a[r * i + s] for i in 0:size."""
    sdfg = sluice.SDFG("affine")
    sdfg.add_array("a", [64], sluice.float64)
    (p, q), (r, s) = written, read
    sdfg.add_state("main").add_mapped_tasklet("shift", {"i": f"0:{size}"}, {"x": sluice.Memlet(f"a[{r} * i + {s}]")}, "y = x + 1",
                                              {"y": sluice.Memlet(f"a[{p} * i + {q}]")}, schedule=schedule, external_edges=True)
    return sdfg


def test_as_all_pairs_of_points_say():
    rng, kinds = np.random.default_rng(7), set()
    coefficients = list(itertools.product(range(4), range(5)))
    for _ in range(40):
        written, read = (coefficients[rng.integers(len(coefficients))] for _ in range(2))
        size = int(rng.integers(1, 9))
        touched = [(written[0] * i + written[1], read[0] * i + read[1]) for i in range(size)]
        races = any(a[0] in b for a, b in itertools.permutations(touched, 2))
        kinds.add(races)
        assert bool(warned(graph(size, written, read))) == races, (size, written, read)
    assert kinds == {False, True}
