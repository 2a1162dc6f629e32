"""Functions of each element that follow from others."""


def angle(z, deg=False):
    """The argument of complex numbers; 0 or pi of real ones."""
    if deg:
        return np.phase(z) * (180 / np.pi)
    return np.phase(z)


def sinc(x):
    """sin(pi x) / (pi x), 1 at 0."""
    y = np.pi * np.where(np.asarray(x) == 0, 1.0e-20, x)
    return np.sin(y) / y


def logaddexp(x1, x2):
    """log(exp(x1) + exp(x2)) without overflow."""
    larger = np.maximum(x1, x2)
    apart = -np.abs(np.subtract(x1, x2))
    return np.where(np.equal(x1, x2), np.add(x1, np.log(2.0)), larger + np.log1p(np.exp(apart))).astype(np.result_type(x1, x2, np._float_type(x1, x2)))


def logaddexp2(x1, x2):
    """log2(2**x1 + 2**x2) without overflow."""
    larger = np.maximum(x1, x2)
    apart = -np.abs(np.subtract(x1, x2))
    return np.where(np.equal(x1, x2), np.add(x1, 1.0), larger + np.log1p(np.exp2(apart)) * np.log2(np.e)).astype(np.result_type(x1, x2, np._float_type(x1, x2)))


def _float_type(x1, x2):
    return np.sqrt(np.add(x1, x2))


def float_power(x1, x2):
    """A power in double precision."""
    if np.asarray(x1).dtype.kind == 'c' or np.asarray(x2).dtype.kind == 'c':
        return np.power(np.asarray(x1).astype(np.complex128), np.asarray(x2).astype(np.complex128))
    return np.power(np.asarray(x1).astype(np.float64), np.asarray(x2).astype(np.float64))


def divmod(x1, x2):
    """Quotient, rounded down, and remainder."""
    return np.floor_divide(x1, x2), np.mod(x1, x2)


def modf(x):
    """Fraction and whole part, both with the sign of x."""
    whole = np.trunc(np.multiply(x, 1.0))
    return np.copysign(np.where(np.isinf(x), 0.0, x - whole), x).astype(whole.dtype), whole


def ldexp(x1, x2):
    """x1 times a power of 2."""
    assert np.asarray(x1).dtype.kind != 'c' and np.asarray(x2).dtype.kind != 'c' and np.asarray(x2).dtype.kind != 'f', \
        "ufunc 'ldexp' not supported for the input types: a real number and an integer"
    return np.multiply(x1, np.exp2(np.asarray(x2).astype(np.result_type(x1, 1.0))))


def gcd(x1, x2):
    """The greatest common divisor of each pair (Euclid's algorithm)."""
    assert np.asarray(x1).dtype.kind != 'f' and np.asarray(x1).dtype.kind != 'c' and np.asarray(x2).dtype.kind != 'f' and \
        np.asarray(x2).dtype.kind != 'c', "ufunc 'gcd' did not contain a loop with signature matching types: it takes integers"
    a = np.abs(x1 + x2 * 0)
    b = np.abs(x2 + x1 * 0)
    if a.ndim == 0:
        return np.gcd(a[None], b[None])[0]
    while np.any(b != 0):
        rest = np.where(b != 0, a % np.where(b != 0, b, 1), 0)
        a[...] = np.where(b != 0, b, a)
        b[...] = rest
    return a


def lcm(x1, x2):
    """The least common multiple of each pair."""
    assert np.asarray(x1).dtype.kind != 'f' and np.asarray(x1).dtype.kind != 'c' and np.asarray(x2).dtype.kind != 'f' and \
        np.asarray(x2).dtype.kind != 'c', "ufunc 'lcm' did not contain a loop with signature matching types: it takes integers"
    divisor = np.gcd(x1, x2)
    return np.where(divisor == 0, 0, np.abs(np.multiply(x1, x2)) // np.where(divisor == 0, 1, divisor)).astype(divisor.dtype)


def astype(x, dtype, copy=True):
    """The elements in another type."""
    return np.asarray(x).astype(dtype)


def vecdot(x1, x2, axis=-1):
    """Dot products of vectors along an axis, the first conjugated."""
    return np.sum(np.conj(np.moveaxis(x1, axis, -1)) * np.moveaxis(x2, axis, -1), axis=-1, dtype=np.result_type(x1, x2))


def matvec(x1, x2):
    """A matrix times a vector, or stacks of these."""
    if x1.ndim == 2 and x2.ndim == 1:
        return x1 @ x2
    return (x1 @ x2[..., None])[..., 0]


def vecmat(x1, x2):
    """A vector, conjugated, times a matrix, or stacks of these."""
    if x1.ndim == 1 and x2.ndim == 2:
        return np.conj(x1) @ x2
    return (np.conj(x1)[..., None, :] @ x2)[..., 0, :]


# ---- windows -------------------------------------------------------------------------------------------------------------
def hanning(M):
    """The Hann window."""
    n = np.arange(1 - M, M, 2)
    return 0.5 + 0.5 * np.cos(np.pi * n / max(M - 1, 1))


def hamming(M):
    """The Hamming window."""
    n = np.arange(1 - M, M, 2)
    return 0.54 + 0.46 * np.cos(np.pi * n / max(M - 1, 1))


def blackman(M):
    """The Blackman window."""
    n = np.arange(1 - M, M, 2)
    return 0.42 + 0.5 * np.cos(np.pi * n / max(M - 1, 1)) + 0.08 * np.cos(2.0 * np.pi * n / max(M - 1, 1))


def bartlett(M):
    """The Bartlett window, a triangle."""
    n = np.arange(1 - M, M, 2)
    return np.where(n <= 0, 1 + n / max(M - 1, 1), 1 - n / max(M - 1, 1))


def frexp(x):
    """Fractions of a size in [0.5, 1) and powers of 2, whose product x is: the bits of the exponent, replaced by those of 0.5."""
    v = np.multiply(x, 1.0)
    assert v.dtype.kind == 'f' and v.itemsize > 2, "ufunc 'frexp' not supported for the input types: real numbers of 32 or 64 bits"
    if v.ndim == 0:
        fraction, power = np.frexp(v[None])
        return fraction[0], power[0]
    other = np.logical_not(np.isfinite(v)) | (v == 0)
    if v.itemsize == 4:
        tiny = np.abs(v) < 1.1754943508222875e-38
        bits = np.where(tiny, v * 33554432.0, v).view(np.int32)
        powers = ((bits >> 23) & 255) - np.where(tiny, 151, 126)
        fractions = ((bits & -2139095041) | 1056964608).view(np.float32)
        return np.where(other, v, fractions), np.where(other, 0, powers).astype(np.int32)
    tiny = np.abs(v) < 2.2250738585072014e-308
    bits = np.where(tiny, v * 18014398509481984.0, v).view(np.int64)
    powers = ((bits >> 52) & 2047) - np.where(tiny, 1076, 1022)
    fractions = ((bits & -9218868437227405313) | 4602678819172646912).view(np.float64)
    return np.where(other, v, fractions), np.where(other, 0, powers).astype(np.int32)


def nextafter(x1, x2):
    """The number behind x1 on the way to x2: a number that is larger in size has the next larger bits."""
    a = np.multiply(np.where(np.logical_or(True, np.equal(x1, x2)), x1, x2), 1.0)
    b = np.multiply(np.where(np.logical_or(True, np.equal(x1, x2)), x2, x1), 1.0)
    assert a.dtype.kind == 'f' and a.itemsize > 2, "ufunc 'nextafter' not supported for the input types: real numbers of 32 or 64 bits"
    if a.ndim == 0:
        return np.nextafter(a[None], b[None])[0]
    if a.itemsize == 4:
        near = a.view(np.int32)
        moved = np.where((b > a) == (a > 0), near + 1, near - 1).view(np.float32)
        least = np.full(a.shape, 1, dtype=np.int32).view(np.float32)
    else:
        near = a.view(np.int64)
        moved = np.where((b > a) == (a > 0), near + 1, near - 1).view(np.float64)
        least = np.full(a.shape, 1, dtype=np.int64).view(np.float64)
    return np.where(np.isnan(a) | np.isnan(b), a + b, np.where(a == b, b, np.where(a == 0, np.copysign(least, b), moved)))


def spacing(x):
    """The distance to the next number of larger size, with the sign of x; of a zero positive."""
    v = np.multiply(x, 1.0)
    return np.where(np.isinf(v), np.nan, np.nextafter(v, np.where(v < 0, -np.inf, np.inf)) - v)
