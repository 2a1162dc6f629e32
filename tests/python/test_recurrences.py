"""Nests whose inner loop waits for itself: the loop that the others wait for runs outside (RecurrenceOutward), and results stay NumPy's."""
import re

import numpy as np
import pytest

import sluice


def cholesky(A):
    N = A.shape[0]
    for i in range(N):
        for j in range(i):
            A[i, j] = (A[i, j] - np.dot(A[i, :j], A[j, :j])) / A[j, j]
        A[i, i] = np.sqrt(A[i, i] - np.dot(A[i, :i], A[i, :i]))


def cholesky_of_numbers(A):
    for i in range(A.shape[0]):
        for j in range(i):
            s = 0.0
            for k in range(j):
                s += A[i, k] * A[j, k]
            A[i, j] = (A[i, j] - s) / A[j, j]
        s = 0.0
        for k in range(i):
            s += A[i, k] ** 2
        A[i, i] = np.sqrt(A[i, i] - s)


def lu(A):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] = (A[i, j] - A[i, :j] @ A[:j, j]) / A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]


def ldl(A, d):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] = (A[i, j] - np.sum(A[i, :j] * A[j, :j] * d[:j])) / d[j]
        d[i] = A[i, i] - np.sum(A[i, :i] ** 2 * d[:i])


def definite(n):
    A = np.random.default_rng(n).random((n, n))
    return A @ A.T + n * np.eye(n)


@pytest.mark.parametrize("function", [cholesky, cholesky_of_numbers, lu, ldl], ids=lambda function: function.__name__)
def test_results_are_numpys_for_all_sizes(function):
    program = sluice.program(function, strict=True)
    for n in (0, 1, 2, 3, 9, 40):
        arguments = [definite(n)] + [np.zeros(n)] * (function is ldl)
        expected = [np.copy(argument) for argument in arguments]
        function(*expected)
        program(*arguments)
        for ours, theirs in zip(arguments, expected):
            np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12)


def printed(function):
    code = sluice.program(function, strict=True).compile(definite(6)).source
    return code if "\n" in str(code) else open(code).read()


def loops(function):
    """Variables and first values of the loops of the printed code, in order."""
    code = printed(function)
    return re.findall(r"for \(int64_t (\w+) = ([^;]*);", code[code.index(f"void {function.__name__}("):])


def test_the_rows_of_a_factor_are_a_loop_in_that_of_its_columns():
    assert ("j", "i + 1") in loops(cholesky)
    assert ("j", "i + 1") in loops(lu)


def test_sums_in_iterations_that_a_loop_bounds_get_no_team():
    assert "omp parallel" not in printed(lu)


def test_a_recurrence_that_no_loop_is_free_of_stays():
    def both(A):
        for i in range(A.shape[0]):
            for j in range(i):
                A[i, j] = A[i, :j] @ A[j, :j] + A[i - 1, j]
    assert ("j", "0") in loops(both)
