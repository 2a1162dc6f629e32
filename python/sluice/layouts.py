"""Arguments that overlap or are not in C order, as views of the memory that they lie in.

Native code counts on arrays that lie apart, in C order. What does not is handed over as containers of a version compiled for it: one flat
container for the arrays of a group that overlaps, or for one array with strides of its own; an array in Fortran's order is its own
container, transposed.
"""
import numpy as np

from . import _core


def _address(array):
    return array.__array_interface__["data"][0]


def _bounds(array):
    """Addresses of the first byte of an array and of the one behind its last."""
    reach = [(extent - 1) * step for extent, step in zip(array.shape, array.strides)]
    begin = _address(array)
    return begin + sum(min(one, 0) for one in reach), begin + sum(max(one, 0) for one in reach) + array.itemsize


def _memory(group, first, count):
    """The memory that arrays lie in, from its first address on, as one array of `count` elements."""
    lowest = next(value for _, value in group if _bounds(value)[0] == first)
    corner = lowest[tuple(slice(-1, None) if step < 0 else slice(0, 1) for step in lowest.strides)]
    return np.lib.stride_tricks.as_strided(corner.reshape(1), (count,), (lowest.itemsize,))


def _overlapping(arrays):
    """Groups of named arrays whose memory overlaps."""
    groups = []
    for name, value in sorted(arrays.items(), key=lambda one: _address(one[1])):
        touching = [g for g in groups if any(np.may_share_memory(value, other) for _, other in g)]
        groups = [g for g in groups if g not in touching] + [[one for g in touching for one in g] + [(name, value)]]
    return [group for group in groups if len(group) > 1]


def place(named, parameters):
    """(shared, arguments, sizes) for a call, None if some array cannot be placed: elements of several types, or strides that are no multiple
    of their size.

    named: the arguments by name; parameters: name -> the annotated type, else None. shared: parameter -> (container, symbol that says where
    in it the first element lies, element type, layout: "C", "F" or strides in elements). arguments: containers and other arguments by
    name; sizes: values of the symbols. Raises ValueError A003 where an extent contradicts the annotation.
    """
    arrays = {name: value for name, value in named.items() if isinstance(value, np.ndarray)}
    groups = _overlapping(arrays)
    together = {name for group in groups for name, _ in group}
    groups += [[(name, value)] for name, value in arrays.items() if name not in together and not value.flags.c_contiguous]
    shared, arguments, sizes = {}, dict(named), {}
    for at, group in enumerate(groups):
        container, kind = f"__shared{at}", group[0][1].dtype
        first, last = min(_bounds(value)[0] for _, value in group), max(_bounds(value)[1] for _, value in group)
        steps = [step for _, value in group for step in (_address(value) - first, *value.strides)]
        if any(value.dtype != kind or name not in parameters for name, value in group) or any(step % kind.itemsize for step in steps):
            return None
        transposed = len(group) == 1 and group[0][1].flags.f_contiguous
        arguments[container] = group[0][1].T if transposed else _memory(group, first, (last - first) // kind.itemsize)
        begins = {}
        for name, value in group:
            begin = begins.setdefault(_address(value), f"begin_{name}")
            sizes[begin] = (_address(value) - first) // kind.itemsize
            layout = "F" if transposed else "C" if value.flags.c_contiguous else tuple(step // kind.itemsize for step in value.strides)
            shared[name] = container, begin, kind, layout
            _add_sizes(name, value, parameters[name], sizes)
            del arguments[name]
    return shared, arguments, sizes


def _add_sizes(name, value, annotation, sizes):
    """Adds what the annotation of a parameter says of the symbols in its shape, given an array."""
    for size, extent in zip(map(str, annotation.shape) if annotation is not None else (), value.shape):
        wanted = sizes.setdefault(size, extent) if size.isidentifier() else int(size) if size.isdigit() else None
        if wanted != extent:
            _core.refuse("A003", f"argument {name} shares memory or has strides, and has the extent {extent} where {size} is wanted",
                         "pass a copy, or arrays whose sizes agree")
