"""What a call of a value runs: a program, or a plain function of the user's that is compiled with what calls it."""
import functools
import inspect
import pathlib
import sysconfig
import types
import weakref

from . import sources
from .meanings import function_name
from .methods import unbound
from .work import calls_worth_compiling, is_large

_helpers = weakref.WeakKeyDictionary()  # what the plain functions that programs call became


def callee_of(value, kind):
    """The program (a `kind`) that a call of this value runs: a program, or a plain function of the user's, compiled with what calls it. None for
    anything else, functions of modules that are installed or that the compiler knows included."""
    value = unbound(value)
    if isinstance(value, kind):
        return value
    called = getattr(type(value), "__call__", None)
    if isinstance(called, (kind, types.FunctionType)) and not hasattr(value, "__sdfg_signature__"):
        return unbound(callee_of(called, kind).__get__(value)) if callee_of(called, kind) else None
    if isinstance(value, types.MethodType):
        return unbound(callee_of(value.__func__, kind).__get__(value.__self__)) if callee_of(value.__func__, kind) else None
    if not isinstance(value, types.FunctionType) or function_name(value):
        return None
    if hasattr(value, "__wrapped__"):  # its source is that of what it wraps
        return None
    if value not in _helpers:
        sources.remember(value)
        try:
            file = inspect.getsourcefile(value)
        except TypeError:
            file = None
        _helpers[value] = kind(value) if file and not _is_installed(file) else None
    return _helpers[value]


def called_by_python(value, kind):
    """What lines that Python runs call instead of the value: the program that `callee_of` gives, unless it has little to do."""
    callee = callee_of(value, kind)
    if not callee or callee._is_strict():
        return value
    return callee if calls_worth_compiling(callee.f) else _for_large(callee, value)


def _for_large(callee, function):
    """The program for arguments of which one is large, the function itself for others."""
    def called(*args, **kwargs):
        return (callee if any(map(is_large, (*args, *kwargs.values()))) else function)(*args, **kwargs)
    return functools.update_wrapper(called, function)


def is_object_with_call(value, kind):
    """Whether a call of the value runs the `__call__` of its class: an object that has fields as well."""
    called = getattr(type(value), "__call__", None)
    return isinstance(called, (kind, types.FunctionType)) and not isinstance(unbound(value), (kind, types.ModuleType))


@functools.cache
def _is_installed(file):
    paths = sysconfig.get_paths()
    return any(pathlib.Path(file).is_relative_to(paths[name]) for name in ("stdlib", "purelib", "platlib"))
