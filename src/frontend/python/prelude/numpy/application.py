"""Functions that are handed functions."""


def piecewise(x, condlist, funclist):
    """For each element what the function, or the number, of the last condition that holds gives, else one further one or 0."""
    values = np.asarray(x)
    conditions = np._conditions(values, condlist)
    assert len(funclist) == len(conditions) or len(funclist) == len(conditions) + 1, "with n condition(s), either n or n + 1 functions are expected"
    out = np.zeros_like(values)
    if len(funclist) > len(conditions):
        np._apply_where(out, values, np.logical_not(np._any_of(conditions)), funclist[-1])
    for i in np._each(len(conditions)):
        np._apply_where(out, values, conditions[i], funclist[i])
    return out


def _conditions(x, condlist):
    if isinstance(condlist, tuple):
        if np.ndim(condlist[0]) == 0 and x.ndim > 0:
            return (np.asarray(condlist),)
        return condlist
    if condlist.ndim == x.ndim:
        return (condlist,)
    return condlist


def _any_of(conditions):
    out = np.asarray(conditions[0], dtype=bool)
    for i in np._each(len(conditions) - 1):
        out = np.logical_or(out, conditions[i + 1])
    return out


def _apply_where(out, x, condition, function):
    if callable(function):
        chosen = x[condition]
        if chosen.size > 0:
            out[condition] = function(chosen)
    else:
        out[...] = np.where(condition, function, out).astype(out.dtype)
    return None


def apply_along_axis(func1d, axis, arr):
    """What a function gives for each vector along an axis, along this axis."""
    rows = np.moveaxis(np.asarray(arr), axis, -1)
    shape = rows.shape[:-1]
    flat = np.reshape(rows, (-1, rows.shape[-1]))
    assert flat.shape[0] > 0, "Cannot apply_along_axis when any iteration dimensions are 0"
    first = np.asarray(func1d(flat[0]))
    out = np.empty((flat.shape[0],) + first.shape, dtype=np._one_type(first))
    out[0] = first
    for i in range(1, flat.shape[0]):
        out[i] = func1d(flat[i])
    if first.ndim == 0:
        return np.reshape(out, shape)
    if first.ndim == 1:
        return np.moveaxis(np.reshape(out, shape + first.shape), -1, axis)
    assert first.ndim < 2, "programs apply functions that give numbers or vectors"


def _vectorized(function, arguments):
    """np.vectorize: a function of numbers for each element; the first one decides the type."""
    arrays = np.broadcast_arrays(*arguments)
    if arrays[0].ndim == 0:
        return np.array(function(*arguments))
    assert arrays[0].size > 0, "cannot call `vectorize` on size 0 inputs unless `otypes` is set"
    a = np.ravel(arrays[0])
    if len(arrays) == 1:
        out = np.empty(a.shape[0], dtype=np._one_type(function(a[0])))
        for i in range(a.shape[0]):
            out[i] = function(a.item(i))
        return np.reshape(out, arrays[0].shape)
    b = np.ravel(arrays[1])
    if len(arrays) == 2:
        out = np.empty(a.shape[0], dtype=np._one_type(function(a[0], b[0])))
        for i in range(a.shape[0]):
            out[i] = function(a.item(i), b.item(i))
        return np.reshape(out, arrays[0].shape)
    assert len(arrays) == 3, "programs vectorize functions of up to three arguments"
    c = np.ravel(arrays[2])
    out = np.empty(a.shape[0], dtype=np._one_type(function(a[0], b[0], c[0])))
    for i in range(a.shape[0]):
        out[i] = function(a.item(i), b.item(i), c.item(i))
    return np.reshape(out, arrays[0].shape)


def fromiter(iter, dtype, count=-1):
    """An array of what is iterated over, or of the first elements of it."""
    values = np.array(iter, dtype=dtype)
    if np._surely(count == -1):
        return values
    assert count >= 0, "programs give the number of elements, or leave it out"
    assert values.shape[0] >= count, "iterator too short"
    return values[:count].copy()
