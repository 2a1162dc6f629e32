"""What itertools makes of what one goes over, as lists: the program walks them once."""


def accumulate(iterable, func=None, initial=None):
    """Running totals, or what func makes of the last one and the next element."""
    items = list(iterable)
    out = []
    if initial is None:
        if len(items) > 0:
            last = items[0]
            out.append(last)
            for at in range(1, len(items)):
                last = last + items[at] if func is None else func(last, items[at])
                out.append(last)
        return out
    last = initial
    out.append(last)
    for at in range(len(items)):
        last = last + items[at] if func is None else func(last, items[at])
        out.append(last)
    return out


def chain(*iterables):
    """The elements of one behind those of the other."""
    out = []
    for each in iterables:
        out.extend(each)
    return out


def islice(iterable, first, stop=None, step=None):
    """A slice from the front."""
    if stop is None and step is None:
        assert first >= 0, "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."
        return list(iterable)[:first]
    if stop is None:
        return list(iterable)[first::step]
    if step is None:
        return list(iterable)[first:stop]
    return list(iterable)[first:stop:step]


def zip_longest(iterables, fillvalue=None):
    """Pairs of two, of which the shorter one goes on with fillvalue."""
    assert len(iterables) == 2, NotImplementedError("zip_longest of other than two")
    first = list(iterables[0])
    second = list(iterables[1])
    out = []
    for at in range(max(len(first), len(second))):
        out.append((first[at] if at < len(first) else fillvalue, second[at] if at < len(second) else fillvalue))
    return out


def pairwise(iterable):
    """Each two neighbours."""
    items = list(iterable)
    return [(items[at], items[at + 1]) for at in range(len(items) - 1)]


def product(iterables, repeat=1):
    """Tuples of one element each, the last one changing first."""
    if len(iterables) == 1 and repeat == 2:
        return [(x, y) for x in list(iterables[0]) for y in list(iterables[0])]
    if len(iterables) == 1 and repeat == 3:
        return [(x, y, z) for x in list(iterables[0]) for y in list(iterables[0]) for z in list(iterables[0])]
    assert repeat == 1 and (len(iterables) == 2 or len(iterables) == 3), NotImplementedError("product of other than two or three")
    if len(iterables) == 2:
        return [(x, y) for x in list(iterables[0]) for y in list(iterables[1])]
    return [(x, y, z) for x in list(iterables[0]) for y in list(iterables[1]) for z in list(iterables[2])]


def combinations(iterable, r):
    """Tuples of r elements in their order."""
    assert r == 2 or r == 3, NotImplementedError("combinations of other than two or three")
    items = list(iterable)
    n = len(items)
    if r == 2:
        return [(items[i], items[j]) for i in range(n) for j in range(i + 1, n)]
    return [(items[i], items[j], items[k]) for i in range(n) for j in range(i + 1, n) for k in range(j + 1, n)]


def combinations_with_replacement(iterable, r):
    assert r == 2 or r == 3, NotImplementedError("combinations of other than two or three")
    items = list(iterable)
    n = len(items)
    if r == 2:
        return [(items[i], items[j]) for i in range(n) for j in range(i, n)]
    return [(items[i], items[j], items[k]) for i in range(n) for j in range(i, n) for k in range(j, n)]


def permutations(iterable, r):
    """Tuples of r elements in any order."""
    assert r == 2 or r == 3, NotImplementedError("permutations of other than two or three")
    items = list(iterable)
    n = len(items)
    if r == 2:
        return [(items[i], items[j]) for i in range(n) for j in range(n) if i != j]
    return [(items[i], items[j], items[k]) for i in range(n) for j in range(n) if i != j for k in range(n) if i != k and j != k]
