"""What a program returns is what Python would: a number is a number, of NumPy's type where NumPy took part, else Python's."""
import numpy as np
import pytest

import sluice


def total(A):
    return np.sum(A)


def element(A):
    return A[1]


def count(A):
    return len(A)


def literal(A):
    return 2.5


def truth(A):
    return A[0] < A[1]


def both(A):
    return A * 2, A.max(), A.shape[0]


def ratio(A):
    return 1j * len(A)


@pytest.mark.parametrize("function", [total, element, count, literal, truth, both, ratio])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.complex128])
def test_numbers_are_those_of_python(function, dtype):
    if dtype is np.complex128 and function in (truth, both):
        pytest.skip("complex numbers have no order")
    A = np.arange(1, 6).astype(dtype)
    got, wanted = sluice.program(function)(A), function(A)
    for one, other in zip(got if isinstance(got, tuple) else [got], wanted if isinstance(wanted, tuple) else [wanted]):
        assert type(one) is type(other)
        assert np.array_equal(one, other)


@sluice.program
def one_zero():
    return np.zeros(1)


def test_an_array_of_one_element_stays_one():
    def use():
        z = one_zero()
        z[0] = 4
        return z

    assert np.array_equal(one_zero(), [0.0]) and np.array_equal(sluice.program(use)(), [4.0])


def either(A, c):
    if c > 0:
        return A[0]
    return A[:1]


def test_a_number_on_one_path_and_an_array_on_another():
    """Such programs were refused."""
    for c in (1, 0):
        ours, theirs = sluice.program(either)(np.ones(3), c), either(np.ones(3), c)
        assert type(ours) is type(theirs) and np.array_equal(ours, theirs)


def test_the_graph_of_a_program_returns_the_same():
    assert isinstance(sluice.program(total).to_sdfg(np.ones(3))(np.ones(3)), np.float64)


def none_at_the_end(A, c):
    if c > 0:
        return A * 2


def none_in_between(A, c):
    if c <= 0:
        return None
    return A * 2


def none_of_a_helper(A, c):
    def inner(x):
        for i in range(3):
            if i < c:
                return x * 2

    return inner(A)


@pytest.mark.parametrize("function", [none_at_the_end, none_in_between])
def test_a_path_that_returns_none_where_others_return_values(function):
    A = np.arange(3.0)
    assert np.array_equal(sluice.program(function)(A, 1), A * 2)
    assert sluice.program(function)(A, 0) is None


def test_a_function_around_such_a_path_returns_it():
    A = np.arange(3.0)
    assert np.array_equal(sluice.program(none_of_a_helper)(A, 1), A * 2)
    assert sluice.program(none_of_a_helper)(A, 0) is None


def chosen(A, n):
    if n < 0:
        return A * 1
    else:
        return A * 2


def test_every_path_returns():
    assert np.array_equal(sluice.program(chosen)(np.ones(2), 1), [2, 2])


def test_whether_arrays_are_equal_is_a_bool():
    """NumPy's functions that answer for whole arrays return Python's bool."""
    @sluice.program
    def equal(x, y):
        return np.allclose(x, y), np.array_equal(x, y), np.array_equiv(x, y), np.array_equal(x, y, equal_nan=True)

    for y in (np.ones(3), np.zeros(3)):
        got = equal(np.ones(3), y)
        assert got == equal.f(np.ones(3), y) and all(type(one) is bool for one in got)


def test_item_is_a_number_of_python():
    def items(x, k):
        return x[0, 1].item(), x.item(1), x.item((1, 0)), k[1].item(), k.sum().item(), (k > 1)[0].item(), x.astype(np.float32)[0, 1].item(), (x * 1j)[0, 0].item()

    def weak(x, k):
        return np.float32(3) * x[0, 1].item(), k[:1] * k[1].item()

    x, k = np.array([[1.5, 2.0], [0.1, 4.0]]), np.array([1, 2], dtype=np.int32)
    for function in (items, weak):
        for one, other in zip(sluice.program(function, strict=True)(x, k), function(x, k)):
            assert type(one) is type(other) and np.asarray(one).dtype == np.asarray(other).dtype and np.array_equal(one, other)


def test_arrays_without_dimensions():
    def of_computed(x):
        return np.squeeze(x[:1] @ x[:, :1]), (x[:1] * 2)[:, :1].reshape(()), float(np.array(2.0)), np.float32(np.array(2.0))

    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    for one, other in zip(sluice.program(of_computed, strict=True)(x), of_computed(x)):
        assert type(one) is type(other) and np.shape(one) == np.shape(other) and one == other

    def view(x):
        y = x.squeeze()
        y += 1.0
        return x

    with pytest.raises(sluice.CompileError, match="F001.*a view without dimensions"):
        sluice.program(view, strict=True)(np.ones((1, 1)))
