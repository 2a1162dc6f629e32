"""Parameters that Python's own number types annotate: `x: float`. To Python these are hints, and a call may give a number of another
kind: it has a version of its own, in which such a parameter has the type of what is given."""
import builtins

import numpy as np

_KINDS = {builtins.bool: "b", int: "i", float: "f", complex: "c"}
_BY_NAME = {kind.__name__: letter for kind, letter in _KINDS.items()}


def hints_of(function):
    """Kinds of the parameters so annotated, by name: `b`, `i`, `f` or `c`."""
    found = {}
    for name, annotation in getattr(function, "__annotations__", {}).items():
        letter = _BY_NAME.get(annotation) if isinstance(annotation, str) else _KINDS.get(annotation) if isinstance(annotation, type) else None
        if letter and name != "return":
            found[name] = letter
    return found


def _kind(value):
    if isinstance(value, np.generic):
        return "i" if value.dtype.kind == "u" else value.dtype.kind
    return _KINDS.get(type(value))


def version(program, args, kwargs):
    """The program for a call that gives numbers of another kind than the hints; None for any other call."""
    if program.of_dace:  # DaCe takes them for types
        return None
    given = {**program._defaults, **dict(zip(program.argnames, args)), **kwargs}
    others = frozenset(name for name, kind in program.hints.items() if name in given and (_kind(given[name]) or kind) != kind)
    if not others:
        return None
    if others not in program.unhinted:
        made = program.unhinted[others] = program.like()
        made.untyped = others
        made.hints = {name: kind for name, kind in program.hints.items() if name not in others}
    return program.unhinted[others]


def pattern(program, args):
    """What a call by position must give to be like this one, for `_keep`: numbers of these types under the hints, anything else beside."""
    return tuple(value if name in program.hints else ... for name, value in zip(program.argnames, args))
