"""A name that the path taken does not bind raises Python's UnboundLocalError; where it is bound, the value is Python's."""
import numpy as np
import pytest

import sluice
from against_numpy import agree, plain

N, M = sluice.symbol("N"), sluice.symbol("M")
f8, i8 = sluice.float64, sluice.int64


@sluice.program
def last_index(n: i8):
    for i in range(n):
        v = i
    return v


@sluice.program
def loop_variable(n: i8):
    for i in range(n):
        pass
    return i


@sluice.program
def one_branch(n: i8):
    if n > 1:
        t = 1.5
    return t


@sluice.program
def one_branch_of_three(n: i8):
    if n > 3:
        t = 1.5
    elif n > 1:
        t = 2.5
    elif n < 0:
        t = -1.0
    return t


@sluice.program
def array_in_a_loop(n: i8, A: f8[N]):
    for i in range(n):
        B = A * i
    return B


@sluice.program
def nested_loops(n: i8, A: f8[N]):
    for i in range(n):
        for j in range(i):
            w = A[0] + j
    return w


@sluice.program
def while_loop(n: i8):
    k = n
    while k > 1:
        t = k * 2
        k -= 1
    return t


@sluice.program
def leaves_early(n: i8):
    for i in range(5):
        if i >= n:
            break
        t = 2.0 * i
    return t


@sluice.program
def continues(n: i8):
    for i in range(4):
        if i < n:
            continue
        t = 2.0 * i
    return t


@sluice.program
def read_in_a_loop(n: i8, A: f8[N]):
    if n > 2:
        t = 3.0
    for i in range(n):
        A[0] += t
    return A[0] + 0.0


@sluice.program
def bound_before_it_is_read_again(n: i8, A: f8[N]):
    if n > 3:
        t = 3.0
    for i in range(n):
        if i > 0:
            A[0] += t
        t = 1.0
    return A[0] + 0.0


@sluice.program
def in_a_map(n: i8, A: f8[N]):
    if n > 1:
        t = 3.0
    for i in sluice.map[0:N]:
        A[i] = t


@sluice.program
def updated(n: i8):
    for i in range(n):
        t = 1.0
    t += 1.0
    return t


@sluice.program
def two_meanings(n: i8, A: f8[N], B: f8[N]):
    if n > 1:
        x = A
    elif n > 0:
        x = B
    x[0] = 7.0
    return x[1] + 0.0


@sluice.program
def after_an_update(n: i8, A: f8[N]):
    if n > 2:
        rows = 2
        A[0] = 1.0
    A[rows] = 5.0


@sluice.program
def while_true(n: i8):
    k = 0
    while True:
        t = k * 2
        k += 1
        if k > n:
            break
    return t


@sluice.program
def constant_range(n: i8):
    for i in range(3):
        t = i + n
    return t


@sluice.program
def inside_of_an_equal_loop(n: i8, A: f8[N]):
    for i in range(N):
        for j in range(N):
            t = A[0] + j
        A[0] = t


@sluice.program
def both_branches(n: i8):
    if n > 1:
        t = 1.0
    else:
        t = 2.0
    return t


PROGRAMS = [last_index, loop_variable, one_branch, one_branch_of_three, array_in_a_loop, nested_loops, while_loop, leaves_early, continues,
            read_in_a_loop, bound_before_it_is_read_again, in_a_map, updated, two_meanings, after_an_update, while_true, constant_range,
            inside_of_an_equal_loop, both_branches]


def arguments(program, n):
    return (n, *(np.arange(1.0, 5.0) * (k + 1) for k in range(len(program.argnames) - 1)))


@pytest.mark.parametrize("n", (-1, 0, 1, 2, 3, 4))
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_means_what_python_means(program, n):
    try:
        plain(program, N=4)(*arguments(program, n))
    except UnboundLocalError as wanted:
        with pytest.raises(UnboundLocalError) as error:
            program(*arguments(program, n))
        assert str(wanted) in str(error.value) and error.value.code == "A012" and error.value.filename == __file__
    else:
        agree(program, *arguments(program, n), N=4)


@pytest.mark.parametrize("program", [while_true, constant_range, inside_of_an_equal_loop, both_branches], ids=lambda p: p.name)
def test_what_is_surely_bound_is_not_watched(program):
    assert "is_bound" not in program.to_sdfg().text()


def test_a_loop_is_not_slowed_down():
    """The symbol is assigned behind a loop whose iterations all bind the name."""
    text = array_in_a_loop.to_sdfg().text()
    loop = text[text.index("loop for_i"):text.index("state check")]
    assert "B_is_bound" not in loop and "B_is_bound" in text


def test_symbols_of_the_caller_may_be_zero():
    @sluice.program
    def f(A: f8[N]):
        for i in range(N):
            t = A[i]
        return t
    assert f(np.array([3.0, 4.0])) == 4
    with pytest.raises(UnboundLocalError):
        f(np.zeros(0))
