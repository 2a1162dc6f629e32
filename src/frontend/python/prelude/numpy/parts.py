"""Arrays in parts, and parts as one array."""


def array_split(ary: array_like, indices_or_sections, axis=0):
    """Views of parts along an axis: between indices, or so many whose sizes differ by one at most."""
    m = np.moveaxis(ary, axis, 0)
    out = ()
    if np.ndim(indices_or_sections) == 0:
        for i in np._each(indices_or_sections):
            out = out + (np._section(m, i, indices_or_sections, axis),)
        return [*out]
    for i in np._each(len(indices_or_sections) + 1):
        if len(indices_or_sections) == 0:
            out = out + (ary,)
        elif i == 0:
            out = out + (np.moveaxis(m[:indices_or_sections[0]], 0, axis),)
        elif i == len(indices_or_sections):
            out = out + (np.moveaxis(m[indices_or_sections[i - 1]:], 0, axis),)
        else:
            out = out + (np.moveaxis(m[indices_or_sections[i - 1]:indices_or_sections[i]], 0, axis),)
    return [*out]


def _section(m, i, parts, axis):
    """The first parts have one element more where the sizes do not divide."""
    return np.moveaxis(m[i * (m.shape[0] // parts) + min(i, m.shape[0] % parts):(i + 1) * (m.shape[0] // parts) + min(i + 1, m.shape[0] % parts)], 0, axis)


def split(ary, indices_or_sections, axis=0):
    """Views of equal parts along an axis, or of those between indices."""
    if np.ndim(indices_or_sections) == 0:
        assert ary.shape[axis] % indices_or_sections == 0, "array split does not result in an equal division"
        m = np.moveaxis(ary, axis, 0)
        out = ()
        for i in np._each(indices_or_sections):
            out = out + (np.moveaxis(m[i * (ary.shape[axis] // indices_or_sections):(i + 1) * (ary.shape[axis] // indices_or_sections)], 0, axis),)
        return [*out]
    return np.array_split(ary, indices_or_sections, axis)


def hsplit(ary, indices_or_sections):
    """Parts along the second axis, of a vector along its only one."""
    if ary.ndim == 1:
        return np.split(ary, indices_or_sections, 0)
    return np.split(ary, indices_or_sections, 1)


def vsplit(ary, indices_or_sections):
    """Parts along the first axis."""
    assert ary.ndim >= 2, "vsplit only works on arrays of 2 or more dimensions"
    return np.split(ary, indices_or_sections, 0)


def dsplit(ary, indices_or_sections):
    """Parts along the third axis."""
    assert ary.ndim >= 3, "dsplit only works on arrays of 3 or more dimensions"
    return np.split(ary, indices_or_sections, 2)


def unstack(x, axis=0):
    """The slices of an array along an axis of known size."""
    out = ()
    for i in np._each(x.shape[axis]):
        out = out + (np.moveaxis(x, axis, 0)[i],)
    return out


def concat(arrays, axis=0):
    """Arrays one behind the other."""
    return np.concatenate(arrays, axis=axis)


def dstack(tup):
    """Arrays one behind the other along the third axis."""
    out = ()
    for i in np._each(len(tup)):
        out = out + (np.atleast_3d(tup[i]),)
    return np.concatenate(out, axis=2)


def block(arrays):
    """A matrix of blocks: rows of arrays, one row below the other."""
    parts = ()
    for i in np._each(len(arrays)):
        if isinstance(arrays[i], tuple):
            parts = parts + (np.atleast_2d(np.block(arrays[i])),)
        else:
            parts = parts + (np.atleast_1d(arrays[i]),)
    if isinstance(arrays[0], tuple):
        return np.concatenate(parts, axis=-2)
    return np.concatenate(parts, axis=-1)


def pad(array: array_like, pad_width, mode='constant', constant_values=0):
    """The array with further elements around it."""
    assert mode == 'constant' or mode == 'edge' or mode == 'wrap' or mode == 'reflect' or mode == 'symmetric', "programs know the modes constant, edge, wrap, reflect and symmetric"
    assert np.ndim(constant_values) == 0, "programs pad with one value"
    out = array
    for axis in np._each(array.ndim):
        out = np._padded(out, axis, np._width(pad_width, axis, 0), np._width(pad_width, axis, -1), mode, constant_values)
    return out


def _width(pad_width, axis, side):
    """How many elements come before (side 0) or behind (-1) those of an axis."""
    if np.ndim(pad_width) == 0:
        return pad_width
    if np.ndim(pad_width) == 1:
        return pad_width[side]
    if len(pad_width) == 1:
        return pad_width[0][side]
    return pad_width[axis][side]


def _padded(a, axis, before, after, mode, constant_values):
    assert before >= 0 and after >= 0, "index can't contain negative values"
    n = a.shape[axis]
    if mode == 'constant':
        m = np.moveaxis(a, axis, 0)
        out = np.full((before + n + after,) + m.shape[1:], constant_values, dtype=a.dtype)
        out[before:before + n] = m
        return np.moveaxis(out, 0, axis)
    assert n > 0, "can't extend empty axis using modes other than 'constant' or 'empty'"
    place = np.arange(before + n + after) - before
    if mode == 'edge':
        return np._take_along(a, np.clip(place, 0, n - 1), axis)
    if mode == 'wrap':
        return np._take_along(a, place % n, axis)
    if mode == 'symmetric':
        return np._take_along(a, np.minimum(place % (2 * n), 2 * n - 1 - place % (2 * n)), axis)
    period = max(2 * n - 2, 1)
    return np._take_along(a, np.minimum(place % period, period - place % period), axis)


def delete(arr: array_like, obj, axis=None):
    """Without one element, row or column."""
    if axis is None and arr.ndim != 1:
        return np.delete(np.ravel(arr), obj, 0)
    if axis is None:
        return np.delete(arr, obj, 0)
    assert np.ndim(obj) == 0, "programs delete one index"
    n = arr.shape[axis]
    assert -n <= obj and obj < n, "index is out of bounds"
    kept = np.arange(n - 1)
    return np._take_along(arr, np.where(kept >= (obj + n) % n, kept + 1, kept), axis)


def insert(arr: array_like, obj, values, axis=None):
    """With a value, row or column in front of another one."""
    if axis is None and arr.ndim != 1:
        return np.insert(np.ravel(arr), obj, values, 0)
    if axis is None:
        return np.insert(arr, obj, values, 0)
    assert np.ndim(obj) == 0, "programs insert at one index"
    n = arr.shape[axis]
    assert -n <= obj and obj <= n, "index is out of bounds"
    m = np.moveaxis(arr, axis, 0)
    at = obj + n if obj < 0 else obj
    out = np.empty((n + 1,) + m.shape[1:], dtype=arr.dtype)
    out[:at] = m[:at]
    out[at] = values
    out[at + 1:] = m[at:]
    return np.moveaxis(out, 0, axis)
