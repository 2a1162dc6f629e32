"""Order and shape of elements."""


def flip(m: array_like, axis=None):
    """Elements in reverse order along some axes, or along all."""
    out = m
    for d in np._each(m.ndim):
        if axis is None:
            out = np._flipped(out, d)
        elif np.ndim(axis) == 0:
            if d == axis % m.ndim:
                out = np._flipped(out, d)
        else:
            for i in np._each(len(axis)):
                if d == axis[i] % m.ndim:
                    out = np._flipped(out, d)
    return out


def _flipped(m, axis):
    return np.moveaxis(np.moveaxis(m, axis, 0)[::-1], 0, axis)


def fliplr(m: array_like):
    """Columns in reverse order."""
    assert m.ndim >= 2, "Input must be >= 2-d."
    return m[:, ::-1]


def flipud(m: array_like):
    """Rows in reverse order."""
    return m[::-1]


def rot90(m, k=1, axes=(0, 1)):
    """The plane of two axes turned k times by 90 degrees, from the first axis to the second."""
    if k % 4 == 0:
        return m
    if k % 4 == 1:
        return np._flipped(np.swapaxes(m, axes[0], axes[1]), axes[0])
    if k % 4 == 2:
        return np._flipped(np._flipped(m, axes[0]), axes[1])
    return np.swapaxes(np._flipped(m, axes[0]), axes[0], axes[1])


def roll(a: array_like, shift, axis=None):
    """Elements moved on by `shift` places; what leaves at the end comes in at the beginning."""
    if axis is None and a.ndim > 1:
        return np.reshape(np.roll(np.ravel(a), shift), a.shape)
    if axis is None:
        if np.ndim(shift) == 0:
            return np._rolled(a, shift, 0)
        return np.roll(a, shift, (0,) * len(shift))
    if np.ndim(axis) == 0:
        if np.ndim(shift) == 0:
            return np._rolled(a, shift, axis)
        return np.roll(a, shift, (axis,) * len(shift))
    out = a
    for i in np._each(len(axis)):
        if np.ndim(shift) == 0:
            out = np.roll(out, shift, axis[i])
        else:
            out = np.roll(out, shift[i], axis[i])
    return out


def _rolled(a, shift, axis):
    """Two slices that change places."""
    turned = np.moveaxis(a, axis, 0)
    n = turned.shape[0]
    k = shift % max(n, 1)
    out = np.empty(a.shape, dtype=a.dtype)
    placed = np.moveaxis(out, axis, 0)
    placed[:k] = turned[n - k:]
    placed[k:] = turned[:n - k]
    return out


def rollaxis(a, axis, start=0):
    """The axis moved to stand before another one."""
    if start > axis % a.ndim:
        return np.moveaxis(a, axis, start - 1)
    return np.moveaxis(a, axis, start)


def permute_dims(a, axes=None):
    """The dimensions in another order."""
    return np.transpose(a, axes)


def matrix_transpose(x):
    """The last two dimensions exchanged."""
    assert x.ndim >= 2, "Input array must be at least 2-dimensional"
    return np.swapaxes(x, -1, -2)


def atleast_1d(arys):
    """Numbers as vectors of one element."""
    out = ()
    for i in np._each(len(arys)):
        if np.ndim(arys[i]) == 0:
            out = out + (np.full((1,), arys[i]),)
        else:
            out = out + (np.asarray(arys[i]),)
    if len(arys) == 1:
        return out[0]
    return out


def atleast_2d(arys):
    """Vectors as one row."""
    out = ()
    for i in np._each(len(arys)):
        if np.ndim(arys[i]) < 2:
            out = out + (np.atleast_1d(arys[i])[None, :],)
        else:
            out = out + (np.asarray(arys[i]),)
    if len(arys) == 1:
        return out[0]
    return out


def atleast_3d(arys):
    """Vectors and matrices with further dimensions of size 1."""
    out = ()
    for i in np._each(len(arys)):
        if np.ndim(arys[i]) < 2:
            out = out + (np.atleast_1d(arys[i])[None, :, None],)
        elif np.ndim(arys[i]) == 2:
            out = out + (np.asarray(arys[i])[:, :, None],)
        else:
            out = out + (np.asarray(arys[i]),)
    if len(arys) == 1:
        return out[0]
    return out


def tile(A: array_like, reps):
    """The array repeated along each axis."""
    if np.ndim(reps) == 0:
        return np.tile(A, (reps,))
    if len(reps) > np.ndim(A):
        return np.tile(np.asarray(A)[None], reps)
    if len(reps) < np.ndim(A):
        return np.tile(A, (1,) + reps)
    a, wide, thin, shape = np.asarray(A), (), (), ()
    for axis in np._each(np.ndim(A)):
        wide = wide + (reps[axis], a.shape[axis])
        thin = thin + (1, a.shape[axis])
        shape = shape + (reps[axis] * a.shape[axis],)
    out = np.empty(shape, dtype=a.dtype)
    tiles = np.reshape(out, wide)
    tiles[...] = np.reshape(a, thin)
    return out


def repeat(a: array_like, repeats, axis=None):
    """Each element `repeats` times, or each as often as an array says."""
    if np.ndim(repeats) > 0:
        if axis is None:
            return np.ravel(a)[np._repeated(np.asarray(repeats), np.size(a))]
        return np._take_along(np.asarray(a), np._repeated(np.asarray(repeats), np.shape(a)[axis]), axis)
    if axis is None:
        out = np.empty(a.size * repeats, dtype=a.dtype)
        out.reshape(a.size, repeats)[...] = np.ravel(a)[:, None]
        return out
    return np._take_along(a, np.arange(a.shape[axis] * repeats) // repeats, axis)


def _repeated(repeats, n):
    """For each element of the result, the index of the one that it repeats."""
    assert repeats.dtype.kind == 'i' or repeats.dtype.kind == 'u' or repeats.dtype.kind == 'b', "Cannot cast array data to dtype('int64') according to the rule 'safe'"
    counts = np.empty(n, dtype=np.int64)
    counts[:] = repeats
    assert np.all(counts >= 0), "repeats may not contain negative values."
    total = np.sum(counts)
    out = np.empty(total, dtype=np.int64)
    place = 0
    for i in range(n):
        for k in range(counts[i]):
            out[place + k] = i
        place = place + counts[i]
    return out


def resize(a: array_like, new_shape):
    """Elements in order, from the beginning again where there are too few."""
    if np.ndim(new_shape) == 0:
        return np.resize(a, (new_shape,))
    return np.reshape(np.ravel(a)[np.arange(np.size(np.zeros(new_shape))) % a.size], new_shape)



def _take_along(a, indices, axis):
    """The elements at a vector of indices along an axis."""
    return np.moveaxis(np.moveaxis(a, axis, 0)[indices], 0, axis)
