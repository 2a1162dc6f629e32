"""Calls with lists, texts, dictionaries, sets and tuples in strict mode: the program over one memory (frontend/python/heap.h), compiled once for
each combination of their types. All arguments leave as one row of integers and one of floats, and so do the results; objects that the program
changed get what it left in them. Where it raises what Python does, the call is made again by Python, which leaves in the objects what it does.
"""
import ast
import collections
import inspect
import textwrap

from . import _core
from .sdfg import SDFG

_COLLECTIONS = (str, list, dict, set, frozenset, tuple, collections.deque)
_MANY = 32  # versions of one program
_NUMBERS = (bool, int, float)
_GROWS = {"append", "extend", "insert", "add", "setdefault", "split", "join", "heappush"}
_NO_TYPE = "NotImplementedError: compiled code has no type"
_OURS = "OverflowError: an integer of Python's", "NotImplementedError: compiled code"  # what Python would compute
NOT_SO = object()


def call(program, args, kwargs):
    """What the call gives; NOT_SO where the program is none of this kind, for such arguments."""
    values = (*args, *kwargs.values())
    if getattr(program, "is_of_given", False) or program.bound is not None or program.check or program._measured or program.target != "cpu" or not _may_be(program, values):
        return NOT_SO
    try:
        bound = inspect.signature(program.f).bind(*args, **kwargs)
        bound.apply_defaults()
        if bound.kwargs or len(bound.args) != len(bound.arguments) or (written := _core.write_objects(bound.args)) is None:
            return NOT_SO
        compiled = _version(program, written[0])
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
        return True
    return all(type(one) in _NUMBERS for one in values) and _makes_objects(program)


def _version(program, form):
    """The compiled program for arguments of this form; None where there is none."""
    program._forget_what_changed()
    of, versions = program.__dict__.get("_by_form", (None, None))
    if of is not program._parsed:
        _, versions = program._by_form = program._parsed, {}
    if form not in versions:
        versions[form] = _compiled(program, form) if len(versions) < _MANY else None
    return versions[form]


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


def _compiled(program, form):
    try:
        return SDFG(program.name, _graph=program._parsed.build_of_objects(form)).compile()
    except _core.CompileError:
        return None
