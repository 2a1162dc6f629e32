"""Elements that are chosen, taken and put."""


def take(a, indices, axis=None, out=None, mode='raise'):
    """The elements at indices along an axis, or of all in order."""
    assert out is None, "programs return what take finds"
    assert mode == 'raise' or mode == 'wrap' or mode == 'clip', "mode must be one of 'clip', 'raise', or 'wrap'"
    if axis is None:
        return np.take(np.ravel(a), indices, 0, None, mode)
    n = np.shape(a)[axis]
    if mode == 'wrap':
        return np.take(a, np.asarray(indices) % n, axis)
    if mode == 'clip':
        return np.take(a, np.clip(indices, 0, n - 1), axis)
    picked = np.moveaxis(np.asarray(a), axis, 0)[np._inside(np.asarray(indices), n, axis % np.ndim(a))]
    for d in np._each(np.ndim(indices)):
        picked = np.moveaxis(picked, np.ndim(indices) - 1 - d, axis % np.ndim(a) + np.ndim(indices) - 1 - d)
    return picked


def _item(a, args):
    """The element at an index, counted over the whole array if it is one number; the only one without an index."""
    if len(args) == 0:
        assert a.size == 1, "can only convert an array of size 1 to a Python scalar"
        return np._of_python(a, np.ravel(a)[0])
    if len(args) == 1:
        return np._of_python(a, np._element(a, args[0]))
    return np._of_python(a, a[args])


def _element(a, index):
    if isinstance(index, tuple):
        return a[index]
    return np.ravel(a)[np._inside(index, a.size, 0)]


def _of_python(a, element):
    """An element of the array as a number of Python's."""
    if a.dtype.kind == 'b':
        return bool(element)
    if a.dtype.kind == 'f':
        return float(element)
    if a.dtype.kind == 'c':
        return complex(element)
    return int(element)


def take_along_axis(arr, indices, axis=-1):
    """For each place along an axis the element at its index."""
    if axis is None:
        assert indices.ndim == 1, "when axis=None, `indices` must have a single dimension."
        return np.ravel(arr)[np._inside(indices, arr.size, 0)]
    assert arr.ndim == indices.ndim, "`indices` and `arr` must have the same number of dimensions"
    if arr.ndim == 1:
        return arr[np._inside(indices, arr.shape[0], 0)]
    m = np.moveaxis(arr, axis, 0)
    j = np.moveaxis(indices, axis, 0)
    out = np.empty(j.shape, dtype=arr.dtype)
    if arr.ndim == 2:
        for c in range(j.shape[1]):
            for i in range(j.shape[0]):
                out[i, c] = m[np._inside(j[i, c], m.shape[0], axis % 2), c]
        return np.moveaxis(out, 0, axis)
    assert arr.ndim == 3, "programs take along axes of up to three dimensions"
    for c in range(j.shape[1]):
        for d in range(j.shape[2]):
            for i in range(j.shape[0]):
                out[i, c, d] = m[np._inside(j[i, c, d], m.shape[0], axis % 3), c, d]
    return np.moveaxis(out, 0, axis)


def put_along_axis(arr, indices, values, axis):
    """Writes to each place along an axis that an index names."""
    assert arr.ndim == indices.ndim, "`indices` and `arr` must have the same number of dimensions"
    assert arr.ndim <= 2, "programs put along axes of up to two dimensions"
    v = np.broadcast_to(values, indices.shape)
    if arr.ndim == 1:
        for i in range(indices.shape[0]):
            arr[np._inside(indices[i], arr.shape[0], 0)] = v[i]
        return None
    m = np.moveaxis(arr, axis, 0)
    j = np.moveaxis(indices, axis, 0)
    w = np.moveaxis(v, axis, 0)
    for c in range(j.shape[1]):
        for i in range(j.shape[0]):
            m[np._inside(j[i, c], m.shape[0], axis % 2), c] = w[i, c]
    return None


def put(a, ind, v, mode='raise'):
    """Writes to elements, counted over the whole array; values are repeated."""
    assert mode == 'raise', "programs put by mode='raise'"
    places = np.ravel(np.atleast_1d(ind))
    values = np.ravel(np.atleast_1d(v))
    flat = np.reshape(a, (-1,))
    for i in range(places.shape[0]):
        flat[np._inside(places[i], flat.shape[0], 0)] = values[i % values.shape[0]]
    return None


def copyto(dst, src, where=True):
    """Writes values to an array, where a condition holds."""
    assert np._same_kind(src, dst), "Cannot cast according to the rule 'same_kind'"
    dst[...] = np.where(where, src, dst).astype(dst.dtype)
    return None


def putmask(a, mask, values):
    """Writes values where a mask holds; the element at place n gets value n, from the beginning again where there are too few."""
    if np.ndim(values) == 0:
        np.copyto(a, values, where=mask)
        return None
    v = np.ravel(np.asarray(values))
    joint = np.ravel(a)[:0] + v[:0]
    assert joint.dtype == a.dtype, TypeError("Cannot cast array data according to the rule 'safe'")
    a[...] = np.where(mask, np.reshape(v[np.arange(a.size) % v.shape[0]], a.shape), a).astype(a.dtype)
    return None


def select(condlist, choicelist, default=0):
    """For each element the choice whose condition is the first to hold."""
    assert len(condlist) == len(choicelist), "list of cases must be same length as list of conditions"
    if len(condlist) == 0:
        return default
    return np.where(condlist[0], choicelist[0], np.select(condlist[1:], choicelist[1:], default))


def choose(a, choices, out=None, mode='raise'):
    """For each element the choice that it counts."""
    assert out is None, "programs return what choose finds"
    assert mode == 'raise' or mode == 'wrap' or mode == 'clip', "mode must be one of 'clip', 'raise', or 'wrap'"
    n = np._choices(choices)
    if mode == 'wrap':
        return np._chosen(np.asarray(a) % n, choices, 0, n)
    if mode == 'clip':
        return np._chosen(np.clip(a, 0, n - 1), choices, 0, n)
    assert np.all((np.asarray(a) >= 0) & (np.asarray(a) < n)), "invalid entry in choice array"
    return np._chosen(np.asarray(a), choices, 0, n)


def _choices(choices):
    if isinstance(choices, tuple):
        return len(choices)
    return choices.shape[0]


def _chosen(a, choices, first, n):
    if first == n - 1:
        return np.where(a == first, choices[first], choices[first])
    return np.where(a == first, choices[first], np._chosen(a, choices, first + 1, n))


def ravel_multi_index(multi_index, dims, mode='raise', order='C'):
    """The place of an element in the whole array that has these sizes."""
    assert order == 'C', "programs count in C order"
    assert mode == 'raise', "programs know mode='raise'"
    assert len(multi_index) == len(dims), "parameter multi_index must be a sequence of the length of dims"
    out = multi_index[0]
    assert np.all((np.asarray(multi_index[0]) >= 0) & (np.asarray(multi_index[0]) < dims[0])), "invalid entry in coordinates array"
    for i in np._each(len(dims) - 1):
        assert np.all((np.asarray(multi_index[i + 1]) >= 0) & (np.asarray(multi_index[i + 1]) < dims[i + 1])), "invalid entry in coordinates array"
        out = out * dims[i + 1] + multi_index[i + 1]
    return out


def unravel_index(indices, shape, order='C'):
    """The index of an element along each dimension, from its place in the whole array."""
    assert order == 'C', "programs count in C order"
    if np.ndim(shape) == 0:
        return np.unravel_index(indices, (shape,))
    assert np.all((np.asarray(indices) >= 0) & (np.asarray(indices) < np.size(np.zeros(shape)))), "index is out of bounds for array with this size"
    out = ()
    for i in np._each(len(shape)):
        out = out + (np.asarray(indices) // np.size(np.zeros(shape[i + 1:])) % shape[i],)
    return out


# ---- the indices of triangles and diagonals ------------------------------------------------------------------------------
def diag_indices(n, ndim=2):
    """The indices of a main diagonal."""
    return (np.arange(n),) * ndim


def diag_indices_from(arr):
    """The indices of an array's main diagonal."""
    return (np.arange(arr.shape[0]),) * arr.ndim
