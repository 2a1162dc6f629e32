"""Systems of equations by the operation Solve; determinants and factors by elimination with partial pivoting (Golub and Van Loan, Matrix Computations, 3.4)."""


def cholesky(a, upper=False):
    """The lower triangular L with L @ L.T == a, from the lower triangle of a; the transposed one if `upper`."""
    assert a.ndim == 2, "programs factor one matrix"
    assert a.shape[0] == a.shape[1], np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if a.dtype.kind == 'c':
        L = np.linalg._complex_factor(a)
    else:
        L = np.linalg._cholesky(a.astype(np.linalg._field(a).dtype))
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


def solve(a, b):
    """x with a @ x == b: b is a vector, or a matrix of them."""
    assert a.ndim == 2 and b.ndim <= 2, "programs solve for one matrix"
    assert a.shape[0] == a.shape[1], np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    x, singular = np.linalg._solve(a.astype(np.result_type(a, b, np.linalg._field(a))), b.astype(np.result_type(a, b, np.linalg._field(a))))
    assert singular == 0, np.linalg.LinAlgError("Singular matrix")
    return x


def inv(a):
    """The inverse."""
    if a.ndim == 3:
        out = np.empty(a.shape, dtype=np.linalg._field(a).dtype)
        for i in range(a.shape[0]):
            out[i] = np.linalg.inv(a[i])
        return out
    return np.linalg.solve(a, np.eye(a.shape[0], dtype=np.linalg._field(a).dtype))


def _echelon(a):
    """The upper triangle that elimination leaves of a matrix, and the sign of its exchanges of rows."""
    assert a.ndim == 2, "programs take the determinant of one matrix"
    assert a.shape[0] == a.shape[1], np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    n = a.shape[0]
    u = a.astype(np.linalg._field(a).dtype)
    sign = np.ones(1, dtype=u.dtype)
    for k in range(n):
        p = k + np.argmax(np.abs(u[k:, k]))
        if p != k:
            row = u[k].copy()
            u[k] = u[p]
            u[p] = row
            sign[0] = -sign[0]
        if u[k, k] != 0:
            for i in range(k + 1, n):
                factor = u[i, k] / u[k, k]
                u[i, k:] -= factor * u[k, k:]
    return u, sign


def slogdet(a):
    """Sign and logarithm of the absolute value of the determinant."""
    u, sign = np.linalg._echelon(a)
    logarithm = np.zeros(1, dtype=np.abs(u[:1]).dtype)
    for k in range(u.shape[0]):
        logarithm[0] += np.log(np.abs(u[k, k]))
        if u[k, k] == 0:
            sign[0] = 0
        if u[k, k] != 0:
            sign[0] *= u[k, k] / np.abs(u[k, k])
    return sign[0], logarithm[0]


def det(a):
    """The determinant."""
    if a.ndim == 3:
        out = np.empty(a.shape[0], dtype=np.linalg._field(a).dtype)
        for i in range(a.shape[0]):
            out[i] = np.linalg.det(a[i])
        return out
    u, product = np.linalg._echelon(a)
    for k in range(u.shape[0]):
        product[0] *= u[k, k]
    return product[0]


def matrix_power(a, n):
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


def qr(a, mode='reduced'):
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
