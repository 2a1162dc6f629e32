"""Products of vectors and matrices."""


def inner(a: array_like, b: array_like):
    """Products of the last dimensions, summed."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.multiply(a, b)
    if a.ndim == 1 and b.ndim == 1:
        return np.dot(a, b)
    if b.ndim == 1:
        return a @ b
    if a.ndim <= 2 and b.ndim == 2:
        return a @ b.T
    return np.tensordot(a, b, axes=(-1, -1))


def vdot(a: array_like, b: array_like):
    """The dot product of all elements, the first conjugated."""
    return np.dot(np.conj(np.ravel(a)), np.ravel(b))


def tensordot(a: array_like, b: array_like, axes=2, out_axes=None):
    """Products summed over axes of both: the last of a with the first of b, or lists of each. out_axes, which is DaCe's: the order of the
    result's dimensions."""
    if out_axes is not None:
        return np.transpose(np.tensordot(a, b, axes), out_axes)
    if isinstance(axes, tuple):
        assert np.size(axes[0]) == np.size(axes[1]), "shape-mismatch for sum"
        if np.ndim(axes[0]) == 0:
            return np._contracted(np.moveaxis(a, axes[0], -1), np.moveaxis(b, axes[1], 0), 1)
        return np._contracted(np.moveaxis(a, axes[0], np._range(-len(axes[0]), 0)), np.moveaxis(b, axes[1], np._range(0, len(axes[1]))), len(axes[0]))
    return np._contracted(a, b, axes)


def _range(begin, end):
    if begin == end:
        return ()
    return (begin,) + np._range(begin + 1, end)


def _contracted(a, b, n):
    """Products summed over the last n axes of a and the first n of b."""
    for d in np._each(n):
        assert a.shape[a.ndim - n + d] == b.shape[d], "shape-mismatch for sum"
    if n == 0:
        return np.multiply.outer(a, b)
    if a.ndim + b.ndim == 2 * n:
        return np.dot(np.ravel(a), np.ravel(b))
    return np.reshape(np.reshape(a, (-1, np._count(b.shape[:n]))) @ np.reshape(b, (np._count(b.shape[:n]), -1)), a.shape[:a.ndim - n] + b.shape[n:])


def _count(shape):
    return np.size(np.zeros(shape))


def kron(a: array_like, b: array_like):
    """Each element of a times b."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.multiply(a, b)
    if a.ndim < b.ndim:
        return np.kron(a[None], b)
    if b.ndim < a.ndim:
        return np.kron(a, b[None])
    if a.ndim == 1:
        return np.reshape(a[:, None] * b[None, :], (a.shape[0] * b.shape[0],))
    if a.ndim == 2:
        return np.reshape(a[:, None, :, None] * b[None, :, None, :], (a.shape[0] * b.shape[0], a.shape[1] * b.shape[1]))
    assert a.ndim == 3, "programs take Kronecker products of up to three dimensions"
    return np.reshape(a[:, None, :, None, :, None] * b[None, :, None, :, None, :], (a.shape[0] * b.shape[0], a.shape[1] * b.shape[1], a.shape[2] * b.shape[2]))


def cross(a: array_like, b: array_like, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """The products of vectors of three elements along an axis; of two elements, the third one of these."""
    if axis is not None:
        return np.cross(a, b, axis, axis, axis)
    u = np.moveaxis(a, axisa, -1)
    v = np.moveaxis(b, axisb, -1)
    assert (u.shape[-1] == 3 or u.shape[-1] == 2) and (v.shape[-1] == 3 or v.shape[-1] == 2), "incompatible dimensions for cross product (dimension must be 2 or 3)"
    if u.shape[-1] == 2 and v.shape[-1] == 2:
        return u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    assert u.shape[-1] == 3 and v.shape[-1] == 3, "programs take cross products of vectors of equal length"
    out = np.stack((u[..., 1] * v[..., 2] - u[..., 2] * v[..., 1], u[..., 2] * v[..., 0] - u[..., 0] * v[..., 2], u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]))
    return np.moveaxis(out, 0, axisc)


def convolve(a: array_like, v: array_like, mode='full'):
    """The discrete convolution of two vectors."""
    assert a.shape[0] > 0, "a cannot be empty"
    assert v.shape[0] > 0, "v cannot be empty"
    assert mode == 'full' or mode == 'same' or mode == 'valid', "mode must be one of 'valid', 'same', or 'full'"
    n = max(a.shape[0], v.shape[0])
    m = min(a.shape[0], v.shape[0])
    whole = np.zeros(n + m - 1, dtype=(a[:1] * v[:1]).dtype)
    if a.shape[0] < v.shape[0]:  # the longer one in the inner loop
        np._add_products(whole, v, a)
    else:
        np._add_products(whole, a, v)
    if mode == 'full':
        return whole
    if mode == 'same':
        return whole[(m - 1) // 2:(m - 1) // 2 + n].copy()
    return whole[m - 1:n].copy()


def _add_products(whole, long, short):
    """Every product at the sum of its places, in blocks that stay in the first cache while all of the short one passes."""
    for begin in range(0, whole.shape[0], 1024):
        for i in range(short.shape[0]):
            for j in range(max(begin - i, 0), min(begin + 1024 - i, long.shape[0])):
                whole[i + j] += short[i] * long[j]


def correlate(a: array_like, v: array_like, mode='valid'):
    """Sums of products of a with v, conjugated, at each place."""
    assert a.shape[0] > 0, "first array argument cannot be empty"
    assert v.shape[0] > 0, "second array argument cannot be empty"
    assert mode == 'full' or mode == 'same' or mode == 'valid', "mode must be one of 'valid', 'same', or 'full'"
    n = max(a.shape[0], v.shape[0])
    m = min(a.shape[0], v.shape[0])
    whole = np.convolve(a, np.conj(v)[::-1])
    if mode == 'full':
        return whole
    if mode == 'valid':
        return whole[m - 1:n].copy()
    first = (m - 1) // 2 if a.shape[0] >= v.shape[0] else m // 2
    return whole[first:first + n].copy()


# ---- polynomials ---------------------------------------------------------------------------------------------------------
def polyval(p: array_like, x: array_like):
    """The polynomial with coefficients p, the highest power first, at x (Horner's scheme)."""
    c = np.asarray(p)
    y = np.zeros_like(np.asarray(x) * np.zeros(1, dtype=c.dtype)) + np.zeros_like(x)
    if np.ndim(x) == 0:
        y = x * 0 + c[0] * 0
        for i in range(c.shape[0]):
            y = y * x + c[i]
        return y
    for i in range(c.shape[0]):
        y[...] = y * x + c[i]
    return y


def polyadd(a1: array_like, a2: array_like):
    """The sum of two polynomials, the highest power first."""
    a = np.atleast_1d(a1)
    b = np.atleast_1d(a2)
    n = max(a.shape[0], b.shape[0])
    out = np.zeros(n, dtype=np.result_type(a, b))
    out[n - a.shape[0]:] = a
    out[n - b.shape[0]:] += b
    return out


def polysub(a1, a2):
    """The difference of two polynomials."""
    return np.polyadd(a1, -np.atleast_1d(a2))


def polymul(a1: array_like, a2: array_like):
    """The product of two polynomials."""
    return np.convolve(np._without_leading_zeros(a1), np._without_leading_zeros(a2))


def _without_leading_zeros(p):
    """The coefficients as poly1d keeps them: one at least."""
    c = np.atleast_1d(p)
    places = np.flatnonzero(c)
    return c[int(np.min(places, initial=c.shape[0] - 1)):]


def polydiv(u: array_like, v: array_like):
    """Quotient and remainder of two polynomials."""
    dividend = np.atleast_1d(u) + 0.0
    divisor = np.atleast_1d(v) + 0.0
    r = dividend.astype(np.result_type(dividend, divisor))
    m = r.shape[0] - 1
    n = divisor.shape[0] - 1
    q = np.zeros(max(m - n + 1, 1), dtype=np.result_type(dividend, divisor))
    for k in range(0, m - n + 1):
        q[k] = 1.0 / divisor[0] * r[k]
        r[k:k + n + 1] -= q[k] * divisor
    places = np.flatnonzero(np.logical_not(np.abs(r) <= 1e-8))
    return q, r[int(np.min(places, initial=m)):].copy()


def polyder(p: array_like, m=1):
    """The derivative of a polynomial."""
    if m == 0:
        return np.asarray(p)
    c = np.asarray(p)
    return np.polyder(c[:-1] * np.arange(c.shape[0] - 1, 0, -1), m - 1)


def polyint(p: array_like, m=1, k=0):
    """The integral of a polynomial with constant k."""
    assert m == 1 and np.ndim(k) == 0, "programs integrate once"
    c = np.asarray(p)
    return np.concatenate((c / np.arange(c.shape[0], 0, -1), np.full((1,), k, dtype=np.result_type(c, 1.0))))


def poly(seq_of_zeros):
    """The polynomial that has these zeros."""
    zeros = np.asarray(seq_of_zeros)
    assert zeros.ndim == 1, "programs take zeros, not matrices"
    out = np.zeros(zeros.shape[0] + 1, dtype=np.result_type(zeros, 1.0))
    out[0] = 1
    for i in range(zeros.shape[0]):
        out[1:] = out[1:] - zeros[i] * out[:-1]
    return out


def polyfit(x: array_like, y: array_like, deg, rcond=None, full=False, w=None, cov=False):
    """The coefficients of the polynomial of this degree that is nearest to y, the highest power first (least squares)."""
    assert not full and not cov, "programs return the coefficients alone"
    assert x.ndim == 1, TypeError("expected 1D vector for x")
    assert y.ndim == 1 or y.ndim == 2, TypeError("expected 1D or 2D array for y")
    assert deg >= 0, "expected deg >= 0"
    assert x.shape[0] > 0, TypeError("expected non-empty vector for x")
    assert x.shape[0] == y.shape[0], TypeError("expected x and y to have same length")
    left = np.vander(x + 0.0, deg + 1)
    right = y + 0.0
    if w is not None:
        left = left * w[:, None]
        if y.ndim == 1:
            right = right * w
        else:
            right = right * w[:, None]
    scale = np.sqrt(np.sum(left * left, axis=0))
    if rcond is None:
        c = np.linalg.lstsq(left / scale, right, x.shape[0] * np.finfo(left.dtype).eps)[0]
    else:
        c = np.linalg.lstsq(left / scale, right, rcond)[0]
    if y.ndim == 1:
        return c / scale
    return c / scale[:, None]
