"""@program: source, types, calls, return values."""
import threading
import time

import numpy as np
import pytest

import sluice

N, M = sluice.symbol("N"), sluice.symbol("M")
FACTOR = 3
STRONG = np.float32(0.5)


@sluice.program
def axpy(a: sluice.float64, x: sluice.float64[N], y: sluice.float64[N]):
    y += a * x


@sluice.program
def doubled(x: sluice.float64[N]):
    return 2 * x


@sluice.program
def both(x: sluice.float64[N, M]):
    return x + 1, np.sum(x, axis=0)


@sluice.program
def scaled(x: sluice.float64[N]):
    x *= FACTOR


@sluice.program(auto_optimize=True)
def untyped(x, y):
    y[:] = x + y


@sluice.program
def caller(x: sluice.float64[N], y: sluice.float64[N]):
    axpy(2.0, x, y)


def test_in_place_without_a_copy():
    x, y = np.random.rand(100), np.random.rand(100)
    expected = 2.5 * x + y
    address = y.ctypes.data
    assert axpy(2.5, x, y) is None
    np.testing.assert_allclose(y, expected)
    assert y.ctypes.data == address


def test_keywords():
    x, y = np.ones(5), np.zeros(5)
    axpy(x=x, y=y, a=np.float64(4))
    axpy(1, x, y=y)
    axpy(1.0, x=x, y=y, N=5)
    np.testing.assert_array_equal(y, np.full(5, 6.0))


def test_return_values():
    x = np.random.rand(30)
    result = doubled(x)
    assert isinstance(result, np.ndarray) and result.shape == (30,) and result.dtype == np.float64
    np.testing.assert_allclose(result, 2 * x)
    A = np.random.rand(4, 6)
    plus, sums = both(A)
    np.testing.assert_allclose(plus, A + 1)
    np.testing.assert_allclose(sums, A.sum(axis=0))


def test_globals_are_constants():
    x = np.ones(3)
    scaled(x)
    np.testing.assert_array_equal(x, [3, 3, 3])


def test_closures():
    offset = 7

    @sluice.program
    def shifted(x: sluice.int64[N]):
        x += offset

    x = np.zeros(4, np.int64)
    shifted(x)
    np.testing.assert_array_equal(x, [7] * 4)


def test_types_from_the_first_call():
    for dtype in (np.float64, np.float32, np.int32):
        x, y = np.ones(6, dtype), np.ones(6, dtype)
        untyped(x, y)
        np.testing.assert_array_equal(y, np.full(6, 2, dtype))
    assert len(untyped._versions) == 3
    untyped(np.ones(6), np.ones(6))
    assert len(untyped._versions) == 3


def test_a_program_calls_another():
    x, y = np.ones(8), np.ones(8)
    caller(x, y)
    np.testing.assert_array_equal(y, np.full(8, 3.0))


def test_graph_and_compiled_object():
    sdfg = axpy.to_sdfg()
    assert sdfg.name == "axpy" and "axpy" in sdfg.text()
    compiled = axpy.compile()
    assert compiled.arguments == ("a", "x", "y", "N")
    assert "axpy" in compiled.source and compiled.times["own"] >= 0
    assert untyped.to_sdfg(sluice.float64[N], sluice.float64[N]).free_symbols == {"N"}


def test_the_plain_function_stays():
    x, y = np.ones(3), np.zeros(3)
    axpy.f(2.0, x, y)
    np.testing.assert_array_equal(y, [2, 2, 2])


@pytest.mark.parametrize("arguments, error, text", [
    ((1.0, np.ones(5, np.float32), np.ones(5)), TypeError, "x"),
    ((1.0, np.ones((5, 1)), np.ones(5)), ValueError, "x"),
    ((1.0, np.ones(5), np.ones(6)), ValueError, "N|x|y"),
    ((1.0, ["one"], np.ones(1)), TypeError, "x is an array"),
    ((1.0, np.ones(5)), TypeError, "y"),
    (("one", np.ones(5), np.ones(5)), TypeError, "argument a"),
    ((1.0, np.ones(5), np.ones(5), 5, 5), TypeError, "positional"),
])
def test_wrong_arguments(arguments, error, text):
    with pytest.raises(error, match=text):
        axpy(*arguments)


def test_read_only_arguments():
    y = np.ones(5)
    y.flags.writeable = False
    with pytest.raises(ValueError, match="y"):
        axpy(1.0, np.ones(5), y)


def test_unknown_and_repeated_keywords():
    with pytest.raises(TypeError, match="no argument named z"):
        axpy(1.0, np.ones(5), z=np.ones(5))
    with pytest.raises(TypeError, match="given twice"):
        axpy(1.0, np.ones(5), np.ones(5), y=np.ones(5))


def test_a_symbol_that_no_shape_gives():
    @sluice.program
    def steps(x: sluice.float64[N]):
        for i in range(M):
            x += 1.0

    x = np.zeros(2)
    with pytest.raises(TypeError, match="M"):
        steps(x)
    steps(x, M=4)
    np.testing.assert_array_equal(x, [4, 4])


def test_unsupported_constructs_name_their_place():
    @sluice.program
    def unsupported(x: sluice.float64[N]):
        try:
            x += 1
        except SystemError:
            pass

    with pytest.raises(sluice.CompileError) as error:
        unsupported(np.ones(3))
    assert error.value.filename == __file__
    assert "except SystemError:" in str(error.value) and "help" in str(error.value)


def test_options():
    with pytest.raises(TypeError, match="no option fast"):
        sluice.program(fast=True)
    with pytest.raises(ValueError, match="CPU"):
        sluice.program(device="TPU")(lambda x: x)


def test_threads_share_a_program():
    arrays = [(np.ones(10_000), np.zeros(10_000)) for _ in range(8)]
    threads = [threading.Thread(target=axpy, args=(float(k), *pair)) for k, pair in enumerate(arrays)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, (_, y) in enumerate(arrays):
        assert (y == k).all()


@sluice.program
def four(a: sluice.float64[N], b: sluice.float64[N], c: sluice.float64[N], d: sluice.float64[N]):
    d[0] = a[0] + b[0] + c[0]


def test_call_overhead():
    """A guard against accidents; bench/ measures the real number (under 4 us)."""
    arrays = [np.ones(4) for _ in range(4)]
    compiled = four.compile()
    compiled(*arrays)
    best = min(_seconds(compiled, arrays) for _ in range(5))
    assert best < 50e-6


def _seconds(call, arrays, count=1000):
    begin = time.perf_counter()
    for _ in range(count):
        call(*arrays)
    return (time.perf_counter() - begin) / count


@pytest.mark.parametrize("dtype", ["bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
                                   "float64", "complex64", "complex128"])
def test_element_types(dtype):
    ours = getattr(sluice, dtype)
    sdfg = sluice.SDFG(f"copy_{dtype}")
    sdfg.add_array("A", [N], ours)
    sdfg.add_array("B", [N], ours)
    state = sdfg.add_state()
    state.add_nedge(state.add_read("A"), state.add_write("B"), sluice.Memlet("A[0:N]"))
    A = np.arange(9).astype(ours.type)
    B = np.zeros(9, ours.type)
    sdfg(A, B)
    np.testing.assert_array_equal(A, B)


n, x = 3, np.zeros(4)


@sluice.program
def with_names_of_the_module(x, n):
    return x * n


def test_parameters_hide_names_of_the_module():
    """Scripts call their arguments what they call their parameters; what the module's name means then is nothing to the program."""
    global n
    first = with_names_of_the_module.compile(x, n)
    assert list(first.arguments) and not any(name.startswith("__g_") for name in first.arguments)
    n = 5
    with_names_of_the_module(x, n)
    assert with_names_of_the_module._versions and with_names_of_the_module.compile(x, 3) is first


def test_none_for_what_is_computed_with_is_named():
    @sluice.program(strict=False)
    def added(x: sluice.float64[N], y: sluice.float64[N]):
        return x + y

    with pytest.raises(TypeError, match="A002: x of added is None, and the program computes with it"), pytest.warns(sluice.FallbackWarning):
        added(None, np.ones(3))
    with pytest.raises(TypeError, match="argument y is missing"):
        added(np.ones(3))
