"""Sluice: NumPy programs and dataflow graphs compiled to native parallel code.

    import numpy as np
    import sluice

    N = sluice.symbol("N")

    @sluice.program
    def axpy(a: sluice.float64, x: sluice.float64[N], y: sluice.float64[N]):
        y += a * x

    axpy(2.0, np.ones(100), np.zeros(100))

The names are DaCe's, so that a DaCe program runs with its import line changed. Every mistake in a program, a graph or a call
raises one exception whose text says what, where and what to do: CompileError (for shapes ShapeError, a ValueError and IndexError as
well), TypeError or ValueError.
"""
import importlib
import math
import sys
import types

try:
    from ._core import CompiledProgram, CompileError, Report, ShapeError, __version__
except ImportError as error:
    raise ImportError(f"the extension of sluice cannot be loaded ({error}); build it with `make build` or `pip install .`") from error

from .compile_time import always_inline, compiletime, inline
from .config import Config
from .decorators import function, method, program, replaces
from .dtypes import (AllocationLifetime, DataInstrumentationType, DeviceType, InstrumentationType, Language, OMPScheduleType,
                     ScheduleType, StorageType, bfloat16, bool, bool_, complex64, complex128, float16, float32, float64, int8, int16,
                     int32, int64, opaque, pointer, string, struct, typeclass, uint8, uint16, uint32, uint64, vector)
from .explicit import (consume, consumescope, define_local, define_local_scalar, define_local_structure, define_stream, define_streamarray,
                       elementwise, in_program, map, mapscope, named, ndarray, ndrange, nounroll, reduce, scalar, stream, stream_array, tasklet, unroll)
from .fallback import FallbackWarning
from .memlet import Memlet
from .program import Program
from .regions import ConditionalBlock, ControlFlowRegion, InterstateEdge, LoopRegion
from .sdfg import SDFG, InvalidSDFGError, PerformanceWarning, RaceWarning
from .state import SDFGState
from .symbolic import Expr, symbol, symbols
from .tuning import Tuned, tune
from . import _core, _dace_import, comm, config, data, distr, dtypes, nodes, operation, safe_call, subsets, transformation

CompiledSDFG = CompiledProgram  # DaCe's name
CompiledProgram.safe_call = safe_call.safe_call
MPI_Request = int64  # What comm.Isend and comm.Irecv know a message by.


def propagate_memlets_sdfg(sdfg):
    """SDFG.propagate: DaCe's programs set a flag of that name."""
    SDFG.propagate(sdfg)


class _Package(types.ModuleType):
    """`@sluice` alone is `@sluice.program`, as `@dace` is."""

    def __call__(self, *args, **kwargs):
        return program(*args, **kwargs)

    def __getattr__(self, name):
        if sys.modules.get("dace") is self and not name.startswith("_"):  # `import dace` brings dace.frontend along
            try:
                return importlib.import_module(f"dace.{name}")
            except ModuleNotFoundError:
                pass
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=self)


sys.modules[__name__].__class__ = _Package
_core.set_package_folders([folder for folder in sys.path if folder])  # Where a compiler may lie that pip brought.
_dace_import.install()
