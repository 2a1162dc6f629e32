"""Calls with lists, texts, dictionaries, sets and tuples in strict mode: the program over one memory (frontend/python/heap.h), compiled once for
each combination of their types. All arguments leave as one row of integers and one of floats, and so do the results; objects that the program
changed get what it left in them. Where it raises, the call is made again by Python, which raises what Python does.
"""
import collections
import inspect

from . import _core
from .dtypes import float64, int64
from .sdfg import SDFG
from .symbolic import symbol

_COLLECTIONS = (str, list, dict, set, tuple, collections.deque)
_MANY = 32  # versions of one program
NOT_SO = object()


def call(program, args, kwargs):
    """What the call gives; NOT_SO where the program is none of this kind, for such arguments."""
    if not any(type(one) in _COLLECTIONS for one in (*args, *kwargs.values())):
        return NOT_SO
    try:
        bound = inspect.signature(program.f).bind(*args, **kwargs)
    except TypeError:
        return NOT_SO
    bound.apply_defaults()
    if (bound.kwargs or len(bound.args) != len(bound.arguments)) or (written := _core.write_objects(bound.args)) is None:
        return NOT_SO
    form, whole, real, objects = written
    program._forget_what_changed()
    versions = program.__dict__.setdefault("_by_form", {})
    if form not in versions:
        if len(versions) >= _MANY:
            return NOT_SO
        versions[form] = _compiled(program, form)
    compiled = versions[form]
    if compiled is None:
        return NOT_SO
    try:
        (forms, (wholes, reals)), = compiled(whole, real).items()
    except (KeyboardInterrupt, _core.CompileError):
        raise
    except Exception:
        return program.f(*args, **kwargs)
    return _core.read_objects(forms, wholes, reals, objects)


def _compiled(program, form):
    try:
        graph = program._parsed.build_of_objects(form)
    except _core.CompileError:
        return None
    return SDFG(program.name, _graph=graph).compile(target=program.target)
