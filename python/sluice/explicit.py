"""The words of explicit dataflow. Inside a @program they are syntax that the compiler reads; here they only have to exist, and
`map` runs in plain Python as well, so that an undecorated program still works."""
import collections
import itertools
import operator

import numpy as np

from .plain_tasklets import Tasklet


def given(collection):
    """A collection that compiled code reads and does not change: it is the caller's."""
    return collection


def _only_inside(name):
    raise TypeError(f"`sluice.{name}` has a meaning only inside a function decorated with @sluice.program")


def generator(state):
    """The generator of this state, of which compiled code is given an array (pieces.py)."""
    return state


class _Map:
    """`for i, j in map[0:N, 0:M]:` a parallel loop over a box; a range is `begin:end:step`, end exclusive.

    In plain Python it iterates in row-major order: an int for one dimension, a tuple for more. `map[...] @ schedule` sets the
    schedule inside a program and changes nothing outside.
    """

    def __init__(self, ranges=None):
        self._ranges = ranges

    def __getitem__(self, ranges):
        ranges = ranges if isinstance(ranges, tuple) else (ranges,)
        for part in ranges:
            if not isinstance(part, slice) or part.stop is None:
                raise TypeError("a map range is begin:end or begin:end:step")
        return _Map(ranges)

    def __matmul__(self, schedule):
        return self

    def __iter__(self):
        if self._ranges is None:
            raise TypeError("a map needs ranges: map[0:N]")
        index = operator.index
        boxes = [range(index(part.start or 0), index(part.stop), index(part.step or 1)) for part in self._ranges]
        return iter(boxes[0]) if len(boxes) == 1 else itertools.product(*boxes)

    def __call__(self, *arguments, **keywords):
        _only_inside("map")


class _Word:
    """A word of the language without a meaning in plain Python."""

    def __init__(self, name):
        self.__name__ = name

    def __call__(self, *arguments, **keywords):
        _only_inside(self.__name__)

    def __enter__(self):
        _only_inside(self.__name__)

    def __exit__(self, *error):
        return False

    def __getitem__(self, ranges):
        return self

    def __iter__(self):
        _only_inside(self.__name__)

    def __repr__(self):
        return f"<sluice.{self.__name__}>"


class _Consume(_Word):
    """`for s in consume(S):` in plain Python takes elements from the end of a stream until it is empty."""

    def __call__(self, stream, *workers):
        if workers or not isinstance(stream, collections.deque):
            _only_inside("consume")
        return _popped(stream)


def _popped(stream):
    while stream:
        yield stream.pop()


map = _Map()
mapscope = _Word("mapscope")


class Named:
    """`with sluice.named("step"):` gives lines of a program a name, for people only: they run as they do without it."""

    def __call__(self, label=""):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


named = Named()
tasklet = Tasklet()
consume = _Consume("consume")
consumescope = _Word("consumescope")
stream = collections.deque  # what a stream is in plain Python
elementwise = _Word("elementwise")
reduce = _Word("reduce")


def unroll(iterable):
    """Inside a program: unrolls the loop. In plain Python: the iterable itself."""
    return iterable


nounroll = unroll


def ndrange(ranges):
    """The points of a box, given as one slice or a list of them: numbers for one, tuples for several."""
    boxes = [range(one.start or 0, one.stop, one.step or 1) for one in (ranges if isinstance(ranges, (list, tuple)) else [ranges])]
    return iter(boxes[0]) if len(boxes) == 1 else itertools.product(*boxes)


def define_local(shape, dtype):
    """Inside a program: a transient array. In plain Python: numpy.empty."""
    return np.empty(shape, getattr(dtype, "type", dtype))


def define_stream(dtype=None, buffer_size=1):
    """Inside a program: a stream. In plain Python: a stream array of one."""
    return stream_array(dtype, [1])


def define_streamarray(dimensions, dtype=None, buffer_size=1):
    """Inside a program: an array of streams. In plain Python: the same of deques."""
    return stream_array(dtype, dimensions)


def stream_array(dtype, shape):
    """An array of empty deques."""
    queues = np.empty(shape, object)
    for at in np.ndindex(*queues.shape):
        queues[at] = stream()
    return queues


def scalar(dtype=float):
    """An array of one element, for programs that return a number through an argument."""
    return ndarray([1], dtype)


def ndarray(shape, dtype=float, buffer=None, offset=0, strides=None, order="C"):
    """numpy.ndarray with an element type of Sluice's or NumPy's."""
    return np.ndarray(shape, getattr(dtype, "type", dtype), buffer, offset, strides, order)


def define_local_scalar(dtype):
    """Inside a program: a transient scalar. In plain Python: a zero of the type."""
    return getattr(dtype, "type", dtype)(0)


def define_local_structure(structure):
    """Inside a program: arrays of the program's own for the fields of a sluice.data.Structure. Raises TypeError outside of one."""
    _only_inside("define_local_structure")


def in_program():
    """Whether the code is compiled: True inside a program, False in plain Python."""
    return False

