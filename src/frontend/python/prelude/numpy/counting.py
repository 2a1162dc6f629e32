"""Numbers of elements in bins."""


def bincount(x: array_like, weights: array_like = None, minlength=0):
    """How often each whole number occurs, or the sum of the weights that stand beside it."""
    assert x.ndim == 1, "object too deep for desired array"
    assert x.dtype.kind == 'i' or x.dtype.kind == 'u' or x.dtype.kind == 'b', "Cannot cast array data according to the rule 'safe'"
    assert np.all(x >= 0), "'list' argument must have no negative elements"
    n = max(int(np.max(x, initial=0)) + min(x.shape[0], 1), minlength)
    if weights is None:
        out = np.zeros(n, dtype=np.int64)
        for i in range(x.shape[0]):
            out[x[i]] += 1
        return out
    w = np.asarray(weights)
    assert w.shape[0] == x.shape[0], "The weights and list don't have the same length."
    if np._surely(x.shape[0] == 0):
        return np.zeros(n, dtype=np.int64)
    assert x.shape[0] > 0, NotImplementedError("weights of no elements, which NumPy counts as integers")
    sums = np.zeros(n)
    for i in range(x.shape[0]):
        sums[x[i]] += w[i]
    return sums


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """The edges of the bins that histogram counts in."""
    if np.ndim(bins) == 1:
        return np._edges(bins)
    assert bins > 0, "`bins` must be positive"
    if range is None:
        x = np.ravel(np.asarray(a))
        like = np._float_of(x)
        low = np.zeros(1, dtype=like.dtype)[0]
        high = np.ones(1, dtype=like.dtype)[0]
        if x.shape[0] > 0:
            least = np.min(x)
            most = np.max(x)
            assert np.isfinite(least) & np.isfinite(most), "autodetected range is not finite"
            low = np.where(least == most, least - 0.5, least * 1.0)
            high = np.where(least == most, most + 0.5, most * 1.0)
        return np._uniform(low, high, bins, like)
    assert range[0] <= range[1], "max must be larger than min in range parameter."
    return np._uniform(np.where(range[0] == range[1], range[0] - 0.5, range[0] * 1.0), np.where(range[0] == range[1], range[1] + 0.5, range[1] * 1.0), bins, np._float_of(np.asarray(a)))


def _edges(bins):
    edges = np.asarray(bins)
    assert np.all(edges[1:] >= edges[:-1]), "`bins` must increase monotonically, when an array"
    return edges


def _uniform(low, high, bins, like):
    """Edges at equal distances, computed in the type of `like`."""
    first = np.asarray(low).astype(like.dtype)
    last = np.asarray(high).astype(like.dtype)
    out = np.arange(bins + 1).astype(like.dtype) * ((last - first) / bins) + first
    out[bins] = last
    return out


def histogram(a: array_like, bins=10, range=None, density=None, weights=None):
    """How many elements lie in each bin, and the edges of the bins; the last bin holds its right edge."""
    edges = np.histogram_bin_edges(a, bins, range)
    x = np.ravel(np.asarray(a))
    n = edges.shape[0] - 1
    if weights is None:
        if np.ndim(bins) == 1:
            counts = np._counted(n, np._bins_of(x, edges), (x >= edges[0]) & (x <= edges[-1]))
        else:
            counts = np._counted_evenly(n, x, edges)
        if density is not None and density:
            return counts / (edges[1:] - edges[:-1]) / np.sum(counts), edges
        return counts, edges
    w = np.ravel(np.asarray(weights))
    assert w.shape[0] == x.shape[0], "weights should have the same shape as a."
    if np.ndim(bins) == 1:
        sums = np._weighted_counts(n, np._bins_of(x, edges), (x >= edges[0]) & (x <= edges[-1]), w)
    else:
        sums = np._weighted_counts_evenly(n, x, edges, w)
    if density is not None and density:
        return sums / (edges[1:] - edges[:-1]) / np.sum(sums), edges
    return sums, edges


def _bins_of(x, edges):
    """Bins that the elements lie in, the last one with its right edge."""
    place = np.searchsorted(edges, x, 'right') - 1
    return np.where(x == edges[-1], edges.shape[0] - 2, place)


def _even_bin(value, edges, n, scale):
    """The bin of equal width that holds a value: a product finds it but for one to the left or right (as numpy.histogram does)."""
    k = min(int((value - edges[0]) * scale), n - 1)
    if value < edges[k]:
        k = k - 1
    elif k < n - 1 and value >= edges[k + 1]:
        k = k + 1
    return k


def _counted_evenly(n, x, edges):
    counts = np.zeros(n, dtype=np.int64)
    scale = n / (edges[n] - edges[0])
    for i in range(x.shape[0]):
        if x[i] >= edges[0] and x[i] <= edges[n]:
            counts[np._even_bin(x[i], edges, n, scale)] += 1
    return counts


def _weighted_counts_evenly(n, x, edges, w):
    sums = np.zeros(n, dtype=w.dtype)
    scale = n / (edges[n] - edges[0])
    for i in range(x.shape[0]):
        if x[i] >= edges[0] and x[i] <= edges[n]:
            sums[np._even_bin(x[i], edges, n, scale)] += w[i]
    return sums


def _counted(n, place, inside):
    counts = np.zeros(n, dtype=np.int64)
    for i in range(place.shape[0]):
        if inside[i]:
            counts[place[i]] += 1
    return counts


def _weighted_counts(n, place, inside, w):
    sums = np.zeros(n, dtype=w.dtype)
    for i in range(place.shape[0]):
        if inside[i]:
            sums[place[i]] += w[i]
    return sums


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """How many points lie in each bin of a grid, and the edges of the bins."""
    assert weights is None and density is None and range is None, "programs count points in bins"
    if np.ndim(bins) == 0:
        return np._histogram2d(x, y, np.histogram_bin_edges(x, bins), np.histogram_bin_edges(y, bins))
    assert isinstance(bins, tuple), "programs take a number of bins, or two"
    return np._histogram2d(x, y, np.histogram_bin_edges(x, bins[0]), np.histogram_bin_edges(y, bins[1]))


def _histogram2d(x, y, ex, ey):
    rows = np.where(x == ex[-1], ex.shape[0] - 2, np.searchsorted(ex, x, 'right') - 1)
    columns = np.where(y == ey[-1], ey.shape[0] - 2, np.searchsorted(ey, y, 'right') - 1)
    inside = (x >= ex[0]) & (x <= ex[-1]) & (y >= ey[0]) & (y <= ey[-1])
    counts = np.zeros((ex.shape[0] - 1, ey.shape[0] - 1))
    for i in range(x.shape[0]):
        if inside[i]:
            counts[rows[i], columns[i]] += 1
    return counts, ex, ey
