"""Functions of the prelude, of joining arrays and methods of ufuncs, each with its parameters, dtypes and ranks against NumPy; loops over
elements; functions that @replaces gives another body."""
import numpy as np
import pytest

import sluice
import numpy_surface
from against_numpy import agree, differences

N, M = sluice.symbol("N"), sluice.symbol("M")
f8, i8 = sluice.float64, sluice.int64

HEADER = '''import numpy as np
import sluice
N, M = sluice.symbol("N"), sluice.symbol("M")


@sluice.program
def f(A: sluice.float64[N, M], x: sluice.float64[M], I: sluice.int32[N, M], y: sluice.float32[M], b: sluice.bool_[M], z: sluice.complex128[M], S: sluice.float64[M, M],
      T: sluice.float64[N, M, 2], v: sluice.float64[3], w: sluice.float64[3], k: int, h: float):
'''
GOOD = """
np.tri(3)| np.tri(3, 4)| np.tri(3, 4, 1)| np.tri(N, M, k=-1)| np.tri(4, dtype=np.int32)| np.tri(3, M=k)| np.tril(A)| np.tril(A, 1)| np.tril(S, k=-1)| np.triu(A)| np.triu(S, k=1)| np.tril(I)| np.triu(T)| np.tril(A + 1.0, -1)| np.triu(m=A * 2)
np.trace(S)| np.trace(A, 1)| np.trace(A, offset=-1)| np.trace(I)| A.trace()| np.diag(x)| np.diag(x, 1)| np.diag(x, k=-2)| np.diag(S)| np.diag(A, 1)| np.diagonal(A)| np.diagonal(A, -1)| np.diagonal(A, offset=2)| A.diagonal()| np.diag(y)
np.vander(x)| np.vander(x, 3)| np.vander(x, N=3, increasing=True)| np.vander(v)
np.flip(x)| np.flip(A)| np.flip(A, 0)| np.flip(A, axis=1)| np.flip(A, -1)| np.flip(T)| np.flip(T, 1)| np.fliplr(A)| np.flipud(A)| np.flipud(x)| np.rot90(A)| np.rot90(A, 2)| np.rot90(A, k=3)| np.rot90(A, -1)| np.rot90(S, 4)
np.roll(x, 1)| np.roll(x, -2)| np.roll(x, k)| np.roll(x, 17)| np.roll(A, 1, axis=0)| np.roll(A, -1, axis=1)| np.roll(A, 3)| np.roll(y, 1)| np.roll(T, 1, 2)| np.roll(x + 1.0, shift=2)
np.expand_dims(x, 0)| np.expand_dims(x, 1)| np.expand_dims(A, -1)| np.expand_dims(A, axis=1)| np.squeeze(A[:1], 0)| np.squeeze(x[:, None], axis=-1)| np.moveaxis(T, 0, 2)| np.moveaxis(T, -1, 0)| np.swapaxes(T, 0, 2)| np.swapaxes(A, 0, 1)| T.swapaxes(1, 2)
np.tile(x, 3)| np.tile(y, 2)| np.repeat(x, 3)| np.repeat(A, 2)| np.repeat(A, 2, axis=0)| np.repeat(A, repeats=3, axis=1)| x.repeat(2)| np.broadcast_to(x, (N, M))| np.broadcast_to(x, (2, N, M))
np.count_nonzero(A > 0)| np.count_nonzero(I, axis=0)| np.count_nonzero(I, axis=1, keepdims=True)| np.ptp(A)| np.ptp(A, axis=0)| np.ptp(A, 1, keepdims=True)
np.cumsum(x)| np.cumsum(A)| np.cumsum(A, 0)| np.cumsum(A, axis=1)| np.cumsum(I)| np.cumsum(I, axis=-1)| np.cumsum(y)| np.cumsum(b)| np.cumprod(x)| np.cumprod(A, axis=0)| np.cumprod(I)| A.cumsum()| x.cumsum(0)| np.cumsum(z)| np.cumsum(T, axis=1)
np.diff(x)| np.diff(A)| np.diff(A, axis=0)| np.diff(x, 2)| np.diff(A, n=2, axis=1)| np.diff(I)| np.diff(x, n=0)| np.trapezoid(x)| np.trapezoid(A, dx=0.5)| np.trapezoid(A, x)| np.trapezoid(A, axis=0)| np.trapezoid(y)| np.gradient(x)
np.average(A)| np.average(A, axis=0)| np.average(x, weights=np.abs(x))| np.average(A, axis=1, weights=np.abs(x))| np.cov(A)| np.cov(A, rowvar=False)| np.cov(A, ddof=0)| np.corrcoef(A)
np.nansum(A)| np.nansum(A / A, axis=0)| np.nanprod(A)| np.nanmean(A, axis=1)| np.nanmean(A)
np.inner(x, x)| np.inner(A, x)| np.inner(A, A)| np.vdot(x, x)| np.vdot(z, z)| np.kron(x, v)| np.kron(A, S)| np.cross(v, w)| np.convolve(x, v)| np.convolve(x, v, 'same')| np.convolve(v, x, mode='valid')| np.convolve(y, v)| np.polyval(v, x)| np.polyval(p=w, x=A)
np.isclose(x, x + 1e-9)| np.isclose(A, 0.5)| np.isclose(A, A, equal_nan=True)| np.isclose(x, x * 1.1, rtol=0.2)| np.allclose(x, x)| np.allclose(A, A + 1.0)| np.allclose(x, x + 0.5, atol=1.0)
np.linalg.norm(x)| np.linalg.norm(A)| np.linalg.norm(A, axis=1)| np.linalg.norm(A, axis=0, keepdims=True)| np.linalg.norm(x, 1)| np.linalg.norm(y)| np.linalg.norm(I)| np.linalg.norm(z)| np.linalg.norm(A, 2, axis=1)
np.linalg.solve(S, x)| np.linalg.solve(S, A.T)| np.linalg.inv(S)| np.linalg.cholesky(S @ S.T + 10.0 * np.eye(M))
np.concatenate((x, v))| np.concatenate([A, A], axis=1)| np.concatenate((A, A + 1.0, A))| np.concatenate((x, y))| np.concatenate((I, A), 0)| np.stack((x, x + 1.0))| np.stack([x, x], axis=1)| np.stack((A, A), axis=-1)| np.vstack((x, x))| np.vstack((A, x))| np.hstack((x, v))| np.hstack((A, A))
np.column_stack((x, x * 2.0))| np.append(x, v)| np.append(x, 3.0)| np.append(A, A, axis=0)| np.append(A, x)
np.add.outer(x, v)| np.multiply.outer(x, x)| np.subtract.outer(A, x)| np.maximum.outer(I[0], I[1])| np.add.reduce(A)| np.add.reduce(A, 1)| np.add.reduce(A, axis=None)| np.maximum.reduce(A, axis=1, keepdims=True)| np.minimum.reduce(x)| np.multiply.reduce(A, axis=0)| np.add.reduce(A, initial=2.0)
np.repeat(x, np.abs(I[0]))| np.repeat(A, np.abs(I[:, 0]), axis=0)| np.repeat(A, [1, 0, 2, 1], axis=1)| np.repeat(A, np.arange(20))| np.repeat(x, [2])| x.repeat(np.arange(4))| np.atleast_2d(x, A)[0]| np.atleast_1d(h, x)[0]| np.atleast_3d(x, A)[1]
np.add.reduceat(x, np.arange(3))| np.maximum.reduceat(A, [0, 2, 1], axis=0)| np.multiply.reduceat(A, [1, 1, 3], axis=1)| np.lib.stride_tricks.sliding_window_view(x, 2)| np.lib.stride_tricks.sliding_window_view(A, (2, 3))| np.lib.stride_tricks.sliding_window_view(A, 3, axis=1) @ v| np.lib.stride_tricks.sliding_window_view(A * 2, 2, 0).max(axis=-1)
np.cov(A.T)| A.T.sum(axis=1)| A.T.sum(axis=0)| np.max(T.transpose(2, 0, 1), axis=(0, 1))| np.min(T.swapaxes(0, 2), axis=1)| (A.T * 2).mean(axis=1)| (A.T + S[:, :1]).sum(axis=1)| (S + S.T).sum(axis=0)| (S * S.T).max(axis=1)| T.transpose(1, 2, 0).sum(axis=1)| T[:, ::2].transpose(1, 0, 2).sum(axis=1)
np.logical_or.reduce(A > 0, axis=1)| np.add.accumulate(x)| np.add.accumulate(A, axis=1)| np.multiply.accumulate(x)| np.power.outer(np.abs(x), v)
"""
ELSEWHERE = {call for table in numpy_surface.SECTIONS.values() for calls in table.values() for call in calls}  # test_numpy_surface.py runs them, or says which test does.
EXPRESSIONS = [e for line in GOOD.strip().splitlines() for e in map(str.strip, line.split("| ")) if e not in ELSEWHERE]


def arguments():
    rng = np.random.default_rng(3)
    real = lambda *shape: np.round(rng.uniform(-2, 2, shape), 3)  # noqa: E731
    return [real(5, 4), real(4), rng.integers(-3, 4, (5, 4)).astype(np.int32), real(4).astype(np.float32), rng.integers(0, 2, 4).astype(bool), real(4) + 1j * real(4),
            real(4, 4), real(5, 4, 2), real(3), real(3), 2, 0.5]


def compiled(tmp_path, *lines):
    path = tmp_path / "calls.py"
    path.write_text(HEADER + "".join(f"    {line}\n" for line in lines))
    scope = {"__name__": "calls"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    return scope["f"]


def wanted(lines):
    names = ["A", "x", "I", "y", "b", "z", "S", "T", "v", "w", "k", "h"]
    scope = {"np": np, "N": 5, "M": 4, "sluice": sluice}
    text = f"def f({', '.join(names)}):\n" + "".join(f"    {line}\n" for line in lines)
    exec(text, scope)
    with np.errstate(all="ignore"):
        return scope["f"](*arguments())


def disagreements(tmp_path, some):
    lines = [f"r{i} = {e}" for i, e in enumerate(some)] + ["return (" + ", ".join(f"r{i}" for i in range(len(some))) + ",)"]
    got, right = compiled(tmp_path, *lines)(*arguments()), wanted(lines)
    return [d for e, w, g in zip(some, right, got, strict=True) for d in differences(w, g, e)]


@pytest.mark.parametrize("start", range(0, len(EXPRESSIONS), 15))
def test_means_what_numpy_means(tmp_path, start):
    found = disagreements(tmp_path, EXPRESSIONS[start:start + 15])
    assert not found, "\n".join(found)


@pytest.mark.parametrize("call", ["np.tril(A, bogus=1)", "np.roll(A)", "np.cross(A, A)", "np.repeat(x, y)", "np.convolve(x, v, 'odd')", "np.pad(x, 1, 'mean')", "np.split(v, 2)", "np.gradient(A, x, x, x)",
                                  "np.concatenate((A, x))", "np.stack((A, x))", "np.moveaxis(A, 0, 5)", "np.add.reduceat(x, I)", "np.hypot.reduceat(x, I)", "np.concatenate(A, A)", "np.diag(T)"])
def test_what_is_not_known_is_refused_at_the_users_line(tmp_path, call):
    with pytest.raises(sluice.CompileError) as error:
        compiled(tmp_path, f"r = {call}", "return r").to_sdfg()
    assert error.value.lineno == 9 and error.value.remedy, str(error.value)


@pytest.mark.parametrize("call, error", [("np.linalg.solve(S * 0.0, x)", "Singular matrix"), ("np.linalg.cholesky(-S @ S.T - np.eye(M))", "not positive definite"), ("np.squeeze(A, 0)", "size not equal to one"), ("np.linalg.solve(A, x)", "must be square")])
def test_numpys_errors_at_the_call(tmp_path, call, error):
    with pytest.raises((ValueError, sluice.CompileError), match=error):
        compiled(tmp_path, f"r = {call}", "return r")(*arguments())


@sluice.program
def over_rows(A: f8[N, M], x: f8[M]):
    s = 0.0
    for row in A:
        s += np.sum(row * x)
        row[0] = s
    for v in x:
        s += v
    return s


@sluice.program
def enumerated(A: f8[N, M], x: f8[M]):
    for i, v in enumerate(x):
        A[0, i] += v * i
    for i, (a, b) in enumerate(zip(A[1], x), 1):
        A[2, i - 1] = a - b + i
    return A[0, 0] + 0.0


@sluice.program
def zipped(A: f8[N, M], x: f8[M]):
    s = 0.0
    for a, b in zip(A[0], x[1:]):
        s += a * b
    for v in reversed(x):
        s = s * 0.5 + v
    return s


@sluice.program
def over_tuples(A: f8[N, M], x: f8[M]):
    s = 0.0
    for c in (1.0, 2.5, 3):
        s += c
    for row in (A[0], A[1], x):
        row += s
    for i, (c, d) in enumerate([(1, 2), (3, 4)]):
        s += i * c + d
    return s


@sluice.program
def loops_with_else(A: f8[N, M], x: f8[M]):
    s = 0.0
    for i in range(M):
        s += x[i]
    else:
        s *= 2.0
    k = 3
    while k > 0:
        k -= 1
    else:
        s += 1.0
    return s


@sluice.program
def leaves_a_loop_over_an_array(A: f8[N, M], x: f8[M]):
    s = 0.0
    for v in x:
        if v > 1.0:
            break
        if v < -1.0:
            continue
        s += v
    return s


@pytest.mark.parametrize("program", [over_rows, enumerated, zipped, over_tuples, loops_with_else, leaves_a_loop_over_an_array], ids=lambda p: p.name)
def test_loops_over_elements(program):
    rng = np.random.default_rng(5)
    agree(program, rng.uniform(-2, 2, (4, 6)), rng.uniform(-2, 2, 6), N=4, M=6)


def test_a_users_body_wins():
    @sluice.replaces("numpy.sinc")
    def sinc(x):
        return np.where(x == 0, 1.0, np.sin(np.pi * x) / np.where(x == 0, 1.0, np.pi * x))

    @sluice.program
    def f(x: f8[N]):
        return np.sinc(x) + np.sqrt(x)
    x = np.array([0.0, 0.5, 1.0, 2.5])
    try:
        np.testing.assert_allclose(f(x), np.sinc(x) + np.sqrt(x), atol=1e-12)

        @sluice.replaces("numpy.sqrt")
        def thrice(x):
            return 3.0 * x
        np.testing.assert_allclose(f(x), np.sinc(x) + 3 * x, atol=1e-12)
        with pytest.raises(ValueError, match="in full"):
            sluice.replaces("sqrt")
    finally:
        sluice.program.__globals__["replacements"].clear()
    np.testing.assert_allclose(f.compile and np.sqrt(x), np.sqrt(x))


@sluice.program(strict=True)
def lines_and_joins(A, b, c):
    joined = np.zeros((4, 3))
    np.concatenate([A, A * 2], out=joined)
    total = 0.0
    for x in A.flat:
        total = total * 2 + x
    A.flat[1:4] += 5
    line, step = np.linspace(2.5, 10, num=4, retstep=True)
    return (joined, np.concatenate([A, A + 1], axis=None), np.concatenate((A, b), axis=None), total, A.flat[2], line, step,
            np.linspace(b, 5, num=3), np.linspace(b, c, 7, axis=-1, dtype=np.int32), np.linspace([1, 2], c, 5),
            np.linspace(A, 10, 5, endpoint=False, retstep=True)[1], np.linspace(b, c, endpoint=False, axis=1))


def test_lines_between_arrays_joins_without_axis_and_flat():
    given = np.arange(6.0).reshape(2, 3), np.array([1.5, -2]), np.array([4, -9.7])
    mine, own = [one.copy() for one in given], [one.copy() for one in given]
    for result, expected in zip(lines_and_joins(*mine), lines_and_joins.f(*own), strict=True):
        assert np.shape(result) == np.shape(expected) and np.asarray(result).dtype == np.asarray(expected).dtype
        np.testing.assert_allclose(result, expected, rtol=1e-15)
    np.testing.assert_array_equal(mine[0], own[0])

    @sluice.program(strict=True)
    def written(A):
        B = A.T
        B.flat[1] = 7

    with pytest.raises(sluice.CompileError, match="F001"):  # no copy is written in its place
        written(given[0])


def test_updates_at_indices():
    def updated(x, y):
        h = np.zeros((4, 3))
        g = np.zeros((3, 4, 2))
        k = np.zeros((4, 3, 2), dtype=int)
        v = np.zeros(4)
        np.subtract.at(v, [1, 1, 2], 5)
        np.add.at(v, [-1, 0], [1.5, 2])
        np.add.at(h, (y, y.T[:2, :1]), 1.5)
        np.add.at(h, (x, 2), 1)
        np.add.at(g, (y, y, 1), np.arange(6).reshape(2, 3))
        np.add.at(g, (0, x, [0, 1, 1]), 2)
        np.add.at(k, (x, [0, 0, 1]), [10, 20])
        np.maximum.at(h, ([0, -1], [0, -1]), 7)
        np.add.at(h, np.array([0, 0]), np.array([1.0, 2, 3]))
        return h, g, k, v

    x, y = np.array([1, 1, 2]), np.array([[0, 1, 1], [2, 2, 0]])
    for one, other in zip(sluice.program(updated, strict=True)(x, y), updated(x, y), strict=True):
        np.testing.assert_array_equal(one, other)
