"""Conditional expressions between arrays bind names to them, and `in`."""
import copy
import runpy
import warnings

import numpy as np
import pytest

import sluice


def unpacked(a, b, c):
    x, y = (a, b) if c else (b, a)
    x[0] = 5
    y += 1
    return x


def part_of_it(a, b, c):
    x = (a if c else b)[1:]
    x *= 0


def as_output(a, b, c):
    np.multiply(a, 2, out=a if c else b)


def of_two_sizes(a, b, c):
    big, small = (a, b[:3]) if c > 0 else (b, a[1:])
    big[0] = 9
    return big.sum() - small.sum()


def by_helper(a, b, c):
    def ordered(x, y):
        return (x, y) if c else (y, x)
    x, y = ordered(a, b)
    x += 1
    return y


def in_a_loop(a, b, c):
    for i in range(3):
        low, high = (a, b) if a[i] < b[i] else (b, a)
        low[i] -= 1
        high[i] += 2


def method(a, b, c):
    (a if c else b).sort()


def computed(a, b, c):
    y = 2 * (a if c else b)
    y[0] = 1
    return y


def one_name_of_two(a, b, c):
    x = a if c else a.copy()
    y = x
    y[1] = 8
    return x


def swapped(a, b, c):
    while c < 3:
        a, b = (b, a) if c % 2 else (a, b)
        a[0] += 1
        c += 1
    return a


def in_a_dictionary(a, b, c):
    d = {"x": a, "y": b} if c else {"x": b, "y": a}
    return d["y"]


@pytest.mark.parametrize("function", [unpacked, part_of_it, as_output, of_two_sizes, by_helper, in_a_loop, method, computed,
                                      one_name_of_two, swapped, in_a_dictionary], ids=lambda one: one.__name__)
@pytest.mark.parametrize("c", [0, 1])
def test_names_mean_the_arrays_themselves(function, c):
    random = np.random.default_rng(0)
    plain = [random.normal(size=5), random.normal(size=5)]
    mine = copy.deepcopy(plain)
    wanted, got = function(*plain, c), sluice.program(function)(*mine, c)
    if wanted is None:
        assert got is None
    else:
        np.testing.assert_allclose(got, wanted, rtol=1e-14)
        assert [np.shares_memory(got, one) for one in mine] == [np.shares_memory(wanted, one) for one in plain]
    for one, other in zip(mine, plain):
        np.testing.assert_array_equal(one, other)


def of_texts(a, mode):
    if mode in ("fast", "slow"):
        return a * 2
    return a


def of_keys(a, mode):
    options = {"scale": 0.5}
    if "shift" in options:
        return a + options["shift"]
    if "scale" in options and mode not in ["raw"]:
        return a * options["scale"]
    return a


def of_numbers(a, mode):
    s = 0.0
    for i in range(a.size):
        if i in (1, 3):
            s += a[i]
        if a[i] not in [0.0, 2.0]:
            s += 1
    return s, 3 in a, 7.5 in a


@pytest.mark.parametrize("function", [of_texts, of_keys, of_numbers], ids=lambda one: one.__name__)
@pytest.mark.parametrize("mode", ["fast", "raw"])
def test_membership(function, mode):
    a = np.arange(5.0)
    wanted, got = function(a, mode), sluice.program(function)(a, mode)
    if isinstance(wanted, tuple):
        assert wanted == got and [type(one) for one in wanted] == [type(one) for one in got]
    else:
        np.testing.assert_array_equal(wanted, got)


def sum_of_squares(x):
    s = 0
    for v in x:
        s += v * v
    return s // len(x), s


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_a_sum_that_begins_with_a_literal_has_the_type_of_its_terms(dtype):
    x = np.random.default_rng(1).integers(0, 100, 30).astype(dtype)
    with np.errstate(over="ignore"):
        wanted = sum_of_squares(x)
    got = sluice.program(sum_of_squares)(x)
    assert wanted == got and [type(one) for one in wanted] == [type(one) for one in got]


def weights_by_path(a, c):
    w = [0.25, 0.5, 0.25]
    if c:
        w = [0.5, 0.5]
    s = 0.0
    for i, k in enumerate(w):
        s += k * a[i]
    return s


def stencil_by_order(a, c):
    if c:
        left, right = (1.0, -2.0, 1.0), (0.5,)
    else:
        left, right = (1.0, 2.0), (1.0, 3.0, 4.0)
    s = 0.0
    for x in left:
        s += x * a[1]
    for x, y in zip(left, right):
        s += x * y
    return s


@pytest.mark.parametrize("function", [weights_by_path, stencil_by_order], ids=lambda one: one.__name__)
@pytest.mark.parametrize("c", [0, 1])
def test_loops_over_tuples_of_different_lengths(function, c):
    """The loop of one path had the length of the other's tuple."""
    a = np.arange(5.0)
    assert sluice.program(function)(a, c) == pytest.approx(function(a, c), rel=1e-14)


def pair_or_one(a, c):
    if c:
        return a.sum(), a.max()
    return a.sum()


def dictionary_or_number(a, c):
    if c:
        return {"x": a.sum()}
    return a.sum()


def three_or_two(a, c):
    if c:
        return a.sum(), a.max(), a * 2
    return a.sum(), a.max()


def list_by_path(a, c):
    out = [a.sum()]
    if c:
        out = [a.sum(), a.max()]
    return out


def helper_by_path(a, c):
    def found(x):
        if c:
            return x.sum(), 1
        return x.sum()
    return found(a)


def with_a_default(a, c, full=False):
    m = a.mean()
    if full:
        return m, a - m
    return m


def same(wanted, got):
    assert type(wanted) is type(got), (wanted, got)
    if isinstance(wanted, dict):
        wanted, got = list(wanted.items()), list(got.items())
    if isinstance(wanted, (tuple, list)):
        assert len(wanted) == len(got)
        for one, other in zip(wanted, got):
            same(one, other)
    else:
        np.testing.assert_array_equal(wanted, got)


@pytest.mark.parametrize("function", [pair_or_one, dictionary_or_number, three_or_two, list_by_path, helper_by_path, with_a_default],
                         ids=lambda one: one.__name__)
@pytest.mark.parametrize("c", [0, 1])
def test_results_of_another_structure_on_another_path(function, c):
    """They came back as one tuple that held the values of all paths. Flags are constants in code of their own, else Python chooses."""
    a = np.arange(5.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sluice.FallbackWarning)
        same(function(a, c), sluice.program(function, strict=False)(a, c))
    if function is with_a_default:
        for full in (False, True):
            same(function(a, c, full), sluice.program(function)(a, c, full=full))
        same(function(a, c), sluice.program(function)(a, c))


@pytest.mark.parametrize("text", ["b = a\n    return b is a", "return a is a.copy()", "a.resize(3)\n    return a"])
def test_identity_and_resizing_in_place_are_refused(text, tmp_path):
    path = tmp_path / "refused.py"
    path.write_text(f"def function(a):\n    {text}\n")
    function = runpy.run_path(str(path))["function"]
    with pytest.raises(sluice.CompileError, match="F001"):
        sluice.program(function)(np.arange(5.0))


def each_of_two(a, b):
    for t in (a, b):
        t += 2
    for i, t in enumerate([a, b]):
        t *= i + 1


def pairs(a, b):
    for i in range(3):
        for x, y in zip((a, b), (b, a)):
            x += 1
            y -= 2


@pytest.mark.parametrize("function", [each_of_two, pairs], ids=lambda one: one.__name__)
def test_loops_over_arrays_in_tuples(function):
    """An integer that is added made the loop's variable an integer."""
    plain = np.arange(4.0), np.arange(4.0) + 9
    mine = copy.deepcopy(plain)
    function(*plain)
    sluice.program(function)(*mine)
    for one, other in zip(plain, mine):
        np.testing.assert_array_equal(one, other)


def test_a_choice_between_elements_is_no_branch():
    def selected(a, b, out):
        for i in range(a.shape[0]):
            out[i] = a[i] if a[i] > 0 else b[i]

    graph = sluice.program(selected).to_sdfg(*(np.ones(100) for _ in range(3)))
    assert "conditional" not in graph.text()


def test_computed_arrays_inside_of_expressions():
    def means(X, labels, k):
        centers = X[:k] + 1.0
        return np.array([X[labels == j].mean(axis=0) if np.any(labels == j) else centers[j] for j in range(k)])

    def shifted(x, flag):
        y = 1 + (np.sort(x) if flag else x[::-1] * 2)
        return y, np.sum(np.sort(x)[1:] if flag else x)

    rng = np.random.default_rng(1)
    X, labels = rng.normal(size=(30, 2)), rng.integers(0, 3, 30)
    np.testing.assert_allclose(sluice.program(means, strict=True)(X, labels, 4), means(X, labels, 4))
    for flag in (True, False):
        for got, wanted in zip(sluice.program(shifted, strict=True)(X[:, 0].copy(), flag), shifted(X[:, 0].copy(), flag)):
            np.testing.assert_allclose(got, wanted)


def test_complex_of_two_numbers():
    def roots(a, b):
        z = complex(a, b)
        return z * z, complex(1, b / 2)

    assert sluice.program(roots, strict=True)(1.5, -2.0) == roots(1.5, -2.0)
