"""Objects as arguments, one after the other: their numbers and arrays are arguments, where nothing has to be known of them."""
import copy
from dataclasses import dataclass

import numpy as np
import pytest

import sluice
from sluice import segment_calls


@dataclass
class Model:
    rate: float = 1.0
    n: int = 3
    w: object = None
    name: str = "first"
    nothing: object = None
    inner: object = None


def numbers(m, x):
    return x * m.rate + m.n, np.float32(1) * m.rate, m.n


def updates(m, x):
    m.w += x
    m.w[0] = m.rate
    return m.w.sum() / m.w.shape[0]


def axis_of(m, x):
    return x.reshape(m.n, -1).sum(axis=m.n - 3)


def by_text(m, x):
    if m.name == "first" and m.nothing is None:
        return x * m.inner.rate
    return x + m.inner.rate * m.inner.n


def share(m, k, x):
    m.w[1:] += k.w[:-1]
    return m.w * k.rate + x[:4]


def one_array(k):
    w = np.arange(4.0) + k
    return Model(w=w, rate=2.0), Model(w=w, rate=1.0 * k)


def one_object(k):
    m = Model(w=np.arange(4.0), rate=1.0 * k)
    return m, m


X = np.arange(6.0)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("function, make", [
    (numbers, lambda k: (Model(k + 0.5, k),)), (numbers, lambda k: (Model(k, 1.5 if k % 2 else k),)), (updates, lambda k: (Model(k + 0.5, w=np.ones(6)),)),
    (axis_of, lambda k: (Model(),)), (by_text, lambda k: (Model(name=("first", "second")[k % 2], inner=Model(1.0 * k, k)),)),
    (share, one_array), (share, one_object)])
def test_calls_with_one_object_after_the_other(function, make, strict):
    program = sluice.program(function, strict=strict)
    for k in range(5):
        mine = make(k)
        own = copy.deepcopy(mine)
        for _ in range(2):
            got, expected = program(*mine, X.copy()), function(*own, X.copy())
            for one, other in zip(got if isinstance(got, tuple) else (got,), expected if isinstance(expected, tuple) else (expected,)):
                assert type(one) is type(other) and np.array_equal(one, other)
            for one, other in zip(mine, own):
                assert one.w is None or np.array_equal(one.w, other.w)


def test_many_objects_are_few_versions():
    program = sluice.program(numbers, strict=True)
    for k in range(40):
        assert program(Model(1.5 * k, k), X)[1] == 1.5 * k
    assert sum("compiled for" in line for line in program.explain().splitlines()) <= 2


def test_an_object_that_changes_is_few_versions():
    program, m = sluice.program(numbers, strict=True), Model()
    for k in range(40):
        m.rate, m.n = 1.5 * k, k
        assert np.array_equal(program(m, X)[0], X * m.rate + m.n)
    assert sum("compiled for" in line for line in program.explain().splitlines()) <= 2


def helper(m):
    return m.rate * 2.0


def test_objects_that_are_handed_on_are_constants_in_any_number():
    def hands_on(m, x):
        return x * helper(m)

    program = sluice.program(hands_on, strict=True)
    for k in range(segment_calls._MANY + 2):
        assert np.array_equal(program(Model(1.0 * k), X), X * 2.0 * k)
