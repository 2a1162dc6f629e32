"""`try` in strict mode: errors that compiled code tests for, and those that the body raises."""
import math
import warnings

import numpy as np
import pytest

import sluice


def agrees(function, *args):
    for given in args:
        assert repr(sluice.program(strict=True)(function)(*given)) == repr(function(*given))


def refused(function, *args, match):
    with pytest.raises(sluice.CompileError, match=match):
        sluice.program(strict=True)(function)(*args)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert repr(sluice.program(strict=False)(function)(*args)) == repr(function(*args))


def ratios(xs, ys):
    out = []
    for x, y in zip(xs, ys):
        try:
            out.append(x / y)
        except ZeroDivisionError:
            out.append(math.nan)
    return out


def element(xs, k):
    try:
        v = xs[k] * 2
    except IndexError:
        v = -1
    else:
        v += 100
    return v


def returned(a, b):
    try:
        return a // b
    except (ZeroDivisionError, KeyError) as error:
        return -1


def occurrences(words):
    d = {}
    for w in words:
        try:
            d[w] += 1
        except KeyError:
            d[w] = 1
    return d


def several(xs, n):
    total = 0.0
    try:
        for i in range(n):
            if xs[i] < 0:
                raise KeyError("negative")
            total += 1.0 / xs[i]
            total += 0.5
        total += 1000.0
    except ZeroDivisionError:
        total -= 1.0
    except IndexError:
        total -= 2.0
    except LookupError:
        total -= 3.0
    else:
        total += 10.0
    return total


def of_numpy(x, k):
    try:
        y = x[k] / x[0]
    except ZeroDivisionError:
        y = -1.0
    except IndexError:
        y = -2.0
    return float(y)


def first_of_them(stack, d):
    try:
        top = stack.pop()
        a = top % d
        b = stack.pop()
    except IndexError:
        a, b = -1, -1
    except ZeroDivisionError:
        a, b = -2, -2
    return a, b


def stacked(n, d):
    s = []
    for i in range(n):
        s.append(i + 7)
    return first_of_them(s, d), len(s)


def mean_of_some(x, least):
    some = [v for v in x if v > least]
    try:
        mean = sum(some) / len(some)
    except ZeroDivisionError:
        mean = -1.0
    return float(mean)


def test_errors_that_are_tested_for():
    agrees(mean_of_some, (np.array([1.0, 5.0, 6.0]), 3.0), (np.array([1.0, 5.0, 6.0]), 30.0))
    agrees(stacked, (0, 2), (1, 2), (2, 0), (3, 2))
    agrees(ratios, ([1.0, 2.0, 3.0], [2.0, 0.0, 4.0]))
    agrees(element, ([1, 2, 3], 1), ([1, 2, 3], -3), ([1, 2, 3], 3), ([1, 2, 3], -4))
    agrees(returned, (7, 2), (7, 0))
    agrees(occurrences, ([3, 1, 3, 2, 1, 3],))


def test_several_handlers():
    agrees(several, ([1.0, 2.0, 4.0], 3), ([1.0, 0.0, 4.0], 3), ([1.0, 2.0, 4.0], 5), ([1.0, -2.0, 4.0], 3))


def test_numpys_numbers_divide_by_zero():
    x = np.array([0.0, 3.0])
    with np.errstate(all="ignore"):
        agrees(of_numpy, (x, 1), (x, 2))


def helped(x):
    return 1.0 / x


def calls(x):
    try:
        return helped(x)
    except ZeroDivisionError:
        return 0.0


def all_of_them(x):
    try:
        return 1.0 / x
    except Exception:
        return 0.0


def not_evaluated(x, y):
    try:
        z = x > 0 and 1 / y > 2
    except ZeroDivisionError:
        z = False
    return z


def asked(x):
    try:
        return 1.0 / x
    except ZeroDivisionError as error:
        return str(error)


def twice_in_one(n):
    stack = []
    for i in range(n):
        stack.append(i)
    try:
        a = stack.pop() % len(stack)
    except ZeroDivisionError:
        a = -1
    return a


def test_what_may_raise_otherwise_is_refused():
    refused(calls, 0.0, match="F001.*a call of a function that may raise in `try`")
    refused(all_of_them, 0.0, match="F001.*a handler of Exception in `try`")
    refused(not_evaluated, 1.0, 0.0, match="F001.*may not evaluate in `try`")
    refused(twice_in_one, 3, match="F001.*behind a call that changes something")
    refused(asked, 0.0, match="F001.*the exception as a value")
