"""Systems of equations by the operation Solve; determinants by Lu."""


def cholesky(a: array_like, upper=False):
    """The lower triangular L with L @ L.T == a, from the lower triangle of a; the transposed one if `upper`."""
    if a.ndim == 3:
        out = np.empty(a.shape, dtype=np.linalg._field(a).dtype)
        for i in range(a.shape[0]):
            out[i] = np.linalg.cholesky(a[i], upper)
        return out
    assert a.ndim == 2, "programs factor one matrix, or a stack of them"
    assert a.shape[0] == a.shape[1], np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if a.dtype.kind == 'c':
        L = np.linalg._complex_factor(a)
    else:
        L = np._operation('Cholesky', (a.astype(np.linalg._field(a).dtype),), (a.shape,))
    assert np.all(np.real(np.diagonal(L)) > 0) or np.any(np.isnan(a)), np.linalg.LinAlgError("Matrix is not positive definite")
    if upper:
        return np.conj(L.T)
    return L


def _complex_factor(a):
    n = a.shape[0]
    L = np.zeros((n, n), dtype=a.dtype)
    for j in range(n):
        L[j, j] = np.sqrt(np.real(a[j, j] - np.sum(L[j, :j] * np.conj(L[j, :j]))))
        for i in range(j + 1, n):
            L[i, j] = (a[i, j] - np.sum(L[i, :j] * np.conj(L[j, :j]))) / L[j, j]
    return L


def _field(a):
    """Something of the type that quotients of elements have."""
    if a.dtype.kind == 'f' or a.dtype.kind == 'c':
        return np.zeros(1, dtype=a.dtype)
    return np.zeros(1)


def solve(a: array_like, b: array_like):
    """x with a @ x == b: b is a vector, or a matrix of them."""
    if a.ndim == 3 and b.ndim == 3:
        out = np.empty(b.shape, dtype=(np.linalg._field(a) + np.linalg._field(b)).dtype)
        assert a.shape[0] == b.shape[0], "programs solve for as many matrices as there are right sides"
        for i in range(a.shape[0]):
            out[i] = np.linalg.solve(a[i], b[i])
        return out
    assert a.ndim == 2 and b.ndim <= 2, "programs solve for one matrix"
    assert a.shape[0] == a.shape[1], np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    field = np.linalg._field(a) + np.linalg._field(b)
    x, singular = np._operation('Solve', (a.astype(field.dtype), b.astype(field.dtype)), (b.shape, ()))
    assert singular == 0, np.linalg.LinAlgError("Singular matrix")
    return x


def inv(a: array_like):
    """The inverse."""
    if a.ndim == 3:
        out = np.empty(a.shape, dtype=np.linalg._field(a).dtype)
        for i in range(a.shape[0]):
            out[i] = np.linalg.inv(a[i])
        return out
    return np.linalg.solve(a, np.eye(a.shape[0], dtype=np.linalg._field(a).dtype))


def _factors(a):
    """The triangular factors of a matrix, both in one, and the sign of the exchanges of rows."""
    assert a.ndim == 2, "programs take the determinant of one matrix, or of a stack of them"
    assert a.shape[0] == a.shape[1], np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    return np._operation('Lu', (a.astype(np.linalg._field(a).dtype),), (a.shape, ()))


def slogdet(a: array_like):
    """Sign and logarithm of the absolute value of the determinant."""
    lu, sign = np.linalg._factors(a)
    pivots = np.diagonal(lu)
    size = np.abs(pivots)
    return sign * np.prod(np.where(size > 0, pivots / np.where(size > 0, size, 1), pivots)), np.sum(np.log(size))


def det(a: array_like):
    """The determinant."""
    if a.ndim == 3:
        out = np.empty(a.shape[0], dtype=np.linalg._field(a).dtype)
        for i in range(a.shape[0]):
            out[i] = np.linalg.det(a[i])
        return out
    lu, sign = np.linalg._factors(a)
    return sign * np.prod(np.diagonal(lu))


def matrix_power(a: array_like, n):
    """A square matrix to a whole power, by repeated squaring."""
    assert a.ndim == 2, "programs take powers of one matrix"
    assert a.shape[0] == a.shape[1], np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if n == 0:
        return np.eye(a.shape[0], dtype=a.dtype)
    if n < 0:
        return np.linalg.matrix_power(np.linalg.inv(a), -n)
    if n == 1:
        return a.copy()
    if n % 2 == 1:
        return np.linalg.matrix_power(a, n - 1) @ a
    half = np.linalg.matrix_power(a, n // 2)
    return half @ half


def multi_dot(arrays, out=None):
    """The product of several matrices, from left to right."""
    product = arrays[0]
    for i in np._each(len(arrays) - 1):
        product = product @ arrays[i + 1]
    return np._placed(product, out)


def qr(a: array_like, mode='reduced'):
    """Orthonormal columns and the upper triangular factor, by Householder reflections (Golub and Van Loan, 5.2)."""
    assert a.ndim == 2, "programs factor one matrix"
    assert mode == 'reduced' or mode == 'complete' or mode == 'r', "programs know the modes reduced, complete and r"
    assert a.dtype.kind != 'c', "programs factor real matrices"
    m = a.shape[0]
    n = a.shape[1]
    r = a.astype(np.linalg._field(a).dtype)
    q = np.eye(m, dtype=r.dtype)
    for k in range(min(m - 1, n)):
        v = r[k:, k].copy()
        length = np.sqrt(np.sum(v * v))
        if np.sum(v[1:] * v[1:]) > 0:
            v[0] += np.where(v[0] < 0, -length, length)
            scale = 2.0 / np.sum(v * v)
            r[k:, k:] -= scale * (v[:, None] * (v @ r[k:, k:])[None, :])
            q[:, k:] -= scale * ((q[:, k:] @ v)[:, None] * v[None, :])
    if mode == 'complete':
        return q, np.triu(r)
    if mode == 'r':
        return np.triu(r)[:min(m, n)].copy()
    return q[:, :min(m, n)].copy(), np.triu(r)[:min(m, n)].copy()
