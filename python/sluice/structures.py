"""Parameters that are structures: objects whose fields are arrays, numbers and further structures (`data.Structure`).

    @sluice.program
    def dense(A: CSR, B: sluice.float32[M, N]):     ->   def dense(A_indptr, A_indices, A_data, B):
        ... A.indptr[i] ...                                  ... A_indptr[i] ...

A program with such a parameter is another one whose fields are its parameters: graphs, analyses and targets see arrays. A number in a field is
passed by value, as in DaCe: what a program assigns to it stays in the program.
"""
import ast
import ctypes
import functools
import inspect
import sys
import textwrap

import numpy as np

from . import _core, fallback
from .data import Structure
from .program import Program
from .segment_calls import function_of

_DEFINES = "define_local_structure"


def structures_of(function):
    """The parameters whose annotation is a structure."""
    return {name: kind for name, kind in getattr(function, "__annotations__", {}).items() if isinstance(kind, Structure) and name != "return"}


# ---- values ----
def _size(extent, sizes, path):
    if isinstance(extent, int):
        return extent
    try:
        return int(eval(str(extent), {"__builtins__": {}, "min": min, "max": max}, sizes))
    except NameError as missing:
        _core.refuse("A005", f"the size {extent} of {path} is not known: it lies behind a pointer", f"pass {missing.name}=...")


def _field(value, kind, path, sizes):
    """What a field holds, as an argument of its type."""
    if not isinstance(kind, _core.ArrayType):
        return getattr(value, "value", value)
    if value is None or isinstance(value, int):  # a pointer of a ctypes structure
        if not value:
            _core.refuse("A002", f"{path} is a null pointer", "fill all fields of the structure")
        shape = tuple(_size(extent, sizes, path) for extent in kind.shape)
        dtype = np.dtype(kind.dtype.type)
        memory = (ctypes.c_char * (int(np.prod(shape)) * dtype.itemsize)).from_address(value)
        return np.frombuffer(memory, dtype).reshape(shape)
    return value


def _spread(kind, value, path, sizes):
    """The fields of a structure's argument, those of inner structures in place of these."""
    for name, member in kind.members.items():
        if isinstance(value, dict):
            found, inner = name in value, value.get(name)
        else:
            found, inner = hasattr(value, name), getattr(value, name, None)
        if not found:
            _core.refuse("A002", f"{path} is a {kind.name}, but a {type(value).__name__} without the field {name} was given",
                         "pass an object with its fields, or Structure.make_argument(...)")
        if isinstance(member, Structure):
            yield from _spread(member, inner, f"{path}.{name}", sizes)
        else:
            yield _field(inner, member, f"{path}.{name}", sizes)


# ---- source ----
def _paths(kind, prefix):
    """Each field with its path: ("x", "a") -> float32[20]."""
    for name, member in kind.members.items():
        if isinstance(member, Structure):
            yield from _paths(member, (*prefix, name))
        else:
            yield (*prefix, name), member


class _Rewriting:
    """The source of a function with names in place of the fields of its structures; lines stay where they are."""

    def __init__(self, program, kinds):
        self.program, self.kinds = program, dict(kinds)
        lines, self.first = program._source
        self.lines = textwrap.dedent("".join(lines)).splitlines(True)
        node = ast.parse("".join(self.lines)).body[0]
        self.taken = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} | {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
        self.names, self.edits, self.cells = {}, [], {"_sluice": sys.modules[__package__]}
        for name, kind in self.kinds.items():
            self._name_fields(name, kind)
        for statement in node.body:
            self._define(statement)
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            if argument.arg in kinds:
                self._edit(argument, ", ".join(f"{self.names[path]}: _sluice_field" for path in self.names if path[0] == argument.arg))
        for statement in node.body:
            self._visit(statement)

    def _name_fields(self, name, kind):
        for path, _ in _paths(kind, (name,)):
            own = "_".join(path)
            while own in self.taken:
                own += "_"
            self.taken.add(own)
            self.names[path] = own

    def _edit(self, node, text):
        if node.lineno != node.end_lineno:
            self._refuse(node, "a field over several lines", "write it in one line")
        self.edits.append((node.lineno - 1, node.col_offset, node.end_col_offset, text))

    def _define(self, statement):
        """`tmp = define_local_structure(Kind)`: an array for each field."""
        for node in ast.walk(statement):
            call = node.value if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) else None
            function = call.func if isinstance(call, ast.Call) else None
            word = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)
            if word != _DEFINES or len(call.args) != 1 or call.keywords:
                continue
            kind = self.program.value_now(call.args[0].id)[1] if isinstance(call.args[0], ast.Name) else None
            if not isinstance(kind, Structure):
                self._refuse(call, f"{_DEFINES} takes the name of a structure", "define it around the program")
            target = node.targets[0].id
            self.kinds[target] = kind
            self._name_fields(target, kind)
            parts = [f"{self.names[path]} = {self._new(member)}" for path, member in _paths(kind, (target,))]
            self._edit(node, "; ".join(parts))
            node.targets, node.value = [], ast.Constant(None)

    def _new(self, member):
        """Text that makes a local field."""
        array = isinstance(member, _core.ArrayType)
        dtype = member.dtype if array else member
        kind = f"_sluice.{dtype}"
        if not array:
            return f"{kind}(0)"
        for extent in member.shape:
            for name in _names_in(extent):
                self.cells.setdefault(name, _core.Expr(name))
        return f"_sluice.define_local(({', '.join(f'{extent}' for extent in member.shape)},), {kind})"

    def _visit(self, node):
        path, root = (), node
        while isinstance(root, ast.Attribute):
            path, root = (root.attr, *path), root.value
        if isinstance(root, ast.Name) and root.id in self.kinds:
            kind = self.kinds[root.id]
            for at, name in enumerate(path, 1):
                kind = kind.members.get(name)
                if not isinstance(kind, Structure):
                    break
            known = self.names.get((root.id, *path[:at])) if path else None
            if known is None:
                self._refuse(root, f"the structure {root.id} as a value", f"use its fields: {', '.join(map('.'.join, self.names))}")
            field = node
            for _ in path[at:]:
                field = field.value
            self._edit(field, known)
            return
        for child in ast.iter_child_nodes(node):
            self._visit(child)

    def _refuse(self, node, what, remedy):
        try:
            _core.refuse("F001", f"unsupported construct: {what}", remedy)
        except _core.CompileError as error:
            error.filename, error.lineno, error.offset = inspect.getsourcefile(self.program.f), node.lineno + max(self.first, 1) - 1, node.col_offset + 1
            error.args = f"{error.filename}:{error.lineno}:{error.offset}: {error}",
            raise

    def text(self):
        lines = [line.encode() for line in self.lines]
        for line, begin, end, text in sorted(self.edits, reverse=True):
            lines[line] = lines[line][:begin] + text.encode() + lines[line][end:]
        return [line.decode() for line in lines]


def _names_in(extent):
    return [] if isinstance(extent, int) else [one.id for one in ast.walk(ast.parse(str(extent))) if isinstance(one, ast.Name) and one.id not in ("min", "max")]


class StructuredProgram(Program):
    """A program of which parameters are structures."""

    @functools.cached_property
    def _kinds(self):
        return structures_of(self.f)

    @functools.cached_property
    def fields_program(self):
        """The program that takes the fields."""
        rewriting = _Rewriting(self, self._kinds)
        lines = rewriting.text()
        node = ast.parse("".join(lines)).body[0]
        ast.increment_lineno(node, max(rewriting.first, 1) - 1)
        function = function_of(fallback._bare(node, node.body), self.f, rewriting.cells, inspect.getsourcefile(self.f))
        types = {}
        for name, annotation in self.f.__annotations__.items():
            if name in self._kinds:
                types.update((rewriting.names[path], member) for path, member in _paths(annotation, (name,)))
            else:
                types[name] = annotation
        function.__annotations__ = types
        function.__defaults__, function.__kwdefaults__ = self.f.__defaults__, self.f.__kwdefaults__
        made = Program(function, self.name, self.optimize, self.check, strict=self.strict, target=self.target)
        made.constant_functions, made.of_dace = self.constant_functions, self.of_dace
        made._source = lines, rewriting.first
        return made

    def _arguments(self, args, kwargs):
        """The same call with fields in place of structures."""
        spread, named = [], {}
        sizes = {name: value for name, value in kwargs.items() if isinstance(value, (int, np.integer))}
        names = list(inspect.signature(self.f).parameters)
        for at, value in enumerate(args):
            kind = self._kinds.get(names[at]) if at < len(names) else None
            spread += [value] if kind is None else _spread(kind, value, names[at], sizes)
        own = self.fields_program.argnames
        at = 0
        for name in names:  # fields keep the order of the parameters
            kind = self._kinds.get(name)
            count = 1 if kind is None else sum(1 for _ in _paths(kind, (name,)))
            if kind is not None and name in kwargs:
                named.update(zip(own[at:at + count], _spread(kind, kwargs[name], name, sizes)))
            at += count
        return spread, {**{name: value for name, value in kwargs.items() if name not in self._kinds}, **named}

    @property
    def _parsed(self):
        _core.refuse("F011", f"{self.name} has parameters that are structures", "call it from Python, or pass the fields as parameters")

    def __call__(self, *args, **kwargs):
        args, kwargs = self._arguments(args, kwargs)
        return self.fields_program(*args, **kwargs)

    as_called_by_python = __call__

    def to_sdfg(self, *args, **kwargs):
        """The SDFG: an array for each field, `A_indptr` for `A.indptr`."""
        args, kwargs = self._arguments(args, kwargs)
        return self.fields_program.to_sdfg(*args, **kwargs)

    def compile(self, *args, **kwargs):
        """This program, compiled: a call takes structures."""
        args, kwargs = self._arguments(args, kwargs)
        self.fields_program.compile(*args, **kwargs)
        return self

    def explain(self):
        return self.fields_program.explain()
