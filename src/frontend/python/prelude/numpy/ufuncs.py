"""Methods of functions of two arguments."""


def _accumulate(ufunc, array, axis=0, dtype=None, out=None):
    """The function applied from the first element to each."""
    assert dtype is None, "programs accumulate in the type of the elements"
    m = np.moveaxis(np.asarray(array), axis, 0)
    result = np.empty(m.shape, dtype=np.result_type(ufunc.__call__(m[:1], m[:1])))
    assert np._same_kind(m, result) and np._same_kind(result, m), "programs accumulate where results have the type of the elements"
    result[:1] = m[:1]
    for i in range(1, m.shape[0]):
        result[i] = ufunc.__call__(result[i - 1], m[i])
    return np._placed(np.moveaxis(result, 0, axis), out)


def _reduce(ufunc, array, axis=0, dtype=None, out=None, keepdims=False):
    """The function applied to all elements along an axis, from the first on."""
    assert dtype is None, "programs reduce in the type of the elements"
    if axis is None:
        assert not keepdims, "programs drop the dimensions of a reduction of all elements"
        return np._reduce(ufunc, np.ravel(array), 0, None, out)
    assert np.ndim(axis) == 0, "programs reduce along one axis"
    m = np.moveaxis(np.asarray(array), axis, 0)
    assert m.shape[0] > 0, "zero-size array to a reduction that programs have no identity for"
    result = np.empty((1,) + m.shape[1:], dtype=np.result_type(ufunc.__call__(m[:1], m[:1])))
    result[0] = m[0]
    for i in range(1, m.shape[0]):
        result[0] = ufunc.__call__(result[0], m[i])
    if keepdims:
        return np._placed(np.moveaxis(result, 0, axis), out)
    return np._placed(result[0], out)


def _at(ufunc, a, indices: index_like, b):
    """The function applied in place to elements at indices, as often as an index occurs."""
    assert np._same_kind(ufunc.__call__(np.zeros(1, dtype=a.dtype), b), a), "Cannot cast according to the rule 'same_kind'"
    if isinstance(indices, tuple):
        assert len(indices) == 2 or len(indices) == 3, "programs take one array of indices, or a tuple of two or three"
        if len(indices) == 3:
            first, second, third = np.broadcast_arrays(*indices)
            rows, columns, layers = np.ravel(first), np.ravel(second), np.ravel(third)
            values = np.reshape(np.broadcast_to(b, first.shape + a.shape[3:]), rows.shape + a.shape[3:])
            for i in range(rows.shape[0]):
                a[rows[i], columns[i], layers[i]] = ufunc.__call__(a[rows[i], columns[i], layers[i]], values[i])
            return None
        first, second = np.broadcast_arrays(*indices)
        rows, columns = np.ravel(first), np.ravel(second)
        values = np.reshape(np.broadcast_to(b, first.shape + a.shape[2:]), rows.shape + a.shape[2:])
        for i in range(rows.shape[0]):
            a[rows[i], columns[i]] = ufunc.__call__(a[rows[i], columns[i]], values[i])
        return None
    places = np.ravel(np.atleast_1d(indices))
    spread = np.broadcast_to(b, np.shape(np.atleast_1d(indices)) + a.shape[1:])
    assert np.ndim(indices) <= 1 or np.ndim(b) == 0, "programs take values for a vector of indices"
    if np.ndim(indices) <= 1:
        for i in range(places.shape[0]):
            a[places[i]] = ufunc.__call__(a[places[i]], spread[i])
        return None
    for i in range(places.shape[0]):
        a[places[i]] = ufunc.__call__(a[places[i]], b)
    return None


def _reduceat(ufunc, array, indices, axis=0, dtype=None, out=None):
    """The function applied to the elements from each index to the next one, or to one element where the next index is not larger."""
    assert dtype is None, "programs reduce in the type of the elements"
    m = np.moveaxis(np.asarray(array), axis, 0)
    places = np.asarray(indices)
    assert places.ndim == 1, "object too deep for desired array"
    assert np.all((places >= 0) & (places < m.shape[0])), "IndexError: index out-of-bounds in reduceat"
    result = np.empty((places.shape[0],) + m.shape[1:], dtype=np.result_type(ufunc.__call__(m[:1], m[:1])))
    for i in range(places.shape[0]):
        result[i] = m[places[i]]
        end = m.shape[0]
        if i + 1 < places.shape[0]:
            end = places[i + 1]
        for k in range(places[i] + 1, end):
            result[i] = ufunc.__call__(result[i], m[k])
    return np._placed(np.moveaxis(result, 0, axis), out)
