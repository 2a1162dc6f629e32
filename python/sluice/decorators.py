"""@program and @replaces."""
import inspect
import re

from . import _core
from .names_around import replacements
from .program import Program
from .returned import knows_as_dace
from .strict import refuse_others
from .structures import StructuredProgram, structures_of

# DaCe's options: what happens anyway, and what to write where something else is wanted.
_DACE_OPTIONS = {
    "recreate_sdfg": (True, "graphs are made from the source; load a saved one with SDFG.from_file"),
    "regenerate_code": (True, "code is printed from the graph; compile(output_file=...) keeps it"),
    "recompile": (True, "a library is compiled once for each code; the cache finds it again"),
    "use_explicit_cf": (True, "loops and branches are regions of the graph"),
}


def replaces(name):
    """Decorator: programs that are parsed from here on call the function under it, a program itself, wherever they call `name`,
    for example "numpy.conj". Within it the name means the original. Raises ValueError if the name is none of numpy's or math's."""
    if not re.fullmatch(r"(numpy|math|cmath)(\.\w+)+", name):
        raise ValueError(f"@sluice.replaces names a function of numpy or math in full, as in 'numpy.conj', not {name!r}")

    def register(function):
        own = function if isinstance(function, Program) else Program(function)
        replacements[name] = own
        return own
    return register


_DEVICES = {"CPU": "cpu", "GPU": "gpu", "FPGA": "fpga"}


def _annotate(function, types):
    """The types of `@program(float64[N], int32)` are the annotations of the parameters."""
    names = list(inspect.signature(function).parameters)
    if function.__annotations__ or len(names) != len(types):
        raise TypeError(f"@sluice.program was given {len(types)} types for {function.__name__}, which has {len(names)} parameters"
                        f"{' with annotations' if function.__annotations__ else ''}")
    function.__annotations__ = dict(zip(names, types))


def program(function=None, *types, name=None, device=None, target="cpu", optimize=None, auto_optimize=None, check=False, strict=None,
            constant_functions=False, **options):
    """Decorator: compiles a function from its source. `@program` or `@program(optimize=1)`; `@program(float64[N], int32)` says the types of
    the parameters, in their order, in place of annotations: TypeError where the function has some, or not so many parameters.

    name: of the graph and library, by default the function's. device: DaCe's word for the target, CPU, GPU or FPGA; any other raises
    ValueError. target: where it runs, "cpu", "c99", "opencl", "cuda", "hls-xilinx", "hls-intel",
    "opencl+hls-xilinx" or "mpi", or "gpu" or "fpga", which the
    settings target.gpu and target.fpga choose (docs/targets.md); what a target has not is a CompileError that names the place. optimize: the pipeline that the graph goes through, 0 to 3 or "decide" (SDFG.optimize says what they do); by default
    the setting of that name, else 3. check: every index that only the run knows is compared with its dimension, also behind conditions in loops and
    where loops read it from data; one outside raises IndexError and names the line, where the program would otherwise access other memory. strict: a call raises CompileError where something cannot be
    compiled; else (the setting `strict`, by default False) Python runs that part, with a FallbackWarning. auto_optimize: DaCe's name for optimize=3 (True) and
    optimize=2 (False). DaCe's options
    recreate_sdfg, regenerate_code, recompile and use_explicit_cf may say what happens anyway; another value raises
    ValueError and says what to write. constant_functions: properties, and calls of the user's functions whose arguments are known, are
    evaluated when the program is translated, once. Other options raise TypeError.

    In a module that calls this package `dace`, a call gives numbers as DaCe does: as arrays of one element.
    """
    refuse_others("@sluice.program", options, _DACE_OPTIONS, program.__kwdefaults__)
    if isinstance(function, (_core.typeclass, _core.ArrayType)):
        function, types = None, (function, *types)
    if device is not None:
        named = getattr(device, "name", str(device))
        meant = _DEVICES.get(named.upper())
        if meant is None:
            raise ValueError(f"@sluice.program compiles for a CPU, a GPU or an FPGA, not for {named}")
        if target not in ("cpu", meant):
            raise ValueError(f"@sluice.program was given device={named}, which is target={meant!r}, and target={target!r}")
        target = meant
    target = _core.chosen_target(target)
    if target not in _core.targets():
        raise ValueError(f"@sluice.program knows no target {target!r}: choose among {', '.join(_core.targets())}")
    level = optimize if auto_optimize is None else 3 if auto_optimize else 2
    if optimize not in (None, level):
        raise ValueError(f"@sluice.program was given auto_optimize={auto_optimize}, which is optimize={level}, and optimize={optimize}")

    def decorate(decorated):
        if types:
            _annotate(decorated, types)
        made = (StructuredProgram if structures_of(decorated) else Program)(decorated, name, level, check, strict=strict)
        made.constant_functions, made.target, made.of_dace = constant_functions, target, knows_as_dace(decorated)
        return made
    return decorate if function is None else decorate(function)


function = method = program
