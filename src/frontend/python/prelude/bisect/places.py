"""Places in ordered lists, by halving."""


def bisect_right(a, x, lo=0, hi=None):
    """The place behind all elements that are not greater than x."""
    assert lo >= 0, "lo must be non-negative"
    low = int(lo)
    high = len(a) if hi is None else int(hi)
    while low < high:
        middle = (low + high) // 2
        if x < a[middle]:
            high = middle
        else:
            low = middle + 1
    return low


def bisect_left(a, x, lo=0, hi=None):
    """The place in front of all elements that are not less than x."""
    assert lo >= 0, "lo must be non-negative"
    low = int(lo)
    high = len(a) if hi is None else int(hi)
    while low < high:
        middle = (low + high) // 2
        if a[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


def bisect(a, x, lo=0, hi=None):
    """Another name of bisect_right."""
    return bisect.bisect_right(a, x, lo, hi)


def insort_right(a, x, lo=0, hi=None):
    a.insert(bisect.bisect_right(a, x, lo, hi), x)


def insort_left(a, x, lo=0, hi=None):
    a.insert(bisect.bisect_left(a, x, lo, hi), x)


def insort(a, x, lo=0, hi=None):
    a.insert(bisect.bisect_right(a, x, lo, hi), x)
