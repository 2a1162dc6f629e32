"""f-strings: texts that are known, and sentences of exceptions with integers of the run. Compared with Python's."""
import numpy as np
import pytest

import sluice
from test_returned_structures import assert_same


def positive(x, n):
    if n < 0:
        raise ValueError(f"n must be positive, got {n}")
    return x * n


def fitting(x, n):
    if x.shape[0] != n:
        raise ValueError(f"shapes {x.shape} and {(n, 1)} do not fit: {x.shape[0]} != {n}, {len(x)!r}")
    return x * n


def known_method(x, n):
    how = "max" if n > 0 else "middle"
    if how == "max":
        return x.max()
    raise ValueError(f"unknown method {how!r} ('{how}', {None})\ttab" f" {x.ndim}" " end")


def entries(x, n):
    counts = np.zeros(3, dtype=np.int64) + n
    for i in range(3):
        if counts[i] < 0:
            raise KeyError(f"entry {i} is {counts[i]}")
    return x


def scaled(x, n):
    if n < 0:
        raise OverflowError(f"too small: {n}")
    return x * n


def in_a_called_function(x, n):
    s = 0.0
    for i in range(3):
        s += scaled(x, n).sum()
    return s


def asserted(x, n):
    assert n > 0, f"{len(x)} elements, {n}"
    return x


def eight(x, n):
    m = x.shape[0]
    if n < 0:
        raise ValueError(f"{x.shape} {n} {m + n} {m - n} {m * n} {n - m} {2 * m} {2 * n}")
    return x


def test_sizes_that_differ_from_call_to_call():
    program = sluice.program(strict=True)(eight)
    for size in (3, 4, 5):
        program(np.ones(size), 1)
        with pytest.raises(ValueError) as raised:
            program(np.ones(size), -2)
        with pytest.raises(ValueError) as expected:
            eight(np.ones(size), -2)
        assert str(expected.value) in str(raised.value)


@pytest.mark.parametrize("function", [positive, fitting, known_method, entries, in_a_called_function, asserted])
def test_sentences_of_exceptions(function):
    program = sluice.program(strict=True)(function)
    for n in (3, -5):
        try:
            expected = function(np.ones(3), n)
        except Exception as fault:
            with pytest.raises(type(fault)) as raised:
                program(np.ones(3), n)
            assert str(fault.args[0]).splitlines()[0] in str(raised.value)  # pytest adds a line to what `assert` says
        else:
            assert_same(program(np.ones(3), n), expected)


def known(x):
    k = 3
    name = f"v{k}_{'a'}" + f"{{}}{x.ndim}"
    return name, len(name), name == "v3_a{}1", x


def test_known_texts():
    assert_same(sluice.program(strict=True)(known)(np.ones(3)), known(np.ones(3)))


def of_a_real(x):
    if x[0] > 0:
        raise ValueError(f"x is {x[0]}")
    return x


def of_a_format(x):
    name = f"{3:5d}"
    return name, x


def of_numbers_of_numpys_in_a_tuple(x):
    n = np.int64(x.size)
    if x[0] > 0:
        raise ValueError(f"{(n, 1)}")
    return x


def braces(x):
    if x[0] > 0:
        raise ValueError("a {} b")
    return x


@pytest.mark.parametrize("function", [of_a_real, of_a_format, of_numbers_of_numpys_in_a_tuple, braces])
@pytest.mark.parametrize("x", [np.ones(2), -np.ones(2)], ids=["raises", "returns"])
def test_texts_of_any_values(function, x):
    program = sluice.program(strict=True)(function)
    try:
        expected = function(x)
    except ValueError as fault:
        with pytest.raises(ValueError) as raised:
            program(x)
        assert str(fault) in str(raised.value)
    else:
        assert_same(program(x), expected)


def of_many_integers(x):
    n = x.size
    if x[0] > 0:
        raise ValueError(f"{n} {n + 1} {n + 2} {n + 3} {n + 4} {n + 5} {n + 6} {n + 7} {n + 8}")
    return x


def of_two_lines(x):
    if x[0] > 0:
        raise ValueError(f"{x.size}\n{x.size}")
    return x


@pytest.mark.parametrize("function", [of_many_integers, of_two_lines])
def test_sentences_that_need_known_sizes(function):
    """No library carries them: each size has code of its own."""
    program = sluice.program(strict=True)(function)
    for size in (2, 3, 4):
        assert_same(program(-np.ones(size)), -np.ones(size))
        with pytest.raises(ValueError) as expected:
            function(np.ones(size))
        with pytest.raises(ValueError) as raised:
            program(np.ones(size))
        assert str(expected.value) in str(raised.value)


def test_texts_with_quotes_stand_in_formatted_ones():
    """They were written between the quotes of the text: a SyntaxError."""
    def described(n, s):
        return f"{n}|{s!r}|{s}"

    for text in ("q'x", 'q"x', "a\\b", "two\nlines", "both ' and \""):
        assert sluice.program(strict=False)(described)(3, text) == described(3, text)
