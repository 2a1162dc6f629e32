"""Descriptions of data under DaCe's names: annotations of parameters, and what `isinstance` asks of an SDFG's containers.

    def scale(A: sluice.data.Array(sluice.float64, [N, M])): ...
    isinstance(sdfg.arrays["A"], sluice.data.Array)

A description is a value: an SDFG's own containers are handles (Descriptor), made by its add_array and its kin or by add_datadesc.
"""
from . import _core
from .dtypes import AllocationLifetime, StorageType, dtype_to_typeclass


class _Kind(type):
    """Containers of an SDFG count as instances of the class that their kind names."""

    def __instancecheck__(cls, value):
        if not hasattr(value, "_graph"):
            return type.__instancecheck__(cls, value)
        return cls is Data or value.kind in {one.__name__ for one in (cls, *cls.__subclasses__())}


class Data(metaclass=_Kind):
    """What all descriptions have: dtype, shape (a tuple of ints and expressions), transient, storage, lifetime."""

    def __init__(self, dtype, shape, transient=False, storage=StorageType.Default, lifetime=AllocationLifetime.Scope):
        self.dtype, self.shape, self.transient, self.storage, self.lifetime = dtype, tuple(shape), transient, storage, lifetime

    def _argument_type(self):
        """What an annotation means: float64[N, M]. Raises TypeError for what the parameter of a program cannot be."""
        if self.transient or self.storage != StorageType.Default or getattr(self, "strides", None):
            raise TypeError(f"a parameter cannot be {self!r}: its storage, strides and lifetime come with the argument")
        return self.dtype[self.shape]

    def __repr__(self):
        return f"{type(self).__name__}({self.dtype}, [{', '.join(map(str, self.shape))}])"


class Scalar(Data):
    """One element."""

    def __init__(self, dtype, transient=False, storage=StorageType.Default, lifetime=AllocationLifetime.Scope):
        super().__init__(dtype, (1,), transient, storage, lifetime)

    def _argument_type(self):
        return self.dtype


class Array(Data):
    """An array; strides in elements, C order by default."""

    def __init__(self, dtype, shape, transient=False, storage=StorageType.Default, strides=None, lifetime=AllocationLifetime.Scope,
                 may_alias=False):
        super().__init__(dtype, shape, transient, storage, lifetime)
        self.strides, self.may_alias = strides, may_alias


class View(Array):
    """A view of another container."""


class Reference(Array):
    """A pointer that is bound at run time."""


class Stream(Data):
    """A queue, or an array of queues. buffer_size: capacity in elements; 0: unbounded."""

    def __init__(self, dtype, buffer_size=0, shape=(1,), transient=True, storage=StorageType.Default,
                 lifetime=AllocationLifetime.Scope):
        super().__init__(dtype, shape, transient, storage, lifetime)
        self.buffer_size = buffer_size

    def _argument_type(self):
        raise TypeError("a stream cannot be the parameter of a program")


def create_datadescriptor(value):
    """The description of an array, a number or a type annotation. Raises TypeError for anything else."""
    if isinstance(value, Data):
        return value
    if isinstance(value, _core.typeclass):
        return Scalar(value)
    if isinstance(value, _core.ArrayType):
        return Array(value.dtype, value.shape)
    import numpy as np
    array = np.asarray(value)
    dtype = dtype_to_typeclass(array.dtype)
    return Array(dtype, array.shape) if array.ndim else Scalar(dtype)
