"""Texts of exceptions: numbers of the run in them, in formats, texts that are made in a statement of their own, as linters ask for, and causes."""
import runpy

import numpy as np
import pytest

import sluice


def checked(n, m):
    if n < 0:
        msg = f"{n} is negative, beside {m}"
        raise ValueError(msg)
    for k in range(m):
        if k == n:
            msg = f"{k} is met"
            raise IndexError(msg) from None
    return n


def said_otherwise(n):
    msg = "none"
    if n < 0:
        msg = f"{n} is negative"
        raise ValueError(msg)
    return msg


def around(n):
    def inner(k):
        if k > 3:
            text = f"{k} is large"
            raise OverflowError(text)
        return k + 1
    return inner(n) + inner(n + 1)


@pytest.mark.parametrize("function, arguments", [
    (checked, (-3, 2)), (checked, (1, 4)), (checked, (5, 4)), (said_otherwise, (1,)), (around, (1,)), (around, (3,)), (around, (7,))])
def test_as_in_python(function, arguments):
    try:
        wanted = function(*arguments)
    except Exception as error:
        with pytest.raises(type(error)) as raised:
            sluice.program(function, strict=True)(*arguments)
        assert str(error) in str(raised.value)
    else:
        assert sluice.program(function, strict=True)(*arguments) == wanted


def test_another_cause_is_refused():
    @sluice.program(strict=True)
    def f(n: int):
        if n < 0:
            raise ValueError("negative") from KeyError("key")
        return n
    with pytest.raises(sluice.CompileError, match="causes of exceptions"):
        f(1)


def with_floats(x, limit):
    largest = x.max()
    if largest > limit:
        raise ValueError(f"largest {largest:.3f} of {len(x):>4} beyond {limit}: {largest / limit:+8.1%}, {largest > limit}")
    assert x.min() > -limit, f"too small for {limit:.2e}"
    return x.sum()


@pytest.mark.parametrize("x, limit", [([1.0, 2.5], 2.0), ([1e10, -3.0], 0.125), ([0.5, -9.0], 1.0), ([0.5], 1.0)])
def test_floats_in_texts(x, limit):
    try:
        wanted = with_floats(np.array(x), limit)
    except Exception as error:
        with pytest.raises(type(error)) as raised:
            sluice.program(with_floats, strict=True)(np.array(x), limit)
        assert str(raised.value) == str(error).splitlines()[0]  # pytest adds lines to asserts
    else:
        assert sluice.program(with_floats, strict=True)(np.array(x), limit) == wanted


FLOATS = [0.0, -0.0, 1.0, -1.5, 1 / 3, 123456.789, 1e15, 1e16, 1.5e-5, 0.0001, 2.5e300, 5e-324, 99999.5, float("inf"), -float("inf"), float("nan")]
INTEGERS = [0, 7, -42, 1234567, -2**63, 2**63 - 1]
OF_FLOATS = ["", ".3f", "10.2e", "g", ".3g", ".12g", "<12.4f", "^15.1f", "*>9.2f", "+.2f", " .2f", "08.2f", "-010.3f", ",.2f", ".1%", ".3", ".6", ".0f", "G", "E", "12", ".1", "=+9.1f"]
OF_INTEGERS = ["", "d", "5d", "05d", "+d", ",", "x", "X", "o", "b", ">8", "<8d", "^9d", "08x", ".2f", "e", "%", "_>6"]


@pytest.mark.parametrize("numbers, formats", [(FLOATS, OF_FLOATS), (INTEGERS, OF_INTEGERS)], ids=["floats", "integers"])
def test_formats(tmp_path, numbers, formats):
    """Eight formats in a text, for each number, as Python writes them."""
    for start in range(0, len(formats), 8):
        some = formats[start:start + 8]
        place = tmp_path / f"formats{start}.py"
        place.write_text("def f(v):\n    if v == v or v != v:\n        raise ValueError(f'" + "|".join(f"{{v:{one}}}" if one else "{v}" for one in some) + "')\n    return v\n")
        space = {}
        exec(compile(place.read_text(), str(place), "exec"), space)
        program = sluice.program(space["f"], strict=True)
        for number in numbers:
            with pytest.raises(ValueError) as raised:
                program(number)
            assert str(raised.value).splitlines()[0].endswith("|".join(format(number, one) for one in some))


@pytest.mark.parametrize("text", ["{x:.3n}", "{x!a}", "{x:d}", "{x:{n}}", "{z:.2f}"])
def test_formats_that_are_not_known_are_refused(tmp_path, text):
    place = tmp_path / "format.py"
    place.write_text(f"def f(x, n, z):\n    if n > 0:\n        raise ValueError(f'{text}')\n    return x\n")
    space = {}
    exec(compile(place.read_text(), str(place), "exec"), space)
    with pytest.raises(sluice.CompileError):
        sluice.program(space["f"], strict=True)(1.5, 1, 1j)


class Unfit(ValueError):
    """Of this module's own."""


def checks_in_a_helper(n):
    if n == 2:
        raise Unfit(f"{n} is even")
    if n == 3:
        raise np.linalg.LinAlgError("three")
    if n == 4:
        raise ValueError
    if n == 6:
        raise ValueError("")
    if n == 7:
        raise Unfit
    if n == 8:
        raise Unfit("")


def fails_in_many_ways(n, x):
    if n == 1:
        raise AssertionError("one")
    checks_in_a_helper(n)
    if n == 5:
        raise KeyError("five")
    return x[n - 9]


@pytest.mark.parametrize("strict", [False, True])
def test_classes_and_texts_are_those_of_python(strict):
    class Local(RuntimeError):
        pass

    def local(n: int):
        if n > 0:
            raise Local(f"{n} of them")
        return n
    program, x = sluice.program(fails_in_many_ways, strict=strict), np.arange(2.0)
    for n in (1, 2, 3, 4, 5, 6, 7, 8, 2):
        with pytest.raises(Exception) as wanted:
            fails_in_many_ways(n, x)
        with pytest.raises(wanted.type) as raised:
            program(n, x)
        assert raised.type is wanted.type and str(raised.value) == str(wanted.value) and raised.value.args == wanted.value.args
    with pytest.raises(Local) as raised:
        sluice.program(local, strict=strict)(3)
    assert raised.value.args == ("3 of them",)


def test_exceptions_of_more_than_a_text_are_refused():
    @sluice.program(strict=True)
    def f(n: int):
        if n < 0:
            raise ValueError("negative", 3)
        return n
    with pytest.raises(sluice.CompileError, match="this exception"):
        f(1)


def raises(x, k):
    if k == 1:
        raise KeyError("key")
    return x.sum()


def test_a_helper_may_be_called_raises():
    @sluice.program(strict=True)
    def f(x):
        return raises(x, 1)

    @sluice.program(strict=True)
    def g(x):
        return raises(x, 2)
    with pytest.raises(KeyError, match="key"):
        f(np.ones(3))
    assert g(np.ones(3)) == 3


@pytest.mark.parametrize("text", ["5", "-", "(7)x", "it's", "a: b", "x"])
def test_texts_of_key_errors_stay_texts(text, tmp_path):
    (tmp_path / "keys.py").write_text(f"def f(x):\n    if x[0] >= 0:\n        raise KeyError({text!r})\n    return x\n")
    f = runpy.run_path(str(tmp_path / "keys.py"))["f"]
    with pytest.raises(KeyError) as raised:
        sluice.program(f, strict=True)(np.ones(2))
    assert raised.value.args == (text,)


def looked_up(x, d, k):
    return x[0] + d[k]


def test_keys_that_are_missing_are_numbers():
    with pytest.raises(KeyError) as raised:
        sluice.program(looked_up, strict=True)(np.ones(2), {1: 2}, -7)
    assert raised.value.args == (-7,)


def of_words(words, word):
    lengths = {}
    for one in words:
        lengths[one] = len(one)
    return lengths[word]


def of_all(d):
    return d[7]


@pytest.mark.parametrize("function, arguments", [(of_words, (["a", "bb"], "c")), (of_all, ({1: 2.0},)), (looked_up, (np.ones(2), {"a": 1}, "b"))])
@pytest.mark.parametrize("strict", [False, True])
def test_missing_keys_as_in_python(function, arguments, strict):
    with pytest.raises(KeyError) as wanted:
        function(*arguments)
    with pytest.raises(KeyError) as raised:
        sluice.program(function, strict=strict)(*arguments)
    assert raised.value.args == wanted.value.args


def with_percent(x, k):
    if x.size == 1:
        raise ValueError("%d of %s (%5.1f|%-6d|%+.2e|%05d|%%)" % (k, "x", x[0], k, x[0], k))
    if x.size == 2:
        raise IndexError("not square: %s x %s" % np.diag(x).shape)
    assert x.size != 3, "first is %r" % k
    return x.sum()


def with_braces(x, k):
    if x.size == 1:
        raise ValueError("{0} {1:>6.2f} {{k}} {n!r}".format(k, x[0], n="text"))
    if x.size == 2:
        message = "shape {}, k {:04d}".format(x.shape, k)
        raise TypeError(message)
    return x.sum()


def of_parts(x, k):
    if x.size == 1:
        raise ValueError("k " + str(k) + " and " + repr(k) + f", {x.dtype}")
    if x.size == 2:
        message = "size " + str(len(x))
        raise KeyError(message)
    assert x.size != 3, f"{x.dtype = }, {k=}, {len(x)=:4d}"
    assert k < 5, "first is {}".format(x[0])
    return x.sum()


@pytest.mark.parametrize("function", [with_percent, with_braces, of_parts])
@pytest.mark.parametrize("n, k", [(1, 2), (2, -3), (3, 7), (4, 7), (4, 1)])
def test_templates_and_sums_of_texts(function, n, k):
    x = np.linspace(1.25, 2, n)
    program = sluice.program(function, strict=True)
    try:
        wanted = function(x, k)
    except Exception as error:
        with pytest.raises(type(error)) as raised:
            program(x, k)
        assert str(raised.value).splitlines()[0] == str(error).splitlines()[0]  # pytest adds lines to asserts
    else:
        assert program(x, k) == wanted


def test_what_an_assertion_says_is_read_only_where_it_fails():
    def first(x):
        assert len(x) == 0, f"begins with {x[0]}"
        return len(x)
    assert sluice.program(first, strict=True)(np.zeros(0)) == 0
    with pytest.raises(AssertionError, match="begins with 2.5"):
        sluice.program(first, strict=True)(np.full(3, 2.5))


def pair(x):
    x += 1
    return (3,)


def test_one_value_behind_a_percent_is_no_tuple_of_a_call():
    def f(x):
        if x[0] > 0:
            raise ValueError("%s" % pair(x))
        return x
    with pytest.raises(sluice.CompileError, match="this exception"):
        sluice.program(f, strict=True)(np.ones(2))


def of_another_parameter(x, k):
    assert x.size != 3, f"beside {k}"
    return x.sum()


def behind_a_branch(x, k):
    y = x[:k] if x.size == 1 else x[:k] + 1
    assert x.size != 3, f"beside {k:3d}"
    return x.sum() + y.sum()


@pytest.mark.parametrize("function", [of_another_parameter, behind_a_branch])
@pytest.mark.parametrize("strict", [False, True])
def test_assertions_of_sizes_name_other_numbers(function, strict):
    program = sluice.program(function, strict=strict)
    assert program(np.ones(1), 7) == function(np.ones(1), 7) and program(np.ones(2), 7) == function(np.ones(2), 7)
    with pytest.raises(AssertionError, match="beside +7"):
        program(np.ones(3), 7)


def changed_before(x, k):
    x[0] = k
    assert x.size != 3, "three"
    x += 1
    if x.size == 2:
        raise ValueError("two")
    return x


@pytest.mark.parametrize("n", [1, 2, 3])
def test_what_a_program_has_changed_before_it_raises(n):
    ours, theirs = np.ones(n), np.ones(n)
    for function, x in ((changed_before, theirs), (sluice.program(changed_before, strict=True), ours)):
        try:
            function(x, 5.0)
        except (AssertionError, ValueError):
            assert n > 1
    np.testing.assert_array_equal(ours, theirs)
