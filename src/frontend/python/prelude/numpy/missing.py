"""Statistics that pass over NaN."""


def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True):
    """The sum of what is no NaN."""
    return np.sum(np.where(np.isnan(a), 0, a), axis=axis, dtype=dtype, out=out, keepdims=keepdims, initial=initial, where=where)


def nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True):
    """The product of what is no NaN."""
    return np.prod(np.where(np.isnan(a), 1, a), axis=axis, dtype=dtype, out=out, keepdims=keepdims, initial=initial, where=where)


def nancumsum(a, axis=None, dtype=None):
    """Sums of the elements up to each, NaN as 0."""
    return np.cumsum(np.where(np.isnan(a), 0, a), axis, dtype)


def nancumprod(a, axis=None, dtype=None):
    """Products of the elements up to each, NaN as 1."""
    return np.cumprod(np.where(np.isnan(a), 1, a), axis, dtype)


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False):
    """The mean of what is no NaN."""
    assert dtype is None and out is None, "programs return the mean in the type of the numbers"
    if a.dtype.kind != 'f' and a.dtype.kind != 'c':
        return np.mean(a, axis=axis, keepdims=keepdims)
    total = np.sum(np.where(np.isnan(a), 0, a), axis=axis, keepdims=keepdims)
    return total / np.sum(~np.isnan(a), axis=axis, keepdims=keepdims).astype(total.dtype)


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    """The variance of what is no NaN."""
    assert dtype is None and out is None, "programs return the variance in the type of the numbers"
    if a.dtype.kind != 'f' and a.dtype.kind != 'c':
        return np.var(a, axis=axis, ddof=ddof, keepdims=keepdims)
    apart = np.where(np.isnan(a), 0, a - np.nanmean(a, axis=axis, keepdims=True))
    total = np.sum(np.square(np.abs(apart)), axis=axis, keepdims=keepdims)
    count = np.sum(~np.isnan(a), axis=axis, keepdims=keepdims) - ddof
    return np.where(count > 0, total / count, np.nan).astype(total.dtype)


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    """The standard deviation of what is no NaN."""
    return np.sqrt(np.nanvar(a, axis, dtype, out, ddof, keepdims))


def nanmax(a, axis=None, out=None, keepdims=False):
    """The largest of what is no NaN; NaN where there is nothing else."""
    assert out is None, "programs return what nanmax finds"
    if a.dtype.kind != 'f':
        return np.max(a, axis=axis, keepdims=keepdims)
    largest = np.max(np.where(np.isnan(a), -np.inf, a), axis=axis, keepdims=keepdims)
    return np.where(np.all(np.isnan(a), axis=axis, keepdims=keepdims), np.nan, largest).astype(a.dtype)


def nanmin(a, axis=None, out=None, keepdims=False):
    """The smallest of what is no NaN; NaN where there is nothing else."""
    assert out is None, "programs return what nanmin finds"
    if a.dtype.kind != 'f':
        return np.min(a, axis=axis, keepdims=keepdims)
    smallest = np.min(np.where(np.isnan(a), np.inf, a), axis=axis, keepdims=keepdims)
    return np.where(np.all(np.isnan(a), axis=axis, keepdims=keepdims), np.nan, smallest).astype(a.dtype)


def nanargmax(a, axis=None, out=None, keepdims=False):
    """Where the largest is that is no NaN."""
    assert out is None, "programs return what nanargmax finds"
    if a.dtype.kind != 'f':
        return np.argmax(a, axis=axis, keepdims=keepdims)
    assert not np.any(np.all(np.isnan(a), axis=axis)), "All-NaN slice encountered"
    return np.argmax(np.where(np.isnan(a), -np.inf, a), axis=axis, keepdims=keepdims)


def nanargmin(a, axis=None, out=None, keepdims=False):
    """Where the smallest is that is no NaN."""
    assert out is None, "programs return what nanargmin finds"
    if a.dtype.kind != 'f':
        return np.argmin(a, axis=axis, keepdims=keepdims)
    assert not np.any(np.all(np.isnan(a), axis=axis)), "All-NaN slice encountered"
    return np.argmin(np.where(np.isnan(a), np.inf, a), axis=axis, keepdims=keepdims)


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """Numbers instead of NaN and infinities."""
    assert copy, "programs return a copy"
    if x.dtype.kind == 'c':
        return np.nan_to_num(np.real(x), True, nan, posinf, neginf) + 1j * np.nan_to_num(np.imag(x), True, nan, posinf, neginf)
    if x.dtype.kind != 'f':
        return np.array(x)
    return np.where(np.isnan(x), nan, np.where(x == np.inf, np._above(x, posinf), np.where(x == -np.inf, np._below(x, neginf), x)))


def _above(x, posinf):
    if posinf is not None:
        return posinf
    return np.finfo(x.dtype).max


def _below(x, neginf):
    if neginf is not None:
        return neginf
    return np.finfo(x.dtype).min
