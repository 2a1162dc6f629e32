"""functools.reduce."""


def reduce(function, iterable, initial=None):
    items = list(iterable)
    if initial is None:
        assert len(items) > 0, TypeError("reduce() of empty iterable with no initial value")
        out = items[0]
        for at in range(1, len(items)):
            out = function(out, items[at])
        return out
    out = initial
    for at in range(len(items)):
        out = function(out, items[at])
    return out
