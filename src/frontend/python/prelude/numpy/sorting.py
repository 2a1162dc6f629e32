"""Order of elements, and what follows from it. NaN comes last; equal elements keep their order."""


def _sorted_as_python(x):
    """The elements in order, as Python's sort has them, which NaN would confuse."""
    if x.dtype.kind == 'f':
        assert not np.any(np.isnan(x)), NotImplementedError("a sort of NaN by Python's order")
    return np.sort(x)


def _order_as_python(columns, backwards):
    """The places of elements in Python's order by the first column, by the next where that is equal. Equal ones keep theirs, also backwards."""
    order = np.arange(columns[0].shape[0])
    if backwards:
        order = np.flip(order)
    for k in np._each(np._choices(columns)):
        column = columns[-1 - k]
        if column.dtype.kind == 'f':
            assert not np.any(np.isnan(column)), NotImplementedError("a sort of NaN by Python's order")
        order = order[np._argsort(column[order])]
    if backwards:
        order = np.flip(order)
    return order


def _extreme_as_python(columns, largest):
    """The place of the first element that none exceeds, or that exceeds none, by the first column, by the next where that is equal."""
    among = columns[0] == columns[0]
    for k in np._each(np._choices(columns)):
        column = columns[k]
        if column.dtype.kind == 'f':
            assert not np.any(np.isnan(column)), NotImplementedError("an order of NaN by Python's order")
        first = column[np.argmax(among)]
        if largest:
            best = np.max(column, initial=first, where=among)
        if not largest:
            best = np.min(column, initial=first, where=among)
        among = among & (column == best)
    return np.argmax(among)


def _largest(x):
    """Python's max: the first element that no later one exceeds."""
    best = x[0]
    for i in range(1, x.shape[0]):
        if x[i] > best:
            best = x[i]
    return best


def _smallest(x):
    """Python's min."""
    best = x[0]
    for i in range(1, x.shape[0]):
        if x[i] < best:
            best = x[i]
    return best


def sort(a, axis=-1, kind=None, order=None, stable=None):
    """The elements along an axis from low to high; of all without one."""
    assert order is None, "programs sort numbers, not fields"
    if axis is None:
        return np._sort(np.ravel(a))
    return np.moveaxis(np._sort(np.moveaxis(a, axis, -1)), -1, axis)


def argsort(a, axis=-1, kind=None, order=None, stable=None):
    """The places of the elements along an axis from low to high."""
    assert order is None, "programs sort numbers, not fields"
    if axis is None:
        return np._argsort(np.ravel(a))
    return np.moveaxis(np._argsort(np.moveaxis(a, axis, -1)), -1, axis)


def _sort_in_place(a, axis=-1, kind=None, order=None, stable=None):
    a[...] = np.sort(a, axis, kind, order, stable)
    return None


def partition(a: array_like, kth, axis=-1, kind='introselect', order=None):
    """The elements along an axis with the kth at its place: all of them in order."""
    return np.sort(a, axis, None, order)


def argpartition(a: array_like, kth, axis=-1, kind='introselect', order=None):
    """The places of the elements along an axis with the kth at its place: all of them in order."""
    return np.argsort(a, axis, None, order)


def _partition_in_place(a, kth, axis=-1, kind='introselect', order=None):
    a[...] = np.sort(a, axis, None, order)
    return None


def lexsort(keys, axis=-1):
    """The places of elements in order of the last key, and of those before it where that is equal."""
    assert axis == -1 and np.ndim(keys[0]) == 1, "programs sort by vectors"
    order = np._argsort(keys[0])
    for k in np._each(np._choices(keys) - 1):
        order = order[np._argsort(np.asarray(keys[k + 1])[order])]
    return order


def sort_complex(a):
    """Complex numbers in order: a sort of their real parts is stable behind one of their imaginary parts."""
    flat = np.ravel(np.asarray(a)) * (1 + 0j)
    by_imaginary = flat[np._argsort(np.imag(flat))]
    return by_imaginary[np._argsort(np.real(by_imaginary))]


def searchsorted(a: array_like, v, side='left', sorter=None):
    """Where values go among the elements of a sorted vector: in front of equal ones, or behind them."""
    assert a.ndim == 1, "object too deep for desired array"
    assert side == 'left' or side == 'right', "side must be either 'left' or 'right'"
    if sorter is not None:
        return np.searchsorted(a[sorter], v, side)
    keys = np.ravel(np.atleast_1d(v))
    out = np.empty(keys.shape[0], dtype=np.int64)
    for i in range(keys.shape[0]):
        low = 0
        high = a.shape[0]
        while low < high:
            middle = (low + high) // 2
            behind = np._behind(a[middle], keys[i], side)
            low = np.where(behind, middle + 1, low)
            high = np.where(behind, high, middle)
        out[i] = low
    if np.ndim(v) == 0:
        return out[0]
    return np.reshape(out, np.shape(v))


def _behind(element, key, side):
    """Whether a key goes behind an element."""
    if side == 'left':
        return (element < key) | ((key != key) & (element == element))
    return ~((key < element) | ((element != element) & (key == key)))


def digitize(x: array_like, bins: array_like, right=False):
    """The bin of each value: bins increase or decrease."""
    edges = np.asarray(bins)
    up = np.all(edges[1:] >= edges[:-1])
    assert up or np.all(edges[1:] <= edges[:-1]), "bins must be monotonically increasing or decreasing"
    rising = np.where(up, edges, edges[::-1])
    if right:
        place = np.searchsorted(rising, x, 'left')
    else:
        place = np.searchsorted(rising, x, 'right')
    return np.where(up, place, edges.shape[0] - place)


def interp(x: array_like, xp: array_like, fp: array_like, left=None, right=None, period=None):
    """Values between samples on straight lines; outside the first and last value."""
    assert period is None, "programs interpolate without a period"
    points = np.asarray(xp).astype(np.float64)
    values = np.asarray(fp).astype(np.float64)
    assert points.shape[0] == values.shape[0], "fp and xp are not of the same length."
    assert points.shape[0] > 0, "array of sample points is empty"
    at = np.asarray(x) * 1.0
    last = points.shape[0] - 1
    k = np.clip(np.searchsorted(points, at, 'right') - 1, 0, max(last - 1, 0))
    n = np.minimum(k + 1, last)
    slope = (values[n] - values[k]) / (points[n] - points[k])
    forwards = slope * (at - points[k]) + values[k]
    backwards = slope * (at - points[n]) + values[n]
    between = np.where(np.isnan(forwards), np.where(np.isnan(backwards) & (values[k] == values[n]), values[k], backwards), forwards)
    inside = np.where(points[n] == at, values[n], np.where(points[k] == at, values[k], between))
    inside = np.where(np.isnan(at), at, inside)
    return np.where(at > points[-1], np._given(right, values[-1]), np.where(at < points[0], np._given(left, values[0]), inside))


def _given(value, otherwise):
    if value is None:
        return otherwise
    return value


# ---- quantiles -----------------------------------------------------------------------------------------------------------
def median(a: array_like, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The middle element in order, or the mean of the two in the middle; NaN where there is one, and of nothing."""
    assert out is None, "programs return the median"
    n = np._count_along(a, axis)
    m = np._selected(a, axis, np.array([(n - 1) // 2, n // 2, n - 1]))
    middle = (m[0] * np._unit(a) + m[1]) / 2
    return np._kept(np.where((n == 0) | np.isnan(m[2] * 1.0), np.nan, np.where(m[0] == m[1], m[1] * np._unit(a), middle)).astype(np._float_of(a).dtype), np.asarray(a), axis, keepdims)


def _count_along(a, axis):
    if axis is None:
        return np.size(a)
    assert np.ndim(axis) == 0, "programs take quantiles along one axis or of all elements"
    return np.shape(a)[axis]


def _selected(a, axis, places):
    """The elements along an axis, which comes first, that stand at these places in order."""
    if axis is None:
        return np._operation('Select', (np.ravel(a), places), (places.shape,))
    moved = np.moveaxis(np.asarray(a), axis, -1)
    if moved.ndim == 1:
        return np._operation('Select', (moved, places), (places.shape,))
    if moved.ndim == 2:
        return np.moveaxis(np._operation('Select', (moved, places), ((moved.shape[0], places.shape[0]),)), -1, 0)
    rows = moved.copy().reshape(-1, moved.shape[-1])
    return np.moveaxis(np._operation('Select', (rows, places), ((rows.shape[0], places.shape[0]),)).reshape(moved.shape[:-1] + places.shape), -1, 0)


def _unit(a):
    """1, of the type that quotients of elements have."""
    return np._float_of(np.asarray(a))[0] * 0 + 1


def _in_order(a, axis):
    """The elements along an axis, which comes first, in order."""
    if axis is None:
        return np._sort(np.ravel(a))
    assert np.ndim(axis) == 0, "programs take quantiles along one axis or of all elements"
    return np.moveaxis(np._sort(np.moveaxis(a, axis, -1)), -1, 0)


def _kept(result, a, axis, keepdims):
    """The result of a reduction with the reduced dimensions behind those that it has by itself."""
    if not keepdims:
        return result
    if axis is None:
        return np.reshape(result, (1,) * a.ndim)
    return np.expand_dims(result, axis)


def percentile(a: array_like, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False):
    """The value below which q percent of the elements lie, between two of them on a straight line."""
    assert out is None, "programs return percentiles"
    return np._quantile(np.asarray(a), np.asarray(q) / np._hundred(np.asarray(a)), axis, method, keepdims, "Percentiles must be in the range [0, 100]")


def quantile(a: array_like, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False):
    """The value below which the part q of the elements lies, between two of them on a straight line."""
    assert out is None, "programs return quantiles"
    return np._quantile(np.asarray(a), np.asarray(q) * np._unit(a), axis, method, keepdims, "Quantiles must be in the range [0, 1]")


def _hundred(a):
    return np._float_of(a)[0] * 0 + 100


def _quantile(a, q, axis, method, keepdims, sentence):
    assert method == 'linear' or method == 'lower' or method == 'higher' or method == 'nearest', "programs know the methods linear, lower, higher and nearest"
    assert np.ndim(q) <= 1, "q must be a scalar or 1d"
    assert np.all((q >= 0) & (q <= 1)), "quantiles lie in the range [0, 1], percentiles in [0, 100]"
    n = np._count_along(a, axis)
    assert n > 0, IndexError("index -1 is out of bounds for axis 0 with size 0")
    place = np._as_weak(q, a) * (n - 1)
    count = np.size(place)
    if method == 'linear':
        low = np.floor(place).astype(np.int64)
        high = np.minimum(low + 1, n - 1)
        m = np._selected(a, axis, np.concatenate((np.atleast_1d(low), np.atleast_1d(high), np.array([n - 1]))))
        below = np._those_of(q, m[:count])
        above = np._those_of(q, m[count:2 * count])
        part = place - low
        for d in np._each(m.ndim - 1):
            part = part[..., None]
        apart = above * np._unit(a) - below
        between = np.where(part >= 0.5, above - apart * (1 - part), below + apart * part)
        value = np.where(np.isnan(m[-1] * 1.0), np.nan, between).astype(place.dtype)
    else:
        at = np.rint(place)
        if method == 'lower':
            at = np.floor(place)
        elif method == 'higher':
            at = np.ceil(place)
        m = np._selected(a, axis, np.concatenate((np.atleast_1d(at).astype(np.int64), np.array([n - 1]))))
        value = np._those_of(q, m[:count])
        if a.dtype.kind == 'f':
            value = np.where(np.isnan(m[-1]), m[-1], value)
    if np.ndim(q) == 0:
        return np._kept(value, a, axis, keepdims)
    assert not keepdims, "programs take several quantiles without keepdims"
    return value


def _as_weak(q, a):
    """Quantiles as they are computed with: one number has the type of the elements, an array its own."""
    if np.ndim(q) == 0:
        return q.astype(np._float_of(a).dtype)
    return q * np._unit(a)


def _those_of(q, m):
    """One element for one quantile, else as many."""
    if np.ndim(q) == 0:
        return m[0]
    return m


def nanmedian(a: array_like, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The median of what is no NaN."""
    return np.nanquantile(a, 0.5, axis, out, overwrite_input, 'linear', keepdims)


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False):
    """The percentile of what is no NaN."""
    return np.nanquantile(a, q / 100, axis, out, overwrite_input, method, keepdims)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False):
    """The quantile of what is no NaN."""
    assert out is None and method == 'linear' and np.ndim(q) == 0, "programs take one quantile, by method='linear'"
    assert 0 <= q and q <= 1, "quantiles lie in the range [0, 1], percentiles in [0, 100]"
    if np._surely(np._count_along(a, axis) == 0):
        return np.mean(np.asarray(a) * np._unit(a), axis, keepdims=keepdims)
    m = np._in_order(np.asarray(a) * np._unit(a), axis)
    assert m.shape[0] > 0, "a quantile of an empty array"
    place = np.maximum(np.sum(~np.isnan(m), axis=0) - 1, 0) * (np._unit(a) * q)
    low = np.floor(place).astype(np.int64)
    high = np.ceil(place).astype(np.int64)
    part = place - low
    if m.ndim == 1:
        apart = m[high] - m[low]
        return np._kept(np.where(part >= 0.5, m[high] - apart * (1 - part), m[low] + apart * part).astype(m.dtype), np.asarray(a), axis, keepdims)
    first = np.take_along_axis(m, low[None], 0)[0]
    second = np.take_along_axis(m, high[None], 0)[0]
    return np._kept(np.where(part >= 0.5, second - (second - first) * (1 - part), first + (second - first) * part).astype(m.dtype), np.asarray(a), axis, keepdims)


def _sort(a):
    return np._operation('Sort', (a,), (a.shape,))


def _argsort(a):
    return np._operation('ArgSort', (a,), (a.shape,))
