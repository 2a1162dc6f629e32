"""Dictionaries that are part of a graph: changes reach it."""
import functools


class KeptDict(dict):
    """`keep(self)` is called after each change."""

    def __init__(self, values, keep):
        super().__init__(values)
        self._keep = keep


def _kept(name):
    method = getattr(dict, name)

    def changed(self, *args, **kwargs):
        result = method(self, *args, **kwargs)
        self._keep(self)
        return result
    return functools.wraps(method)(changed)


for _name in ("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update"):
    setattr(KeptDict, _name, _kept(_name))


def kept(value, keep):
    """A property's value: dictionaries take their changes to `keep`."""
    return KeptDict(value, keep) if isinstance(value, dict) else value
