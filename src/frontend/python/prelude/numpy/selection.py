"""Elements that data select: how many there are is counted before what holds them is made."""


def nonzero(a):
    """Where elements are not zero: their indices along each dimension, in C order."""
    assert np.ndim(a) > 0, "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead."
    if np.ndim(a) == 1:
        return (np._places(np._truth(np.asarray(a))),)
    places = np._places(np.ravel(np._truth(np.asarray(a))))
    out = ()
    for i in np._each(np.ndim(a)):
        out = out + (places // np._elements_of(np.shape(a)[i + 1:]) % np.shape(a)[i],)
    return out


def _truth(a):
    if a.dtype.kind == 'b':
        return a
    return a != 0


def _elements_of(shape):
    out = 1
    for i in np._each(len(shape)):
        out = out * shape[i]
    return out


def _places(mask):
    """The indices of the elements of a vector that hold."""
    return np._operation('Places', (mask,), ((np._at_most(np._operation('CountTrue', (mask,), ((),)), mask.shape[0]),),))


def flatnonzero(a):
    """Where elements are not zero, counted over the whole array."""
    return np._places(np.ravel(np._truth(np.asarray(a))))


def argwhere(a):
    """Where elements are not zero: one row of indices for each."""
    if np.ndim(a) == 1:
        return np.nonzero(a)[0][:, None]
    return np.stack(np.nonzero(a), axis=1)


def extract(condition, arr):
    """The elements where a condition holds, counted over the whole array."""
    return np.ravel(np.asarray(arr))[np.flatnonzero(condition)]


def compress(condition, a, axis=None, out=None):
    """The slices along an axis where a condition holds, which may end before the axis does."""
    assert out is None, "programs return what compress selects"
    assert np.ndim(condition) == 1, "condition must be a 1-d array"
    return np.take(np.asarray(a), np.flatnonzero(condition), axis)


def _compress(a, condition, axis=None, out=None):
    """The method, whose array comes first."""
    return np.compress(condition, a, axis, out)


def place(arr, mask, vals):
    """Writes values, in order and from the beginning again, to the elements where a mask holds."""
    places = np.flatnonzero(mask)
    values = np.ravel(np.atleast_1d(vals))
    flat = np.reshape(arr, (-1,))
    for k in range(places.shape[0]):
        flat[places[k]] = values[k % values.shape[0]]
    return None


def trim_zeros(filt, trim='fb', axis=None):
    """What lies between the zeros at the front and at the back."""
    assert np.ndim(filt) == 1 and axis is None, "programs trim vectors"
    assert trim == 'fb' or trim == 'f' or trim == 'b' or trim == 'bf', "unexpected character in trim"
    places = np.flatnonzero(filt)
    n = np.shape(filt)[0]
    first = int(np.min(places, initial=n))
    end = int(np.max(places, initial=-1)) + 1
    if trim == 'f':
        return filt[first:]
    if trim == 'b':
        return filt[:end]
    return filt[first:end]


# ---- sets ----------------------------------------------------------------------------------------------------------------
def unique(ar: array_like, return_index=False, return_inverse=False, return_counts=False, axis=None, equal_nan=True, sorted=True):
    """The elements in order, equal ones once; where each stands first, which of them each element is, how often each occurs. With an
    axis: the parts along it."""
    if axis is not None and np.ndim(ar) > 1:
        return np._unique_parts(np.moveaxis(ar, axis, 0), return_index, return_inverse, return_counts, axis)
    flat = np.ravel(np.asarray(ar))
    order = None
    if return_index or return_inverse:
        order = np._argsort(flat)
        ordered = flat[order]
    else:
        ordered = np._sort(flat)
    first = np._first_of_equal(ordered, equal_nan)
    places = np._places(first)
    out = (ordered[places],)
    if return_index:
        out = out + (order[places],)
    if return_inverse:
        inverse = np.empty(flat.shape[0], dtype=np.int64)
        inverse[order] = np.cumsum(first) - 1
        out = out + (np.reshape(inverse, np.shape(ar)),)
    if return_counts:
        out = out + (np.diff(np.append(places, flat.shape[0])),)
    if len(out) == 1:
        return out[0]
    return out


def _unique_parts(parts, return_index, return_inverse, return_counts, axis):
    count = parts.shape[0]
    rows = np.reshape(np.copy(parts), (count, -1))
    order = np.arange(count)
    for k in range(rows.shape[1] - 1, -1, -1):
        order = order[np._argsort(rows[order, k])]
    ordered = rows[order]
    first = np.ones(count, dtype=bool)
    if not np._surely(count == 0):
        first[1:] = np.any(ordered[1:] != ordered[:-1], axis=1)
    places = np._places(first)
    out = (np.moveaxis(parts[order[places]], 0, axis),)
    if return_index:
        out = out + (order[places],)
    if return_inverse:
        inverse = np.empty(count, dtype=np.int64)
        inverse[order] = np.cumsum(first) - 1
        out = out + (inverse,)
    if return_counts:
        out = out + (np.diff(np.append(places, count)),)
    if len(out) == 1:
        return out[0]
    return out


def _first_of_equal(ordered, equal_nan):
    """Which elements differ from those in front of them."""
    out = np.ones(ordered.shape[0], dtype=bool)
    if ordered.dtype.kind == 'f' and equal_nan:
        out[1:] = (ordered[1:] != ordered[:-1]) & ((ordered[1:] == ordered[1:]) | (ordered[:-1] == ordered[:-1]))
    else:
        out[1:] = ordered[1:] != ordered[:-1]
    return out


def union1d(ar1, ar2):
    """The elements of either, in order."""
    return np.unique(np.concatenate((np.ravel(np.asarray(ar1)), np.ravel(np.asarray(ar2)))))


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """The elements of both, in order."""
    assert not return_indices, "programs return the elements"
    both = np._sort(np.concatenate((np._set_of(ar1, assume_unique), np._set_of(ar2, assume_unique))))
    return both[:-1][both[1:] == both[:-1]]


def _set_of(a, assume_unique):
    if assume_unique:
        return np.ravel(np.asarray(a))
    return np.unique(a)


def setdiff1d(ar1, ar2, assume_unique=False):
    """The elements of the first that are none of the second."""
    own = np._set_of(ar1, assume_unique)
    return own[np.isin(own, ar2, invert=True)]


def setxor1d(ar1, ar2, assume_unique=False):
    """The elements of one of the two, in order."""
    both = np._sort(np.concatenate((np._set_of(ar1, assume_unique), np._set_of(ar2, assume_unique))))
    apart = np.ones(both.shape[0] + 1, dtype=bool)
    apart[1:-1] = both[1:] != both[:-1]
    return both[apart[1:] & apart[:-1]]
