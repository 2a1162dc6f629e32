"""Functions of math over sequences of numbers."""


def prod(iterable, start=1):
    items = list(iterable)
    out = start
    size = 1.0
    for at in range(len(items)):
        out = out * items[at]
        size = size * items[at]
    if isinstance(out, int):
        assert abs(size * start) < 9.2e18, OverflowError("an integer of Python's does not fit into 64 bits")
    return out


def fsum(seq):
    """The sum of the exact numbers, rounded once (Shewchuk, Adaptive precision floating-point arithmetic, 1997), as CPython has it."""
    partials = [0.0]
    partials.clear()
    items = list(seq)
    for at in range(len(items)):
        x = float(items[at])
        assert np.isfinite(x), NotImplementedError("fsum of numbers that are not finite")
        kept = 0
        for j in range(len(partials)):
            y = partials[j]
            larger = x if abs(x) >= abs(y) else y
            smaller = y if abs(x) >= abs(y) else x
            high = larger + smaller
            low = smaller - (high - larger)
            if low != 0.0:
                partials[kept] = low
                kept += 1
            x = high
        while len(partials) > kept:
            partials.pop()
        partials.append(x)
    total = 0.0
    rest = 0.0
    n = len(partials)
    while n > 0 and rest == 0.0:
        n -= 1
        before = total
        total = before + partials[n]
        rest = partials[n] - (total - before)
    if n > 0:  # Halves go to the even neighbour only if nothing is left behind them.
        same_sign = (rest < 0.0 and partials[n - 1] < 0.0) or (rest > 0.0 and partials[n - 1] > 0.0)
        twice = rest * 2.0
        if same_sign and total + twice - total == twice:
            total = total + twice
    return total


def dist(p, q):
    """The Euclidean distance of two points."""
    first = np.array(p) * 1.0
    second = np.array(q) * 1.0
    assert len(first) == len(second), "both points must have the same number of dimensions"
    total = 0.0
    largest = 0.0
    for at in range(len(first)):
        largest = max(largest, abs(float(first[at] - second[at])))
    scale = largest if largest > 0 else 1.0
    for at in range(len(first)):
        part = float(first[at] - second[at]) / scale
        total = total + part * part
    return scale * float(np.sqrt(total))
