"""Norms, and functions of one matrix that numpy has too."""


def norm(x, ord=None, axis=None, keepdims=False):
    """The Euclidean (Frobenius) norm of all elements; along one axis the norm of vectors, along two that of matrices."""
    if axis is None and ord is None:
        return np.sqrt(np.sum(np.square(np.linalg._size(x)), keepdims=keepdims))
    if axis is None and np.ndim(x) == 2:
        return np.linalg._matrix_norm(x, ord, 0, 1, keepdims)
    if axis is None:
        assert np.ndim(x) == 1, "Improper number of dimensions to norm."
        return np.linalg._vector_norm(x, ord, 0, keepdims)
    if np.ndim(axis) == 0:
        return np.linalg._vector_norm(x, ord, axis, keepdims)
    if len(axis) == 1:
        return np.linalg._vector_norm(x, ord, axis[0], keepdims)
    return np.linalg._matrix_norm(x, ord, axis[0] % np.ndim(x), axis[1] % np.ndim(x), keepdims)


def _size(x):
    """Absolute values as real numbers."""
    if np.asarray(x).dtype.kind == 'f' or np.asarray(x).dtype.kind == 'c':
        return np.abs(x)
    return np.abs(np.asarray(x).astype(np.float64))



def _vector_norm(x, ord, axis, keepdims):
    assert np.ndim(ord) == 0, "Invalid norm order for vectors."
    if ord is None or ord == 2:
        return np.sqrt(np.sum(np.square(np.linalg._size(x)), axis=axis, keepdims=keepdims))
    if ord == np.inf:
        return np.max(np.linalg._size(x), axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return np.min(np.linalg._size(x), axis=axis, keepdims=keepdims)
    if ord == 0:
        return np.sum((np.asarray(x) != 0).astype(np.linalg._size(x).dtype), axis=axis, keepdims=keepdims)
    if ord == 1:
        return np.sum(np.linalg._size(x), axis=axis, keepdims=keepdims)
    assert ord != 'fro' and ord != 'nuc', "Invalid norm order for vectors."
    return np.power(np.sum(np.power(np.linalg._size(x), ord), axis=axis, keepdims=keepdims), 1.0 / ord)


def _matrix_norm(x, ord, row, column, keepdims):
    assert row != column, "Duplicate axes given."
    if ord == 2 or ord == -2 or ord == 'nuc':
        assert np.ndim(x) == 2 and not keepdims, "programs take norms by singular values of one matrix"
        s = np.linalg.svdvals(x)
        if ord == 'nuc':
            return np.sum(s)
        return np.max(s) if ord == 2 else np.min(s)
    assert ord is None or ord == 'fro' or ord == 1 or ord == -1 or ord == np.inf or ord == -np.inf, "Invalid norm order for matrices."
    if ord is None or ord == 'fro':
        return np.sqrt(np.sum(np.square(np.linalg._size(x)), axis=(row, column), keepdims=keepdims))
    if ord == 1 or ord == -1:
        sums = np.sum(np.linalg._size(x), axis=row, keepdims=True)
    else:
        sums = np.sum(np.linalg._size(x), axis=column, keepdims=True)
    if ord == 1 or ord == np.inf:
        return np.max(sums, axis=(row, column), keepdims=keepdims)
    return np.min(sums, axis=(row, column), keepdims=keepdims)


def vector_norm(x, axis=None, keepdims=False, ord=2):
    """The norm of vectors along an axis, or of all elements."""
    if axis is None and np.ndim(x) != 1:
        assert not keepdims, "programs drop the dimensions of a norm of all elements"
        return np.linalg._vector_norm(np.ravel(x), ord, 0, False)
    if axis is None:
        return np.linalg._vector_norm(x, ord, 0, keepdims)
    return np.linalg._vector_norm(x, ord, axis, keepdims)


def matrix_norm(x, keepdims=False, ord='fro'):
    """The norm of matrices in the last two dimensions."""
    return np.linalg._matrix_norm(x, ord, np.ndim(x) - 2, np.ndim(x) - 1, keepdims)


def cond(x: array_like, p=None):
    """The condition number in a norm."""
    if p is None or p == 2 or p == -2:
        s = np.linalg.svdvals(x)
        return s[-1] / s[0] if p == -2 else s[0] / s[-1]
    return np.linalg.norm(x, p) * np.linalg.norm(np.linalg.inv(x), p)


def matmul(x1, x2):
    """The product of matrices."""
    return np.matmul(x1, x2)


def matrix_transpose(x):
    """The last two dimensions exchanged."""
    return np.matrix_transpose(x)


def outer(x1, x2):
    """The products of all pairs of elements of two vectors."""
    assert np.ndim(x1) == 1 and np.ndim(x2) == 1, "Input arrays must be one-dimensional"
    return np.outer(x1, x2)


def cross(x1, x2, axis=-1):
    """The products of vectors of three elements."""
    return np.cross(x1, x2, axis=axis)


def diagonal(x, offset=0):
    """The diagonal of the last two dimensions."""
    return np.diagonal(x, offset, -2, -1)


def trace(x, offset=0, dtype=None):
    """The sum along the diagonal of the last two dimensions."""
    return np.sum(np.diagonal(x, offset, -2, -1), axis=-1, dtype=dtype)


def tensordot(x1, x2, axes=2):
    """Products summed over axes of both."""
    return np.tensordot(x1, x2, axes)


def vecdot(x1, x2, axis=-1):
    """Dot products of vectors along an axis, the first conjugated."""
    return np.vecdot(x1, x2, axis)
