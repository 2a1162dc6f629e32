"""Coordinates and numbers at regular distances."""


def _along(x, axis, ndim):
    """A vector along one axis of an array of so many dimensions."""
    out = np.atleast_1d(x)
    for d in np._each(ndim):
        if d < axis:
            out = out[None]
        if d > axis:
            out = out[..., None]
    return out


def _linspace(start: array_like, stop: array_like, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    """Numbers at equal distances between the elements of two arrays, along an axis of their own, and the distances."""
    parts = num
    if endpoint:
        parts = num - 1
    assert parts > 0, "programs divide into one part at least"
    first = start * 1.0
    last = stop * 1.0
    step = (last - first) / parts
    result = np.arange(num).reshape((num,) + (1,) * np.ndim(step)) * step + first
    if endpoint:
        result[-1] = last
    if dtype is not None:
        if np.zeros(1, dtype=dtype).dtype.kind == 'i':
            result = np.floor(result)
        result = result.astype(dtype)
    if axis != 0:
        result = np.moveaxis(result, 0, axis)
    if retstep:
        return result, step
    return result


def meshgrid(xi, copy=True, sparse=False, indexing='xy'):
    """Arrays of the coordinates of a grid."""
    assert indexing == 'xy' or indexing == 'ij', "Valid values for `indexing` are 'xy' and 'ij'."
    assert copy, "programs make copies of grids"
    return np._grid(xi, sparse, indexing)


def _grid(xi, sparse=False, indexing='ij'):
    shape = ()
    for i in np._each(len(xi)):
        shape = shape + (np.size(xi[np._swapped(i, len(xi), indexing)]),)
    out = ()
    for i in np._each(len(xi)):
        if sparse:
            out = out + (np._along(xi[i], np._swapped(i, len(xi), indexing), len(xi)).copy(),)
        else:
            out = out + (np.broadcast_to(np._along(xi[i], np._swapped(i, len(xi), indexing), len(xi)), shape).copy(),)
    return out


def _swapped(i, n, indexing):
    if indexing == 'xy' and n > 1 and i < 2:
        return 1 - i
    return i


def _mgrid(axes):
    if len(axes) == 1:
        return axes[0]
    return np.stack(np._grid(axes))


def _ogrid(axes):
    if len(axes) == 1:
        return axes[0]
    return np._grid(axes, sparse=True)


def indices(dimensions, dtype=int, sparse=False):
    """The index of each element of a grid, one array for each dimension."""
    axes = ()
    for i in np._each(len(dimensions)):
        axes = axes + (np.arange(dimensions[i]).astype(dtype),)
    if sparse:
        return np._ogrid(axes)
    return np.stack(np._grid(axes))


def ix_(args):
    """Vectors of indices, each along its own dimension."""
    out = ()
    for i in np._each(len(args)):
        out = out + (np._along(args[i], i, len(args)),)
    return out


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """Powers of a base at equal distances of the exponent."""
    powers = np.power(base, np.linspace(start, stop, num, endpoint=endpoint))
    if dtype is None:
        return powers
    return powers.astype(dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """Numbers of a constant ratio between two of one sign."""
    assert start * stop > 0, "programs take the ends of one sign, none of them 0"
    powers = np.sign(start) * np.power(10.0, np.linspace(np.log10(abs(start)), np.log10(abs(stop)), num, endpoint=endpoint))
    if num > 0:
        powers[0] = start
    if num > 1 and endpoint:
        powers[-1] = stop
    if dtype is None:
        return powers
    return powers.astype(dtype)


def fromfunction(function, shape, dtype=float):
    """What a function of the indices of an array gives; it is called once, with arrays of them."""
    places = np.indices(shape).astype(dtype)
    assert len(shape) <= 3, "programs call functions of up to three indices"
    if len(shape) == 1:
        return function(places[0])
    if len(shape) == 2:
        return function(places[0], places[1])
    return function(places[0], places[1], places[2])
