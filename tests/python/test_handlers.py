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


def root(x):
    try:
        y = math.sqrt(x) + math.log(x)
    except ValueError:
        y = 0.0
    else:
        y += 1.0
    finally:
        x = 2.0
    return y + x


def inverses(xs, k):
    total, bad = 0.0, 0
    for x in xs:
        try:
            total += 1 / x + xs[k] ** 3
        except Exception:
            bad += 1
    return total, bad


def raised_in_the_body(n):
    try:
        if n < 0:
            raise ValueError("negative")
        if n > 20:
            raise NotImplementedError("large")
        r = math.factorial(n)
    except ValueError:
        r = -1
    except RuntimeError:
        r = -2
    return r


def any_of_numbers(x, xs):
    ys = list(xs)
    try:
        n = int(x)
        at = ys.index(n)
    except OverflowError:
        return -1
    except ValueError:
        return -2
    try:
        return at + math.exp(x) + x**2
    except ArithmeticError:
        return -3.0


def test_values_outside_of_domains():
    agrees(root, (4.0,), (-1.0,), (0.0,), (math.nan,))
    agrees(inverses, ([1.0, 0.0, 4.0], 1), ([1.0, 0.0, 4.0], 7), ([2.0, 1e200], 1))
    agrees(raised_in_the_body, (3,), (-3,), (25,))
    agrees(any_of_numbers, (3.5, [1, 3, 2]), (math.nan, [1]), (math.inf, [1]), (7.0, [1, 3]), (800.0, [800]))


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


def of_arrays(x, y):
    try:
        return (x + y).sum()
    except ValueError:
        return 0.0


class Own(KeyError):
    pass


def of_ones_own(x):
    try:
        if x < 0:
            raise Own("x")
        return x
    except KeyError:
        return 0.0


def writes_at_last(a):
    try:
        b = a[0] / 2
    finally:
        for i in range(2):
            a = a + i
    return b


def leaves_before_last(n):
    k = 0
    for i in range(n):
        try:
            if i > 1:
                break
        finally:
            k = i
    return k


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
    refused(of_arrays, np.ones(3), np.ones(3), match="F001.*arithmetic of arrays in `try`")
    refused(of_ones_own, -1.0, match="F001.*an exception of a class of one's own")
    refused(writes_at_last, np.ones(2), match="F001.*`finally` that does more than assign names")
    refused(leaves_before_last, 3, match="F001.*break or continue in front of `finally`")
    refused(not_evaluated, 1.0, 0.0, match="F001.*may not evaluate in `try`")
    refused(twice_in_one, 3, match="F001.*behind a call that changes something")
    refused(asked, 0.0, match="F001.*the exception as a value")
