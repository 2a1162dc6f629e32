"""Calls with lists, texts, dictionaries, sets and tuples in strict mode: the program over one memory (frontend/python/heap.h), compiled once for
each combination of their types. All arguments leave as one row of integers and one of floats, and so do the results; objects that the program
changed get what it left in them. Where it raises what Python does, the call is made again by Python, which leaves in the objects what it does.
"""
import ast
import collections
import inspect
import textwrap

import numpy as np

from . import _core
from .sdfg import SDFG

_COLLECTIONS = (str, list, dict, set, frozenset, tuple, collections.deque)
_MANY = 32  # versions of one program
_NUMBERS = (bool, int, float)
_ARRAYS = set("acIFB")  # in forms, and numbers of NumPy's
_OVER_OBJECTS = "a program over objects: "
_GROWS = {"append", "extend", "insert", "add", "setdefault", "split", "join", "heappush"}
_NO_TYPE = "NotImplementedError: compiled code has no type"
_OURS = "OverflowError: an integer of Python's", "NotImplementedError: compiled code"  # what Python would compute
NOT_SO = object()


def call(program, args, kwargs):
    """What the call gives; NOT_SO where the program is none of this kind, for such arguments."""
    values = (*args, *kwargs.values())
    if not _is_plain(program):
        return NOT_SO
    if program.__dict__.get("_with_arrays") and (result := _called(program, args, kwargs, arrays=True, known=True)) is not NOT_SO:
        return result
    return _called(program, args, kwargs, arrays=False) if _may_be(program, values) else NOT_SO


def call_with_arrays(program, error, args, kwargs):
    """The same where NumPy's arrays are among the objects, which only programs are that were refused as programs of arrays, with this error."""
    try:
        if not _is_plain(program) or not _has_objects(program, (*args, *kwargs.values())):
            return NOT_SO
    except _core.CompileError:  # There is no source.
        return NOT_SO
    program._with_arrays = True
    return _called(program, args, kwargs, arrays=True)


def refusal(program, error):
    """The error that says first why the program cannot be compiled, with what stops it as one over one memory in a note."""
    stopped = program.__dict__.get("_refused_over_memory")
    if stopped and (stopped.lineno, stopped.message) == (error.lineno, error.message):
        return stopped  # Its own note comes farther.
    said = getattr(stopped, "message", "").partition(_OVER_OBJECTS)[2]
    if not said or not (_makes_objects(program) or program._parsed.makes_objects) or (stopped.lineno == error.lineno and f"it has {said}" in str(error)):
        return error
    note = f"{stopped.filename}:{stopped.lineno}:{stopped.offset}: note: as a program over lists, dictionaries and texts it has {said}"
    before, helps, remedy = str(error).partition("\nhelp: ")
    lines = [line for line in before.splitlines() if "note: as a program over lists" not in line]
    whole = type(error)("\n".join([*lines, note]) + helps + remedy)
    whole.__dict__.update(error.__dict__)
    return whole


def _is_plain(program):
    return not (getattr(program, "is_of_given", False) or program.bound is not None or program.check or program._measured or program.target != "cpu")


def _called(program, args, kwargs, arrays, known=False):
    try:
        bound = inspect.signature(program.f).bind(*args, **kwargs)
        bound.apply_defaults()
        if bound.kwargs or len(bound.args) != len(bound.arguments) or (written := _core.write_objects(bound.args)) is None:
            return NOT_SO
        unknown = known and _key(written[0], arrays) not in _versions(program)
        if unknown or (not arrays and _ARRAYS.intersection(written[0])):
            return NOT_SO
        compiled = _version(program, written[0], arrays)
    except (TypeError, _core.CompileError):  # whoever comes next says so
        return NOT_SO
    if compiled is None:
        return NOT_SO
    _, whole, real, objects = written
    try:
        (forms, (wholes, reals)), = compiled(whole, real).items()
    except KeyboardInterrupt:
        raise
    except Exception as error:
        if getattr(error, "message", "").startswith(_NO_TYPE):
            return NOT_SO
        if getattr(error, "message", "").startswith(_OURS):
            raise
        return program.f(*args, **kwargs)
    return _core.read_objects(forms, wholes, reals, objects)


def _may_be(program, values):
    if any(type(one).__module__.split(".")[0] == "sluice" for one in program.f.__annotations__.values()):
        return False
    if any(type(one) in _COLLECTIONS for one in values):
        return not any(isinstance(one, np.ndarray) for one in values)
    return all(type(one) in _NUMBERS for one in values) and (_makes_objects(program) or _needs_objects(program))


def _needs_objects(program):
    """Whether it makes objects of the user's classes that no variables can stand for."""
    try:
        return program._parsed.needs_objects
    except _core.CompileError:  # whoever comes next says so, or knows what to do
        return False


def _has_objects(program, values):
    return _makes_objects(program) or any(type(one) in _COLLECTIONS for one in values) or program._parsed.makes_objects


def _versions(program):
    program._forget_what_changed()
    of, versions = program.__dict__.get("_by_form", (None, None))
    if of is not program._parsed:
        _, versions = program._by_form = program._parsed, {}
    return versions


def _version(program, form, arrays):
    """The compiled program for arguments of this form; None where there is none."""
    versions = _versions(program)
    key = _key(form, arrays)
    if key not in versions:
        versions[key] = _compiled(program, form, arrays) if len(versions) < _MANY else None
    return versions[key]


def _key(form, arrays):
    return f"{form} with arrays" if arrays else form


def _makes_objects(program):
    """Whether its source makes dictionaries, sets, texts or lists that grow, which are none of arrays."""
    if (known := program.__dict__.get("_objects_made")) is None:
        lines, _ = program._source
        try:
            body = ast.parse(textwrap.dedent("".join(lines))).body[0].body
        except (SyntaxError, AttributeError):
            body = []
        nodes = [node for statement in body for node in ast.walk(statement)]
        known = program._objects_made = any(
            isinstance(node, (ast.Dict, ast.Set, ast.DictComp, ast.SetComp, ast.JoinedStr)) or (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _GROWS) for node in nodes)
    return known


def _compiled(program, form, arrays):
    try:
        return SDFG(program.name, _graph=program._parsed.build_of_objects(form, arrays)).compile()
    except _core.CompileError as error:
        if arrays or "_refused_over_memory" not in program.__dict__:  # with arrays among the objects it comes farthest
            program._refused_over_memory = error
        return None
