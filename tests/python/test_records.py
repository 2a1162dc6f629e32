"""Structured arrays: among the arguments, made and returned by programs, compared with NumPy, the arguments after the call included."""
import copy

import numpy as np
import pytest

import sluice

PARTICLE = np.dtype([("pos", "f8", (3,)), ("mass", "f8"), ("id", "i4"), ("on", "?")])
PAIR = np.dtype([("x", np.float64), ("v", np.float32), ("n", np.int64)])


def moved(p, dt):
    p["x"] += dt * p["v"]
    p["n"][1:] = 7
    p["v"] = 2.0
    return p["x"].mean(), len(p), p.shape, p.size


def looped(p, k):
    total = 0.0
    for i in range(len(p)):
        if p[i]["n"] > k:
            total += p[i]["x"] * p["v"][i]
            p[i]["x"] = 0.5
    return total


def made(n):
    q = np.zeros(n, dtype=[("x", "f8"), ("id", "i4")])
    q["x"] = np.arange(n) * 0.5
    for i in range(n):
        q["id"][i] = i * i
    return q


def made_of_type(n, m):
    q = np.ones((n, m), PARTICLE)
    q["pos"][:, :, 0] = 2.5
    q["id"] += 3
    return q, q["mass"].sum()


def assigned(n):
    q = np.empty(n, dtype=PAIR)
    for i in range(n):
        q[i] = (i * 0.5, i + 1.0, n - i)
    return q




def centre(p):
    total = p["mass"].sum()
    return (p["pos"] * p["mass"][:, None]).sum(axis=0) / total, p["id"].max(), p["on"].any()


def given_back(p):
    p["x"] += 1.0
    return p, p["n"].sum()


def parts(p):
    x = p["x"]
    x[0] = 9.0
    return x, p["v"][::2], p["x"] * 2


def raising(p, n):
    p["x"] = 1.0
    if n > 2:
        raise ValueError("too large")
    return p["x"].sum()


def pairs(n=5):
    rng = np.random.default_rng(n)
    p = np.zeros(n, PAIR)
    p["x"], p["v"], p["n"] = rng.normal(size=n), rng.normal(size=n), rng.integers(0, 9, n)
    return p


def particles(n=4):
    rng = np.random.default_rng(n)
    p = np.zeros(n, PARTICLE)
    p["pos"], p["mass"], p["id"], p["on"] = rng.normal(size=(n, 3)), rng.random(n), range(n), rng.random(n) > 0.5
    return p


def same(one, other):
    assert type(one) is type(other), (one, other)
    if isinstance(one, tuple):
        assert len(one) == len(other)
        for a, b in zip(one, other):
            same(a, b)
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype and one.shape == other.shape
        if one.dtype.names:
            return same(tuple(one[name] for name in one.dtype.names), tuple(other[name] for name in one.dtype.names))
        np.testing.assert_allclose(one, other, rtol=1e-13)  # NumPy adds strided elements in another order
    else:
        assert one == pytest.approx(other, rel=1e-13)


@pytest.mark.parametrize("call", [(moved, pairs(), 0.1), (looped, pairs(9), 4), (made, 5), (made_of_type, 2, 3), (assigned, 4), (centre, particles()), (given_back, pairs()),
                                  (parts, pairs()), (parts, pairs(9)[::2]), (looped, pairs(0), 1)], ids=lambda call: call[0].__name__)
def test_means_what_numpy_means(call):
    function, *arguments = call
    theirs, ours = copy.deepcopy(arguments), copy.deepcopy(arguments)
    expected = function(*theirs)
    program = sluice.program(function, strict=True)
    same(program(*ours), expected)
    same(tuple(ours), tuple(theirs))


def test_rows_that_are_chosen():
    def chosen_here(p):
        q = p[p["x"] > 0]
        r = q[np.argsort(q["v"])]
        s = p.copy()
        s["x"] *= 2
        t = p[1:]
        t["n"] = 1
        return q, r["n"].sum(), s, t["x"].sum()
    ours, theirs = pairs(9), pairs(9)
    same(sluice.program(chosen_here, strict=True)(ours), chosen_here(theirs))
    same(ours, theirs)


def test_results_are_the_callers_memory():
    p = pairs()
    x, v, _ = sluice.program(parts, strict=True)(p)
    x[1], v[1] = -5.0, 77.0
    assert p["x"][1] == -5.0 and p["v"][2] == 77.0
    assert sluice.program(given_back, strict=True)(p)[0] is p


def test_after_an_exception():
    p = pairs()
    with pytest.raises(ValueError, match="too large"):
        sluice.program(raising, strict=True)(p, 3)
    assert (p["x"] == 1.0).all()


def whole(p):
    return np.sort(p, order="x")


def shared(p):
    q = np.zeros(3, PAIR)
    return q, q["x"]


def view(p):
    q = p[1:]
    return q


def record(p):
    q = p[2]
    q["x"] += 1.0
    return p["x"].sum()


def of_inner(p):
    def inner(p):
        return p["x"]
    return inner({"x": 1.0})


@pytest.mark.parametrize("function", [whole, shared, view, record, of_inner])
def test_other_uses_are_refused(function):
    with pytest.raises((sluice.CompileError, TypeError)):
        sluice.program(function, strict=True)(pairs())
