"""Lists as arrays, ranges of real numbers, views that cannot be written, and `out`, `where` and `dtype` of ufuncs."""
import runpy

import numpy as np
import pytest

import sluice
from against_numpy import agree

N, M = sluice.symbol("N"), sluice.symbol("M")
f8, f4, i4, i8, u1 = sluice.float64, sluice.float32, sluice.int32, sluice.int64, sluice.uint8


@sluice.program
def literals(x: f8[N], y: f4[N], k: i8, h: f8):
    a = np.array([1.0, 2.0, 3.0])
    a[1] = h
    b = np.array([[k, 2], [3, 4]])
    c = np.array([x, x * 2])
    x[0] = 9.0
    d = np.array([[x[0], h], [y[1], 3]], dtype=np.float32)
    e = np.array([y[0], 1.5])
    return a, b, c, d, e, np.array([True, False]), np.array([]), np.array([1, 2.5, 3]), np.array((y, y)), np.array([[[k]]])


@sluice.program
def lists_beside_arrays(x: f8[4], y: f4[4], k: i8):
    return x + [1, 2, 3, 4], np.sqrt([1.0, 4.0]), np.sum([1, 2, k]), np.dot(x, [1, 2, 3, 4]), np.maximum(y, [0.5, 1.0, 1.5, 2.0]), x[[0, 2]], np.concatenate(([1, 2], [3.5]))


@sluice.program
def ranges(h: f8, n: i8):
    return np.arange(0.0, 1.0, 0.1), np.arange(3.0), np.arange(10, 0, -2.5), np.arange(1.0, 0.0), np.arange(0.5, 3), np.arange(0, 1, 0.3, dtype=np.float32), np.sum(np.arange(h, n, 0.25)), np.arange(0, n * h, h).shape[0]


@sluice.program
def limits(x: f8[N], y: f4[N]):
    return np.finfo(np.float64).eps + x, np.finfo(x.dtype).max, y * np.finfo(np.float32).eps, np.iinfo(np.int32).max, np.iinfo(np.int64).min, np.finfo(float).tiny


@sluice.program
def outputs(x: f8[N], y: f8[N], i: i4[N]):
    a = np.divide(x, y, out=np.zeros_like(x), where=y != 0)
    np.sqrt(x, where=x > 0, out=y)
    np.add(i, 1, where=i > 0, out=i)
    np.multiply(x, 2.0, out=x, where=[True, False, True, False])
    return a, np.add(i, i, dtype=np.float64), np.add(x, 1, dtype=np.float32), np.true_divide(i, 2, dtype=np.float32)


@pytest.mark.parametrize("program, arguments", [
    (literals, (np.arange(4.0), np.arange(4, dtype=np.float32), np.int64(7), np.float64(2.5))), (lists_beside_arrays, (np.arange(4.0), np.ones(4, np.float32), np.int64(3))),
    (ranges, (np.float64(0.25), np.int64(3))), (limits, (np.arange(3.0), np.ones(3, np.float32))),
    (outputs, (np.array([1.0, -2, 3, 4]), np.array([0.0, 2, 0, 5]), np.array([1, -1, 0, 5], dtype=np.int32)))], ids=lambda p: getattr(p, "name", ""))
def test_means_what_numpy_means(program, arguments):
    agree(program, *arguments, N=4)


@sluice.program
def written_diagonal(A: f8[N, N]):
    d = np.diagonal(A)
    d[0] = 1.0


@sluice.program
def updated_broadcast(x: f8[N]):
    y = np.broadcast_to(x, (3, N))
    y += 1.0


@sluice.program
def written_diag(A: f8[N, N]):
    np.diag(A)[:] = 0.0


@sluice.program
def as_out(A: f8[N, N], x: f8[N]):
    np.add(x, 1.0, out=A.diagonal())


@sluice.program
def part_of_it(x: f8[N]):
    y = np.broadcast_to(x, (3, N))[1:]
    row = y[0]
    row[:] = 2.0


@pytest.mark.parametrize("program", [written_diagonal, updated_broadcast, written_diag, as_out, part_of_it], ids=lambda p: p.name)
def test_what_numpy_returns_read_only_is_not_written(program):
    with pytest.raises(sluice.CompileError, match="read-only"):
        program.to_sdfg()


@sluice.program
def copies_and_rebindings(A: f8[N, N], x: f8[N]):
    d = np.diagonal(A).copy()
    d[0] = 1.0
    e = np.diagonal(A)
    A[0, 0] = 5.0
    y = np.broadcast_to(x, (2, N))
    y = y + 1.0
    y[0] = 3.0
    r = x.real
    x[1] = 4.0
    return d, e * 1.0, y, r * 1.0


def test_views_see_what_is_written_and_copies_do_not():
    agree(copies_and_rebindings, np.arange(9.0).reshape(3, 3), np.arange(3.0), N=3)


@pytest.mark.parametrize("matrix", [np.zeros((3, 3)), np.ones((3, 3))])
@pytest.mark.parametrize("function", [np.linalg.inv, np.linalg.cholesky])
def test_errors_of_linear_algebra(function, matrix):
    @sluice.program
    def inverse(A: f8[N, N]):
        return np.linalg.inv(A)

    @sluice.program
    def factor(A: f8[N, N]):
        return np.linalg.cholesky(A - 1.0)
    program = inverse if function is np.linalg.inv else factor
    with pytest.raises(np.linalg.LinAlgError) as error:
        program(matrix)
    assert error.value.code == "A013"


@pytest.mark.parametrize("start, stop, step", [(0.0, 1.0, 0.0), (0.0, np.inf, 1.0), (np.nan, 1.0, 1.0)])
def test_ranges_without_a_length(start, stop, step):
    @sluice.program
    def f(a: f8, b: f8, c: f8):
        return np.sum(np.arange(a, b, c))
    with pytest.raises(ValueError, match="Maximum allowed size"):
        f(start, stop, step)


# A list, or a list of lists, where NumPy's functions take arrays.
CALLS = """
np.diag([1, 2, d])
np.tril([[1, d], [3, 4]])
np.triu([[1, d], [3, 4]])
np.trace([[1, d], [3, 4]])
np.outer([1, d], [3, 4])
np.inner([1, d], [3, 4])
np.kron([1, d], [3, 4])
np.cross([1, d, 0], [0, 1, 0])
np.cumsum([1, d, 3])
np.diff([1, d, 3])
np.median([1, d, 3])
np.mean([1, d, 3])
np.std([1, d, 3])
np.var([1, d, 3])
np.sort([1, d, 3])
np.argsort([1, d, 3])
np.flip([1, d, 3])
np.roll([1, d, 3], 1)
np.tile([1, d], 2)
np.repeat([1, d], 2)
np.unique([1, d, 1])
np.dot([1, d], [3, 4])
np.convolve([1, d, 3], [1, 1])
np.interp(d, [0, 10], [1, 2])
np.polyval([1, d], 2.0)
np.concatenate(([1, d], [3.0]))
np.stack(([1, d], [3, 4]))
np.vstack(([1, d], [3, 4]))
np.hstack(([1, d], [3, 4]))
np.linalg.norm([3, d])
np.linalg.det([[1, d], [3, 4]])
np.linalg.inv([[1, d], [3, 4]])
np.linalg.solve([[1, d], [3, 4]], [1, 2])
np.max([1, d, 3])
np.argmax([1, d, 3])
np.clip([1, d, 3], 1, 2)
np.where([True, False], [1, d], [3, 4])
np.allclose([1, d], [1, d])
np.array_equal([1, d], [1, d])
np.percentile([1, d, 3], 50)
np.histogram([1, d, 3], bins=3)[0]
np.bincount([1, 2, 2])
np.searchsorted([1, 2, 3], d)
np.trapezoid([1, d, 3])
np.gradient([1.0, d, 3])
np.meshgrid([1, d], [3, 4])[0]
np.einsum('i, i', [1, d], [3, 4])
np.prod([1, d, 3])
np.corrcoef([1, d, 3], [1, 2, 5])[0]
np.average([1, d, 3], weights=[1, 1, 2])
np.round([1.234, d], 1)
np.sum([[1, d], [3, 4]], axis=0)
np.atleast_2d([1, d])
np.pad([1, d], 1)
np.digitize([1, d], [0, 5])
np.nanmean([1, d])
np.ptp([1, d, 3])
np.rot90([[1, d], [3, 4]])
np.fliplr([[1, d], [3, 4]])
np.array_split([1, d, 3, 4], 2)[0]
np.append([1, d], 3)
np.insert([1, d], 0, 5)
np.delete([1, d], 0)
np.flatnonzero([0, d])
np.nonzero([0, d])[0]
np.take([1, d, 3], [0, 2])
np.isin([1, d], [1])
np.squeeze([[1, d]])
np.moveaxis([[1, d]], 0, 1)
np.transpose([[1, d]])
np.reshape([1, d, 3, 4], (2, 2))
np.ravel([[1, d]])
np.fft.fft([1, d, 3])
np.hypot([1, d], [3, 4])
np.sqrt([1, d])
np.cumprod([1, d])
np.full_like([1, d], 3)
np.zeros_like([1, d])
np.ones_like([1.0, d])
np.vander([1, d], 3)
np.logspace(0, 1, 3)
np.count_nonzero([0, d])
np.any([0, d])
np.all([1, d])
np.ediff1d([1, d, 4])
np.partition([3, d, 1], 1)
np.linalg.eigvalsh([[2, d], [d, 5.0]])
np.linalg.svd([[2, d], [d, 5.0]])[1]
np.linalg.matrix_power([[1, d], [0, 1]], 3)
np.linalg.lstsq([[1, d], [0, 1]], [1, 2], rcond=None)[0]
np.polyfit([0, 1, 2], [1, d, 4], 1)
np.tensordot([[1, d]], [[1], [2]], 1)
np.swapaxes([[1, d]], 0, 1)
np.expand_dims([1, d], 0)
np.broadcast_to([1, d], (3, 2))
np.select([[True, False]], [[1, d]], 0)
np.choose([0, 1], [[1, d], [3, 4]])
np.compress([True, False], [1, d])
np.quantile([1, d, 3], 0.25)
np.nansum([1, d])
np.unravel_index([1, 2], (2, 2))[0]
np.diagonal([[1, d], [3, 4]])
np.correlate([1, d, 3], [1, 1])
np.ix_([0, 1], [1])[0]
""".strip().splitlines()


@pytest.mark.parametrize("first", range(0, len(CALLS), 13))
def test_lists_as_arguments_of_functions(first, tmp_path):
    calls = CALLS[first:first + 13]
    source = "import numpy as np\n\n\ndef f(d):\n    return (\n" + "".join(f"        {call},\n" for call in calls) + "    )\n"
    path = tmp_path / f"calls_{first}.py"
    path.write_text(source)
    space = runpy.run_path(str(path))
    for d in (2, 2.5):
        for call, got, wanted in zip(calls, sluice.program(space["f"], strict=True)(d), space["f"](d), strict=True):
            assert np.asarray(got).dtype == np.asarray(wanted).dtype and np.shape(got) == np.shape(wanted), call
            np.testing.assert_allclose(got, wanted, rtol=1e-12, err_msg=call)


class Shares:
    """Memory of an array, by __array_interface__."""

    def __init__(self, array):
        self.array = array

    @property
    def __array_interface__(self):
        return self.array.__array_interface__


class Lends:
    """The same by DLPack; `device`: 1 the host, 2 a GPU."""

    def __init__(self, array, device=1):
        self.array, self.device = array, device

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device, 0


@pytest.mark.parametrize("wrapped", [Shares, Lends])
def test_objects_that_share_their_memory_are_arguments(wrapped):
    @sluice.program(strict=True)
    def shifted(x: f8[N, M], by: f8):
        x += by

    array = np.arange(12.0).reshape(3, 4)
    expected = array + 2.5 + 1
    shifted(wrapped(array), 2.5)
    shifted(x=wrapped(array), by=1.0)
    np.testing.assert_array_equal(array, expected)
    strided = np.arange(12.0).reshape(3, 4).T[::2]
    shifted(wrapped(strided), 1.0)
    np.testing.assert_array_equal(strided, np.arange(12.0).reshape(3, 4).T[::2] + 1)
    with pytest.raises((TypeError, ValueError)):
        shifted(wrapped(array.astype(np.float32)), 1.0)


def test_memory_of_a_device_is_no_argument_on_the_host():
    @sluice.program(strict=True)
    def shifted(x: f8[N], by: f8):
        x += by

    with pytest.raises(TypeError, match="A002"):
        shifted(Lends(np.ones(3), device=2), 1.0)
