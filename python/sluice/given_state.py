"""Objects among the arguments that a program changes: it takes their numbers and arrays one by one, makes an object of its own of them, and
returns those that it may have assigned, which the caller's object gets.

    def f(sim, n):                   def f(sim__u, sim__t, n):
        for _ in range(n):               sim = Sim__0(sim__u, sim__t)
            sim.step(0.2)       ->       def f__body(n): ...
        return sim.u.sum()               return f__body(n), sim.t

After an exception the numbers are those from before the call.
"""
import ast
import dis
import inspect
import textwrap
import types

import numpy as np

from .classes import class_source, plain_functions, with_fields
from .meanings import constant_text
from .names import code_inside

_MOST_FIELDS = 200


class _Change(Exception):
    """An object that cannot be given so."""


class _Described:
    """Objects as one call gives them. text: the expression that makes each again, by parameter; classes: what bind_classes wants, by the names in it; values: what is
    given, by name; fields: (object, field, how the source calls it)."""

    def __init__(self, taken):
        self.text, self.classes, self.values, self.fields, self.taken, self.seen = {}, {}, {}, [], taken, {}

    def add(self, name, value):
        self.text[name] = self._list(name, name, value) if type(value) in (list, tuple) else self._object(name, name, value)

    def _list(self, path, expression, all_of_them):
        parts = [self._object(f"{path}_{at}", f"{expression}[{at}]", one) for at, one in enumerate(all_of_them)]
        return f"[{', '.join(parts)}]"

    def _object(self, path, expression, value):
        if id(value) in self.seen:
            raise _Change
        self.seen[id(value)] = value
        found = class_source(type(value))
        fields = vars(value) if hasattr(value, "__dict__") else {name: getattr(value, name) for name in type(value).__slots__ if hasattr(value, name)}
        if found is None or not all(name.isidentifier() for name in fields):
            raise _Change
        arguments = [self._field(f"{path}__{name}", f"{expression}.{name}", value, name, held) for name, held in fields.items()]
        own = f"{type(value).__name__}__{len(self.classes)}"
        self.classes[own] = with_fields(found[0], type(value), own, list(fields)), found[1]
        return f"{own}({', '.join(arguments)})"

    def _field(self, path, expression, owner, name, held):
        if held is None or type(held) is str:
            return repr(held)
        if type(held) in (bool, int, float, complex) or (isinstance(held, (np.generic, np.ndarray)) and held.dtype.kind in "biufc"):
            while path in self.taken or path in self.values:
                path += "_"
            self.values[path] = held
            self.fields.append((owner, name, expression))
            if len(self.fields) > _MOST_FIELDS:
                raise _Change
            return path
        if type(held) is tuple and (text := constant_text(held)):
            return text
        if _is_list(held):
            return self._list(path, expression, held)
        if is_given(held):
            return self._object(path, expression, held)
        raise _Change


def is_given(value):
    """Whether the value is an object of a class of the user's of which nothing matters but its fields and methods."""
    cls = type(value)
    return not isinstance(value, (tuple, type, np.generic, np.ndarray, types.FunctionType, types.ModuleType)) and \
        cls.__module__ not in ("builtins", "numpy") and class_source(cls) is not None


def _is_list(value):
    return type(value) in (list, tuple) and len(value) > 0 and all(is_given(one) for one in value)


def _assigned(function, classes):
    """The fields that the function, methods of the classes, or functions of their modules may assign."""
    names = set()
    for one in (function, *plain_functions(function.__globals__, classes)):
        for code in (one.__code__, *code_inside(one.__code__)):
            names.update(_stored(code))
    return names


def _stored(code):
    return {one.argval for one in dis.get_instructions(code) if one.opname == "STORE_ATTR"}


def call(program, args, kwargs):
    """The call, as a function without arguments; None where no object among these arguments is changed, or it cannot be given so."""
    function = program.f
    if function.__code__.co_freevars or program.constants or getattr(program, "is_of_given", False):
        return None
    own = (program.bound(),) if program.bound is not None else ()
    try:
        bound = inspect.signature(function).bind(*own, *args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    if any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in bound.signature.parameters.values()):
        return None
    objects = {name: value for name, value in bound.arguments.items() if is_given(value) or _is_list(value)}
    described = _Described({*function.__code__.co_varnames, *function.__code__.co_names})
    try:
        for name, value in objects.items():
            described.add(name, value)
    except _Change:
        return None
    if not objects:
        return None
    assigned = _assigned(function, {type(one) for one in described.seen.values()})
    changed = [field for field in described.fields if field[1] in assigned]
    if not changed and not any(map(_is_list, objects.values())):
        return None  # compiled code looks up the fields where it names them
    rest = {name: value for name, value in bound.arguments.items() if name not in objects}
    key = tuple(described.text.items()), tuple(described.values), tuple(rest), tuple(expression for _, _, expression in changed)
    versions = program.__dict__.setdefault("_given_versions", {})
    if key not in versions:
        versions[key] = _version(program, described, list(rest), changed)
    version = versions[key]
    return None if version is None else lambda: _run(version, [*described.values.values(), *rest.values()], changed)


def _run(version, arguments, changed):
    given = version(*arguments)
    if version.returns + len(changed) == 1:
        given = (given,)
    result = given[0] if version.returns else None
    for (owner, name, _), value in zip(changed, given[version.returns:]):
        if getattr(owner, name) is not value:
            setattr(owner, name, value)
    return result


def _version(program, described, rest, changed):
    """The program that takes fields; None where its source cannot be written."""
    lines, first = program._source
    try:
        node = ast.parse(textwrap.dedent("".join(lines))).body[0]
    except SyntaxError:
        return None
    body = node.body[1:] if isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant) and len(node.body) > 1 else node.body
    if not isinstance(node, ast.FunctionDef) or body[0].lineno == node.lineno:
        return None
    returns = any(isinstance(one, ast.Return) and one.value is not None for one in _without_inner(node.body))
    begin = body[0].lineno - 1
    name = f"{program.f.__name__}__body"
    called = f"{name}({', '.join(rest)})"
    ends = ", ".join(expression for _, _, expression in changed)
    made = "; ".join(f"{one} = {text}" for one, text in described.text.items())
    source = [f"def {program.f.__name__}({', '.join([*described.values, *rest])}):\n", f" {made}\n", f" def {name}({', '.join(rest)}):\n",
              *(line + "\n" for line in textwrap.dedent("".join(lines)).splitlines()[begin:]),
              *([f" return {', '.join(filter(None, (called, ends)))}\n"] if returns else [f" {called}\n", f" return {ends}\n"])]
    space = {}
    exec(compile("".join(source), inspect.getsourcefile(program.f) or "<source>", "exec"), space)
    function = types.FunctionType(space[program.f.__name__].__code__, program.f.__globals__, program.f.__name__)
    function.__qualname__, function.__module__ = program.f.__qualname__, program.f.__module__
    function.__annotations__ = {one: program.f.__annotations__[one] for one in rest if one in program.f.__annotations__}
    version = type(program)(function, program.name, program.optimize, program.check, None, program.strict, None, program.target)
    version.constant_functions = program.constant_functions
    version._source = source, max(first + begin - 3, 1)
    version.given_classes, version.is_of_given, version.returns = described.classes, True, int(returns)
    return version


def _without_inner(body):
    """The nodes of the statements, functions inside of them left out."""
    left = list(body)
    for one in left:  # grows on the way
        if not isinstance(one, (ast.FunctionDef, ast.Lambda)):
            yield one
            left += ast.iter_child_nodes(one)
