"""Means and covariances."""


def average(a: array_like, axis=None, weights: array_like = None, returned=False, keepdims=False):
    """The mean, weighted."""
    if weights is None:
        mean = np.mean(a, axis=axis, keepdims=keepdims)
        total = np.size(a) / np.size(mean) + np.zeros_like(mean)
    elif axis is None or np.ndim(a) == 1:
        assert np.ndim(weights) == np.ndim(a), "Axis must be specified when shapes of a and weights differ."
        total = np.sum(np.asarray(weights) + np.zeros_like(a), axis=axis, keepdims=keepdims, dtype=np.result_type(a, weights, np._float_of(a)))
        mean = np._weighted(np.asarray(a), np.asarray(weights), axis, keepdims) / total
    else:
        w = np._weights(np.asarray(weights), np.asarray(a), axis)
        total = np.sum(w + np.zeros_like(a), axis=axis, keepdims=keepdims, dtype=np.result_type(a, weights, np._float_of(a)))
        mean = np._weighted(np.asarray(a), w, axis, keepdims) / total
    if returned:
        return mean, total
    return mean


def _weighted(a, weights, axis, keepdims):
    """Sums of the weighted elements, in the type of their mean."""
    return np.sum(np.multiply(a, weights, dtype=np.result_type(a, weights, np._float_of(a))), axis=axis, keepdims=keepdims)


def _weights(weights, a, axis):
    """A vector of weights along its axis."""
    if weights.ndim == a.ndim:
        return weights
    assert weights.ndim == 1 and np.ndim(axis) == 0, "programs take weights of the array's shape or of one dimension"
    return np._along(weights, axis % a.ndim, a.ndim)


def _float_of(a):
    """Something of the type that means have."""
    if a.dtype.kind == 'f' or a.dtype.kind == 'c':
        return np.zeros(1, dtype=a.dtype)
    return np.zeros(1)


def cov(m: array_like, y: array_like = None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None):
    """Covariances of the rows, or of the columns, of one array or of two."""
    assert fweights is None and aweights is None and dtype is None, "programs take unweighted covariances"
    x = np._observations(m, rowvar)
    if y is None:
        if np._surely(x.shape[0] == 1):
            return np._covariance(x, bias, ddof, True)
        assert x.shape[0] != 1, NotImplementedError("covariances of a matrix of one variable")
        return np._covariance(x, bias, ddof, False)
    return np._covariance(np.concatenate((x, np._observations(y, rowvar))), bias, ddof, False)


def _observations(m, rowvar):
    """A row for each variable, in the type of means."""
    x = np.asarray(m)
    if np.ndim(m) < 2:
        return np._inexact(x[None, :])
    assert np.ndim(m) == 2, "m has more than 2 dimensions"
    if rowvar:
        return np._inexact(x)
    return np._inexact(x.T)


def _inexact(x):
    """In double precision at least."""
    return x.astype(np.result_type(x, np.zeros(1)), copy=False)


def _hermitian(x):
    """The conjugate transpose."""
    if x.dtype.kind == 'c':
        return np.conj(x.T)
    return x.T


def _covariance(x, bias, ddof, single):
    centred = x - np.mean(x, axis=1, keepdims=True)
    if ddof is not None:
        c = (centred @ np._hermitian(centred)) / max(x.shape[1] - ddof, 0)
    elif bias:
        c = (centred @ np._hermitian(centred)) / x.shape[1]
    else:
        c = (centred @ np._hermitian(centred)) / max(x.shape[1] - 1, 0)
    if single:
        return np.array(c[0, 0])
    return c


def corrcoef(x: array_like, y: array_like = None, rowvar=True, dtype=None):
    """Correlations of the rows, or of the columns."""
    assert dtype is None, "programs take correlations in the type of the numbers"
    if np.ndim(x) < 2 and y is None:
        return np.cov(x) / np.cov(x)
    c = np.cov(x, y, rowvar)
    deviation = np.sqrt(np.real(np.diagonal(c)))
    if c.dtype.kind == 'c':
        return c / deviation[:, None] / deviation[None, :]
    return np.clip(c / deviation[:, None] / deviation[None, :], -1, 1)
