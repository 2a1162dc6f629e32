"""Functions of numpy."""


# ---- triangles and diagonals ---------------------------------------------------------------------------------------------
def tri(N, M=None, k=0, dtype=float):
    """Ones at and below the k-th diagonal."""
    if M is None:
        M = N
    return (np.arange(N)[:, None] >= np.arange(M)[None, :] - k).astype(dtype)


def tril(m, k=0):
    """Lower triangle of the last two dimensions."""
    return np.where(np.tri(m.shape[-2], m.shape[-1], k, dtype=bool), m, np.zeros(1, dtype=m.dtype))


def triu(m, k=0):
    """Upper triangle of the last two dimensions."""
    return np.where(np.tri(m.shape[-2], m.shape[-1], k - 1, dtype=bool), np.zeros(1, dtype=m.dtype), m)


def trace(a, offset=0):
    """Sum along a diagonal."""
    return np.sum(np.diagonal(a, offset))


def diag(v, k=0):
    """The k-th diagonal of a matrix, or the matrix that has it."""
    assert v.ndim == 1 or v.ndim == 2, "Input must be 1- or 2-d."
    if v.ndim == 2:
        return np.diagonal(v, k).copy()
    out = np.zeros((v.shape[0] + abs(k), v.shape[0] + abs(k)), dtype=v.dtype)
    for i in range(v.shape[0]):
        out[i + max(-k, 0), i + max(k, 0)] = v[i]
    return out


def fill_diagonal(a, val):
    """Writes a number to the main diagonal, in place."""
    assert a.ndim == 2, "array must be at least 2-d"
    for i in range(min(a.shape[0], a.shape[1])):
        a[i, i] = val
    return None


def vander(x, N=None, increasing=False):
    """Powers of x, one in each column."""
    if N is None:
        N = x.shape[0]
    if increasing:
        return x[:, None] ** np.arange(N)[None, :]
    return x[:, None] ** (N - 1 - np.arange(N))[None, :]


# ---- order and shape -----------------------------------------------------------------------------------------------------
def flip(m, axis=None):
    """Elements in reverse order along an axis, or along all."""
    if axis is None and m.ndim == 1:
        return m[::-1]
    if axis is None and m.ndim == 2:
        return m[::-1, ::-1]
    if axis is None:
        assert m.ndim == 3, "programs flip arrays of up to three dimensions"
        return m[::-1, ::-1, ::-1]
    return np.moveaxis(np.moveaxis(m, axis, 0)[::-1], 0, axis)


def fliplr(m):
    """Columns in reverse order."""
    return m[:, ::-1]


def flipud(m):
    """Rows in reverse order."""
    return m[::-1]


def rot90(m, k=1):
    """A matrix turned k times by 90 degrees, from the first axis to the second."""
    if k % 4 == 0:
        return m.copy()
    if k % 4 == 1:
        return np.moveaxis(m, 0, 1)[::-1]
    if k % 4 == 2:
        return m[::-1, ::-1]
    return np.moveaxis(m[::-1], 0, 1)


def roll(a, shift, axis=None):
    """Elements moved on by `shift` places; what leaves at the end comes in at the beginning."""
    if axis is None and a.ndim > 1:
        return np.reshape(np.roll(np.ravel(a), shift), a.shape)
    if axis is None:
        return a[(np.arange(a.shape[0]) - shift) % a.shape[0]]
    return np.moveaxis(np.moveaxis(a, axis, 0)[(np.arange(a.shape[axis]) - shift) % a.shape[axis]], 0, axis)


def expand_dims(a, axis):
    """A new dimension of size 1."""
    return np.moveaxis(a[None], 0, axis)


def squeeze(a, axis):
    """Without a dimension of size 1."""
    assert a.shape[axis] == 1, "cannot select an axis to squeeze out which has size not equal to one"
    return np.moveaxis(a, axis, 0)[0]


def tile(A, reps):
    """A vector repeated `reps` times."""
    assert A.ndim == 1, "programs tile vectors"
    return A[np.arange(A.shape[0] * reps) % A.shape[0]]


def repeat(a, repeats, axis=None):
    """Each element `repeats` times."""
    if axis is None:
        return np.ravel(a)[np.arange(a.size * repeats) // repeats]
    return np.moveaxis(np.moveaxis(a, axis, 0)[np.arange(a.shape[axis] * repeats) // repeats], 0, axis)


def meshgrid(x, y, indexing='xy'):
    """Matrices of the coordinates of a grid."""
    if indexing == 'xy':
        return np.broadcast_to(x[None, :], (y.shape[0], x.shape[0])).copy(), np.broadcast_to(y[:, None], (y.shape[0], x.shape[0])).copy()
    return np.broadcast_to(x[:, None], (x.shape[0], y.shape[0])).copy(), np.broadcast_to(y[None, :], (x.shape[0], y.shape[0])).copy()


# ---- sums ----------------------------------------------------------------------------------------------------------------
def count_nonzero(a, axis=None, keepdims=False):
    """How many elements are not 0."""
    return np.sum(a != 0, axis=axis, keepdims=keepdims)


def ptp(a, axis=None, keepdims=False):
    """Largest minus smallest."""
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


def cumsum(a, axis=None):
    """Sums of the elements up to each."""
    if axis is None:
        return np.cumsum(np.ravel(a), 0)
    moved = np.moveaxis(a, axis, 0)
    out = np.empty(moved.shape, dtype=np._sum_type(a))
    out[:1] = moved[:1]
    for i in range(1, moved.shape[0]):
        out[i] = out[i - 1] + moved[i]
    return np.moveaxis(out, 0, axis)


def cumprod(a, axis=None):
    """Products of the elements up to each."""
    if axis is None:
        return np.cumprod(np.ravel(a), 0)
    moved = np.moveaxis(a, axis, 0)
    out = np.empty(moved.shape, dtype=np._sum_type(a))
    out[:1] = moved[:1]
    for i in range(1, moved.shape[0]):
        out[i] = out[i - 1] * moved[i]
    return np.moveaxis(out, 0, axis)


def diff(a, n=1, axis=-1):
    """Differences of neighbours, n times."""
    if n == 0:
        return a
    if n > 1:
        return np.diff(np.diff(a, 1, axis), n - 1, axis)
    moved = np.moveaxis(a, axis, 0)
    return np.moveaxis(moved[1:] - moved[:-1], 0, axis)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The integral of y by the trapezoidal rule."""
    moved = np.moveaxis(y, axis, -1)
    if x is None:
        return np.sum(dx * (moved[..., 1:] + moved[..., :-1]) / 2.0, axis=-1)
    assert x.ndim == 1, "programs integrate over a vector x"
    return np.sum((x[1:] - x[:-1]) * (moved[..., 1:] + moved[..., :-1]) / 2.0, axis=-1)


def gradient(f):
    """Central differences of a vector, one-sided at its ends."""
    assert f.ndim == 1, "programs take the gradient of vectors"
    assert f.shape[0] > 1, "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required."
    out = f * 1.0
    out[1:-1] = (f[2:] - f[:-2]) / 2.0
    out[0] = f[1] - f[0]
    out[-1] = f[-1] - f[-2]
    return out


def average(a, axis=None, weights=None):
    """The mean, weighted."""
    if weights is None:
        return np.mean(a, axis=axis)
    if axis is None or a.ndim == 1:
        return np.sum(a * weights) / np.sum(weights)
    assert weights.ndim == 1, "programs take weights of one dimension"
    return np.sum(np.moveaxis(a, axis, -1) * weights, axis=-1) / np.sum(weights)


def cov(m, rowvar=True, ddof=1):
    """Covariances of the rows, or of the columns."""
    assert m.ndim == 2, "programs take the covariance of matrices"
    if not rowvar:
        m = m.T
    centred = m - np.mean(m, axis=1, keepdims=True)
    return (centred @ centred.T) / (m.shape[1] - ddof)


def corrcoef(x, rowvar=True):
    """Correlations of the rows, or of the columns."""
    c = np.cov(x, rowvar)
    deviation = np.sqrt(np.diagonal(c))
    return np.clip(c / deviation[:, None] / deviation[None, :], -1, 1)


# ---- numbers that are missing --------------------------------------------------------------------------------------------
def nansum(a, axis=None, keepdims=False):
    """The sum of what is no NaN."""
    return np.sum(np.where(np.isnan(a), 0, a), axis=axis, keepdims=keepdims)


def nanprod(a, axis=None, keepdims=False):
    """The product of what is no NaN."""
    return np.prod(np.where(np.isnan(a), 1, a), axis=axis, keepdims=keepdims)


def nanmean(a, axis=None, keepdims=False):
    """The mean of what is no NaN."""
    total = np.sum(np.where(np.isnan(a), 0, a), axis=axis, keepdims=keepdims)
    return total / np.sum(~np.isnan(a), axis=axis, keepdims=keepdims).astype(total.dtype)


# ---- products ------------------------------------------------------------------------------------------------------------
def inner(a, b):
    """Products of the last dimensions, summed."""
    if a.ndim == 1 and b.ndim == 1:
        return np.dot(a, b)
    if b.ndim == 1:
        return a @ b
    assert a.ndim <= 2 and b.ndim == 2, "programs take inner products of vectors and matrices"
    return a @ b.T


def vdot(a, b):
    """The dot product of all elements, the first conjugated."""
    return np.dot(np.conj(np.ravel(a)), np.ravel(b))


def kron(a, b):
    """Each element of a times b."""
    if a.ndim == 1 and b.ndim == 1:
        return np.reshape(a[:, None] * b[None, :], (a.shape[0] * b.shape[0],))
    assert a.ndim == 2 and b.ndim == 2, "programs take Kronecker products of two vectors or two matrices"
    return np.reshape(a[:, None, :, None] * b[None, :, None, :], (a.shape[0] * b.shape[0], a.shape[1] * b.shape[1]))


def cross(a, b):
    """The product of two vectors of three elements."""
    assert a.ndim == 1 and b.ndim == 1 and a.shape[0] == 3 and b.shape[0] == 3, "programs take cross products of vectors of three elements"
    out = a * b
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]
    return out


def convolve(a, v, mode='full'):
    """The discrete convolution of two vectors."""
    assert a.shape[0] > 0, "a cannot be empty"
    assert v.shape[0] > 0, "v cannot be empty"
    assert mode == 'full' or mode == 'same' or mode == 'valid', "mode must be one of 'valid', 'same', or 'full'"
    n = max(a.shape[0], v.shape[0])
    m = min(a.shape[0], v.shape[0])
    whole = np.zeros(n + m - 1, dtype=(a[:1] * v[:1]).dtype)
    for i in range(a.shape[0]):
        whole[i:i + v.shape[0]] += a[i] * v
    if mode == 'full':
        return whole
    if mode == 'same':
        return whole[(m - 1) // 2:(m - 1) // 2 + n].copy()
    return whole[m - 1:n].copy()


def polyval(p, x):
    """The polynomial with coefficients p, the highest power first, at x (Horner's scheme)."""
    y = x * 0 + p[0] * 0
    for i in range(p.shape[0]):
        y[:] = y * x + p[i]
    return y


# ---- comparisons ---------------------------------------------------------------------------------------------------------
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether elements are equal within tolerances; infinities if they are the same."""
    near = (np.abs(a - b) <= atol + rtol * np.abs(b)) & np.isfinite(b) | (a == b)
    if equal_nan:
        return near | (np.isnan(a) & np.isnan(b))
    return near


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements are equal within tolerances."""
    return np.all(np.isclose(a, b, rtol, atol, equal_nan))
