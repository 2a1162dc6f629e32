"""Triangles and diagonals."""


def tri(N, M=None, k=0, dtype=float):
    """Ones at and below the k-th diagonal."""
    if M is None:
        return np.tri(N, N, k, dtype)
    return (np.arange(N)[:, None] >= np.arange(M)[None, :] - k).astype(dtype)


def tril(m: array_like, k=0):
    """Lower triangle of the last two dimensions."""
    return np.where(np.tri(m.shape[-2], m.shape[-1], k, dtype=bool), m, np.zeros(1, dtype=m.dtype))


def triu(m: array_like, k=0):
    """Upper triangle of the last two dimensions."""
    return np.where(np.tri(m.shape[-2], m.shape[-1], k - 1, dtype=bool), np.zeros(1, dtype=m.dtype), m)


def trace(a: array_like, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """Sum along a diagonal of two axes."""
    return np.sum(np.diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype, out=out)


def diag(v: array_like, k=0):
    """The k-th diagonal of a matrix, or the matrix that has it."""
    assert v.ndim == 1 or v.ndim == 2, "Input must be 1- or 2-d."
    if v.ndim == 2:
        return np.diagonal(v, k)
    out = np.zeros((v.shape[0] + abs(k), v.shape[0] + abs(k)), dtype=v.dtype)
    for i in range(v.shape[0]):
        out[i + max(-k, 0), i + max(k, 0)] = v[i]
    return out


def diagflat(v, k=0):
    """The matrix that has all elements on its k-th diagonal."""
    return np.diag(np.ravel(v), k)


def fill_diagonal(a, val, wrap=False):
    """Writes a number, or numbers in turn, to the main diagonal, in place."""
    assert a.ndim >= 2, "array must be at least 2-d"
    assert a.ndim == 2 and not wrap, "programs fill the diagonal of a matrix"
    if np.ndim(val) == 0:
        for i in range(min(a.shape[0], a.shape[1])):
            a[i, i] = val
        return None
    values = np.ravel(val)
    for i in range(min(a.shape[0], a.shape[1])):
        a[i, i] = values[i % values.shape[0]]
    return None


def vander(x: array_like, N=None, increasing=False):
    """Powers of x, one in each column."""
    if N is None:
        return np.vander(x, x.shape[0], increasing)
    if increasing:
        return x[:, None] ** np.arange(N)[None, :]
    return x[:, None] ** (N - 1 - np.arange(N))[None, :]


def tril_indices(n, k=0, m=None):
    """Where the lower triangle of an n by m matrix lies: the rows and the columns of its elements."""
    if m is None:
        return np.nonzero(np.tri(n, n, k))
    return np.nonzero(np.tri(n, m, k))


def triu_indices(n, k=0, m=None):
    """Where the upper triangle of an n by m matrix lies."""
    if m is None:
        return np.nonzero(1 - np.tri(n, n, k - 1))
    return np.nonzero(1 - np.tri(n, m, k - 1))


def tril_indices_from(arr, k=0):
    """Where the lower triangle of a matrix lies."""
    assert arr.ndim == 2, "input array must be 2-d"
    return np.tril_indices(arr.shape[0], k, arr.shape[1])


def triu_indices_from(arr, k=0):
    """Where the upper triangle of a matrix lies."""
    assert arr.ndim == 2, "input array must be 2-d"
    return np.triu_indices(arr.shape[0], k, arr.shape[1])
