"""Pickle of programs: by name, as functions are. Where workers do not run the main script (joblib's do not), a program of it or of a function
goes along by value, for which cloudpickle is needed; joblib and dask bring it."""
import copyreg
import importlib
import operator
import pickle
import sys
import threading
import types

from . import _core, sources

_inside = threading.local()  # .programs: those that are being pickled by value; one of them again goes by name


def _cloudpickle():
    for name in ("cloudpickle", "joblib.externals.cloudpickle"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def _named(module, name):
    """What a module holds under a qualified name; None where it is not there."""
    found = sys.modules.get(module)
    if found is None:
        try:
            found = importlib.import_module(module)
        except ImportError:
            return None
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _names(code):
    """What code may look up, functions inside of it included."""
    names = set(code.co_names)
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            names |= _names(one)
    return names


def _with_source(program, function, found):
    """Adds the function and the plain functions that it names, which go along by value, each with its source: id -> (function, source)."""
    if id(function) in found:
        return found
    try:
        found[id(function)] = function, (program if function is program.f else type(program)(function))._source
    except _core.CompileError:
        return found  # nobody can tell; it is said where the source is needed
    cells = [cell.cell_contents for cell in function.__closure__ or () if cell != types.CellType()]
    for value in (*(function.__globals__.get(name) for name in _names(function.__code__)), *cells):
        if isinstance(value, types.FunctionType) and (value.__module__ == "__main__" or _named(value.__module__, value.__qualname__) is not value):
            _with_source(program, value, found)
    return found


def _by_value(program):
    around = getattr(_inside, "programs", ())
    if program in around:
        return None
    tools = _cloudpickle()
    if tools is None:
        return None
    _inside.programs = (*around, program)
    try:
        options = {"name": program.name, "optimize": program.optimize, "check": program.check, "strict": program.strict, "target": program.target}
        return tools.dumps((program.f, options, program.of_dace, sources.sent(_with_source(program, program.f, {}).values())))
    finally:
        _inside.programs = around


def reduced(program):
    """What __reduce__ of a program answers."""
    if program.bound is not None:
        return getattr, (program.bound(), program.f.__name__)
    module, name = program.f.__module__, program.f.__qualname__
    by_name = _named(module, name) is program
    value = _by_value(program) if module == "__main__" or not by_name else None
    if value is None and not by_name:
        raise pickle.PicklingError(f"{program!r} is not what {module}.{name} names, and cloudpickle, which takes it by value, is not installed")
    return restored, (type(program), module, name, value)


def restored(kind, module, name, value):
    """The program of what reduced() kept. kind: the class of programs."""
    found = _named(module, name)
    if isinstance(found, kind):
        return found
    if value is None:
        raise pickle.UnpicklingError(f"{module}.{name} is no program here: define it in a module that both processes import, or install cloudpickle")
    function, options, of_dace, sent = pickle.loads(value)
    sources.receive(sent)
    program = kind(function, **options)
    program.of_dace = of_dace
    return program


def symbol(name, dtype):
    """The symbol of what pickle kept: functions of the extension have no place of their own to be found."""
    return _core.symbol(name, dtype)


def _symbol_or_expression(value):
    return (symbol, (str(value), value.dtype)) if str(value).isidentifier() else (_core.Expr, (str(value),))


# Annotations and sizes, which go along with functions.
copyreg.pickle(_core.Expr, _symbol_or_expression)
copyreg.pickle(_core.typeclass, lambda value: (_core.typeclass, (repr(value),)))
copyreg.pickle(_core.ArrayType, lambda value: (operator.getitem, (value.dtype, tuple(value.shape))))
