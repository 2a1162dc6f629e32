"""Dictionaries and lists that are part of a graph: changes reach it."""
import functools


class KeptDict(dict):
    """`keep(self)` is called after each change."""

    def __init__(self, values, keep):
        super().__init__(values)
        self._keep = keep


class KeptList(list):
    """The same for a list; equal to a tuple of the same elements."""

    def __init__(self, values, keep):
        super().__init__(values)
        self._keep = keep

    def __eq__(self, other):
        return list(self) == list(other) if isinstance(other, (list, tuple)) else NotImplemented

    __hash__ = None


def _kept(kind, name):
    method = getattr(kind, name)

    def changed(self, *args, **kwargs):
        result = method(self, *args, **kwargs)
        self._keep(self)
        return result
    return functools.wraps(method)(changed)


for _name in ("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update"):
    setattr(KeptDict, _name, _kept(dict, _name))
for _name in ("__setitem__", "__delitem__", "__iadd__", "append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"):
    setattr(KeptList, _name, _kept(list, _name))


def kept(value, keep):
    """A property's value: dictionaries take their changes to `keep`."""
    return KeptDict(value, keep) if isinstance(value, dict) else value
