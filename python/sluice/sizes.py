"""Sizes that change from call to call become symbols: one native version serves all of them.

The first call of a program without annotations compiles it for the sizes that it has, which is what most programs are ever called with.
A second call of the same types and other sizes compiles it for symbols where the two differ: one symbol for extents that were equal
both times, while an extent that stayed the same stays a number. Extents of 0 and 1 are always numbers, since they broadcast.
"""
import numpy as np

from . import _core
from .data import lying_in
from .device_arrays import built, lies_on_device
from .dtypes import StorageType
from .sdfg import SDFG


class VersionsBySize:
    """The sizes that a program was called with, and its versions for symbols. lists: names of arguments that are lists of the caller's, whose
    lengths are symbols from the first call on."""

    def __init__(self, lists=()):
        self._lists = lists
        self._last = {}  # pattern -> the sizes of the last call that was compiled
        self._versions = {}  # pattern -> [(for each extent the number it must be or the name of its symbol, compiled)]

    def find(self, arguments):
        """A version for symbols that the arguments fit, else None."""
        pattern, extents = _pattern(arguments)
        return next((compiled for wanted, compiled in self._versions.get(pattern, ()) if _fits(wanted, extents)), None)

    def general_types(self, arguments):
        """(types with symbols, what extents fit) for a call with other sizes than the last of its kind; None if there was none."""
        pattern, extents = _pattern(arguments)
        before, self._last[pattern] = self._last.get(pattern, self._known(arguments) if self._lists else None), extents
        if before is None or before == extents:
            return None
        names, wanted = {}, []
        for pair in zip(before, extents):
            wanted.append(pair[0] if pair[0] == pair[1] else names.setdefault(pair, f"__size{len(names)}"))
        types, at = {}, 0
        for name, value in arguments.items():
            types[name] = value
            if _is_array(value) and value.ndim:
                shape = wanted[at:at + value.ndim]
                types[name] = _core.type_of(value).dtype[tuple(_core.symbol(one, None) if isinstance(one, str) else one for one in shape)]
                if lies_on_device(value):
                    types[name] = lying_in(types[name], StorageType.GPU_Global)
                at += value.ndim
        return types, wanted

    def _known(self, arguments):
        """The extents of all arrays, None for those of lists."""
        return [None if name in self._lists and extent > 1 else extent
                for name, value in arguments.items() if _is_array(value) for extent in value.shape]

    def add(self, arguments, wanted, compiled):
        self._versions.setdefault(_pattern(arguments)[0], []).append((wanted, compiled))


def _is_array(value):
    return isinstance(value, np.ndarray) or lies_on_device(value)


def _pattern(arguments):
    """What must be equal for two calls to share a version, and the extents of all arrays."""
    extents = [extent for value in arguments.values() if _is_array(value) for extent in value.shape]
    kinds = tuple((value.dtype, lies_on_device(value), tuple(extent if extent < 2 else None for extent in value.shape)) if _is_array(value)
                  else _core.type_key(value) for value in arguments.values())
    return kinds, extents


def _fits(wanted, extents):
    sizes = {}
    return all(one == extent if isinstance(one, int) else sizes.setdefault(one, extent) == extent for one, extent in zip(wanted, extents))


def compiled_for_sizes(program, arguments, level):
    """A version for symbols in place of sizes that other calls had otherwise; None where the sizes of this call are wanted."""
    if not any(_is_array(value) and value.ndim for value in arguments.values()):
        return None
    versions = program._by_size.setdefault((tuple(program._array_types.items()), level), VersionsBySize(program.list_arguments))
    found = versions.find(arguments)
    general = None if found else versions.general_types(arguments)
    if general:
        types, wanted = general
        try:
            graph = built(program, types)
            found = SDFG(program.name, _graph=graph).compile(optimize=level, target=program.target, instrument=program._measured)
        except _core.CompileError:  # it needs the numbers
            return None
        versions.add(arguments, wanted, found)
    return found
