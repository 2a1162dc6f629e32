"""Eigenvalues and singular values, by the operations Eigh and Svd, and what follows from them."""


def _hermitian(a, UPLO):
    """The matrix in a type of the operation; the triangle that is read is the lower one."""
    assert a.shape[0] == a.shape[1], np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    assert UPLO == 'L' or UPLO == 'U' or UPLO == 'l' or UPLO == 'u', "UPLO argument must be 'L' or 'U'"
    matrix = a.astype(np.linalg._field(a).dtype)
    if UPLO == 'U' or UPLO == 'u':
        return np.conj(matrix.T)
    return matrix


def eigh(a: array_like, UPLO='L'):
    """Eigenvalues, ascending, and in columns the eigenvectors of a Hermitian matrix, of which one triangle is read."""
    if a.ndim == 3:
        w = np.empty(a.shape[:2], dtype=np.real(np.linalg._field(a)).dtype)
        v = np.empty(a.shape, dtype=np.linalg._field(a).dtype)
        for i in range(a.shape[0]):
            w[i], v[i] = np.linalg.eigh(a[i], UPLO)
        return w, v
    assert a.ndim == 2, "programs take the eigenvalues of one matrix, or of a stack of them"
    values, v, failed = np._operation('Eigh', (np.linalg._hermitian(a, UPLO),), (a.shape[:1], a.shape, ()))
    assert failed == 0, np.linalg.LinAlgError("Eigenvalues did not converge")
    return np.linalg._real(values), v


def eigvalsh(a: array_like, UPLO='L'):
    """Eigenvalues of a Hermitian matrix, ascending."""
    if a.ndim == 3:
        w = np.empty(a.shape[:2], dtype=np.real(np.linalg._field(a)).dtype)
        for i in range(a.shape[0]):
            w[i] = np.linalg.eigvalsh(a[i], UPLO)
        return w
    assert a.ndim == 2, "programs take the eigenvalues of one matrix, or of a stack of them"
    values, failed = np._operation('Eigh', (np.linalg._hermitian(a, UPLO),), (a.shape[:1], ()))
    assert failed == 0, np.linalg.LinAlgError("Eigenvalues did not converge")
    return np.linalg._real(values)


def _real(x):
    """The real parts of elements; real ones as they are."""
    if x.dtype.kind == 'c':
        return np.real(x).copy()
    return x


def _thin(a):
    """Singular vectors and values, as many as the smaller side of the matrix has."""
    k = min(a.shape[0], a.shape[1])
    u, s, vh, failed = np._operation('Svd', (a.astype(np.linalg._field(a).dtype),), ((a.shape[0], k), (k,), (k, a.shape[1]), ()))
    assert failed == 0, np.linalg.LinAlgError("SVD did not converge")
    return u, np.linalg._real(s), vh


def _completed(u):
    """Orthonormal columns and others, so that the matrix is square: those span the null space of u @ u.conj().T."""
    m = u.shape[0]
    k = u.shape[1]
    out = np.empty((m, m), dtype=u.dtype)
    out[:, :k] = u
    if k < m:
        w, v = np.linalg.eigh(np.eye(m, dtype=u.dtype) - u @ np.conj(u.T))
        out[:, k:] = v[:, k:]
    return out


def svd(a: array_like, full_matrices=True, compute_uv=True, hermitian=False):
    """u, s and vh with a == u @ diag(s) @ vh, s descending; square u and vh with full_matrices; s alone without compute_uv."""
    assert not hermitian, "programs ask eigh for Hermitian matrices"
    if not compute_uv:
        return np.linalg.svdvals(a)
    if a.ndim == 3:
        assert not full_matrices, "programs know full_matrices=False of stacks of matrices"
        k = min(a.shape[1], a.shape[2])
        us = np.empty((a.shape[0], a.shape[1], k), dtype=np.linalg._field(a).dtype)
        ss = np.empty((a.shape[0], k), dtype=np.real(np.linalg._field(a)).dtype)
        vs = np.empty((a.shape[0], k, a.shape[2]), dtype=np.linalg._field(a).dtype)
        for i in range(a.shape[0]):
            us[i], ss[i], vs[i] = np.linalg._thin(a[i])
        return us, ss, vs
    assert a.ndim == 2, "programs take the singular values of one matrix, or of a stack of them"
    u, s, vh = np.linalg._thin(a)
    if full_matrices:
        return np.linalg._completed(u), s, np.conj(np.linalg._completed(np.conj(vh.T)).T)
    return u, s, vh


def svdvals(x: array_like):
    """Singular values, descending."""
    if x.ndim == 3:
        s = np.empty((x.shape[0], min(x.shape[1], x.shape[2])), dtype=np.real(np.linalg._field(x)).dtype)
        for i in range(x.shape[0]):
            s[i] = np.linalg.svdvals(x[i])
        return s
    assert x.ndim == 2, "programs take the singular values of one matrix, or of a stack of them"
    values, failed = np._operation('Svd', (x.astype(np.linalg._field(x).dtype),), ((min(x.shape[0], x.shape[1]),), ()))
    assert failed == 0, np.linalg.LinAlgError("SVD did not converge")
    return np.linalg._real(values)


def matrix_rank(A: array_like, tol=None, hermitian=False, rtol=None):
    """How many singular values are above a bound: tol, or rtol times the largest one."""
    assert not hermitian, "programs take the rank by singular values"
    if A.ndim < 2:
        return np.int64(np.any(A != 0))
    assert A.ndim == 2, "programs take the rank of one matrix"
    s = np.linalg.svdvals(A)
    if tol is not None:
        return np.sum(s > tol)
    if rtol is not None:
        return np.sum(s > np.max(s, initial=0) * rtol)
    return np.sum(s > np.max(s, initial=0) * max(A.shape[0], A.shape[1]) * np.finfo(s.dtype).eps)


def pinv(a: array_like, rcond=None, hermitian=False, rtol=None):
    """The inverse of Moore and Penrose: singular values up to rcond times the largest one count as zeros."""
    assert not hermitian, "programs invert by singular values"
    assert rcond is None or rtol is None, "`rtol` and `rcond` can't be both set."
    assert a.ndim == 2, "programs invert one matrix"
    u, s, vh = np.linalg._thin(a)
    if rcond is not None:
        cutoff = rcond * np.max(s, initial=0)
    elif rtol is not None:
        cutoff = rtol * np.max(s, initial=0)
    else:
        cutoff = 1e-15 * np.max(s, initial=0)
    inverse = np.where(s > cutoff, 1 / np.where(s > cutoff, s, 1), 0)
    return np.conj(vh.T) @ (inverse[:, None] * np.conj(u.T))


def lstsq(a: array_like, b: array_like, rcond=None):
    """(x, residuals, rank, s): x of least norm among those for which the norm of a @ x - b is least, by singular values; those up to rcond
    times the largest one count as zeros. `residuals` is empty unless a has full rank and more rows than columns."""
    assert a.ndim == 2 and b.ndim <= 2, "programs solve for one matrix"
    assert a.shape[0] == b.shape[0], np.linalg.LinAlgError("Incompatible dimensions")
    left = a.astype((np.linalg._field(a) + np.linalg._field(b)).dtype)
    right = b.astype(left.dtype)
    m = a.shape[0]
    n = a.shape[1]
    u, s, vh = np.linalg._thin(left)
    if rcond is None:
        cutoff = np.finfo(s.dtype).eps * max(m, n) * np.max(s, initial=0)
    elif rcond < 0:
        cutoff = np.finfo(s.dtype).eps * np.max(s, initial=0)
    else:
        cutoff = rcond * np.max(s, initial=0)
    inverse = np.where(s > cutoff, 1 / np.where(s > cutoff, s, 1), 0)
    rank = np.sum(s > cutoff)
    if b.ndim == 1:
        x = np.conj(vh.T) @ (inverse * (np.conj(u.T) @ right))
    else:
        x = np.conj(vh.T) @ (inverse[:, None] * (np.conj(u.T) @ right))
    squares = np.atleast_1d(np.sum(np.square(np.abs(right - left @ x)), axis=0))
    residuals = squares[np.full(squares.shape[0], (rank == n) & (m > n))]
    return x, residuals, np.int32(rank), s
