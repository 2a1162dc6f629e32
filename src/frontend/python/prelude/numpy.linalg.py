"""Functions of numpy.linalg, for one matrix."""


def norm(x, ord=None, axis=None, keepdims=False):
    """The Euclidean (Frobenius) norm of all elements or along an axis; for vectors also orders 1 and 2."""
    assert axis is not None or ord is None or x.ndim == 1, "programs know norms of matrices without an order"
    if ord is None or ord == 2:
        return np.sqrt(np.sum(np.square(np.abs(x) * 1.0), axis=axis, keepdims=keepdims))
    assert ord == 1, "programs know the orders None, 1 and 2"
    return np.sum(np.abs(x) * 1.0, axis=axis, keepdims=keepdims)


def cholesky(a):
    """The lower triangular L with L @ L.T == a, from the lower triangle of a."""
    assert a.ndim == 2, "programs factor one matrix"
    assert a.shape[0] == a.shape[1], "Last 2 dimensions of the array must be square"
    n = a.shape[0]
    L = np.zeros((n, n), dtype=(a[:1] * 1.0).dtype)
    for j in range(n):
        pivot = a[j, j] - np.dot(L[j, :j], L[j, :j])
        assert pivot > 0, "Matrix is not positive definite"
        L[j, j] = np.sqrt(pivot)
        for i in range(j + 1, n):
            L[i, j] = (a[i, j] - np.dot(L[i, :j], L[j, :j])) / L[j, j]
    return L


def solve(a, b):
    """x with a @ x == b, by elimination with partial pivoting."""
    assert a.ndim == 2 and b.ndim <= 2, "programs solve for one matrix"
    assert a.shape[0] == a.shape[1], "Last 2 dimensions of the array must be square"
    n = a.shape[0]
    u = a * 1.0
    x = (b * 1.0) + np.zeros(1, dtype=u.dtype)
    for k in range(n):
        p = k + np.argmax(np.abs(u[k:, k]))
        assert u[p, k] != 0, "Singular matrix"
        if p != k:
            row = u[k].copy()
            u[k] = u[p]
            u[p] = row
            right = x[k] * 1.0
            x[k] = x[p]
            x[p] = right
        for i in range(k + 1, n):
            factor = u[i, k] / u[k, k]
            u[i, k:] -= factor * u[k, k:]
            x[i] -= factor * x[k]
    for k in range(n - 1, -1, -1):
        for i in range(k + 1, n):
            x[k] -= u[k, i] * x[i]
        x[k] /= u[k, k]
    return x


def inv(a):
    """The inverse."""
    return np.linalg.solve(a, np.eye(a.shape[0], dtype=(a[:1] * 1.0).dtype))
