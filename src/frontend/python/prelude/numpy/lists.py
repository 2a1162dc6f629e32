"""What Python says of lists, by the columns of their elements."""


def _same_elements(a, b):
    n = min(a.shape[0], b.shape[0])
    return (a.shape[0] == b.shape[0]) & np.all(a[:n] == b[:n])


def _count_of(a, value):
    return np.count_nonzero(a == value)


def _place_of(a, value):
    """Where the first equal element is; the length if there is none."""
    n = a.shape[0]
    at = 0
    while at < n and a[at] != value:
        at += 1
    return at
