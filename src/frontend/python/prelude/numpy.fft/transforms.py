"""Discrete Fourier transforms, each along one axis after the other, by the operations FFT and IFFT (NumPy's definitions and factors)."""


def fft(a: array_like, n=None, axis=-1, norm=None, out=None):
    """The transform along an axis; n: of the first n elements, or with zeros behind them."""
    rows = np.fft._rows(a, n, axis)
    return np._placed(np.moveaxis(np.fft._transformed(rows, False, np.fft._factor(norm, rows.shape[-1], False)), -1, axis), out)


def ifft(a: array_like, n=None, axis=-1, norm=None, out=None):
    """The inverse of fft."""
    rows = np.fft._rows(a, n, axis)
    return np._placed(np.moveaxis(np.fft._transformed(rows, True, np.fft._factor(norm, rows.shape[-1], True)), -1, axis), out)


def rfft(a: array_like, n=None, axis=-1, norm=None, out=None):
    """The first half of the transform of real numbers; the rest is its mirror image."""
    assert a.dtype.kind != 'c', TypeError("ufunc 'rfft_n_even' did not contain a loop with signature matching types")
    rows = np.fft._cut(a, n, axis)
    return np._placed(np.moveaxis(np.fft._of_real(rows, np.fft._factor(norm, rows.shape[-1], False)), -1, axis), out)


def irfft(a: array_like, n=None, axis=-1, norm=None, out=None):
    """The inverse of rfft: n real numbers, or an even number of them."""
    moved = np.moveaxis(a, axis, -1)
    if n is None:
        return np._placed(np.moveaxis(np.fft._real_of_half(moved, 2 * (moved.shape[-1] - 1), norm), -1, axis), out)
    return np._placed(np.moveaxis(np.fft._real_of_half(moved, n, norm), -1, axis), out)


def hfft(a, n=None, axis=-1, norm=None, out=None):
    """The transform of a signal of which the second half is the mirror image of the first: real numbers."""
    moved = np.moveaxis(np.conj(a), axis, -1)
    if n is None:
        return np._placed(np.moveaxis(np.fft._real_of_half(moved, 2 * (moved.shape[-1] - 1), norm, False), -1, axis), out)
    return np._placed(np.moveaxis(np.fft._real_of_half(moved, n, norm, False), -1, axis), out)


def ihfft(a, n=None, axis=-1, norm=None, out=None):
    """The inverse of hfft."""
    assert a.dtype.kind != 'c', TypeError("ufunc 'rfft_n_even' did not contain a loop with signature matching types")
    rows = np.fft._cut(a, n, axis)
    return np._placed(np.moveaxis(np.conj(np.fft._of_real(rows, np.fft._factor(norm, rows.shape[-1], True))), -1, axis), out)


def fft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """The transform along two axes."""
    return np.fft.fftn(a, s, axes, norm, out)


def ifft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """The inverse of fft2."""
    return np.fft.ifftn(a, s, axes, norm, out)


def rfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """The transform of real numbers along two axes, the first half of the last one."""
    return np.fft.rfftn(a, s, axes, norm, out)


def irfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    """The inverse of rfft2."""
    return np.fft.irfftn(a, s, axes, norm, out)


def fftn(a: array_like, s=None, axes=None, norm=None, out=None):
    """The transform along all axes, or these."""
    return np._placed(np.fft._along_each(a, s, axes, norm, False, np.fft._count(a, s, axes)), out)


def ifftn(a: array_like, s=None, axes=None, norm=None, out=None):
    """The inverse of fftn."""
    return np._placed(np.fft._along_each(a, s, axes, norm, True, np.fft._count(a, s, axes)), out)


def _along_each(a, s, axes, norm, inverse, many):
    """The transforms along the first `many` of the axes."""
    count = np.fft._count(a, s, axes)
    result = a
    for i in np._each(many):
        size = None if s is None else s[i]
        if inverse:
            result = np.fft.ifft(result, size, np.fft._axis(axes, i, count), norm)
        else:
            result = np.fft.fft(result, size, np.fft._axis(axes, i, count), norm)
    return result


def rfftn(a, s=None, axes=None, norm=None, out=None):
    """The transform of real numbers along all axes, or these: the first half of the last one."""
    count = np.fft._count(a, s, axes)
    half = np.fft.rfft(a, None if s is None else s[-1], np.fft._axis(axes, count - 1, count), norm)
    return np._placed(np.fft._along_each(half, s, axes, norm, False, count - 1), out)


def irfftn(a, s=None, axes=None, norm=None, out=None):
    """The inverse of rfftn."""
    count = np.fft._count(a, s, axes)
    half = np.fft._along_each(a, s, axes, norm, True, count - 1)
    return np.fft.irfft(half, None if s is None else s[-1], np.fft._axis(axes, count - 1, count), norm, out)


def _count(a, s, axes):
    """Of how many axes the transform is."""
    if axes is not None:
        return len(axes)
    if s is not None:
        return len(s)
    return a.ndim


def _axis(axes, i, count):
    if axes is None:
        return i - count
    return axes[i]


def _factor(norm, n, inverse):
    """What a transform of n elements is multiplied by; None: nothing."""
    if norm is None or norm == 'backward':
        if inverse:
            return 1.0 / n
        return None
    if norm == 'forward':
        if inverse:
            return None
        return 1.0 / n
    assert norm == 'ortho', ValueError("Invalid norm value; should be \"backward\", \"ortho\" or \"forward\".")
    return 1.0 / np.sqrt(n)


def _rows(a, n, axis):
    """Complex numbers, the axis last, cut or filled up to n."""
    return np.fft._complex(np.fft._cut(a, n, axis))


def _cut(a, n, axis):
    """The axis last, cut or filled up to n."""
    assert a.ndim > 0, IndexError("axis -1 is out of bounds for array of dimension 0")
    moved = np.moveaxis(a, axis, -1)
    if n is None:
        return moved
    return np.fft._fitted(moved, n)


def _complex(a):
    if np.fft._is_single(a):
        return a.astype(np.complex64)
    return a.astype(np.complex128)


def _is_single(a):
    return (a.dtype.kind == 'f' and a.itemsize == 4) or (a.dtype.kind == 'c' and a.itemsize == 8)


def _fitted(a, n):
    """n elements along the last axis: the first ones, or all and zeros."""
    assert n > 0, ValueError("Invalid number of FFT data points specified.")
    out = np.zeros(a.shape[:-1] + (n,), dtype=a.dtype)
    m = min(n, a.shape[-1])
    out[..., :m] = a[..., :m]
    return out


def _transformed(rows, inverse, factor):
    assert rows.shape[-1] > 0, ValueError("Invalid number of FFT data points (0) specified.")
    if rows.ndim <= 2:
        out = np.fft._of_rows(rows, inverse)
    else:
        out = np.fft._of_rows(rows.reshape(-1, rows.shape[-1]), inverse).reshape(rows.shape)
    if factor is None:
        return out
    return (out * factor).astype(rows.dtype)


def _of_rows(x, inverse):
    if inverse:
        return np._operation('IFFT', (x,), (x.shape,))
    return np._operation('FFT', (x,), (x.shape,))


def _of_real(rows, factor):
    """The first half of the transforms of rows of real numbers."""
    n = rows.shape[-1]
    assert n > 0, ValueError("Invalid number of FFT data points (0) specified.")
    half = np.fft._halved('RFFT', rows.astype(np.float64), n // 2 + 1)
    if factor is not None:
        half = half * factor
    if np.fft._is_single(rows):
        return half.astype(np.complex64)
    return half


def _real_of_half(half, n, norm, inverse=True):
    """The n real numbers whose transform begins with this."""
    assert n > 0, ValueError("Invalid number of FFT data points specified.")
    real = np.fft._halved('IRFFT', half.astype(np.complex128), n)
    factor = np.fft._factor(norm, n, inverse)
    if factor is not None:
        real = real * factor
    if np.fft._is_single(half):
        return real.astype(np.float32)
    return real


def _halved(name, rows, count):
    """What an operation makes of each row: `count` numbers."""
    if rows.ndim == 1:
        return np._operation(name, (rows,), ((count,),))
    if rows.ndim == 2:
        return np._operation(name, (rows,), ((rows.shape[0], count),))
    flat = rows.reshape(-1, rows.shape[-1])
    return np._operation(name, (flat,), ((flat.shape[0], count),)).reshape(rows.shape[:-1] + (count,))
