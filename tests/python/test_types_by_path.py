"""A returned number has the type that it has on the path taken, as in Python."""
import warnings

import numpy as np
import pytest

import sluice
from against_numpy import differences


def half(n):
    if n % 2 == 0:
        return n // 2
    return n / 2


def quotient(a, b):
    if b == 0:
        return 0
    return a / b


def relu(x):
    return x if x > 0 else 0


def at_least_nothing(x):
    return max(0, x)


def clamped(x):
    lo, hi = -1, 2.0
    return min(max(x, lo), hi)


def of_three(a, b, c):
    return max(a, b, c)


def truth_or_number(x):
    if x > 3:
        return True
    return x


def first_above(x):
    for v in x:
        if v > 1:
            return v
    return -1


def of_arrays(x, k):
    if k > 0:
        return x
    return x * 0.5


def in_a_tuple(x, k):
    if k > 0:
        return k, x[0]
    return 0.5, 0


def in_a_dictionary(x, k):
    if k > 0:
        return {"mean": x.mean(), "n": k}
    return {"mean": 0, "n": 0}


NUMBERS = [5, 6, 0, -3, 7.0, 2.5, True, np.float64(1.5), np.float32(-2), np.int64(4), np.int8(-5), np.int32(2)]
ARRAYS = [np.arange(4.0), -np.arange(4.0), np.arange(4), np.arange(4, dtype=np.float32), np.array([0, 9], dtype=np.uint8), np.array([True])]


def same(one, other):
    assert type(one) is type(other), (one, other)
    if isinstance(one, (tuple, list)):
        assert len(one) == len(other)
        for a, b in zip(one, other):
            same(a, b)
    elif isinstance(one, dict):
        assert list(one) == list(other)
        same(list(one.values()), list(other.values()))
    else:
        assert np.array_equal(one, other) and np.asarray(one).dtype == np.asarray(other).dtype, (one, other)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("function", [half, relu, at_least_nothing, clamped, truth_or_number])
def test_numbers(function, strict):
    program = sluice.program(function, strict=strict)
    for x in NUMBERS:
        same(program(x), function(x))


def test_two_and_three_numbers():
    for a in (5, 2.5, np.float32(3)):
        for b in (0, 2, 0.0, np.int64(7)):
            with np.errstate(all="ignore"):
                same(sluice.program(quotient, strict=True)(a, b), quotient(a, b))
            same(sluice.program(of_three, strict=True)(a, b, 4), of_three(a, b, 4))


def test_elements_of_arrays():
    program = sluice.program(first_above, strict=True)
    for x in ARRAYS:
        same(program(x.copy()), first_above(x))


@pytest.mark.parametrize("function", [of_arrays, in_a_tuple, in_a_dictionary])
def test_arrays_and_structures(function):
    program = sluice.program(function, strict=True)
    for x in ARRAYS[:4]:
        for k in (2, 0):
            same(program(x.copy(), k), function(x, k))


def total(x):
    s = 0
    for v in x:
        s += v
    return s


def best(x):
    b = 0
    for v in x:
        if v > b:
            b = v
    return b


def of_a_matrix(x):
    s = 0
    for i in range(len(x)):
        for j in range(i):
            s += x[j]
    return s, len(x)


def counted_down(x):
    s, n = 0, len(x)
    while n > 1:
        n -= 1
        s = s + x[n]
    return s


def mean_or_nothing(x):
    s = n = 0
    for v in x:
        if v > 0:
            s += v
            n += 1
    mean = s / n if n else 0
    return mean


def weighted(x):
    k = 2
    if len(x) > 3:
        k = 0.5
    return k, x * k


def found(x):
    for v in x:
        if v > 2:
            r = v
            break
    else:
        r = 0
    return r


def perceptron(x):
    w = b = 0
    for _ in range(3):
        for v in x:
            y = 1 if v > 0.5 else -1
            if (1 if w * v + b > 0 else -1) != y:
                w += y * v
                b += y
    return w, b


@pytest.mark.parametrize("function", [total, best, of_a_matrix, counted_down, mean_or_nothing, weighted, found, perceptron])
def test_names_that_a_path_leaves_as_they_were(function):
    program = sluice.program(function, strict=True)
    for x in [*ARRAYS[:4], np.zeros(0), -np.ones(4), np.array([2.5]), np.zeros(0, dtype=int), np.array([-1, -2, -1, -2])]:
        same(program(x.copy()), function(x))


def many(x, k):
    a = b = c = d = 0
    if k > 0:
        a = 0.5
    if k > 1:
        b = 0.5
    if k > 2:
        c = 0.5
    if k > 3:
        d = 0.5
    return a, b, c, d, x


def too_many(x, k):
    a = b = c = d = e = 0
    a = 0.5 if k % 2 else a
    b = 0.5 if k // 2 % 2 else b
    c = 0.5 if k // 4 % 2 else c
    d = 0.5 if k // 8 % 2 else d
    e = 0.5 if k // 16 else e
    return a, b, c, d, e, x


def of_32_bits(x, k):
    a = b = c = d = e = 0
    a = np.float32(0.5) if k % 2 else a
    b = np.float32(0.5) if k // 2 % 2 else b
    c = np.float32(0.5) if k // 4 % 2 else c
    d = np.float32(0.5) if k // 8 % 2 else d
    e = np.float32(0.5) if k // 16 else e
    return a, b, c, d, e, x


def test_names_of_several_types_each():
    for function, values in ((many, range(5)), (too_many, (0, 5, 21, 31)), (of_32_bits, (0, 5, 21, 31))):
        strict = sluice.program(function, strict=True)
        for k in values:
            same(strict(1, k), function(1, k))


def best_of_all(x):
    best = (np.inf, None, None, 1)
    for f in range(x.shape[1]):
        for threshold in np.unique(x[:, f]):
            for sign in (1, -1):
                error = np.abs(np.where(sign * x[:, f] < sign * threshold, -1, 1).sum() - 1)
                if error < best[0]:
                    best = (error, f, threshold, sign)
    return best


def best_and_more(x):
    best = (0, 0.0)
    for i in range(len(x)):
        for sign in (1, -1):
            if sign * x[i, 0] > best[1]:
                best = (i * sign, sign * x[i, 0])
    place, value = best
    return best, place + 1, value, max(best), best[-1], [one for one in best], len(best), best == (0, 0.0)


def states(x):
    state = (1.0, x[0])
    for row in x:
        factor, vector = state
        state = (factor * 2, vector + factor * row)
    return state, state[0]


def names_inside(x):
    best = (0, 1.0)
    for row in x:
        if row[0] > best[1]:
            best = (best[0] + 1, row[0])
    key = lambda best: -best[0]
    return best, [best for best in (1, 2)], max([best, (5, 0.0)], key=lambda one: one[0] + best[1]), key(best)


def test_names_that_expressions_have_for_themselves():
    x = np.array([[0.5, -1.25], [2.0, 0.75]])
    same(sluice.program(names_inside, strict=False)(x), names_inside(x))


@pytest.mark.parametrize("function", [best_of_all, best_and_more, states])
def test_tuples_that_iterations_replace(function):
    """Each of their elements is a variable. The first took a minute, and None among them was refused."""
    program = sluice.program(function, strict=True)
    for x in (np.array([[0.5, -1.25], [2.0, 0.75], [-0.25, 0.0]]), np.zeros((2, 2))):
        got, wanted = program(x), function(x)
        assert not differences(wanted, got, function.__name__)
        same(got[0], wanted[0])


def one_or_the_other(n, x):
    r = x
    for _ in range(2):
        if n > 0:
            r = n
    return r


def of_a_table(x, n):
    c = [0, 1 / 2, 3, -1]
    return c[n] // 2, c[n] * x[0], c[-n], -c[n], [c[k] for k in range(n)]


def test_integers_beside_floats_are_exact():
    program = sluice.program(one_or_the_other, strict=True)
    for n in (0, 7, 2**53, 2**53 + 1):
        if n <= 2**53:
            same(program(n, 0.5), one_or_the_other(n, 0.5))
        else:
            with pytest.raises(OverflowError):
                program(n, 0.5)


def test_tables_of_integers_and_floats():
    program = sluice.program(of_a_table, strict=True)
    for n in range(4):
        got, wanted = program(np.ones(1), n), of_a_table(np.ones(1), n)
        for one, other in zip(got, wanted):
            same(one, other)


def largest_and_its_place(h):
    best, place = 0, None
    for i in range(h.shape[0]):
        for j in range(h.shape[1]):
            best = max(best, h[i, j])
            if best == h[i, j]:
                place = 10 * i + j
    return best, place


def drawdown(x):
    peak, fall, n = 0.0, 0, 0
    for v in x.ravel():
        peak = max(peak, v)
        fall = min(fall, v - peak)
        n = n + 1 if v > 0 else n / 2
    return peak, fall, n


def halved(x):
    n, total = 5, 0
    while n > 1:
        n = n / 2 if n % 2 else n - 2
        if n < x.size:
            total = total + n
        total = total if total < 3 else 3
    y = x * n
    return n, total, y, 1 + (x.size if n > 0 else 0.5)


def shifted_pair(x):
    a, b = 0, 1
    for v in x.ravel():
        a, b = b, a + v
    scale = 2
    if x.size > 3:
        scale = 0.5
    return a, b, x * scale


def inside_a_loop(x):
    for k in range(3):
        n = True if x.size > k else 0.5
        for v in x.ravel():
            n = n + v
    return n, sum(x.ravel())


def truths(x):
    m = x > 1
    ok = x.size > 1
    for v in x.ravel():
        ok = ok and v > -5
    return m.any() and not m.all(), x.size > 2 or m.any(), ok, (x.size and m.any()), m.any() or 0.5


@pytest.mark.parametrize("function", [largest_and_its_place, drawdown, halved, shifted_pair, inside_a_loop, truths])
def test_types_that_iterations_and_choices_decide(function):
    program = sluice.program(function, strict=True)
    for x in [*ARRAYS[:4], np.zeros(0), -np.ones(4), np.array([2.5]), np.zeros(0, dtype=int), np.array([3, 2, 3, 1])]:
        same(program(x.reshape(1, -1).copy()), function(x.reshape(1, -1)))


def choices_beside_each_other(x, n):
    return min(x, 2), max(n, x), 1 if x > 2 else 2.5, x


@pytest.mark.parametrize("arguments", [(3.7, 1), (1.5, 4), (1.5, 1), (3.7, 9)])
def test_elements_of_a_returned_tuple(arguments):
    got, expected = sluice.program(choices_beside_each_other, strict=True)(*arguments), choices_beside_each_other(*arguments)
    assert [(one, type(one)) for one in got] == [(one, type(one)) for one in expected]


def element_of_both(a, k):
    xs = []
    for i in range(len(a)):
        if i % 2:
            xs.append(i)
        else:
            xs.append(a[i])
    return xs[k]


def last_of_both(a, k):
    xs = [0]
    for v in a:
        xs.append(xs[-1] + v)
    return xs.pop(), k


def whole_list_of_choices(a, k):
    xs = []
    for i in range(len(a)):
        xs.append(a[i] if i % 2 else i)
    return xs


def array_of_both(a, k):
    xs = [0]
    for v in a:
        xs.append(xs[-1] + v)
    return np.array(xs), xs[k] * np.float64(2.0)


@pytest.mark.parametrize("function", [element_of_both, last_of_both, whole_list_of_choices])
def test_lists_of_numbers_of_python_and_numpy(function):
    """Which of both an element is only the run knows: its type lies beside it."""
    a = np.array([3, 1, 2])
    same(sluice.program(function, strict=True)(a, 1), function(a, 1))


def test_what_is_computed_of_such_lists():
    a = np.array([3, 1, 2])
    found, wanted = sluice.program(array_of_both, strict=True)(a, 1), array_of_both(a, 1)
    assert (found[0] == wanted[0]).all() and found[0].dtype == wanted[0].dtype
    assert found[1] == wanted[1] and type(found[1]) is type(wanted[1])


def weighted_counts(x, w):
    return np.bincount(x, weights=w, minlength=2)


@pytest.mark.parametrize("numbers", [[], [0, 3, 3]])
def test_weighted_counts_of_nothing_are_integers(numbers):
    x, w = np.array(numbers, dtype=np.int64), np.ones(len(numbers), np.float32)
    found, wanted = sluice.program(weighted_counts, strict=True)(x, w), weighted_counts(x, w)
    assert found.dtype == wanted.dtype and (found == wanted).all()


def sum_of_some(values):
    return sum([v for v in values if v > 2.5])


def sum_of_a_generator(values):
    return sum(v for v in values if v > 2.5)


def sum_of_appended(values):
    some = []
    for v in values:
        if v > 2.5:
            some.append(v)
    total = sum(some)
    return total, total * 2, total / 2, total + 1, -total


def sum_from_one(values):
    return sum([np.float64(v) for v in values if v > 2.5], 1)


@pytest.mark.parametrize("function", [sum_of_some, sum_of_a_generator, sum_of_appended, sum_from_one])
def test_the_sum_of_no_floats_is_an_integer(function):
    """It was 0.0."""
    program = sluice.program(function, strict=True)
    for values in ([1.0, 2.0], [1.0, 3.5], [4.0]):
        got, wanted = program(values), function(values)
        for one, other in zip(got if isinstance(got, tuple) else [got], wanted if isinstance(wanted, tuple) else [wanted], strict=True):
            assert type(one) is type(other) and one == other


def last_above(x, k):
    r = -1
    for v in x:
        if v > k:
            r = v
            break
    return r


def one_or_more(k):
    if k > 2:
        return 1
    return 2.5


def first_or_none(y):
    return y[0] if y[1] > 2 else 0


def called(x, k):
    v = last_above(x, k)
    return v + 1, v, 2 * first_or_none(x), [last_above(x, 0), one_or_more(k)]


def doubled_above(x, k):
    return last_above(x, k) * 2


def called_by_a_called(x, k):
    return doubled_above(x, k)


def called_in_a_loop(x, k):
    best, out, total = last_above(x, k), [], 0.0
    for i in range(k):
        c = last_above(x, i)
        total += one_or_more(i)
        out.append(c)
        if c > best:
            best = c
    return best, out, total


@pytest.mark.parametrize("function", [called, called_by_a_called, called_in_a_loop])
def test_types_that_called_functions_decide(function):
    """They were those of both paths together: numpy.float64(-1.0)."""
    program = sluice.program(function, strict=True)
    for x in (np.array([.2, .5, 3.]), np.array([.2, 2.5, .9]), np.array([1, 2, 5]), np.array([4, 3, 1])):
        for k in (1, 3, 7):
            same(program(x, k), function(x, k))


def chosen_or_number(x, c):
    w = np.where(c > 1, 1.0, 2.0)
    if c > 0:
        w = 3.0
    return w


def number_or_chosen(x, c):
    w = 3
    if c > 0:
        w = np.where(x[0] > 1, 1, 2)
    return w * 2, w


def chosen_or_element(x, c):
    w = np.where(c > 1, 1.0, 2.0)
    if c > 0:
        w = x[0]
    return {"w": w}


def chosen_then_counted(x, c):
    w = np.where(c > 1, 1, 2.5)
    for _ in range(c):
        w = w + 1
    return w


def chosen_twice(x, c):
    w = np.where(x[0] > 1, 1.0, 2.0)
    if c > 0:
        w = np.where(c > 1, 3.0, x[1])
    return w


@pytest.mark.parametrize("function", [chosen_or_number, number_or_chosen, chosen_or_element, chosen_then_counted, chosen_twice])
def test_arrays_of_rank_0_on_some_paths(function):
    """They were numbers of NumPy's where another path binds the name as well."""
    program = sluice.program(function, strict=True)
    for c in 0, 1, 3:
        wanted, got = function(np.ones(2), c), program(np.ones(2), c)
        assert repr(got) == repr(wanted)


def mean_of_positive(x):
    s, n = 0.0, 0
    for v in x:
        if v > 0:
            s += v
            n += 1
    return np.array([s / n, n])


def mean_in_front(x):
    s, i = 0, 0
    while i < len(x) and x[i] > 0:
        s += x[i]
        i += 1
    s %= i
    return s


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("function", [mean_of_positive, mean_in_front])
def test_a_sum_of_nothing_is_pythons_where_it_is_divided(function, strict):
    """It was nan where Python raises ZeroDivisionError."""
    program = sluice.program(function, strict=strict)
    for x in np.array([1.0, -2.0, 3.0]), np.array([2, 3]):
        same(program(x), function(x))
    for x in -np.ones(2), np.array([-1, -2]):
        with pytest.raises(ZeroDivisionError) as wanted:
            function(x)
        with pytest.raises(ZeroDivisionError) as got:
            program(x)
        assert str(got.value) == str(wanted.value)


def best_and_count(x):
    best, count = 0, 1
    for v in x:
        if v > best:
            best = v
            count += 1
    return np.array([best, count])


def steps_from_an_integer(x):
    steps = [0]
    for v in x:
        steps.append(v * 0.5)
    return np.array(steps)


def largest_so_far(x):
    m, out = 0, []
    for v in x:
        m = max(m, v)
        out.append(m)
    return np.array(out)


@pytest.mark.parametrize("function", [best_and_count, steps_from_an_integer, largest_so_far])
def test_arrays_of_numbers_of_which_the_path_decides_the_types(function):
    """They were always of floats."""
    compiled, program = sluice.program(function, strict=True), sluice.program(function, strict=False)
    for x in np.array([1.0, 3.0, 2.0]), np.array([-1.0, -2.0]), np.zeros(0):
        same(program(x), function(x))
        try:
            same(compiled(x), function(x))
        except (NotImplementedError, sluice.CompileError):
            assert function(x).dtype == np.int64
