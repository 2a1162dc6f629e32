"""Arguments that a call may have although the compiled program does not: lists for annotated arrays, values of symbols that follow from
the arguments or that the program does not need."""
import numpy as np

from . import _core, compile_time


def call(program, error, args, kwargs):
    """The call with such arguments put right, as a function without arguments; None where that is not what `error` is about."""
    code = getattr(error, "code", None)
    if code in ("A002", "A005", "A008") and (chosen := _without_none(program, args, kwargs)):
        return lambda: _call_without(program, *chosen)
    if code == "A005" and (rest := _without_symbols(program, args, kwargs)) is not None:
        return lambda: program(*args, **rest)
    if code == "A002" and (given := _with_arrays(program, args, kwargs)) is not None:
        return lambda: _call_with_lists(program, *given)
    return None


def _without_none(program, args, kwargs):
    """(the program in which parameters that are None in this call are that constant, the other arguments by name); None if none is."""
    if len(args) > len(program.argnames):
        return None
    named = program._named(args, kwargs)
    nothing = {name: None for name in program.argnames if name in named and named[name] is None}
    if not nothing:
        return None
    return compile_time.version(program, nothing), {name: value for name, value in named.items() if name not in nothing}


def _call_without(program, version, rest):
    """The call of a program in which some parameters are None. Raises TypeError A002 where it needs one of them."""
    try:
        return version(**rest)
    except TypeError as missing:
        name = str(missing).partition(":")[0]
        if getattr(missing, "code", None) != "A005" or name in rest or name not in version.constants:
            raise
    _core.refuse("A002", f"{name} of {program.name} is None, and the program computes with it", "pass an array or a number")


def _without_symbols(program, args, kwargs):
    """kwargs without symbols that the program knows by name and takes no argument for. Raises ValueError A003 where the sizes say another
    value; None if there is no such symbol."""
    parameters = program._parameters
    names = {name for name, _, _ in parameters}
    compiled = program.compile(*args, **{name: value for name, value in kwargs.items() if name in names})
    symbols = {name for name in kwargs if name not in names and name not in compiled.arguments and program.is_symbol(name)}
    if not symbols:
        return None
    given = program._named(args, {name: value for name, value in kwargs.items() if name in names})
    for name, annotation, _ in parameters:
        shape = getattr(annotation, "shape", None) or ()
        for extent, size in zip(shape, np.shape(given.get(name))):
            if str(extent) in symbols and kwargs[str(extent)] != size:
                _core.refuse("A003", f"symbol {extent} is given as {kwargs[str(extent)]}, but argument {name} has {size} there",
                             "leave the symbol out: it follows from the arrays")
    return {name: value for name, value in kwargs.items() if name not in symbols}


def _with_arrays(program, args, kwargs):
    """(arguments by name with arrays in place of lists, the lists with their arrays); None if there is no such list, or one whose values
    its type does not have."""
    named = program._named(args, kwargs)
    lists = []
    for name, annotation, _ in program._parameters:
        value = named.get(name)
        if type(value) in (list, tuple) and isinstance(annotation, _core.ArrayType):
            try:
                array = np.asarray(value)
                wanted = array.astype(annotation.dtype.type)
            except (ValueError, TypeError):
                return None
            if array.ndim != len(annotation.shape) or array.dtype.kind not in "biufc" or not np.array_equal(array, wanted):
                return None
            named[name] = wanted
            lists.append((value, wanted, wanted.copy()))
    return (named, lists) if lists else None


def _call_with_lists(program, named, lists):
    result = program(**named)
    for value, array, before in lists:
        if type(value) is list and not np.array_equal(array, before):
            value[:] = array.tolist()  # what the program writes, the caller's list has
    return result
