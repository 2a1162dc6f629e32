"""Arguments that a call may have although the compiled program does not: lists, and objects that share their memory, for annotated arrays;
values of symbols that follow from the arguments or that the program does not need; columns for the vectors of DaCe's programs; arrays of
which an object that makes its own graph has to know the type."""
import ast
import inspect
import textwrap

import numpy as np

from . import _core, compile_time, given_records, given_state
from .dtypes import dtype_to_typeclass


def call(program, error, args, kwargs):
    """The call with such arguments put right, as a function without arguments; None where that is not what `error` is about."""
    code = getattr(error, "code", None)
    if code in ("A002", "A005", "A008") and (called := call_with_none(program, args, kwargs)):
        program.is_called_with_none = True
        return called
    if code in ("A008", "F001", "F020") and (called := given_state.call(program, args, kwargs)):
        return called
    if code in ("A008", "F001", "F005") and (called := given_records.call(program, args, kwargs)):
        return called
    if code == "A005" and isinstance(kwargs.get("__return"), np.ndarray):
        return lambda: _into(kwargs["__return"], program(*args, **{name: value for name, value in kwargs.items() if name != "__return"}))
    if code == "A005" and (rest := _without_symbols(program, args, kwargs)) is not None:
        return lambda: program(*args, **rest)
    if code == "A001" and program.of_dace and (given := _without_unit_dims(program, args, kwargs)) is not None:
        return lambda: program(**given)
    if isinstance(error, compile_time.TypeNotKnown) and (typed := _typed(program, args, kwargs)) is not None:
        return lambda: typed(*args, **kwargs)
    if code == "A002" and (given := _with_memory(args, kwargs)) is not None:
        return lambda: program(*given[0], **given[1])
    if code == "A002" and (given := _with_arrays(program, args, kwargs)) is not None:
        return lambda: _call_with_lists(program, *given)
    return None


def _into(array, result):
    """What the program returns, in the caller's array. Raises ValueError A003 where it has another shape."""
    if np.shape(result) != array.shape:
        _core.refuse("A003", f"__return has shape {array.shape}, but the program returns {np.shape(result)}", "pass an array of that shape")
    np.copyto(array, result, casting="same_kind")
    return array


def _memory_of(value):
    """An array of NumPy over the memory that another object shares by __array_interface__ or, on the host, by DLPack; else the value."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value
    if hasattr(value, "__array_interface__"):
        return np.asarray(value)
    host = 1  # kDLCPU
    return np.from_dlpack(value) if hasattr(value, "__dlpack__") and value.__dlpack_device__()[0] == host else value


def _with_memory(args, kwargs):
    """The arguments with arrays for objects that share their memory; None if there are none."""
    arrays = [_memory_of(one) for one in args], {name: _memory_of(one) for name, one in kwargs.items()}
    changed = any(new is not old for new, old in zip([*arrays[0], *arrays[1].values()], [*args, *kwargs.values()]))
    return arrays if changed else None


def call_with_none(program, args, kwargs):
    """The call by the program in which parameters that are None in this call are that constant, as a function; None if none is."""
    if len(args) > len(program.argnames):
        return None
    named = program._named(args, kwargs)
    nothing = {name: None for name in program.argnames if name in named and named[name] is None}
    if not nothing:
        return None
    rest = {name: named.pop(name) for name in program.argnames if name in named and name not in nothing}
    rest.update((name, value) for name, value in named.items() if name not in nothing)
    return lambda: _call_without(program, compile_time.version(program, nothing), rest)


def _call_without(program, version, rest):
    """The call of a program in which some parameters are None. Raises TypeError A002 where it needs one of them."""
    try:
        first = [*inspect.signature(program.f).parameters][program.bound is not None:][:len(rest)]
        return version(*rest.values()) if [*rest] == first else version(**rest)
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
    symbols = {name for name, value in kwargs.items() if name not in names and name not in compiled.arguments and (
        _may_be(program, name, value) if name in _names_of_sizes(program) else program.is_symbol(name))}
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


def _typed(program, args, kwargs):
    """The program with the types of this call's arrays as annotations; None where all have one."""
    given = {**dict(zip([*inspect.signature(program.f).parameters][program.bound is not None:], args)), **kwargs}
    kinds = {name: dtype_to_typeclass(value.dtype)[value.shape] for name, value in given.items()
             if isinstance(value, np.ndarray) and value.ndim and not program.is_typed(name)}
    if not kinds:
        return None
    versions = program.__dict__.setdefault("_typed_versions", {})
    key = tuple((name, kind.dtype, kind.shape) for name, kind in kinds.items())
    if key not in versions:
        versions[key] = program.like(kinds)
    return versions[key]


def _names_of_sizes(program):
    """The names in the annotations of its parameters, those of symbols that cancel out included."""
    node = ast.parse(textwrap.dedent("".join(program._source[0]))).body[0]
    given = getattr(node, "args", None)
    arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs] if given else []
    subscripts = [one for argument in arguments for one in ast.walk(argument) if isinstance(one, ast.Subscript)]
    return {name.id for one in subscripts for name in ast.walk(one.slice) if isinstance(name, ast.Name)}


def _may_be(program, name, value):
    """Whether a symbol of the sizes may have the value: where the name has been given a number since, only that."""
    found, known = program._around(name)
    return not found or program.is_symbol(name) or (isinstance(known, (int, np.integer)) and known == value)


def vectors_of_columns(ranks, named):
    """The same arguments with views of vectors in place of columns where DaCe's programs declare vectors; None if there are none."""
    vectors = {}
    for name, rank in ranks.items():
        value = named.get(name)
        if isinstance(value, np.ndarray):
            ones = [axis for axis in range(value.ndim) if value.shape[axis] == 1]
            if 0 < value.ndim - rank <= len(ones):
                vectors[name] = np.squeeze(value, tuple(ones[rank - value.ndim:]))
    return {**named, **vectors} if vectors else None


def _without_unit_dims(program, args, kwargs):
    ranks = {name: len(annotation.shape) for name, annotation, _ in program._parameters if isinstance(annotation, _core.ArrayType)}
    return vectors_of_columns(ranks, program._named(args, kwargs))


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
