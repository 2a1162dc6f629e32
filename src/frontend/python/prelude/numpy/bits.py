"""Bits of bytes."""


def unpackbits(a: array_like, axis=None, count=None, bitorder='big'):
    """The bits of bytes, one an element."""
    assert a.dtype == np.uint8, TypeError("Expected an input array of unsigned byte data type")
    assert bitorder == 'big' or bitorder == 'little', "'order' must be either 'little' or 'big'"
    if axis is None:
        return np.unpackbits(np.ravel(a), 0, count, bitorder)
    parts = np.moveaxis(a, axis, -1)
    places = np.arange(8, dtype=np.uint8)
    if bitorder == 'big':
        places = places[::-1]
    bits = np.reshape((parts[..., None] >> places) & 1, parts.shape[:-1] + (8 * parts.shape[-1],))
    if count is not None:
        assert count <= bits.shape[-1], NotImplementedError("more bits than there are")
        bits = bits[..., :count]
    return np.moveaxis(bits, -1, axis)


def packbits(a: array_like, axis=None, bitorder='big'):
    """Bytes of bits: of whether elements are not zero. Missing ones of the last byte are zero."""
    assert a.dtype.kind == 'b' or a.dtype.kind == 'i' or a.dtype.kind == 'u', TypeError("Expected an input array of integer or boolean data type")
    assert bitorder == 'big' or bitorder == 'little', "'order' must be either 'little' or 'big'"
    if axis is None:
        return np.packbits(np.ravel(a), 0, bitorder)
    parts = np.moveaxis(a, axis, -1)
    count = (parts.shape[-1] + 7) // 8
    bits = np.zeros(parts.shape[:-1] + (8 * count,), dtype=np.uint8)
    bits[..., :parts.shape[-1]] = parts != 0
    weights = 2 ** np.arange(8, dtype=np.uint8)
    if bitorder == 'big':
        weights = weights[::-1]
    bytes = np.sum(np.reshape(bits, parts.shape[:-1] + (count, 8)) * weights, axis=-1, dtype=np.uint8)
    return np.moveaxis(bytes, -1, axis)


def bitwise_count(x):
    """How many bits of the absolute value are 1, counted in pairs, fours and bytes at once."""
    values = np.asarray(x)
    assert values.dtype.kind != 'f' and values.dtype.kind != 'c', TypeError("ufunc 'bitwise_count' not supported for the input types")
    if values.dtype.kind == 'u':
        return np._count_bits(np.multiply(x, 1).astype(np.uint64))
    return np._count_bits(np.abs(np.multiply(x, 1).astype(np.int64)).astype(np.uint64))


def _count_bits(x):
    v = x - ((x >> 1) & 6148914691236517205)
    v = (v & 3689348814741910323) + ((v >> 2) & 3689348814741910323)
    v = (v + (v >> 4)) & 1085102592571150095
    return ((v * 72340172838076673) >> 56).astype(np.uint8)
