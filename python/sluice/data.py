"""Descriptions of data under DaCe's names: annotations of parameters, and what `isinstance` asks of an SDFG's containers.

    def scale(A: sluice.data.Array(sluice.float64, [N, M])): ...
    isinstance(sdfg.arrays["A"], sluice.data.Array)

A description is a value: an SDFG's own containers are handles (Descriptor), made by its add_array and its kin or by add_datadesc.
"""
import copy
import ctypes
import dataclasses
import math
import types

import numpy as np

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

    def _argument_type(self, storages=(StorageType.Default,)):
        """What an annotation means: float64[N, M]. Raises TypeError for what the parameter of a program cannot be."""
        if self.transient or self.storage not in storages or any(getattr(self, one, None) for one in ("_strides", "_total_size", "_offset")):
            raise TypeError(f"a parameter cannot be {self!r} in {self.storage}: strides and lifetime come with the argument, and it lies on the "
                            "host or in StorageType.GPU_Global")
        return self.dtype[self.shape]

    def __repr__(self):
        return f"{type(self).__name__}({self.dtype}, [{', '.join(map(str, self.shape))}])"


def c_strides(shape):
    """Strides of C order, in elements."""
    strides = [1]
    for extent in reversed(shape[1:]):
        strides.insert(0, strides[0] * extent)
    return tuple(strides[:len(shape)])


def _with_default(name, default, doc):
    def read(self):
        value = getattr(self, f"_{name}")
        return value if value else default(self.shape)
    return property(read, lambda self, value: setattr(self, f"_{name}", tuple(value) if isinstance(value, (list, tuple)) else value), doc=doc)


class Scalar(Data):
    """One element."""

    def __init__(self, dtype, transient=False, storage=StorageType.Default, lifetime=AllocationLifetime.Scope):
        super().__init__(dtype, (1,), transient, storage, lifetime)

    def _argument_type(self, storages=()):
        return self.dtype


class Array(Data):
    """An array; strides in elements, C order by default."""

    def __init__(self, dtype, shape, transient=False, storage=StorageType.Default, strides=None, lifetime=AllocationLifetime.Scope,
                 may_alias=False, total_size=None, offset=None, alignment=0):
        super().__init__(dtype, shape, transient, storage, lifetime)
        self.strides, self.may_alias, self.total_size, self.offset, self.alignment = strides, may_alias, total_size, offset, alignment

    strides = _with_default("strides", c_strides, "Strides in elements, of C order where none are given.")
    total_size = _with_default("total_size", math.prod, "Elements of its memory, those of the shape where nothing else is given.")
    offset = _with_default("offset", lambda shape: (0,) * len(shape), "Added to every index.")

    def clone(self):
        """A copy."""
        return copy.deepcopy(self)


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

    def _argument_type(self, storages=()):
        raise TypeError("a stream cannot be the parameter of a program")


class Structure:
    """Objects with fields: the annotation of a parameter whose arrays and numbers a program uses as `A.data`, `A.inner.size`.

        CSR = sluice.data.Structure(dict(indptr=sluice.int32[M + 1], data=sluice.float64[nnz]), name="CSR")

    members: type by name: types of numbers and arrays, Scalar, Array, further structures. A call takes any object with these attributes, a
    dictionary, what make_argument gives, or a ctypes structure (`dtype.base_type.as_ctypes()`), whose sizes the call then names. Numbers are
    passed by value.
    """

    def __init__(self, members, name="Structure"):
        self.name = name
        self.members = {key: _member(name, key, value) for key, value in dict(members).items()}

    @staticmethod
    def from_dataclass(cls):
        """The structure of a dataclass whose fields are annotated with types, structures and dataclasses."""
        hints = {field.name: field.type for field in dataclasses.fields(cls)}
        return Structure({name: Structure.from_dataclass(hint) if dataclasses.is_dataclass(hint) else hint
                          for name, hint in hints.items()}, cls.__name__)

    def make_argument(self, **fields):
        """An argument of these fields. Raises TypeError for missing and unknown ones."""
        if unfit := set(fields).symmetric_difference(self.members):
            raise TypeError(f"{self.name} has the fields {', '.join(self.members)}: look at {', '.join(sorted(unfit))}")
        return types.SimpleNamespace(**fields)

    def make_argument_from_object(self, value):
        """An argument of the attributes of an object. Raises AttributeError for a missing one."""
        return types.SimpleNamespace(**{name: member.make_argument_from_object(getattr(value, name)) if isinstance(member, Structure)
                                        else getattr(value, name) for name, member in self.members.items()})

    @property
    def dtype(self):
        """The type of a pointer to it."""
        return _StructurePointer(self)

    def __repr__(self):
        return f"Structure {self.name} ({', '.join(self.members)})"


class _StructurePointer:
    """`Structure.dtype`: what it points to knows the structure's memory as ctypes has it, arrays as pointers."""

    def __init__(self, structure):
        self.base_type = self._typeclass = self
        self._structure = structure

    def as_ctypes(self):
        """The class of ctypes."""
        fields = [(name, member.dtype.as_ctypes() if isinstance(member, Structure)
                   else ctypes.c_void_p if isinstance(member, _core.ArrayType)
                   else np.ctypeslib.as_ctypes_type(member.type)) for name, member in self._structure.members.items()]
        return type(self._structure.name, (ctypes.Structure,), {"_fields_": fields})


def _member(structure, name, value):
    """The type of a field: a Structure, float64 or float64[N]."""
    value = value._argument_type() if isinstance(value, Data) else value
    if isinstance(value, (Structure, _core.typeclass, _core.ArrayType)):
        return value
    raise TypeError(f"the field {name} of {structure} has no type: {value!r}; use for example float64[N]")


def lying_in(type, storage):
    """What `float64[N] @ StorageType.GPU_Global` means. Raises TypeError for what is no storage."""
    if not isinstance(storage, StorageType):
        raise TypeError(f"an array type is followed by @ and a member of StorageType, not by {storage!r}")
    return Array(type.dtype, type.shape, storage=storage)


def create_datadescriptor(value):
    """The description of an array, a number or a type annotation. Raises TypeError for anything else."""
    if isinstance(value, Data):
        return value
    if isinstance(value, _core.typeclass):
        return Scalar(value)
    if isinstance(value, _core.ArrayType):
        return Array(value.dtype, value.shape)
    array = np.asarray(value)
    dtype = dtype_to_typeclass(array.dtype)
    return Array(dtype, array.shape) if array.ndim else Scalar(dtype)
