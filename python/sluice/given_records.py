"""Structured arrays, those among the arguments and those that a program makes: each field is an array of its own, which the call copies in and
out, and a record array that is returned is made again of its fields.

    def f(p, dt):                          def f(p__x, p__v, dt):
        p["x"] += dt * p["v"]                  p__x += dt * p__v
        q = np.zeros(3, dtype=PAIR)    ->      q__a = np.zeros(3, dtype=np.float64); q__b = np.zeros(3, dtype=np.int32)
        q["a"] = p["x"][:3]                    q__a[...] = p__x[:3]
        return p["v"], q                       return p__v, Records__0(q__a, q__b)

An array that is returned and lies in a copy of a field is, for the caller, that part of the field itself.
"""
import ast
import inspect
import textwrap
import types

import numpy as np

from . import _core
from .classes import records_source
from .returned import with_given

_MAKING = {np.zeros: "zeros", np.ones: "ones", np.empty: "empty"}
_OF_TYPES = ast.Name, ast.Attribute, ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Load, ast.Expression


class _Cannot(Exception):
    """A use of such an array that has no meaning for its fields."""


def is_of_fields(value):
    return isinstance(value, np.ndarray) and value.dtype.names is not None


def _fields(dtype):
    """(type, shape) of each field, by name."""
    fields = {name: (dtype[name].base, dtype[name].shape) for name in dtype.names or ()}
    if not fields or not all(name.isidentifier() and base.kind in "biufc" and base.isnative for name, (base, _) in fields.items()):
        raise _Cannot
    return fields


class _Rewriting:
    """Edits of a source: of each name that means a structured array, by its type. edits: (line, column, end column, text)."""

    def __init__(self, function, node, lines, given):
        self.function, self.node, self.lines, self.given = function, node, lines, given
        self.types, self.edits, self.classes, self.used, self.taken = dict(given), [], {}, {}, {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        self.returned, self.rebound, self.made = set(), set(), {}
        self.parents = {part: one for one in ast.walk(node) for part in ast.iter_child_nodes(one)}

    def run(self):
        for _ in range(3):  # a name may be made of one that a later line makes
            for one in ast.walk(self.node):
                if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name):
                    self._learn(one.targets[0].id, self._made_by(one.value))
        if not self.types or self.types.keys() & {one.arg for inner in ast.walk(self.node) if inner is not self.node and isinstance(inner, (ast.FunctionDef, ast.Lambda))
                                                  for one in ast.walk(inner.args) if isinstance(one, ast.arg)}:
            raise _Cannot
        for one in ast.walk(self.node):
            if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name) and one.targets[0].id in self.types:
                self._make(one)
        made = {one for edit in self.edits for one in edit[4]}
        for one in ast.walk(self.node):
            if isinstance(one, ast.Name) and one.id in self.types and one not in made:
                self._use(one)
        self._require_apart()

    def _learn(self, name, dtype):
        if dtype is None:
            return
        if self.types.setdefault(name, dtype) != dtype:
            raise _Cannot
        if name in self.given:
            self.rebound.add(name)

    def name(self, array, field):
        """What the array of a field is called."""
        own = f"{array}__{field}"
        while own in self.taken:
            own += "_"
        if array in self.given:
            self.used.setdefault(array, {})[field] = own
        return own

    def _names(self, array):
        return [self.name(array, field) for field in _fields(self.types[array])]

    # ---- what makes such an array ----
    def _value(self, expression):
        if not all(isinstance(one, _OF_TYPES) or (isinstance(one, ast.Call) and self._is(one.func, np.dtype)) for one in ast.walk(expression)):
            return None
        try:
            return eval(compile(ast.Expression(expression), "<type>", "eval"), self.function.__globals__)
        except Exception:  # no value yet
            return None

    def _is(self, expression, value):
        return isinstance(expression, (ast.Name, ast.Attribute)) and not any(isinstance(one, ast.Call) for one in ast.walk(expression)) and \
            self._value(expression) is value

    def _creation(self, value):
        """(name of NumPy's function, shape, type) of `np.zeros(shape, dtype=type)`; None for others."""
        if not isinstance(value, ast.Call) or any(one.arg not in ("dtype", "shape") for one in value.keywords):
            return None
        making = next((name for function, name in _MAKING.items() if self._is(value.func, function)), None)
        given = {**dict(zip(("shape", "dtype"), value.args)), **{one.arg: one.value for one in value.keywords}}
        if making is None or "dtype" not in given or "shape" not in given or len(value.args) > 2:
            return None
        described = self._value(given["dtype"])
        if not isinstance(described, (np.dtype, list)):
            return None
        dtype = np.dtype(described)
        return (making, given["shape"], dtype) if dtype.names else None

    def _made_by(self, value):
        """The type of the structured array that an expression is."""
        if made := self._creation(value):
            return made[2]
        if isinstance(value, ast.Name):
            return self.types.get(value.id)
        if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and not self._field_of(value.slice):
            return self.types.get(value.value.id)
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "copy" and not value.args and not value.keywords and \
                isinstance(value.func.value, ast.Name):
            return self.types.get(value.func.value.id)
        return None

    @staticmethod
    def _field_of(index):
        return index.value if isinstance(index, ast.Constant) and isinstance(index.value, str) else None

    def _text(self, node):
        """The text of an expression, with the edits inside of it."""
        inside = _Rewriting(self.function, self.node, self.lines, self.given)
        inside.types, inside.taken, inside.parents, inside.used = self.types, self.taken, self.parents, self.used
        for one in ast.walk(node):
            if isinstance(one, ast.Name) and one.id in self.types:
                inside._use(one)
        if node.lineno != node.end_lineno:
            raise _Cannot
        return _edited(self.lines[node.lineno], inside.edits, node.lineno, node.col_offset, node.end_col_offset)

    def _make(self, statement):
        """`q = np.zeros(n, dtype=TYPE)`, `q = p[index]`, `q = p.copy()`, `q = p`: an assignment for each field."""
        value, name = statement.value, statement.targets[0].id
        dtype, own = self.types[name], name
        if self._made_by(value) != dtype:
            raise _Cannot
        fields, made, front = _fields(dtype), self._creation(value), ""
        if made:
            making, shape, _ = made
            module = self._text(value.func).rpartition(".")[0]
            if isinstance(shape, ast.Tuple):
                sizes = [self._text(one) for one in shape.elts]
            else:
                front, sizes = f"{own}__size = {self._text(shape)}; ", [f"{own}__size"]
            if not module:
                raise _Cannot
            texts = [f"{module}.{making}(({', '.join([*sizes, *map(str, inner)])},), dtype={module}.{base.name if base.kind != 'b' else 'bool_'})"
                     for base, inner in fields.values()]
        elif isinstance(value, ast.Name):
            texts = self._names(value.id)
        elif isinstance(value, ast.Call):
            texts = [f"{one}.copy()" for one in self._names(value.func.value.id)]
        else:
            index = value.slice
            sliced = any(isinstance(one, ast.Slice) for one in ast.walk(index))
            if sliced and any(isinstance(one, ast.Call) for one in ast.walk(index)):
                raise _Cannot
            at = self._text(index)
            if not sliced:
                front, at = f"{own}__at = {at}; ", f"{own}__at"
            texts = [f"{one}[{at}]" for one in self._names(value.value.id)]
        text = front + "; ".join(f"{field} = {one}" for field, one in zip(self._names(name), texts))
        self._edit(statement, statement.col_offset, statement.end_col_offset, text, {one for one in ast.walk(statement) if isinstance(one, ast.Name)})

    # ---- what uses one ----
    def _edit(self, node, begin, end, text, names=()):
        if node.lineno != node.end_lineno:
            raise _Cannot
        self.edits.append((node.lineno, begin, end, text, names))

    def _use(self, name):
        around = name
        while around in self.parents:  # Python 3.11 does not say where the parts of an f-string are.
            around = self.parents[around]
            if isinstance(around, ast.JoinedStr):
                raise _Cannot
        around = self.parents[name]
        beyond = self.parents.get(around)
        if isinstance(around, ast.Subscript) and around.value is name:
            field = self._field_of(around.slice)
            if field is not None:
                return self._field(name, field, around)
            if isinstance(beyond, ast.Subscript) and beyond.value is around and (field := self._field_of(beyond.slice)) is not None:
                self._edit(name, name.col_offset, name.end_col_offset, self._known(name.id, field))
                return self._edit(beyond, around.end_col_offset, beyond.end_col_offset, "")
            if isinstance(around.ctx, ast.Store):
                return self._store(name, around, beyond)
        if isinstance(around, ast.Call) and isinstance(around.func, ast.Name) and around.func.id == "len" and len(around.args) == 1:
            return self._edit(name, name.col_offset, name.end_col_offset, self._plain(name.id)[0])
        if isinstance(around, ast.Attribute) and around.attr in ("shape", "size", "ndim"):
            return self._edit(name, name.col_offset, name.end_col_offset, self._plain(name.id)[0])
        if isinstance(beyond, ast.Return) and isinstance(around, (ast.Tuple, ast.List)) or isinstance(around, ast.Return):
            return self._return(name)
        raise _Cannot

    def _known(self, array, field):
        if field not in _fields(self.types[array]):
            raise _Cannot
        return self.name(array, field)

    def _plain(self, array):
        """The names of fields that have one element for each record."""
        plain = [self.name(array, field) for field, (_, inner) in _fields(self.types[array]).items() if not inner]
        if not plain:
            raise _Cannot
        return plain

    def _field(self, name, field, around):
        own = self._known(name.id, field)
        whole = isinstance(around.ctx, ast.Store) and not isinstance(self.parents[around], ast.AugAssign)
        self._edit(around, name.col_offset, around.end_col_offset, f"{own}[...]" if whole else own)

    def _store(self, name, around, beyond):
        """`p[i] = a, b`"""
        count = len(_fields(self.types[name.id]))
        index = around.slice
        plain = all(isinstance(one, (ast.Name, ast.Constant, ast.BinOp, ast.operator, ast.Load, ast.UnaryOp, ast.unaryop)) for one in ast.walk(index))
        if not isinstance(beyond, ast.Assign) or len(beyond.targets) != 1 or not isinstance(beyond.value, ast.Tuple) or len(beyond.value.elts) != count or not plain:
            raise _Cannot
        at = self._text(index)
        self._edit(around, around.col_offset, around.end_col_offset, ", ".join(f"{one}[{at}]" for one in self._names(name.id)))

    def _return(self, name):
        given = name.id if name.id in self.given else None
        if given and name.id in self.rebound:
            raise _Cannot
        self.returned.add(name.id)
        dtype, fields = self.types[name.id], self._names(name.id)
        own = f"Records__{len(self.classes)}"
        self.classes[own] = records_source(dtype, own if given else None)
        self._edit(name, name.col_offset, name.end_col_offset, f"{own}({', '.join(fields)})")
        if given:
            self.made[own] = given

    def _is_copying(self, index):
        """Whether an array by this index is surely another one, and no record of it."""
        if isinstance(index, ast.Call):
            return isinstance(index.func, ast.Attribute) and index.func.attr in ("argsort", "flatnonzero", "lexsort", "nonzero")
        return isinstance(index, ast.Compare) or (isinstance(index, ast.BinOp) and isinstance(index.op, (ast.BitAnd, ast.BitOr))) or (
            isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.Invert))

    def _require_apart(self):
        """What would share memory in Python: a returned array of records and a part of it, or another one; a record by itself that changes."""
        changed = {self._root(one) for one in ast.walk(self.node) if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store)}
        for one in ast.walk(self.node):
            if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name) and one.targets[0].id in self.types:
                name, value = one.targets[0].id, one.value
                view = isinstance(value, ast.Name) or (isinstance(value, ast.Subscript) and not self._is_copying(value.slice))
                alone = isinstance(value, ast.Subscript) and view and not isinstance(value.slice, ast.Slice)
                if (view and name in self.returned) or (alone and name in changed):
                    raise _Cannot
        rooted = {one.targets[0].id for one in ast.walk(self.node) if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name) and
                  self._root(one.value) in self.returned - set(self.given)}
        for one in ast.walk(self.node):
            if isinstance(one, ast.Return) and one.value is not None:
                for part in one.value.elts if isinstance(one.value, (ast.Tuple, ast.List)) else [one.value]:
                    if self._root(part) in rooted or (not isinstance(part, ast.Name) and self._root(part) in self.returned):
                        raise _Cannot

    @staticmethod
    def _root(value):
        while isinstance(value, (ast.Subscript, ast.Attribute)):
            value = value.value
        return value.id if isinstance(value, ast.Name) else None


def _edited(line, edits, number, begin=0, end=None):
    """The part of a line, with the edits of it."""
    raw = line.encode()
    end = len(raw) if end is None else end
    for _, first, last, text, *_ in sorted((one for one in edits if one[0] == number and begin <= one[1] and one[2] <= end), key=lambda one: one[:3], reverse=True):
        raw = raw[:first] + text.encode() + raw[last:]
        end += len(text.encode()) - (last - first)
    return raw[begin:end].decode()


def call(program, args, kwargs):
    """The call of the program over fields, as a function without arguments; None where no structured array takes part, or it has no such
    program."""
    function = program.f
    if function.__code__.co_freevars or program.constants or program.bound is not None or getattr(program, "is_of_given", False):
        return None
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    if any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in bound.signature.parameters.values()):
        return None
    given = {name: value for name, value in bound.arguments.items() if is_of_fields(value)}
    arrays = [value for value in bound.arguments.values() if isinstance(value, np.ndarray)]
    if any(np.may_share_memory(one, other) for one in given.values() for other in arrays if other is not one) or len({id(one) for one in given.values()}) < len(given):
        return None
    key = tuple((name, value.dtype) for name, value in given.items())
    versions = program.__dict__.setdefault("_record_versions", {})
    if key not in versions:
        versions[key] = _version(program, {name: value.dtype for name, value in given.items()}, bound.arguments)
    version = versions[key]
    return None if version is None else lambda: _run(version, given, {name: value for name, value in bound.arguments.items() if name not in given})


def _version(program, given, arguments):
    lines, first = program._source
    text = textwrap.dedent("".join(lines))
    try:
        node = ast.parse(text).body[0]
        if not isinstance(node, ast.FunctionDef) or node.body[0].lineno == node.lineno:
            return None
        numbered = dict(enumerate(text.splitlines(), 1))
        rewriting = _Rewriting(program.f, node, numbered, given)
        rewriting.run()
    except (SyntaxError, _Cannot):
        return None
    rest = [name for name in arguments if name not in given]
    fields = [(array, field, own) for array, used in rewriting.used.items() for field, own in used.items()]
    begin = node.body[0].lineno
    name = program.f.__name__
    source = [f"def {name}({', '.join([*(own for _, _, own in fields), *rest])}):\n", *(_edited(line, rewriting.edits, number) + "\n" for number, line in numbered.items() if number >= begin)]
    space = {}
    exec(compile("".join(source), inspect.getsourcefile(program.f) or "<source>", "exec"), space)
    function = types.FunctionType(space[name].__code__, program.f.__globals__, name)
    function.__qualname__, function.__module__ = program.f.__qualname__, program.f.__module__
    function.__annotations__ = {one: program.f.__annotations__[one] for one in rest if one in program.f.__annotations__}
    version = type(program)(function, program.name, program.optimize, program.check, None, program.strict, None, program.target)
    version.constant_functions = program.constant_functions
    version._source = source, max(first + begin - 2, 1)
    version.given_classes, version.is_of_given = rewriting.classes, True
    version.fields, version.made = fields, rewriting.made
    return version


def _run(version, given, rest):
    copies = {(array, field): np.array(given[array][field], order="C") for array, field, _ in version.fields}
    before = {place: copy.tobytes() for place, copy in copies.items()}
    try:
        with with_given({own: given[array] for own, array in version.made.items()}):
            result = version(*(copies[array, field] for array, field, _ in version.fields), **rest)
    finally:
        for (array, field), copy in copies.items():
            if copy.tobytes() != before[array, field]:
                given[array][field][...] = copy
    return _as_parts(result, given, copies)


def _as_parts(value, given, copies):
    """What is returned with the fields of the caller's arrays in place of what lies in copies of them."""
    if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
        return type(value)(_as_parts(one, given, copies) for one in value)
    if type(value) is dict:
        return {key: _as_parts(one, given, copies) for key, one in value.items()}
    if not isinstance(value, np.ndarray) or value.dtype.names:
        return value
    for (array, field), copy in copies.items():
        if not np.may_share_memory(value, copy):
            continue
        whole = given[array][field]
        if value.shape == copy.shape and value.strides == copy.strides and value.ctypes.data == copy.ctypes.data:
            return whole
        if copy.ndim != 1 or value.dtype != copy.dtype:
            _core.refuse("A008", f"a part of the field {field} is returned", "return a copy of it")
        step = whole.strides[0]
        begin = (value.ctypes.data - copy.ctypes.data) // copy.itemsize
        return np.lib.stride_tricks.as_strided(whole[begin:], value.shape, [one // copy.itemsize * step for one in value.strides])
    return value
