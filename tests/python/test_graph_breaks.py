"""What cannot be compiled runs in Python, and the rest stays compiled."""
import ast
import dataclasses
import math
import re
import warnings

import numpy as np
import pytest

import random_cuts
import sluice
from against_numpy import differences
from sluice.segments import Cut

N, M = sluice.symbol("N"), sluice.symbol("M")
loose = sluice.program(strict=False)


def agree(program, *arguments, **keywords):
    """The program and its function give the same, twice, and leave the same arguments."""
    for _ in range(2):
        ours, theirs = (tuple(one.copy() if isinstance(one, (np.ndarray, list, dict)) else one for one in arguments) for _ in "ab")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            got, wanted = program(*ours, **keywords), program.f(*theirs, **keywords)
        found = differences(wanted, got, "result")
        for at, (one, other) in enumerate(zip(theirs, ours)):
            found += differences(one, other, f"argument {at}") if isinstance(one, np.ndarray) else [] if one == other else [f"{one} {other}"]
        assert not found, "\n".join(found)
    return program.explain()


@loose
def spectrum(x):
    y = x * 2
    for i in range(y.shape[0]):
        y[i] += i
    z = np.fft.fft(y)
    power = 0.0
    for i in range(z.shape[0]):
        power += z[i].real ** 2 + z[i].imag ** 2
    return power, z


@loose
def logged(u, steps):
    log = {}
    for t in range(steps):
        un = u.copy()
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = 0.25 * (un[i - 1, j] + un[i + 1, j] + un[i, j - 1] + un[i, j + 1])
        if t % 2 == 0:
            log[t] = float(u.max())
    return u, tuple(log.values())


@loose
def chosen(x, kind="sum", weight=None, options=None):
    total = 0.0
    for i in range(x.shape[0]):
        if kind == "sum":
            total += x[i]
        else:
            total += x[i] * x[i]
    if weight is not None:
        total = total * weight
    if options:
        total += options["offset"]
    return total


@dataclasses.dataclass
class Grid:
    n: int
    dx: float
    values: np.ndarray


@loose
def of_object(grid, x):
    total = 0.0
    for i in range(grid.n):
        total += x[i] * grid.dx + grid.values[i]
    return total


@loose
def guarded(x, k):
    try:
        value = 1.0 / k if k else math.log(0)
        for i in range(x.shape[0]):
            x[i] *= value
    except ValueError:
        value = -1.0
    finally:
        x[0] = 7.0
    return x, value


@loose
def views_of_one(x):
    whole = np.zeros(6)
    left, right = whole[:4], whole[2:]
    print(end="")
    left[3] = x[0]
    for i in range(right.shape[0]):
        right[i] += 1.0
    return whole, left


@loose
def views_of_arguments(x, y):
    row, column, every = x[0], y[:, 1], x[::-1]
    for i in range(row.shape[0]):
        row[i] += i
    print(end="")
    row[1] = 50.0
    column[:] = -1.0
    every[0, 0] = 3.0
    for i in range(column.shape[0]):
        column[i] -= i
    return x, y


@loose
def views_of_one_made_by_a_loop(n):
    whole = np.zeros(n)
    for i in range(n):
        whole[i] = i
    left, right = whole[:4], whole[2:]
    print(end="")
    left[3] = 70.0
    for i in range(right.shape[0]):
        right[i] += 1.0
    return whole, left, right


@loose
def one_or_the_other(x, y, k):
    for i in range(x.shape[0]):
        x[i] += 1.0
    chosen = x if k > 0 else y
    print(end="")
    chosen[0] = 99.0
    return x, y


@loose
def rebound(x):
    y = x
    print(end="")
    y[0] = 5.0
    for i in range(x.shape[0]):
        y = y + x[i]
    return x, y


@loose
def tuples(x):
    shape = x.shape
    pair = (shape, 3)
    print(end="")
    rows, columns = shape
    out = np.zeros(pair[0])
    for i in range(rows):
        for j in range(columns):
            out[i, j] = x[i, j] * pair[1]
    return out


@loose
def strided(x):
    total = 0.0
    print(end="")
    for i in range(x.shape[0]):
        total += x[i]
    return total


@loose
def factorial(n):
    if n < 2:
        return 1
    return n * factorial(n - 1)


def unknown(x):
    return np.fft.ifft(np.fft.fft(x)).real


@loose
def calls(x):
    y = unknown(x)
    for i in range(x.shape[0]):
        y[i] += x[i]
    return y


@loose
def generated(x):
    return sum(v for v in x.tolist()) + max((a, b) for a, b in zip(x.tolist(), x.tolist()))[0]


@pytest.mark.parametrize("program, arguments", [
    (spectrum, (np.arange(8.0),)), (logged, (np.arange(30.0).reshape(5, 6) % 7, 4)), (chosen, (np.arange(4.0),)),
    (chosen, (np.arange(4.0), "squares", 2.5, {"offset": 1.0})), (of_object, (Grid(3, 0.5, np.arange(3.0)), np.arange(4.0))),
    (guarded, (np.arange(4.0), 2)), (guarded, (np.arange(4.0), 0)), (views_of_one, (np.arange(3.0),)),
    (views_of_arguments, (np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3))), (views_of_one_made_by_a_loop, (9,)),
    (one_or_the_other, (np.arange(3.0), np.arange(3.0), 1)), (one_or_the_other, (np.arange(3.0), np.arange(3.0), -1)), (rebound, (np.arange(3.0),)),
    (tuples, (np.arange(6.0).reshape(2, 3),)), (strided, (np.arange(9.0)[::-2],)), (factorial, (12,)), (calls, (np.arange(5.0),)),
    (generated, (np.arange(5.0),))], ids=lambda value: getattr(value, "name", ""))
def test_means_what_python_means(program, arguments):
    agree(program, *arguments)


def test_the_rest_stays_compiled():
    text = agree(logged, np.arange(30.0).reshape(5, 6) % 7, 4)
    assert f"line {_line_of(logged, 'log[t] = ')}: Python (F001" in text
    assert "compiled for float64[5, 6]" in text


def _line_of(program, text):
    lines, first = program._source
    return next(first + at for at, line in enumerate(lines) if text in line)


@loose
def annotated(a: sluice.float32, x: sluice.float64[N, M], k: sluice.int64):
    y = np.zeros((M, N))
    print(end="")
    for i in range(N):
        for j in range(M):
            y[j, i] = a * x[i, j] + k
    return y, a, N


def test_annotations_hold():
    y, a, n = annotated(0.1, np.ones((2, 3)), 2)
    assert y.shape == (3, 2) and type(a) is np.float32 and n == 2
    assert np.array_equal(y, np.float32(0.1) * np.ones((3, 2)) + 2)
    with pytest.raises(TypeError, match="A002"):
        annotated(0.1, np.ones((2, 3), np.float32), 2)


def test_letters_beyond_ascii_are_left_to_python():
    """The program that checked the arguments had the function's names, was refused as well, and called itself without end."""
    @loose
    def größe(länge: sluice.float64[N], um: sluice.int32):
        länge[:] = länge + um
        return um

    x = np.zeros(3)
    assert type(größe(x, 7)) is np.int32 and np.array_equal(x, [7, 7, 7])
    with pytest.raises(ValueError, match="A001"):
        größe(np.zeros((3, 3)), 7)

    named = sluice.symbol("größe")

    @loose
    def sized(x: sluice.float64[named], um: sluice.float64):
        x[:] = x + um

    with pytest.raises(sluice.CompileError, match="F001"):
        sized(np.zeros(3), 2.0)


def test_one_warning_names_the_line_and_the_reason():
    @loose
    def tangled(x):
        y = x + 1
        print(end="")
        return y

    with pytest.warns(sluice.FallbackWarning, match="F006 the function print.*strict=True") as caught:
        tangled(np.ones(3))
        tangled(np.ones(3))
    assert [(one.filename, one.lineno) for one in caught] == [(__file__, _line_of(tangled, "print"))]


def test_strict_refuses():
    @sluice.program(strict=True)
    def refused(x):
        print(end="")
        return x

    with pytest.raises(sluice.CompileError, match="F006"):
        refused(np.ones(3))


def test_the_setting_decides_without_an_argument(monkeypatch):
    @sluice.program
    def either(x):
        print(end="")
        return x

    with pytest.raises(sluice.CompileError, match="F006"):
        either(np.ones(3))
    monkeypatch.setenv("SLUICE_STRICT", "0")
    with pytest.warns(sluice.FallbackWarning):
        assert np.array_equal(either(np.ones(3)), np.ones(3))
    with pytest.raises(sluice.CompileError, match="F006"):
        either.to_sdfg(np.ones(3))


@pytest.mark.parametrize("statement, kind", [("return x[12]", IndexError), ("return x + np.ones(7)", ValueError), ("return np.sinn(x)", AttributeError),
                                             ("return missing + x", NameError)])
def test_mistakes_are_both_errors(statement, kind, tmp_path):
    (tmp_path / "mistake.py").write_text(f"import numpy as np\n\ndef mistaken(x):\n    {statement}\n")
    space = {"__name__": "mistake"}
    exec(compile((tmp_path / "mistake.py").read_text(), str(tmp_path / "mistake.py"), "exec"), space)
    with pytest.raises(sluice.CompileError, match="help:") as caught, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loose(space["mistaken"])(np.ones(3))
    assert isinstance(caught.value, kind)


def test_what_the_program_raises_is_its_own():
    @loose
    def raising(x):
        print(end="")
        raise ValueError(f"no {x.shape}")

    with pytest.raises(ValueError, match=r"^no \(3,\)$"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        raising(np.ones(3))


def test_explicit_dataflow_has_no_meaning_in_python():
    @loose
    def explicit(x: sluice.float64[N]):
        for i in range(N):
            with sluice.tasklet:
                a << x[i]
                b = print(a)
                b >> x[i]

    with pytest.raises(sluice.CompileError, match="F012|F006|T0"):
        explicit(np.ones(3))


def test_values_that_change_at_each_step_are_not_compiled_for_ever():
    @dataclasses.dataclass
    class Clock:
        time: float = 0.0

    @loose
    def ticking(clock, x):
        for _ in range(40):
            clock.time = clock.time + 1.0
            for i in range(x.shape[0]):
                x[i] += clock.time
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = ticking(Clock(), np.zeros(3))
    assert np.array_equal(got, np.full(3, 40 * 41 / 2))


def test_integers_of_any_size():
    @loose
    def large(n, x):
        print(end="")
        total = n * n
        for i in range(x.shape[0]):
            x[i] += 1.0
        return total

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert large(2**70, np.ones(3)) == 2**140


def test_cuts_keep_the_meaning():
    """Random functions, cut at a random line: what begins and ends where is right whatever compiles."""
    found = random_cuts.campaign(11, 100)
    assert not found, found


def test_segments_hand_over_what_is_read_later():
    text = "def f(x):\n    a = x + 1\n    b = a * 2\n    print(b)\n    c = a + b\n    return c * 2\n"
    cut = Cut(ast.parse(text).body[0], dict(enumerate(["", *text.splitlines()])), {4})
    assert [(one.first, one.last, one.reads, one.outputs, one.tail) for one in cut.segments] == [
        (2, 3, ["x"], ["a", "b"], False), (5, 6, ["a", "b"], [], True)]


def test_masked_arrays_are_not_taken_for_arrays():
    masked = np.ma.array(np.arange(2000.0), mask=np.arange(2000) % 2 == 0)

    @loose
    def total(x):
        print(end="")
        return x.sum() * 2

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert total(masked) == masked.sum() * 2


def test_exceptions_of_numpys_with_arguments_of_their_own_come_through():
    """A cast that NumPy refuses ended in an error of the fallback itself."""
    def halves(a):
        a += 0.5
        return a

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sluice.FallbackWarning)
        with pytest.raises(TypeError, match="Cannot cast"):
            sluice.program(strict=False)(halves)(np.arange(3))


def test_a_branch_at_the_end_of_a_loop_hands_back_the_argument():
    """The last segment of a part returned a copy of the array where its branch was not taken: later updates missed the argument."""
    def grown(a):
        for i in range(2):
            str(0)
            a += 1
            str(0)
            if i == 3:
                a = a * 0.5

    plain, mine = np.zeros(4000), np.zeros(4000)
    grown(plain)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sluice.FallbackWarning)
        sluice.program(strict=False)(grown)(mine)
    np.testing.assert_array_equal(mine, plain)


def test_star_parameters_are_pythons():
    def product(x, y=None, *rest):
        return x * 2 if y is None else x * y

    def scaled(x, **options):
        s = 0.0
        for i in range(x.size):
            s += x[i] * x[i]
        if "scale" in options:
            s *= options["scale"]
        return s

    x = np.arange(3000.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sluice.FallbackWarning)
        for function, arguments, named in ((product, (x,), {}), (product, (x, x, 3), {}), (scaled, (x,), {"scale": 2.0})):
            np.testing.assert_allclose(sluice.program(function, strict=False)(*arguments, **named), function(*arguments, **named))
    assert sluice.program(scaled, strict=True)(x, scale=3.0) == pytest.approx(scaled(x, scale=3.0))


def power_of_a_constant(a, n, axis):
    return a.sum(axis=axis) + n ** 2


def power_of_a_default(a, axis, k=-2):
    return a.sum(axis) + k ** 2


def attribute_of_a_constant(a, n, axis):
    return a.sum(axis=axis) + n.real


def by_lambda(a, n, axis):
    total = a.sum(axis=axis)
    f = lambda n: n + 1  # noqa: E731
    return total + f(n)


def by_comprehension(a, n, axis):
    return a.sum(axis=axis) + sum([n * i for i in range(3)]) + [n for n in (1, 2)][1]


@pytest.mark.parametrize("function, arguments", [(power_of_a_constant, (-1, 0)), (power_of_a_default, (0,)), (power_of_a_default, (1, -3)),
                                                 (attribute_of_a_constant, (-2, 0)), (by_lambda, (-3, 1)), (by_comprehension, (3, 0))])
def test_integers_that_are_constants_in_the_code_keep_their_sign(function, arguments):
    """`n ** 2` became `-1 ** 2`, `n.real` a syntax error."""
    a = np.arange(6.0).reshape(2, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sluice.FallbackWarning)
        np.testing.assert_array_equal(sluice.program(strict=False)(function)(a, *arguments), function(a, *arguments))


def test_a_flag_is_the_object_that_was_given():
    """Checking the arguments made NumPy's bool of it, which `is False` does not hold for."""
    @loose
    def copy_unless(a: sluice.float64[N], b: sluice.float64[N], flag: sluice.bool):
        if flag is False:
            b[:] = a
    a, b = np.arange(4.0), np.zeros(4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        copy_unless(a, b, True)
        assert not b.any()
        copy_unless(a, b, False)
    np.testing.assert_array_equal(a, b)


def test_an_explanation_tells_compiling_from_running():
    @loose
    def told(x):
        y = x * 2
        print(end="")
        return y + 1

    @loose
    def in_one_piece(x: sluice.float64[4]):
        x += 1

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(3):
            told(np.ones(100_000))
    in_one_piece(np.ones(4))
    text = told.explain()
    assert repr(text) == text and re.search(r"line \d+: 3 calls, \S+ ms, \S+ ms of it with compiling", text), text
    assert in_one_piece.explain() == "in_one_piece: compiled for what is annotated"


def test_a_dictionary_is_read_beside_a_line_of_python():
    """It is given in pieces to what is compiled around the line, and the reason of each line that Python runs is told."""
    @loose
    def simulated(x, parameters):
        v, means = np.ones(x.size), []
        for step in range(3):
            a = -parameters["k"] * x / parameters["m"]
            v += a * 0.1
            x += v * 0.1
            print(end="")
            means.append(x.mean())
        return x, np.array(means)

    with pytest.warns(sluice.FallbackWarning, match="F006 the function print") as caught:
        simulated(np.ones(2000), {"k": 2.0, "m": 1.0})
    assert [one.lineno for one in caught] == [_line_of(simulated, "print")]
    told = agree(simulated, np.linspace(0, 1, 2000), {"k": 2.0, "m": 1.0})
    first = _line_of(simulated, "a = ")
    assert f"line {_line_of(simulated, 'print')}: Python (F006 the function print is not known)" in told
    # Of the first call, in which it was cut, and of the others.
    assert f"lines {first}-{first + 2}: 3 calls" in told and f"lines {first}-{first + 2}: 6 calls" in told, told

    @loose
    def kept(x, seen):
        y = x * 2
        seen.discard(3)
        return y

    assert kept(np.ones(3), {3}).sum() == 6 and kept.explain().endswith(", by Python: it has little to do")
    assert kept(np.ones(2000), {3}).sum() == 4000 and f"line {_line_of(kept, 'seen.')}: Python (neither number nor array: seen)" in kept.explain()
    assert ", 1 of them by Python: it had little to do" in kept.explain()


def test_variables_of_maps_stay_in_their_segments():
    @loose
    def sums(A, k):
        c = k
        for i in sluice.map[0:7]:
            c += i
        try:
            d = 7 // k
        except ZeroDivisionError:
            d = -1
        e = 1
        for i in sluice.map[0:7]:
            e += i
        return c, d, e

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert sums(np.arange(7.0), 2) == (23, 3, 22)
        assert sums(np.arange(7.0), 0) == (21, -1, 22)


def test_names_that_are_bound_anew_need_no_value():
    """A loop that has nothing to go through leaves its variable unbound, which nobody reads before the next loop binds it."""
    @loose
    def two_loops(a, k):
        for i in range(k):
            a[i] += 1
        try:
            d = 1 // k
        except ZeroDivisionError:
            d = -1
        for i in range(len(a)):
            a[i] *= 2
        return d, sum([i for i in range(3)])

    @loose
    def in_a_loop(a, k):
        d = 0
        for t in range(3):
            for i in range(k):
                a[i] += 1
            try:
                d += 1 // k
            except ZeroDivisionError:
                d = -1
            if d > 5:
                break
            for i in range(len(a)):
                a[i] *= 2
        return d

    @loose
    def left_in_between(a, k):
        x = 1.0
        for t in range(4):
            for i in range(k):
                x = a[i] * 2
            try:
                d = 1 // (t - k)
            except ZeroDivisionError:
                break
            x = 5.0
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for program in (two_loops, in_a_loop, left_in_between):
            for k in (0, 2, 3):
                ours, theirs = np.arange(3.0), np.arange(3.0)
                assert program(ours, k) == program.f(theirs, k)
                np.testing.assert_array_equal(ours, theirs)


def places_above(x, least):
    places = []
    for i in range(len(x)):
        if x[i] > least:
            places.append(i)
    return np.array(places)


def factorial(n):
    r = 1
    for i in range(2, n + 1):
        r *= i
    return r


def test_python_goes_on_where_compiled_code_cannot_and_nothing_was_changed():
    """They raised NotImplementedError and OverflowError."""
    found, product = sluice.program(places_above, strict=False), sluice.program(factorial, strict=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sluice.FallbackWarning)
        for least in 0.5, 9.0, 1.5:
            got, wanted = found(np.arange(4.0), least), places_above(np.arange(4.0), least)
            assert got.dtype == wanted.dtype and np.array_equal(got, wanted)
        for n in 5, 30, 20:
            assert product(n) == factorial(n)
    with pytest.raises(NotImplementedError):
        sluice.program(places_above, strict=True)(np.arange(4.0), 9.0)
    with pytest.raises(OverflowError, match="64 bits"):
        sluice.program(factorial, strict=True)(30)


def filled_with_products(x, n):
    x[0] = 5
    r = 1
    for i in range(2, n + 1):
        r *= i
    x[1] = r


def test_python_does_not_begin_again_what_has_changed_something():
    x = np.zeros(2)
    with pytest.raises(OverflowError, match="64 bits"):
        sluice.program(filled_with_products, strict=False)(x, 30)
    assert x[0] == 5
