"""What a called function returns is to its caller what it is in Python: a view of an argument, or an array of its own."""
import array
import runpy

import numpy as np
import pytest

import sluice


def rest(x):
    return x[1:]


def same(x):
    x += 1
    return x


def columns(x):
    return x[:, 1:3], x[0] * 2


def fresh(x):
    return x[1:] * 1.0


def either(x, c):
    if c > 0:
        return x[1:]
    return x[1:] * 2


def from_the(x, k):
    return x[k:]


def written_through(A):
    y = rest(A)
    y[1] = 99
    A[1] = 7
    return y * 2


def chained(A):
    y = rest(rest(A))
    y[:] = y[::-1].copy()
    z = same(A)
    z[0] = 5
    return z + A


def copied(A):
    y = fresh(A)
    y[0] = 50
    return y


def in_an_expression(A):
    return rest(A) + rest(A[::-1]) + fresh(A)


def shifted(A):
    y = from_the(A, 2)
    y += 10
    return y * 1.0


def of_what_is_new(A):
    y = rest(A + 1)
    y[0] = 3
    return y


TABLE = np.arange(6.0)


def part_of_the_table():
    return TABLE[2:]


def of_the_module(A):
    t = part_of_the_table()
    t[0] = A[0] + 50
    return TABLE * 1.0


def test_of_arrays_of_the_module():
    got = sluice.program(of_the_module)(np.arange(6.0))
    assert np.array_equal(TABLE, [0, 1, 50, 3, 4, 5]) and np.array_equal(got, TABLE)


@pytest.mark.parametrize("function", [written_through, chained, copied, in_an_expression, shifted, of_what_is_new])
def test_of_vectors(function):
    ours, theirs = np.arange(6.0), np.arange(6.0)
    assert np.array_equal(sluice.program(function)(ours), function(theirs))
    assert np.array_equal(ours, theirs)


def matrix(A):
    c, row = columns(A)
    c[0, 0] = -1
    row[0] = 100
    t = columns(A.T)[0]
    t[2, 1] = 8
    return c + row[1:3]


def test_of_matrices():
    ours, theirs = np.arange(16.0).reshape(4, 4), np.arange(16.0).reshape(4, 4)
    assert np.array_equal(sluice.program(matrix)(ours), matrix(theirs))
    assert np.array_equal(ours, theirs)


def test_a_view_on_one_path_only():
    def main(A, c):
        y = either(A, c)
        y[0] = 1
        return y * 2
    for c in (1, 0, -1):
        ours, theirs = np.arange(4.0), np.arange(4.0)
        assert np.array_equal(sluice.program(main)(ours, c), main(theirs, c))
        assert np.array_equal(ours, theirs)


def real_and_imaginary(z):
    re, im = z.real, z.imag
    for k in range(3):
        z[k] = z[k] * 2
    return re * 1, im[1:] * 1


def after_a_change(z):
    re = np.real(z)[1:]
    z = z + 1
    return re + 0, z * 1


def by_the_path(z):
    re = z.real
    if z[0].imag > 0:
        z[1:] = 0
    else:
        re = z.imag
    return re * 1


def copied_parts(z):
    a, b = z.real.copy(), z.real.ravel()
    z[0] = 50
    a[1] = 7
    return a, b


def real_of(z):
    return z.real


def through_a_helper(z):
    re = real_of(z)
    z[0] = 50
    return re * 1


@pytest.mark.parametrize("function", [real_and_imaginary, after_a_change, by_the_path, copied_parts, through_a_helper])
def test_parts_of_complex_arrays_move_with_them(function):
    ours, theirs = (np.arange(1, 5) + 1j * np.arange(5, 9) for _ in range(2))
    got, wanted = sluice.program(function)(ours), function(theirs)
    for one, other in zip(got if isinstance(got, tuple) else [got], wanted if isinstance(wanted, tuple) else [wanted]):
        assert np.array_equal(one, other)
    assert np.array_equal(ours, theirs)


def written_part(z):
    re = z.real
    re[0] = 5
    return z * 1


def reshaped_part(z):
    re = z.real.reshape(2, 2)
    z[0] = 5
    return re * 1


@pytest.mark.parametrize("function", [written_part, reshaped_part])
def test_what_views_of_parts_cannot_do_is_refused(function):
    with pytest.raises(sluice.CompileError, match="F001"):
        sluice.program(function)(np.ones(4, complex))


def halved_on_a_path(a, c):
    if c > 2:
        a = a * 0.5
    return a


def one_or_the_other(a, b, c):
    if c > 2:
        return a
    return b[1:]


def with_a_number(a, b, c):
    a += 1
    if c > 2:
        b = a[::-1]
    return b, c * 2


@pytest.mark.parametrize("function", [halved_on_a_path, one_or_the_other, with_a_number], ids=lambda one: one.__name__)
@pytest.mark.parametrize("c", [1, 3])
@pytest.mark.parametrize("strict", [True, False])
def test_a_path_decides_whether_the_result_is_an_argument(function, c, strict):
    count = function.__code__.co_argcount - 1
    plain = [np.arange(5.0) + at for at in range(count)]
    mine = [one.copy() for one in plain]
    wanted, got = function(*plain, c), sluice.program(function, strict=strict)(*mine, c)
    if isinstance(wanted, tuple):
        assert wanted[1] == got[1]
        wanted, got = wanted[0], got[0]
    np.testing.assert_array_equal(got, wanted)
    assert [np.shares_memory(got, one) for one in mine] == [np.shares_memory(wanted, one) for one in plain]
    assert [got is one for one in mine] == [wanted is one for one in plain]
    got[0] = wanted[0] = 77
    for one, other in zip(plain, mine):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("text", ["m.ravel()", "m.reshape(2, 8)", "m.flatten()", "m.T.reshape(-1)", "m[1:3].reshape(-1)", "m[:, 1:3].reshape(-1)",
                                  "m.reshape(2, 2, 4)[1]", "m.reshape(-1)[::2]", "m.reshape(8, 2).T", "m.squeeze()"])
def test_arrays_in_another_shape_are_views_where_they_are_numpys(text, tmp_path):
    path = tmp_path / "shapes.py"
    path.write_text(f"def function(m):\n    return {text}\n")
    function = runpy.run_path(str(path))["function"]
    plain, mine = np.arange(16.0).reshape(4, 4), np.arange(16.0).reshape(4, 4)
    wanted, got = function(plain), sluice.program(function)(mine)
    np.testing.assert_array_equal(got, wanted)
    assert np.shares_memory(got, mine) == np.shares_memory(wanted, plain)
    wanted[...] = got[...] = 5
    np.testing.assert_array_equal(mine, plain)


def whole_and_part(a):
    b = a * 2
    return b, b[1:]


def part_and_whole(a):
    b = a * 2
    return b[::-1], {"whole": b}


def two_names(a):
    b = c = np.zeros(a.shape[0])
    return b, c


def parts_only(a):
    b = a * 2
    return b[1:], b[:-1]


def of_a_matrix(a):
    m = np.outer(a, a)
    return m, m.T, m[0], m.reshape(2, -1)


def by_the_path_of_a_name(a):
    b = a * 2
    d = b
    if a[0] > 0:
        d = a * 3
    return b, d


def of_compacted(a):
    b = a[a > 0]
    return b, b[:1]


def flat_list(results):
    return [part for one in results for part in (flat_list(one.values()) if isinstance(one, dict) else [one])]


@pytest.mark.parametrize("begin", [1.0, -1.0])
@pytest.mark.parametrize("function", [whole_and_part, part_and_whole, two_names, parts_only, of_a_matrix, by_the_path_of_a_name,
                                      of_compacted])
def test_results_that_share_memory(function, begin):
    a = np.array([begin, 2, 3, 4])
    ours, theirs = flat_list(sluice.program(function)(a.copy())), flat_list(function(a.copy()))
    for one, other in zip(ours, theirs, strict=True):
        assert np.array_equal(one, other)
        one.flat[0] = 99
        other.flat[0] = 99
    for one, other in zip(ours, theirs):
        assert np.array_equal(one, other)


callee = sluice.program(whole_and_part)


def test_results_of_a_called_program_share_memory():
    def main(a):
        b, c = callee(a)
        c[0] = 50
        return b * 1
    assert np.array_equal(sluice.program(main)(np.arange(4.0)), main(np.arange(4.0)))


def changed(x):
    x *= 1.5
    x += 1.0
    return x


def columns_of_changed(x, k):
    x *= k
    return x[:, 1:], x.T, k + 1


@pytest.mark.parametrize("function, arguments", [(changed, (np.arange(6.0),)), (changed, (np.arange(6.0).reshape(2, 3),)), (changed, (np.empty(0),)),
                                                 (columns_of_changed, (np.arange(6.0).reshape(2, 3), 2))])
def test_a_returned_argument_is_not_copied(function, arguments):
    program, own, others = sluice.program(function), [np.copy(one) for one in arguments], [np.copy(one) for one in arguments]
    own[1:], others[1:] = arguments[1:], arguments[1:]
    ours, theirs = program(*own), function(*others)
    for one, other in zip(*((ours, theirs) if isinstance(ours, tuple) else ((ours,), (theirs,)))):
        assert np.array_equal(one, other) and np.shape(one) == np.shape(other)
        assert np.shares_memory(one, own[0]) == np.shares_memory(other, others[0]) and (one is own[0]) == (other is others[0])
    source = program.compile(*own).source
    assert "double* __restrict__ __return" not in source
    assert "__return" in program.compile(*own, optimize=2).source  # who asks for another level keeps the graph as it is


def test_a_returned_argument_of_another_kind_is_a_copy():
    def main(x: sluice.float64[3]):
        x *= 1.5
        x += 1.0
        return x
    given = array.array("d", [1, 2, 3])
    returned = sluice.program(main)(given)
    assert isinstance(returned, np.ndarray) and np.array_equal(returned, [2.5, 4, 5.5]) and list(given) == [2.5, 4, 5.5]
    returned[0] = 9
    assert given[0] == 2.5
