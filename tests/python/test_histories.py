"""Lists of arrays that have names: an element is what the array was when it was appended, as long as nothing changes it behind."""
import copy

import numpy as np
import pytest

import sluice


def heat(x, n):
    hist = []
    for t in range(n):
        new = x.copy()
        new[1:-1] = x[1:-1] + 0.1 * (x[2:] - 2 * x[1:-1] + x[:-2])
        x = new
        hist.append(x)
    return np.array(hist), x


def swap_bad(x, n):
    u = x.copy()
    un = x.copy()
    hist = []
    for t in range(n):
        un[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u, un = un, u
        hist.append(u)
    return np.array(hist)


def after(x, n):
    hist = []
    for t in range(n):
        new = x * 0.5
        new[0] = t
        x = new
        hist.append(x)
    x[1] = 77.0
    return np.array(hist)


def branch(x, n):
    hist = []
    for t in range(n):
        if t % 2 == 0:
            new = x * 0.5
            new[0] = t
            x = new
        x[2] = 5.0
        hist.append(x)
    return np.array(hist)


def breaks(x, n):
    hist = []
    v = x
    for t in range(n):
        new = x * 0.5
        v = new
        hist.append(new)
        if new.sum() < 1.0:
            break
        v = x * 2.0
        x = new
    v[1] = 4.0
    return np.array(hist), v


def initial(x, n):
    y = x.copy()
    hist = [y]
    for t in range(n):
        y = y * 0.5 + x
        y[0] = 0.0
        hist.append(y)
    return hist


def initial_bad(x, n):
    y = x.copy()
    hist = [y]
    for t in range(n):
        y[0] += 1.0
        y = y * 0.5 + x
        hist.append(y)
    return np.array(hist)


def rk4(y, n):
    def f(t, y):
        return -y + t
    ys = [y]
    t = 0.0
    for i in range(n):
        k1 = f(t, y)
        k2 = f(t + 0.05, y + 0.05 * k1)
        k3 = f(t + 0.05, y + 0.05 * k2)
        k4 = f(t + 0.1, y + 0.1 * k3)
        y = y + 0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += 0.1
        ys.append(y)
    return np.array(ys)


def view_bad(x, n):
    hist = []
    for t in range(n):
        new = x * 0.5
        v = new[2:5]
        hist.append(new)
        v[0] = 100.0
        x = new
    return np.array(hist)


def later_view(x, n):
    hist = []
    v = x[2:5].copy()
    for t in range(n):
        v[0] = 100.0
        new = x * 0.5
        v = new[2:5]
        hist.append(new)
        x = new
    return np.array(hist)


def whiles(x, n):
    hist = []
    t = 0
    while t < n:
        new = x.copy()
        new *= 0.9
        new[t] = 3.0
        hist.append(new)
        x = new + 1.0
        t += 1
    return np.stack(hist)


def element_bad(x, n):
    hist = []
    for t in range(n):
        new = x * 0.5
        hist.append(new)
        x = new
        hist[-1][0] = 5.0
    return np.array(hist), x


def element_bad2(x, n):
    hist = []
    for t in range(n):
        new = x * 0.5
        hist.append(new)
        x = hist[-1]
        x[1] = 8.0
    return np.array(hist), x


def given_returned(y, n):
    ys = [y]
    for i in range(n):
        y = y * 0.5
        ys.append(y)
    return ys


def given_popped(y, n):
    ys = [y]
    for i in range(n):
        z = ys.pop()
        z[i] = 4.0
        ys.append(z * 0.5)
    return np.array(ys), y


def given_changed(y, n):
    ys = [y]
    ys.append(y * 2)
    y[0] = 9.0
    for i in range(n):
        ys.append(y * i)
    return np.array(ys)


def given_element(y, n):
    ys = [y]
    for i in range(n):
        ys.append(y * i)
    ys[0][1] = 5.0
    return np.array(ys), y


def closure_bad(x, n):
    hist = []
    new = x * 0.5
    def poke(k):
        new[0] = k
    for t in range(n):
        new = x * 0.5
        hist.append(new)
        poke(t * 10.0)
        x = new
    return np.array(hist), x


def poke2(a, k):
    a[0] = k
    return 0


def call_bad(x, n):
    hist = []
    for t in range(n):
        new = x * 0.5
        hist.append(new)
        poke2(new, t * 10.0)
        x = new
    return np.array(hist), x


def call_good(x, n):
    hist = []
    for t in range(n):
        new = x * 0.5
        poke2(new, t * 10.0)
        hist.append(new)
        x = new * 2.0
    return np.array(hist), x


def result(function, strict):
    x = np.linspace(0, 1, 12)
    return (sluice.program(function, strict=strict) if strict is not None else function)(x, 5), x


def compare(mine, other):
    assert type(mine) is type(other)
    if isinstance(mine, (list, tuple)):
        for one, two in zip(mine, other, strict=True):
            compare(one, two)
    else:
        np.testing.assert_allclose(mine, other, rtol=1e-12)


@pytest.mark.parametrize("function", [heat, initial, rk4, whiles, call_good])
def test_what_nothing_changes_behind_is_compiled(function):
    compare(result(function, True), result(function, None))


@pytest.mark.parametrize("function", [swap_bad, after, branch, breaks, initial_bad, view_bad, later_view, element_bad, element_bad2,
                                      given_returned, given_popped, given_changed, given_element, closure_bad, call_bad])
def test_what_changes_lies_in_one_memory(function, monkeypatch):
    compare(result(function, True), result(function, None))  # A program over one memory.
    monkeypatch.delenv("SLUICE_STRICT", raising=False)
    compare(result(function, False), result(function, None))
