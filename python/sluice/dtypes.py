"""Element types and the enumerations of the graph, under DaCe's names."""
import enum

import numpy as np

from . import _core
from ._core import (bfloat16, bool_, complex64, complex128, enum_names, float16, float32, float64, int8, int16, int32, int64, opaque,
                    pointer, string, struct, typeclass, uint8, uint16, uint32, uint64, vector)

bool = bool_


def _enumeration(name, doc):
    """A Python enumeration from the C++ table of names: one source for both. A member equals its name, which is what properties
    return."""
    members = enum.Enum(name, {member: member for member in enum_names(name)}, module=__name__, type=str)
    members.__doc__ = doc
    return members


StorageType = _enumeration("StorageType", "Where a container lives.")
ScheduleType = _enumeration("ScheduleType", "How a map or consume scope runs.")
AllocationLifetime = _enumeration("AllocationLifetime", "How long a transient lives.")
Language = _enumeration("Language", "The language of a tasklet.")
OMPScheduleType = _enumeration("OMPScheduleType", "The OpenMP schedule of a parallel map.")
InstrumentationType = _enumeration("InstrumentationType", "What to measure.")
DataInstrumentationType = _enumeration("DataInstrumentationType", "What to record of a container.")


class DeviceType(enum.Enum):
    """What a program is compiled for; the settings target.gpu and target.fpga say which targets these are."""
    CPU = "CPU"
    GPU = "GPU"
    FPGA = "FPGA"


def dtype_to_typeclass(dtype):
    """The element type of a NumPy dtype, a NumPy scalar type or one of Python's bool, int, float, complex. Raises TypeError for
    others."""
    name = np.dtype(dtype).name
    found = getattr(_core, "bool_" if name == "bool" else name, None)
    if not isinstance(found, typeclass):
        raise TypeError(f"{name} is no element type of graphs")
    return found
