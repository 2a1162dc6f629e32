"""Objects among the arguments that a program changes, and tuples with names that it takes apart: it takes their numbers and arrays one by
one, makes an object of its own of them, and returns those that it may have assigned, which the caller's object gets.

    def f(sim, n):                   def f(sim__u, sim__t, n):
        for _ in range(n):               sim = Sim__0(sim__u, sim__t)
            sim.step(0.2)       ->       def f__body(n): ...
        return sim.u.sum()               return f__body(n), sim.t

After an exception the function runs again as Python, from the fields and the elements of arrays that it began with: all are those at the raise. Where arrays are too large to be copied in front of each
call, the numbers are those from before it, and the exception says so (add_note).
"""
import ast
import dis
import inspect
import textwrap
import types

import numpy as np

from . import module_arrays
from .classes import class_source, plain_functions, with_fields
from .given_objects import chains_of
from .meanings import constant_text
from .names import code_inside
from .returned import with_given

_MOST_FIELDS = 200
_MOST_COPIED = 1 << 20  # bytes of arrays in front of each call: some 50 microseconds, as long as Python takes to describe the objects


class _Change(Exception):
    """An object that cannot be given so."""


class _Described:
    """Objects as one call gives them. text: the expression that makes each again, by parameter; classes: what bind_classes wants, by the names in it; values: what is
    given, by name; fields: (object, field, how the source calls it);
    sources: what class_source tells of each;
    made: the objects, by the names of their classes;
    objects: (the fields of an object, those of them that are objects or lists of these, all attributes that its class names)."""

    def __init__(self, taken):
        self.text, self.classes, self.values, self.fields, self.objects, self.sources, self.taken, self.seen, self.made = {}, {}, {}, [], [], [], taken, {}, {}

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
        self.sources.append(found)
        fields = value._asdict() if isinstance(value, tuple) else vars(value) if hasattr(value, "__dict__") else {name: getattr(value, name) for name in type(value).__slots__ if hasattr(value, name)}
        if found is None or not all(name.isidentifier() for name in fields):
            raise _Change
        arguments = [self._field(f"{path}__{name}", f"{expression}.{name}", value, name, held) for name, held in fields.items()]
        inside = {name for name, held in fields.items() if is_given(held) or type(held) in (list, dict)}
        self.objects.append(({*fields}, inside, {name for one in plain_functions({}, {type(value)}) for name in one.__code__.co_names}))
        own = f"{type(value).__name__}__{len(self.classes)}"
        self.classes[own] = with_fields(found[0], type(value), list(fields), own), found[1], type(value)
        self.made[own] = value
        return f"{own}({', '.join(arguments)})"

    def _field(self, path, expression, owner, name, held):
        text = repr(held) if held is None or type(held) is str else constant_text(held) if type(held) is tuple else None
        if text:
            self.fields.append((owner, name, expression))
            return text
        if _is_list(held):
            return self._list(path, expression, held)
        numbers = isinstance(held, (np.generic, np.ndarray)) and held.dtype.kind in "biufc"
        if numbers or type(held) in (bool, int, float, complex, list, dict):
            while path in self.taken or path in self.values:
                path += "_"
            self.values[path] = held
            self.fields.append((owner, name, expression))
            if len(self.fields) > _MOST_FIELDS:
                raise _Change
            return path
        if is_given(held):
            return self._object(path, expression, held)
        raise _Change


def is_given(value):
    """Whether the value is an object of a class of the user's of which nothing matters but its fields and methods."""
    cls = type(value)
    return (not isinstance(value, tuple) or hasattr(cls, "_fields")) and not isinstance(value, (type, np.generic, np.ndarray, types.FunctionType, types.ModuleType)) and \
        cls.__module__ not in ("builtins", "numpy") and class_source(cls) is not None


def _is_list(value):
    return type(value) in (list, tuple) and len(value) > 0 and all(is_given(one) for one in value)


def _is_taken_apart(program, name, value):
    """Whether the program uses a named tuple otherwise than by its fields."""
    return isinstance(value, tuple) and chains_of(ast.parse(textwrap.dedent("".join(program._source[0]))).body[0].body, name) is None


def _assigned(function, classes):
    """The fields that the function may assign, itself or by methods of the classes and functions of their modules that it may come to."""
    left, reached, others = [function], [], list(plain_functions(function.__globals__, classes))
    while left:
        codes = [code for one in left for code in (one.__code__, *code_inside(one.__code__))]
        reached += codes
        names = {name for code in codes for name in code.co_names}
        left = [one for one in others if one.__name__ in names or one.__name__.startswith("__")]
        others = [one for one in others if one not in left]
    return {one.argval for code in reached for one in dis.get_instructions(code) if one.opname == "STORE_ATTR"}


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
    if any(assigned & (inside | (named - fields)) for fields, inside, named in described.objects):
        return None  # there would be no place for what is assigned
    changed = [field for field in described.fields if field[1] in assigned]
    if not changed and not any(_is_list(value) or _is_taken_apart(program, name, value) for name, value in objects.items()):
        return None  # compiled code looks up the fields where it names them
    rest = {name: value for name, value in bound.arguments.items() if name not in objects}
    key = (tuple(map(id, described.sources)), tuple(described.text.items()), tuple(described.values), tuple(rest),
           tuple(expression for _, _, expression in changed))
    versions = program.__dict__.setdefault("_given_versions", {})
    if key not in versions:
        versions[key] = _version(program, described, list(rest), changed)
    version = versions[key]
    return None if version is None else lambda: _run(version, [*described.values.values(), *rest.values()], changed, described.made,
                                                     lambda: function(*own, *args, **kwargs))


def _changing(values):
    """The arrays among the values; None for what else may have changed when a call raises. Lists get their elements behind it."""
    for value in values:
        if isinstance(value, np.ndarray):
            yield value if value.dtype.kind in "biufc" else None
        elif type(value) in (list, tuple, dict):
            yield from _changing(value.values() if type(value) is dict else value)
        elif not (value is None or isinstance(value, (bool, int, float, complex, str, np.generic))):
            yield None


def _restoring(version, arguments):
    """What gives the arrays that the call may change their elements back; None where that cannot be."""
    around = module_arrays.now(version)
    arrays = [*_changing(arguments), *_changing(around.values())]
    if module_arrays.draws(around) or any(one is None for one in arrays) or sum(one.nbytes for one in arrays) > _MOST_COPIED:
        return None
    copies = [(one, one.copy()) for one in arrays if one.flags.writeable]

    def restore():
        for one, copy in copies:
            one[...] = copy
    return restore


def _run(version, arguments, changed, objects, in_python):
    restore = _restoring(version, arguments) if changed else None
    try:
        with with_given(objects):
            given = version(*arguments)
    except (ArithmeticError, AssertionError, LookupError, RuntimeError, TypeError, ValueError) as error:
        if not changed or getattr(error, "code", "A014") < "A009" or isinstance(error, NotImplementedError) or "64 bits" in str(error):
            raise
        if restore is None:
            error.add_note("the numbers in fields of objects are those from before the call")
            raise
        restore()
        return in_python()
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
    version.sources = described.sources  # the key tells them by their identity
    return version


def _without_inner(body):
    """The nodes of the statements, functions inside of them left out."""
    left = list(body)
    for one in left:  # grows on the way
        if not isinstance(one, (ast.FunctionDef, ast.Lambda)):
            yield one
            left += ast.iter_child_nodes(one)
