"""Sizes and steps of slices that are known by name, however the name was bound."""
import numpy as np
import pytest

import sluice


def paired(X, C):
    n, k = X.shape[0], C.shape[0]
    labels = np.zeros((n, k), dtype=np.int64)
    for i in range(n):
        labels[i, i % k] = i
    return labels


def nested_pairs(X, C):
    (n, m), (k, _) = X.shape, C.shape
    return np.ones((k, n + m))


def mixed(X, C):
    n, t = X.shape[0], 0
    for i in range(n):
        t += i
    return np.full(n, t)


@pytest.mark.parametrize("function", [paired, nested_pairs, mixed])
def test_names_of_a_tuple_give_sizes(function):
    X, C = np.ones((5, 3)), np.ones((2, 3))
    assert np.array_equal(sluice.program(function)(X, C), function(X, C))


def every(x, s):
    return x[::s] * 2


def sieve(n):
    prime = np.ones(n + 1, dtype=np.bool_)
    prime[:2] = False
    for i in range(2, n + 1):
        if prime[i]:
            prime[i * i::i] = False
    return prime


@pytest.mark.parametrize("step", [1, 2, 5, 9, 20, -1, -4])
def test_the_step_of_a_slice_may_be_an_argument(step):
    x = np.arange(9.0)
    assert np.array_equal(sluice.program(every)(x, step), every(x, step))


def test_a_step_of_nothing_is_an_error_of_the_call():
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        sluice.program(every)(np.arange(9.0), 0)


def test_sieve():
    assert np.array_equal(sluice.program(sieve)(50), sieve(50))


def scaled(x, k):
    return x * k


def counted(x):
    k = 0
    for i in range(len(x)):
        k += 2
    return x * k


def by_a_parameter(A, k):
    return scaled(A[:k], 3)


def by_a_counter(A, k):
    return counted(A[:k])


@pytest.mark.parametrize("function", [by_a_parameter, by_a_counter])
def test_a_size_named_as_a_variable_of_the_called_function(function):
    assert np.array_equal(sluice.program(function)(np.arange(5.0), 3), function(np.arange(5.0), 3))


def sums_of_numbers(A, n):
    return np.cumsum(n), np.ravel(A[1]), np.reshape(A[0], (1, 1))


def real_part(A):
    v = A.real
    v[0] = 7
    w = np.real(A)
    w[1] = 8
    return v


@pytest.mark.parametrize("dtype", [np.float64, np.int32])
def test_shapes_of_numbers_and_parts_of_arrays(dtype):
    A = np.arange(1, 5).astype(dtype)
    for got, wanted in zip(sluice.program(sums_of_numbers)(A, 3), sums_of_numbers(A, 3)):
        assert got.dtype == wanted.dtype and np.array_equal(got, wanted)
    ours, theirs = A.copy(), A.copy()
    assert np.array_equal(sluice.program(real_part)(ours), real_part(theirs)) and np.array_equal(ours, theirs)


def bound_on_a_path(A, k, n):
    if n > 0:
        v = A[:k]
    return np.sum(v)


def test_sizes_of_a_name_that_one_path_binds():
    A = np.arange(5.0)
    assert sluice.program(bound_on_a_path)(A, 2, 1) == 1
    with pytest.raises(UnboundLocalError):
        sluice.program(bound_on_a_path)(A, 2, 0)


def one_iteration(A):
    for k in range(1):
        j = int(A[k])
        part = A[j:] * 2
        A[j:] = part[::-1]
    return A.sum()


def test_a_loop_of_one_iteration_that_sizes_its_own_arrays():
    ours, theirs = np.array([1.0, 5.0, 7.0]), np.array([1.0, 5.0, 7.0])
    assert sluice.program(one_iteration)(ours) == one_iteration(theirs) and np.array_equal(ours, theirs)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_determinants_of_every_size(size):
    a = np.random.default_rng(size).normal(size=(size, size))
    assert np.isclose(sluice.program(determinant)(a), np.linalg.det(a))
    sign, logarithm = sluice.program(log_determinant)(a)
    assert np.allclose([sign, logarithm], np.linalg.slogdet(a))


def determinant(a):
    return np.linalg.det(a)


def log_determinant(a):
    return np.linalg.slogdet(a)
