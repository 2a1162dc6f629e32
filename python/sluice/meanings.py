"""What the values around a program mean to the compiler: pairs of a kind and what the binding is made of."""
import builtins
import types

import numpy as np

from . import _core
from .data import Data

_MODULES = {"numpy": "numpy", "sluice": "sluice", "dace": "sluice", "math": "math", "cmath": "cmath", "itertools": "itertools",
            "collections": "collections", "functools": "functools", "_functools": "functools", "heapq": "heapq", "_heapq": "heapq",
            "bisect": "bisect", "_bisect": "bisect", "statistics": "statistics",
            "sluice.comm": "sluice.comm", "mpi4py.MPI": "sluice.comm"}
_MOST = 256  # elements of a list that becomes part of the program; more are an array's business


def function_name(value):
    """`numpy.sqrt` for a function of a module that the compiler knows, else None."""
    name = getattr(value, "__name__", None)
    if isinstance(value, np.ufunc):
        return f"numpy.{name}"
    root, *inner = (getattr(value, "__module__", None) or "").split(".")
    if not name or not callable(value) or root not in _MODULES:
        return None
    return ".".join([_MODULES[root], *(part for part in inner if not part.startswith("_")), name])


def array_type(value):
    """Element type and sizes as text; None for elements that programs cannot compute with, and for what is no array."""
    try:
        return _core.type_key(value)
    except TypeError:
        return None


def meaning(name, value):
    """(kind, value) for what a global or closed-over name means; None if it means nothing. Programs are the caller's business."""
    if type(value).__module__ == "mpi4py.MPI" and type(value).__name__ == "Intracomm" and value.name == "MPI_COMM_WORLD":
        return "module", "sluice.comm"
    if isinstance(value, types.ModuleType):
        known = _MODULES.get(value.__name__)
        return ("module", known) if known else None
    if isinstance(value, (_core.typeclass, _core.ArrayType)):
        return "type", value
    if isinstance(value, Data) and not hasattr(value, "_graph"):
        return "type", value._argument_type()
    if isinstance(value, _core.Expr):
        return ("symbol" if str(value).isidentifier() else "expression"), value
    if isinstance(value, np.ndarray):
        return ("array", value) if value.ndim and array_type(value) else None
    if isinstance(value, type):
        if issubclass(value, np.generic):
            return "type", value
        return ("function", function_name(value)) if function_name(value) else None
    if isinstance(value, (builtins.bool, int, float, complex, np.number, np.bool_)):
        return "number", value
    if isinstance(value, types.BuiltinFunctionType) and getattr(builtins, value.__name__, None) is value:
        return "function", value.__name__
    if type(value).__module__ == "sluice.explicit":
        return "function", f"sluice.{getattr(value, '__name__', name)}"
    if hasattr(value, "_graph") and hasattr(value, "arglist"):
        return "graph", graph_meaning(value)
    if text := constant_text(value):
        return "constant", text
    qualified = function_name(value)
    return ("function", qualified) if qualified else None


def graph_meaning(sdfg):
    """What a call of an SDFG needs: the graph, names of the positional arguments, and which edit of it this is."""
    names = sdfg.arg_names or [name for name in sdfg._graph.arguments() if name in sdfg.arrays and not name.startswith("__return")]
    return sdfg._graph, list(names), sdfg._graph.version


def constant_text(value):
    """A text, None, a slice, or a list, tuple or dictionary of such, of numbers and of sizes at any depth, as Python writes it; None for
    anything else."""
    if value is not None and type(value) not in (str, tuple, list, dict, slice):
        return None
    text = _text(value)
    return text if text and text.count(",") <= _MOST else None


def functions_text(value, name_of):
    """The same of a list, tuple or dictionary that holds functions; name_of: the text that stands for one, None for what is none."""
    return _text(value, name_of) if type(value) in (tuple, list, dict) and len(value) <= _MOST else None


def functions_identity(value):
    """What tells such a list, tuple or dictionary from others."""
    return functions_text(value, lambda one: f"<{id(one)}>" if callable(one) else None)


def _text(value, other=lambda value: None):
    if value is None or type(value) in (builtins.bool, int, str):
        return repr(value)
    if type(value) in (float, complex):
        return repr(value) if np.isfinite(value) else None
    if isinstance(value, _core.Expr):
        return f"({value})"
    if type(value) is slice:
        parts = [_text(one) for one in (value.start, value.stop, value.step)]
        return None if None in parts else f"slice({', '.join(parts)})"
    if type(value) in (tuple, list) and len(value) <= _MOST:
        parts = [_text(one, other) for one in value]
        if None in parts:
            return None
        return f"[{', '.join(parts)}]" if type(value) is list else f"({''.join(part + ', ' for part in parts)})"
    if type(value) is dict and 0 < len(value) <= _MOST and all(type(key) in (str, int) for key in value):
        parts = [_text(one, other) for one in value.values()]
        return None if None in parts else "{" + ", ".join(f"{key!r}: {part}" for key, part in zip(value, parts)) + "}"
    return other(value)


def class_constant(value):
    """An attribute of a class as Python writes it: a number, a text or a tuple; None for others."""
    if type(value) in (builtins.bool, int) or (type(value) is float and np.isfinite(value)):
        return repr(value)
    return constant_text(value) if type(value) in (str, tuple) else None


def symbols_in(value):
    """The symbols of the sizes that a constant holds, by name."""
    if isinstance(value, _core.Expr):
        return {name: _core.Expr(name) for name in value.free_symbols}
    if type(value) is dict:
        value = list(value.values())
    found = {}
    for one in value if type(value) in (tuple, list) else ():
        found.update(symbols_in(one))
    return found


def members(cls):
    """What stands in a class and its bases: (class, name, value) of each."""
    return [(one, name, held) for one in cls.__mro__ if one is not object for name, held in vars(one).items()]


def has_members(cls, known):
    """Whether the class still has these members and no others."""
    now = members(cls)
    return len(now) == len(known) and all(one[1] == other[1] and one[2] is other[2] for one, other in zip(now, known))


def is_same(binding, value, now):
    """Whether a name that meant `binding` when it had `value` means the same now that it has the value `now`."""
    if binding and binding[0] == "constant":
        return constant_text(now) == binding[1]
    if binding and binding[0] == "functions":
        return functions_identity(now) == binding[1][0]
    if binding and binding[0] == "class":
        return now is value
    if binding and binding[0] == "members":
        return has_members(*binding[1])
    if binding and binding[0] == "graph":
        return now is value and now._graph.version == binding[1][2]
    return now is value or (type(now) is type(value) and isinstance(now, (int, float, complex, types.MethodType)) and now == value)


def namespace_of(program, name, value, binding):
    """The names of the program's module, if this is one of them and means the same for as long as it is the same object; else None."""
    own = name not in program.constants and name not in program.f.__code__.co_freevars and name.isidentifier()
    changes = binding and binding[0] in ("constant", "functions", "graph", "members") and not isinstance(value, (int, float, complex, str))
    return program.f.__globals__ if own and not changes else None
