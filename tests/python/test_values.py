"""Symbols, types, memlets and the words that also work in plain Python."""
import runpy
import warnings

import numpy as np
import pytest

import sluice

N, M = sluice.symbol("N"), sluice.symbol("M")


def test_expressions_are_canonical():
    assert N * 2 - N + 1 == N + 1
    assert str(2 * N + 1) == "2*N + 1"
    assert (N // 2).evaluate({"N": 7}) == 3
    assert (N + M).free_symbols == {"N", "M"}
    assert hash(N + M) == hash(M + N)


def test_a_symbolic_size_has_no_value_in_plain_python():
    with pytest.raises(TypeError, match="N has no value outside a program"):
        list(sluice.map[0:N])


def test_symbols_of_several_names():
    assert [str(s) for s in sluice.symbols("A B")] == ["A", "B"]
    assert str(sluice.symbol()).startswith("sym_")
    with pytest.raises(ValueError, match="identifier"):
        sluice.symbol("2x")


def test_types():
    array = sluice.float64[N, 10]
    assert repr(array) == "float64[N, 10]"
    assert array.dtype == sluice.float64 and array.shape == (N, 10)
    assert sluice.float32(3) == np.float32(3) and type(sluice.float32(3)) is np.float32
    assert sluice.int16.type is np.int16 and sluice.int16.bytes == 2
    assert np.zeros(3, sluice.complex64.type).dtype == np.complex64
    assert sluice.bool(1) == np.bool_(True)
    assert str(sluice.vector(sluice.float32, 4)) == "vector<float32, 4>"


@pytest.mark.parametrize("box, expected", [
    (sluice.map[0:3], [0, 1, 2]),
    (sluice.map[1:6:2], [1, 3, 5]),
    (sluice.map[0:2, 0:2], [(0, 0), (0, 1), (1, 0), (1, 1)]),
    (sluice.map[0:2] @ sluice.ScheduleType.Sequential, [0, 1]),
])
def test_map_runs_in_plain_python(box, expected):
    assert list(box) == expected


def test_words_outside_a_program():
    with sluice.tasklet:
        pass
    assert sluice.define_local([3], sluice.int32).dtype == np.int32


def test_memlets():
    memlet = sluice.Memlet("A[i, 0:N]")
    assert (memlet.data, memlet.subset, memlet.volume) == ("A", "i, 0:N", N)
    assert sluice.Memlet(data="A", subset="i, 0:N") == memlet
    assert sluice.Memlet.simple("A", "i", wcr_str="lambda a, b: a + b").wcr == "lambda a, b: a + b"
    assert sluice.Memlet("A[0]", wcr=lambda a, b: a + b).wcr == "lambda a, b: a + b"
    assert sluice.Memlet("A[0:5] -> [3:8]").other_subset == "3:8"
    assert sluice.Memlet("[3:8] -> A[0:5]").subset == "0:5"
    assert sluice.Memlet("S(-1)[0]").dynamic
    assert sluice.Memlet().is_empty()


@pytest.mark.parametrize("text", ["A[i", "A[i +]", "A[0:]]"])
def test_a_memlet_that_does_not_parse(text):
    with pytest.raises(sluice.CompileError) as error:
        sluice.Memlet(text)
    assert error.value.code and error.value.remedy


@pytest.mark.parametrize("text, strict", [("[a, a + 1]", True), ("[i * a for i in range(3)]", True), ("[a] * 2 + [a, 3]", True),
                                          ("(a, None)", True), ("{'x': (a, None), 'y': [a]}", True)])
def test_lists_and_none_come_back_as_such(text, strict, tmp_path):
    """Tuples came back for lists, and an exception for None beside other values."""
    path = tmp_path / "returned.py"
    path.write_text(f"def function(a):\n    x = {text}\n    return x\n")
    space = runpy.run_path(str(path))
    if strict:
        got = sluice.program(strict=True)(space["function"])(2.0)
        assert type(got) is type(space["function"](2.0)) and got == space["function"](2.0)
    else:
        with pytest.raises(sluice.CompileError):
            sluice.program(strict=True)(space["function"])(2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sluice.FallbackWarning)
        assert sluice.program(strict=False)(space["function"])(2.0) == space["function"](2.0)


def test_paths_that_return_none():
    """Such a call raised NotImplementedError behind the return."""
    @sluice.program(strict=True)
    def among(x, k):
        if not (x > k).any():
            return None
        m = x[x > k]
        return m.mean(), m.sum()

    @sluice.program(strict=True)
    def after_a_change(x, k):
        if k < 0:
            return
        x += 1
        if k == 0:
            return None
        return x.sum()

    @sluice.program(strict=True)
    def calls(x, k):
        y = among(x, k)
        return y[0] + 1

    x = np.arange(4.0)
    assert among(x, 2) == (3.0, 3.0) and among(x, 9) is None
    assert after_a_change(x, 1) == 10.0 and after_a_change(x, -1) is None and x[0] == 1
    assert after_a_change(x, 0) is None and x[0] == 2
    assert calls(x, 2) == 5.0
    with pytest.raises((NotImplementedError, TypeError, sluice.CompileError)):
        calls(x, 9)


def test_what_comes_before_an_end_is_done():
    """An unconditional `raise`, and the None of `return a.fill(1)`, stood in front of everything."""
    @sluice.program(strict=True)
    def filled(a):
        return a.fill(1)

    @sluice.program(strict=True)
    def raised(a):
        a += 1
        raise ValueError("always")

    a = np.zeros(3)
    assert filled(a) is None and a.sum() == 3
    with pytest.raises(ValueError, match="always"):
        raised(a)
    assert a.sum() == 6


def shifted_rows(a, b):
    a[:] = b
    a[1:] = a[:-1]


def shifted_columns(a, b):
    a[:] = 1.5
    a[:, 1:] = a[:, :-1] * 2 + b[:, 1:]


def shifted_local(a, b):
    c = b * 1.0
    c[1:] = c[:-1] + 1
    a[:] = c


@pytest.mark.parametrize("function", [shifted_rows, shifted_columns, shifted_local])
def test_shifts_of_what_was_just_written(function):
    """The copy of a fused map's memory to the array came behind what was written there afterwards."""
    b = np.arange(12.0).reshape(3, 4)
    for level in range(4):
        ours, theirs = np.zeros((3, 4)), np.zeros((3, 4))
        sluice.program(strict=True, optimize=level)(function)(ours, b)
        function(theirs, b)
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.complex128, np.uint8])
def test_covariances_are_of_double_precision(dtype):
    def covariances(x):
        return np.cov(x), np.cov(x, rowvar=False, ddof=0), np.corrcoef(x)

    x = (10 * np.random.default_rng(6).normal(size=(3, 20))).astype(dtype)
    for wanted, got in zip(covariances(x), sluice.program(covariances)(x)):
        assert wanted.dtype == got.dtype
        np.testing.assert_allclose(got, wanted, rtol=1e-5)
