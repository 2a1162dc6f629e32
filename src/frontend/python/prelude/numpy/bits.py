"""Bits of integers, and integers of bits."""


def bitwise_count(x):
    """How many bits of the absolute value are 1, counted in pairs, fours and bytes at once."""
    values = np.asarray(x)
    assert values.dtype.kind != 'f' and values.dtype.kind != 'c', TypeError("ufunc 'bitwise_count' not supported for the input types")
    v = np.abs(np.multiply(x, 1)).astype(np.uint64)
    v = v - ((v >> 1) & 6148914691236517205)
    v = (v & 3689348814741910323) + ((v >> 2) & 3689348814741910323)
    v = (v + (v >> 4)) & 1085102592571150095
    return ((v * 72340172838076673) >> 56).astype(np.uint8)


def packbits(a, axis=None, bitorder='big'):
    """Bytes of eight truths each, the first one highest, or lowest; zeros fill the last one."""
    bits = np.asarray(a)
    assert bits.dtype.kind != 'f' and bits.dtype.kind != 'c', TypeError("Expected an input array of integer or boolean data type")
    assert axis is None or bits.ndim == 1, "programs pack the bits of all of an array"
    assert bitorder == 'big' or bitorder == 'little', "'order' must be either 'little' or 'big'"
    truths = np.ravel(np._truth(bits))
    n = truths.shape[0]
    out = np.zeros((n + 7) // 8, dtype=np.uint8)
    for k in range(n):
        if bitorder == 'big':
            out[k // 8] |= np.uint8(truths[k]) << np.uint8(7 - k % 8)
        else:
            out[k // 8] |= np.uint8(truths[k]) << np.uint8(k % 8)
    return out


def unpackbits(a, axis=None, count=None, bitorder='big'):
    """The bits of bytes, the highest first, or the lowest."""
    assert np.asarray(a).dtype == np.uint8, TypeError("Expected an input array of unsigned byte data type")
    assert axis is None or np.ndim(a) == 1, "programs unpack the bits of all of an array"
    assert count is None, "programs unpack all bits"
    assert bitorder == 'big' or bitorder == 'little', "'order' must be either 'little' or 'big'"
    places = np.arange(8, dtype=np.uint8)
    if bitorder == 'big':
        return np.ravel((np.ravel(np.asarray(a))[:, None] >> (7 - places)) & 1)
    return np.ravel((np.ravel(np.asarray(a))[:, None] >> places) & 1)
