"""Parameters in the memory of a device: annotated `float64[N] @ StorageType.GPU_Global`, or given arrays of CuPy, PyTorch or Numba, which have
`__cuda_array_interface__`."""
from .data import Data
from .dtypes import StorageType
from .sdfg import SDFG

STORAGES = StorageType.Default, StorageType.GPU_Global


def lies_on_device(value):
    """Whether it is an array there, or describes one."""
    return value.storage == StorageType.GPU_Global if isinstance(value, Data) else hasattr(value, "__cuda_array_interface__")


def built(program, types, *shared):
    """The graph of a program for the types of its parameters without annotation; as Program._parsed.build, with arrays where they lie."""
    plain = {name: value._argument_type(STORAGES) if isinstance(value, Data) else value for name, value in types.items()}
    graph = program._parsed.build(plain, *shared, check=program.check)
    there = {name for name, value in {**program.f.__annotations__, **types}.items() if lies_on_device(value)}
    arrays = SDFG(program.name, _graph=graph).arrays if there else {}
    for name in there & set(arrays):
        arrays[name].storage = StorageType.GPU_Global
    return graph
