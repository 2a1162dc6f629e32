"""Names of arrays are references: rebinding, views, copies, and calls that change what others see, against NumPy."""
import numpy as np
import pytest

import sluice
from against_numpy import agree

N, M = sluice.symbol("N"), sluice.symbol("M")
f8, i8 = sluice.float64, sluice.int64
CASES = []


def case(*arguments):
    def note(program):
        CASES.append((program, arguments))
        return program
    return note


@sluice.program
def inc(x: f8[N]):
    x[0] += 1.0
    return x[0]


@sluice.program
def scale(x: f8[N]):
    return x*2.0


@case(np.arange(4.0), 3)
@sluice.program
def rebound_in_a_loop(u: f8[N], n: i8):
    for t in range(n):
        v = u * 2.0
        u = v
    return u


@case(np.arange(4.0), np.arange(4.0)*10, 3)
@sluice.program
def parameters_that_take_turns(u: f8[N], nxt: f8[N], n: i8):
    prev = u
    for t in range(n):
        nxt[1:-1] = prev[:-2] + prev[2:]
        prev, nxt = nxt, prev
    return prev


@case(np.arange(4.0), np.arange(4.0)*10, 1)
@sluice.program
def parameter_bound_in_a_branch(u: f8[N], v: f8[N], c: i8):
    if c > 0:
        u = v
    u[0] = 7
    return u + 1


@case(np.arange(4.0), np.arange(4.0)*10)
@sluice.program
def swapped_parameters(x: f8[N], y: f8[N]):
    x, y = y, x
    x[0] = -1


@case(np.arange(4.0), np.arange(4.0)*10)
@sluice.program
def bound_again(A: f8[N], B: f8[N]):
    x = A
    x = B
    x[:] = 7


@case(np.arange(4.0), np.arange(4.0)*10, 0)
@sluice.program
def chosen_by_if(A: f8[N], B: f8[N], c: i8):
    if c:
        x = A
    else:
        x = B
    x[0] = 1


@case(np.arange(4.0), np.arange(4.0)*10, 2)
@sluice.program
def chosen_by_expression(A: f8[N], B: f8[N], k: i8):
    C = A if k > 0 else B
    C[0] = 5


@case()
@sluice.program
def two_names_of_one_array():
    x = y = np.zeros(3)
    x[0] = 5
    return y


@case(np.arange(4.0), 1)
@sluice.program
def slice_with_a_bound_from_the_call(A: f8[N], k: i8):
    right = A[k:]
    right[0] = 5


@case(np.arange(12.).reshape(4,3), 1)
@sluice.program
def row_chosen_by_the_call(A: f8[N, M], k: i8):
    row = A[k]
    row += 10


@case(np.arange(6.))
@sluice.program
def view_and_then_an_array_of_its_own(A: f8[N]):
    B = A[1:4]
    B += 1
    B = B + 1
    return B


@case(np.arange(8.), 2)
@sluice.program
def view_sees_what_is_written_later(A: f8[N], k: i8):
    t = A[k:k+3]
    A[k] = 99
    A[0] = t[0]


@case(np.arange(12.).reshape(4,3), np.array([2,1,0,3]))
@sluice.program
def rows_chosen_by_data(A: f8[N, M], idx: i8[N]):
    row = A[idx[0]]
    row[0] = 5
    for i in range(N):
        r = A[idx[i]]
        r[1] += 1


@case(np.arange(12.).reshape(4,3))
@sluice.program
def row_that_moves_with_the_loop(A: f8[N, M]):
    row = A[0]
    for i in range(N):
        row[0] += 1
        row = A[i]
    row[1] = 100


@case(np.arange(12.).reshape(4,3), 0)
@sluice.program
def row_that_stays_where_it_was(A: f8[N, M], k: i8):
    q = 0
    row = A[q]
    for i in range(3):
        row[0] += 1
        q += 1
    row2 = A[q]
    q = 0
    row2[1] = -4


@case(np.arange(6.).reshape(2,3))
@sluice.program
def copies(A: f8[N, M]):
    B = A.flatten()
    B[0] = 5
    C = A.astype(np.float64)
    C[0, 1] = 6
    return B, C


@case(np.arange(4.0))
@sluice.program
def element_before_a_call_changes_it(x: f8[N]):
    return x[0] + inc(x)


@case(np.arange(4.))
@sluice.program
def index_that_is_a_call(x: f8[N]):
    x[int(inc(x))] += 10


@case(np.arange(4.0))
@sluice.program
def call_behind_or(x: f8[N]):
    if x[0] < 5 or inc(x) > 0:
        x[1] = 7


@case(np.arange(4.0))
@sluice.program
def one_call_for_two_names(x: f8[N]):
    a = b = inc(x)
    return a + b


@case(np.arange(4.0))
@sluice.program
def one_array_for_two_names(x: f8[N]):
    a = b = scale(x)
    a[0] = 9
    return b


@case(np.arange(4.0), np.arange(4.0)+5, 4)
@sluice.program
def first_search_direction(b: f8[N], x: f8[N], n: i8):
    r = b - x
    p = r
    for t in range(n):
        r = r * 0.5
        p = r + 0.25 * p
        x += p
    return r, p


@case(np.arange(4.0), np.arange(4.0)+5, 4)
@sluice.program
def local_arrays_that_take_turns(a: f8[N], b: f8[N], n: i8):
    u = a.copy()
    un = np.zeros(N)
    for t in range(n):
        un[1:-1] = u[1:-1] + 0.1*(u[2:] - 2*u[1:-1] + u[:-2])
        u, un = un, u
        if t == 2:
            break
    u[0] = 42
    return u, un


@case(np.arange(12.).reshape(4,3), 2)
@sluice.program
def rows_are_views(A: f8[N, M], k: i8):
    A[0], A[1] = A[1], A[0]
    A[0, 0], A[1, 1] = A[1, 1], A[0, 0]


@case(np.arange(4.0), 2)
@sluice.program
def and_and_or_of_numbers(x: f8[N], k: i8):
    x[0] = k or 5
    x[1] = (k - 2) or 5
    x[2] = k and x[3]
    return not k


@case(np.arange(4.0), 5)
@sluice.program
def while_with_branches(x: f8[N], k: i8):
    y = x
    while k > 0:
        y = y + 1
        k -= 1
        if k == 3:
            z = y
            y[0] = 100
            continue
        y[1] -= 0.5
    return y


@case(np.ones((4, 3)), np.full((4, 3), 2.0), np.ones(3))
@sluice.program
def calls_in_a_tuple_that_differ_by_iteration(x: f8[4, 3], y: f8[4, 3], h: f8[3]):
    double = lambda z: z * 2
    for t in range(3):
        z = h + 1.0
        f, i = double(x @ z), double(y @ z)
        h = f[:3] + i[1:]
    return h


@case(np.arange(6.0).reshape(2, 3), np.ones((3, 2)), np.ones(2))
@sluice.program
def products_over_which_a_loop_runs(x: f8[2, 3], y: f8[3, 2], h: f8[2]):
    for t in range(3):
        for row in x @ y:
            h = (x @ y) @ h + row
    return h


@pytest.mark.parametrize("program, arguments", CASES, ids=[program.name for program, _ in CASES])
def test_agrees_with_numpy(program, arguments):
    agree(program, *arguments, N=4, M=3)
