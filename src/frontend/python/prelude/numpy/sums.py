"""Sums, differences and integrals."""


def count_nonzero(a, axis=None, keepdims=False):
    """How many elements are not 0."""
    if axis is None and not keepdims and np.asarray(a).dtype.kind == 'b' and np.asarray(a).ndim > 0:
        return np._operation('CountTrue', (np.ravel(a),), ((),))
    return np.sum(np.asarray(a) != 0, axis=axis, keepdims=keepdims)


def _added_in_order(x, first):
    """The elements, added to the first number one after the other, as Python's sum adds floats."""
    total = first
    for k in range(x.shape[0]):
        total = total + x[k]
    return total


def ptp(a, axis=None, out=None, keepdims=False):
    """Largest minus smallest."""
    assert out is None, "programs return what ptp finds"
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


def cumsum(a, axis=None, dtype=None, out=None):
    """Sums of the elements up to each."""
    return np._running(np.add, a, axis, dtype, out)


def cumprod(a, axis=None, dtype=None, out=None):
    """Products of the elements up to each."""
    return np._running(np.multiply, a, axis, dtype, out)


def _running(ufunc, a, axis, dtype, out):
    """The first element, that and the second, and so on."""
    if axis is None:
        return np._running(ufunc, np.ravel(a), 0, dtype, out)
    if a.ndim == 2 and axis % 2 == 1:
        return np._placed(np._running_rows(ufunc, a, dtype), out)
    moved = np.moveaxis(a, axis, 0)
    if dtype is None:
        results = np.empty(moved.shape, dtype=np._sum_type(a))
    else:
        results = np.empty(moved.shape, dtype=dtype)
    results[:1] = moved[:1]
    for i in range(1, moved.shape[0]):
        results[i] = ufunc.__call__(results[i - 1], moved[i])
    return np._placed(np.moveaxis(results, 0, axis), out)


def _running_rows(ufunc, a, dtype):
    """The same along rows, one row after the other."""
    if dtype is None:
        results = np.empty(a.shape, dtype=np._sum_type(a))
    else:
        results = np.empty(a.shape, dtype=dtype)
    for row in range(a.shape[0]):
        results[row, :1] = a[row, :1]
        for i in range(1, a.shape[1]):
            results[row, i] = ufunc.__call__(results[row, i - 1], a[row, i])
    return results


def _placed(result, out):
    """The result, or the array that takes it."""
    if out is None:
        return result
    assert np.shape(out) == np.shape(result), "provided out is the wrong size for the accumulation."
    out[...] = result
    return out


def cumulative_sum(x: array_like, axis=None, dtype=None, out=None, include_initial=False):
    """Sums of the elements up to each; `include_initial` puts 0 in front."""
    assert axis is not None or x.ndim == 1, "For arrays which have more than one dimension ``axis`` argument is required."
    if axis is None:
        return np.cumulative_sum(x, 0, dtype, out, include_initial)
    sums = np.cumsum(x, axis, dtype)
    if include_initial:
        return np._placed(np.concatenate((np.zeros_like(np.moveaxis(np.moveaxis(x, axis, 0)[None, 0] * 0, 0, axis), dtype=sums.dtype), sums), axis=axis), out)
    return np._placed(sums, out)


def cumulative_prod(x, axis=None, dtype=None, out=None, include_initial=False):
    """Products of the elements up to each; `include_initial` puts 1 in front."""
    assert axis is not None or x.ndim == 1, "For arrays which have more than one dimension ``axis`` argument is required."
    if axis is None:
        return np.cumulative_prod(x, 0, dtype, out, include_initial)
    products = np.cumprod(x, axis, dtype)
    if include_initial:
        return np._placed(np.concatenate((np.ones_like(np.moveaxis(np.moveaxis(x, axis, 0)[None, 0] * 0, 0, axis), dtype=products.dtype), products), axis=axis), out)
    return np._placed(products, out)


def diff(a: array_like, n=1, axis=-1, prepend=None, append=None):
    """Differences of neighbours, n times."""
    assert n >= 0, "order must be non-negative"
    if prepend is not None:
        return np.diff(np.concatenate((np._slab(prepend, a, axis), a), axis=axis), n, axis, None, append)
    if append is not None:
        return np.diff(np.concatenate((a, np._slab(append, a, axis)), axis=axis), n, axis)
    if n == 0:
        return a
    if n > 1:
        return np.diff(np.diff(a, 1, axis), n - 1, axis)
    moved = np.moveaxis(a, axis, 0)
    if a.dtype.kind == 'b':
        return np.moveaxis(moved[1:] != moved[:-1], 0, axis)
    return np.moveaxis(moved[1:] - moved[:-1], 0, axis)


def _slab(value, a, axis):
    """A value as an array that stands before or behind a."""
    if np.ndim(value) > 0:
        return np.asarray(value)
    return np.moveaxis(np.full((1,) + np.moveaxis(a, axis, 0).shape[1:], value), 0, axis)


def ediff1d(ary: array_like, to_end=None, to_begin=None):
    """Differences of neighbours of all elements, with others around them."""
    flat = np.ravel(ary)
    inner = flat[1:] - flat[:-1]
    if to_begin is not None and to_end is not None:
        return np.concatenate((np.ravel(np.atleast_1d(to_begin)).astype(inner.dtype), inner, np.ravel(np.atleast_1d(to_end)).astype(inner.dtype)))
    if to_begin is not None:
        return np.concatenate((np.ravel(np.atleast_1d(to_begin)).astype(inner.dtype), inner))
    if to_end is not None:
        return np.concatenate((inner, np.ravel(np.atleast_1d(to_end)).astype(inner.dtype)))
    return inner


def trapezoid(y: array_like, x: array_like = None, dx=1.0, axis=-1):
    """The integral of y by the trapezoidal rule."""
    moved = np.moveaxis(np.asarray(y), axis, -1)
    if x is None:
        return np.sum(dx * (moved[..., 1:] + moved[..., :-1]) / 2.0, axis=-1)
    points = np.asarray(x)
    if points.ndim == 1:
        return np.sum((points[1:] - points[:-1]) * (moved[..., 1:] + moved[..., :-1]) / 2.0, axis=-1)
    along = np.moveaxis(points, axis, -1)
    return np.sum((along[..., 1:] - along[..., :-1]) * (moved[..., 1:] + moved[..., :-1]) / 2.0, axis=-1)


def gradient(f: array_like, varargs, axis=None, edge_order=1):
    """Central differences, one-sided at the ends; distances are numbers, or vectors of coordinates."""
    assert edge_order == 1 or edge_order == 2, "'edge_order' greater than 2 not supported"
    if np.ndim(axis) == 1:
        out = ()
        for i in np._each(len(axis)):
            out = out + (np._gradient(f, np._distance(varargs, i, len(axis)), axis[i], edge_order),)
        return out
    if axis is not None:
        return np._gradient(f, np._distance(varargs, 0, 1), axis, edge_order)
    if f.ndim == 1:
        return np._gradient(f, np._distance(varargs, 0, 1), 0, edge_order)
    out = ()
    for d in np._each(f.ndim):
        out = out + (np._gradient(f, np._distance(varargs, d, f.ndim), d, edge_order),)
    return out


def _distance(varargs, i, n):
    assert len(varargs) == 0 or len(varargs) == 1 or len(varargs) == n, "invalid number of arguments"
    if len(varargs) == 0:
        return 1.0
    if len(varargs) == 1:
        assert n == 1 or np.ndim(varargs[0]) == 0, "invalid number of arguments"
        return varargs[0]
    return varargs[i]


def _gradient(f, h, axis, edge_order):
    """Second-order differences (Fornberg 1988), for unequal distances by the weights of the parabola through three points."""
    m = np.moveaxis(np.asarray(f), axis, 0)
    assert m.shape[0] > edge_order, "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required."
    if f.dtype.kind == 'f' or f.dtype.kind == 'c':
        out = np.empty(m.shape, dtype=f.dtype)
    else:
        out = np.empty(m.shape)
    if np.ndim(h) == 0:
        out[1:-1] = (m[2:] * 1.0 - m[:-2]) / (2.0 * h)
        if edge_order == 1:
            out[0] = (m[1] * 1.0 - m[0]) / h
            out[-1] = (m[-1] * 1.0 - m[-2]) / h
        else:
            out[0] = (-1.5 / h) * m[0] + (2.0 / h) * m[1] + (-0.5 / h) * m[2]
            out[-1] = (0.5 / h) * m[-3] + (-2.0 / h) * m[-2] + (1.5 / h) * m[-1]
        return np.moveaxis(out, 0, axis)
    x = np.asarray(h)
    assert x.shape[0] == m.shape[0], "when 1d, distances must match the length of the corresponding dimension"
    d = x[1:] - x[:-1]
    left = np._along(d[:-1], 0, m.ndim)
    right = np._along(d[1:], 0, m.ndim)
    out[1:-1] = -right / (left * (left + right)) * m[:-2] + (right - left) / (left * right) * m[1:-1] + left / (right * (left + right)) * m[2:]
    if edge_order == 1:
        out[0] = (m[1] * 1.0 - m[0]) / d[0]
        out[-1] = (m[-1] * 1.0 - m[-2]) / d[-1]
    else:
        out[0] = -(2.0 * d[0] + d[1]) / (d[0] * (d[0] + d[1])) * m[0] + (d[0] + d[1]) / (d[0] * d[1]) * m[1] - d[0] / (d[1] * (d[0] + d[1])) * m[2]
        out[-1] = d[-1] / (d[-2] * (d[-1] + d[-2])) * m[-3] - (d[-1] + d[-2]) / (d[-1] * d[-2]) * m[-2] + (2.0 * d[-1] + d[-2]) / (d[-1] * (d[-1] + d[-2])) * m[-1]
    return np.moveaxis(out, 0, axis)


def unwrap(p: array_like, discont=None, axis=-1, period=6.283185307179586):
    """Angles without jumps of more than half a period."""
    assert discont is None, "programs unwrap jumps of half a period"
    m = np.moveaxis(p, axis, 0)
    out = np.empty(m.shape, dtype=np.result_type(p, 1.0))
    out[:1] = m[:1]
    for i in range(1, m.shape[0]):
        jump = m[i] - m[i - 1]
        turned = np.mod(jump + period / 2, period) - period / 2
        turned = np.where((turned == -period / 2) & (jump > 0), period / 2, turned)
        out[i] = out[i - 1] + np.where(np.abs(jump) < period / 2, jump, turned)
    return np.moveaxis(out, 0, axis)
