"""Numbers as Python and NumPy compute them: choices, powers, shifts, NaN, wide sums, counters in maps, values after loops."""
import math

import numpy as np
import pytest

import sluice
from against_numpy import agree

N, M = sluice.symbol("N"), sluice.symbol("M")
f8, f4, f2, i8, i4, u4, b1, c16 = (sluice.float64, sluice.float32, sluice.float16, sluice.int64, sluice.int32, sluice.uint32, sluice.bool_,
                                   sluice.complex128)


@sluice.program
def counted(A: i8[N], k: i8):
    a = 0
    b = 1
    c = k
    d = 0
    for i in sluice.map[0:N]:
        a += 1
        b *= 2
        c += A[i]
        d -= i
    return a, b, c, d


@sluice.program
def counted_inside(A: i8[N, M], r: i8[N]):
    hits = 0
    for i in range(N):
        for j in sluice.map[0:M]:
            if A[i, j] > 2:
                hits += A[i, j]
        r[i] = hits
    total = N
    for i in sluice.map[0:N]:
        total += 1
        own = 0
        own += i
        r[i] += own
    return hits, total


@sluice.program
def twelve(a: f8[N]):
    return a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7, a + 8, a + 9, a + 10, a + 11


@sluice.program
def one_in_a_tuple(a: f8[N]):
    return (a + 3.5,)


@sluice.program
def calls_for_tuples(a: f8[N]):
    b, = one_in_a_tuple(a)
    x = twelve(a)
    return b, x[2], x[10]


@sluice.program
def extremes(A: f8[N], B: f8[N, M]):
    p = np.argmax(A)
    q = np.argmin(A)
    r = np.argmax(B, axis=1)
    A[np.argmax(A)] = 0.0
    return p, q, r, np.argmin(B)


@sluice.program
def chosen(k: i8, x: f8, A: f8[N]):
    a = k or 5
    b = k and 7
    c = x or A[0]
    d = (k - 2) or (k + 1) or 9
    e = not k
    A[0] = a or b
    return a, b, c, d, e


@sluice.program
def powers(k: i8, A: i8[N]):
    return 2 ** k, A ** 2, A[0] ** k, 3.0 ** k


@sluice.program
def to_arrays(A: i8[N], B: i8[N]):
    return A ** B


@sluice.program
def shifts(A: i4[N], B: i8[N], k: i8):
    return A << 3, A << k, A >> k, B << k, B >> 70, A << 32, B >> A


@sluice.program
def casts(k: i8, x: f8):
    return np.int8(k), np.int32(k) + np.int8(1), np.uint8(k), np.float32(x), int(x), float(k), np.int64(x)


@sluice.program
def kept(x: f8, y: f8):
    return max(x, y), min(x, y), max(1.0, x), min(x, 1.0), max(3, 2), max(x, y, 2.0)


@sluice.program
def nested_loops(n: i8, m: i8):
    s = 0
    for i in range(n):
        for i in range(m):
            s += 1
        s += 100 * i
    return s


@sluice.program
def same_name_again(n: i8):
    s = 0
    for i in range(n):
        s += i
    for i in range(n + 2):
        s += 10 * i
        for j in range(2):
            for i in range(3):
                s += i
            s += 1000 * i
    return s


@sluice.program
def means(F: f4[N], H: f2[N], I: i4[N]):
    return np.mean(F), np.sum(F), np.mean(H), np.var(F), np.mean(I), np.std(I), F @ F, np.sum(F.reshape(2, -1), axis=1)


@sluice.program
def of_complex(z: c16[N]):
    return np.std(z), np.var(z), np.mean(z), np.angle(z), abs(z), z.real.sum(), np.sum(z)


@sluice.program
def of_python(x: f8, u: u4[N]):
    return math.floor(x), math.ceil(x), round(x), math.trunc(x), np.fabs(u), math.floor(x) // 2


@sluice.program
def in_place_kinds(A: i8[N], F: f4[N]):
    A += 2
    A *= A
    F += 1
    F *= 0.5
    A[0] += 1.75
    A //= 3


CASES = [
    (counted, np.arange(9), 4), (counted_inside, np.arange(12).reshape(3, 4), np.zeros(3, int)), (twelve, np.arange(3.0)),
    (one_in_a_tuple, np.arange(3.0)), (calls_for_tuples, np.arange(3.0)), (extremes, np.array([1.0, np.nan, 3.0]), np.arange(6.0).reshape(3, 2)),
    (extremes, np.array([1.0, 5.0, 5.0]), np.array([[1.0, np.nan], [np.nan, 2.0], [3.0, 3.0]])),
    (chosen, 0, 0.0, np.array([2.5, 1.0])), (chosen, 2, 1.5, np.array([0.0])), (powers, 3, np.arange(4)), (to_arrays, np.arange(1, 4), np.arange(3)),
    (shifts, np.array([1, -5, 31], np.int32), np.array([1, -9, 1 << 40]), np.int64(2)), (shifts, np.array([1, -5, 33], np.int32), np.array([1, -9, 1 << 40]), np.int64(40)),
    (casts, np.int64(300), np.float64(-2.75)), (kept, 1.0, 2.0), (kept, np.nan, 1.0), (kept, 1.0, np.nan), (nested_loops, 3, 4), (same_name_again, 3),
    (of_complex, np.array([1 + 2j, -3j, 4.0, -1.0])), (of_python, 2.5, np.arange(3, dtype=np.uint32)), (of_python, -3.5, np.arange(3, dtype=np.uint32)),
    (in_place_kinds, np.arange(4), np.arange(4, dtype=np.float32)),
]


@pytest.mark.parametrize("program, arguments", [(p, a) for p, *a in CASES], ids=[p.name for p, *_ in CASES])
def test_agrees(program, arguments):
    sizes = {str(s): e for (_, t, _), a in zip(program._parameters, arguments) if isinstance(a, np.ndarray) for s, e in zip(t.shape, a.shape)}
    agree(program, *arguments, **sizes)


def test_long_sums_of_short_floats():
    rng = np.random.default_rng(1)
    F, H, I = rng.random(4_000_000, np.float32), rng.random(4_000_000, np.float32).astype(np.float16), np.full(4_000_000, 2_000_000_000, np.int32)
    agree(means, F, H, I)
    mean, total, *_ = means(F, H, I)
    assert abs(mean - 0.5) < 1e-3 and abs(total / 2e6 - 1) < 1e-3


def test_powers_that_are_no_integers_and_empty_arrays_raise():
    for call in (lambda: powers(-1, np.arange(3)), lambda: to_arrays(np.arange(3), np.array([1, -1, 0])),
                 lambda: extremes(np.zeros(0), np.zeros((0, 2)))):
        with pytest.raises(ValueError) as error:
            call()
        assert error.value.code == "A009"


def refused(source, tmp_path):
    path = tmp_path / "p.py"
    path.write_text("import numpy as np, sluice\nN = sluice.symbol('N')\n\n@sluice.program\ndef f(A: sluice.float64[N], I: sluice.int64[N], k: sluice.int64):\n"
                    + "".join(f"    {line}\n" for line in source.split("\n")))
    scope = {"__name__": "p"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    with pytest.raises(sluice.CompileError) as error:
        scope["f"].to_sdfg()
    return error.value


@pytest.mark.parametrize("source, says", [
    ("A[0] = A and 1", "ambiguous"), ("if A > 0:\n    A[0] = 1", "ambiguous"), ("A[:] = not A", "ambiguous"), ("A[:] = 0 < A < 5", "ambiguous"),
    ("I += 0.5", "in place"), ("I /= 2", "in place"), ("A[:] = A if A > 0 else I", "ambiguous"),
    ("b = A[1:3] + 0\nb[0] = 1\nfor i in sluice.map[0:N]:\n    break", "map"),
])
def test_what_numpy_raises_is_refused(source, says, tmp_path):
    assert says in str(refused(source, tmp_path))


def whole_number_functions(a, b):
    return math.gcd(a, b), math.lcm(a, b), math.isqrt(abs(a)), math.factorial(abs(b) % 21), math.comb(abs(a), 2)


@pytest.mark.parametrize("a, b", [(12, 18), (-4, 6), (0, 5), (0, 0), (7, -20), (10**9, 3)])
def test_functions_of_whole_numbers(a, b):
    got, wanted = sluice.program(strict=True)(whole_number_functions)(a, b), whole_number_functions(a, b)
    assert got == wanted and [type(one) for one in got] == [type(one) for one in wanted]


@pytest.mark.parametrize("n", [0, 1, 2**62, 2**63 - 1, 3037000499**2, 3037000499**2 - 1])
def test_whole_square_roots(n):
    assert sluice.program(strict=True)(lambda n: math.isqrt(n))(n) == math.isqrt(n)


@pytest.mark.parametrize("function, n, error", [(math.isqrt, -1, ValueError), (math.factorial, -1, ValueError), (math.factorial, 21, OverflowError)])
def test_errors_of_functions_of_whole_numbers(function, n, error):
    def called(n):
        return function(n)
    with pytest.raises(error):
        sluice.program(strict=True)(called)(n)


@sluice.program
def powers_of_two(a: sluice.int8[256], b: sluice.int64[256], c: sluice.uint8[256]):
    return a % 8, a // 16, a % -8, b % 1024, b // 2, b // 1, c % 4, c // 64


def test_division_by_powers_of_two_rounds_down():
    a, c = np.arange(-128, 128).astype(np.int8), np.arange(256).astype(np.uint8)
    for mine, other in zip(powers_of_two(a, a.astype(np.int64) * 12345, c), powers_of_two.f(a, a.astype(np.int64) * 12345, c)):
        assert mine.dtype == other.dtype and np.array_equal(mine, other)
    assert powers_of_two.f(a, a.astype(np.int64), c)[0].min() == 0
