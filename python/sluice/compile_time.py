"""Values that are constants of a compiled program, though Python computes them: arguments annotated `sluice.compiletime`, expressions in
`sluice.inline(...)`, calls of functions under `@sluice.always_inline`.

    @sluice.program
    def scale(A: sluice.float64[N], options: sluice.compiletime):
        A *= options.factor

A program with such arguments is translated once for each of their values: numbers, texts and None by value, lists and dictionaries by
what they hold, other objects by identity (their fields are looked up as those of any object around a program are).
"""
import ast
import enum
import inspect
import textwrap
import types
import warnings

import numpy as np

from . import _core, fallback
from .callees import callee_of
from .explicit import in_program
from .fields import static_value
from .meanings import constant_text, graph_meaning
from .returned import knows_as_dace
from .segment_calls import refused

_MOST = 64  # versions of one program
_OF_TEXTS = {"capitalize", "casefold", "center", "count", "endswith", "find", "index", "isalnum", "isalpha", "isdigit", "islower", "isspace", "isupper",
             "ljust", "lower", "lstrip", "replace", "rfind", "rindex", "rjust", "rstrip", "split", "splitlines", "startswith", "strip", "swapcase", "title",
             "upper", "zfill"}  # methods that give a text, a number or a list of texts


class _CompileTime:
    """The annotation."""

    def __repr__(self):
        return "sluice.compiletime"


compiletime = _CompileTime()


def inline(value):
    """In a program: the expression is evaluated by Python when the program is translated. In plain Python: the value."""
    return value


def always_inline(function):
    """Decorator: Python evaluates calls of the function when a program with such a call is translated; its arguments must be known
    then. In plain Python the function is as it was."""
    function.__sluice_inline__ = True
    return function


def constant_parameters(function):
    """Names of the parameters annotated `compiletime`."""
    return tuple(name for name, annotation in getattr(function, "__annotations__", {}).items() if name != "return" and (
        annotation is compiletime or (isinstance(annotation, str) and annotation.rpartition(".")[2] == "compiletime")))


# ---- arguments ----
def _identity(value):
    """What tells constants apart, with the value itself where only it does."""
    if value is None or type(value) in (bool, int, float, complex, str) or isinstance(value, np.generic):
        return type(value), repr(value)
    text = constant_text(value)
    return (type(value), text) if text else (id(value), None)


def split(program, args, kwargs):
    """(version of the program for the constants of this call, the other arguments by position and by name)."""
    names = list(inspect.signature(program.f).parameters)[program.bound is not None:]
    if len(args) > len(names):
        _core.refuse("A005", f"{program.name} takes {len(names)} positional arguments, but {len(args)} were given",
                     f"the arguments are {', '.join(names)}")
    given = {**dict(zip(names, args)), **kwargs}
    constants = {}
    for name in constant_parameters(program.f):
        if name not in given and name not in program._defaults:
            _core.refuse("A005", f"argument {name} of {program.name} is missing", "it is a constant: pass its value")
        constants[name] = given[name] if name in given else program._defaults[name]
    constants.update((name, ()) for name in program._stars if name not in given)  # compile() without arguments: `*args` is empty
    rest = [value for name, value in zip(names, args) if name not in constants]
    return version(program, constants), rest, {name: value for name, value in kwargs.items() if name not in constants}


def version(program, constants):
    """The program for these constants."""
    constants = {**program.constants, **constants}
    key = tuple((name, *_identity(constants[name])) for name in sorted(constants))
    versions = program.__dict__.setdefault("_constant_versions", {})
    found = versions.pop(key, None)
    if found is None:
        found = type(program)(program.f, program.name, program.optimize, program.check, program.bound, program.strict, constants)
        found.constant_functions, found.target = program.constant_functions, program.target
    versions[key] = found  # the last is the one that was used last
    while len(versions) > _MOST:
        versions.pop(next(iter(versions)))
    return found


def call(program, args, kwargs):
    """A call of a program that has constant parameters. What cannot be compiled, Python runs as a whole."""
    chosen, rest, named = split(program, args, kwargs)
    try:
        return chosen._call_compiled(rest, named)
    except NotImplementedError as error:
        if chosen._returns_none(error):
            return None
        raise
    except (_core.CompileError, TypeError, ValueError) as error:
        if program._is_strict() or not (refused(error) or fallback.awkward(error, chosen._annotations())):
            raise
        warnings.warn(fallback.warning_text(program, f"{error.code} {error.message}", "the call"), fallback.FallbackWarning, stacklevel=3)
    return program.f(*([program.bound()] if program.bound else []), *args, **kwargs)


# ---- expressions ----
def _bound(function):
    """The names that its body binds, and those of parameters of functions inside."""
    for one in ast.walk(function):
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            yield one.id
        elif isinstance(one, (ast.FunctionDef, ast.Lambda)) and one is not function:
            yield from (argument.arg for argument in ast.walk(one.args) if isinstance(argument, ast.arg))
        elif isinstance(one, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)) and one.name:
            yield one.name


def _is_integer(node):
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) is int


class TypeNotKnown(_core.CompileError):
    """An object makes its own graph for an argument whose type the call tells."""


class Sites:
    """Expressions in the source of a program that are known when it is translated. `known`: what parse_program wants, by place;
    `programs`, `graphs`: versions of called programs and graphs of called objects, by names that the source does not have."""

    def __init__(self, program, lines, first, taken):
        self.program, self.first, self.taken = program, max(first, 1), taken
        self.known, self.programs, self.graphs, self.body, self.bound = {}, {}, {}, (), set()
        self.warns = knows_as_dace(program.f)  # of loops that are written out, as DaCe does
        try:
            tree = ast.parse(textwrap.dedent("".join(lines)))
        except SyntaxError:
            return
        node = tree.body[0]
        self.bound = set(_bound(node))
        self.body = getattr(node, "body", ())
        for statement in self.body:
            self._visit(statement)

    def names_left(self):
        """Names in the source outside of the expressions that are known."""
        left, found = list(self.body), set()
        for node in left:  # grows on the way
            known = self.known.get(self._place(node)) if hasattr(node, "end_lineno") else None
            if known and isinstance(node, ast.Call) and not known[0]:  # a call of a version, or of a graph, with fewer arguments
                left += [*node.args, *(keyword.value for keyword in node.keywords)]
            elif not known or not known[0]:
                found.update([node.id] if isinstance(node, ast.Name) else ())
                left += ast.iter_child_nodes(node)
        return found

    def _visit(self, node):
        if isinstance(node, ast.For) and self.warns and self._is_collection(node.iter):
            warnings.warn_explicit(f"{self.program.name}: where it is compiled, this loop over a collection is implicitly unrolled",
                                   UserWarning, inspect.getsourcefile(self.program.f) or "", self._place(node)[0])
        if (isinstance(node, ast.Call) and self._take(node)) or (isinstance(node, ast.Attribute) and self._call_property(node)) or \
                (isinstance(node, ast.Compare) and self._compare_members(node)):
            return
        if isinstance(node, (ast.Call, ast.Subscript)) and self._is_of_texts(node):
            try:
                value = self._evaluate(node)
            except (IndexError, TypeError, ValueError):
                value = None  # an exception of the run
            if type(value) in (bool, int) or (value is not None and constant_text(value)):
                self._put(node, value)
                return
        if self.program.constant_functions and isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            found, value = self._value(node)
            if found is None and self._is_known(node):  # a property
                self._put(node, self._evaluate(node))
                return
        for child in ast.iter_child_nodes(node):
            self._visit(child)

    def _is_of_texts(self, node):
        """Whether it is made of texts that are known by methods and slices of texts."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, str)
        if isinstance(node, ast.Name):
            return node.id not in self.bound and type(self._value(node)[1]) is str
        if isinstance(node, ast.Subscript):
            parts = (node.slice.lower, node.slice.upper, node.slice.step) if isinstance(node.slice, ast.Slice) else (None,)
            return isinstance(node.slice, ast.Slice) and self._is_of_texts(node.value) and all(one is None or _is_integer(one) for one in parts)
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _OF_TEXTS and not node.keywords and \
            self._is_of_texts(node.func.value) and all(_is_integer(one) or self._is_of_texts(one) for one in node.args)

    def _is_collection(self, node):
        """Whether a loop goes through a tuple, list or dictionary that is known when the source is translated."""
        if isinstance(node, (ast.Tuple, ast.List, ast.Dict)):
            return True
        if isinstance(node, ast.Subscript):
            return self._is_collection(node.value)
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in ("keys", "values", "items"):
                return self._is_collection(node.func.value)
            return isinstance(node.func, ast.Name) and node.func.id in ("enumerate", "zip") and any(map(self._is_collection, node.args))
        return isinstance(node, (ast.Name, ast.Attribute)) and isinstance(self._value(node)[1], (tuple, list, dict))

    def _take(self, node):
        """Whether the call has become something else."""
        found, function = self._value(node.func)
        if not found:
            return False
        if function is inline:
            if len(node.args) != 1 or node.keywords:
                self._refuse(node, "sluice.inline takes one expression", "write sluice.inline(f(1) + 2)")
            self._put(node, self._evaluate(node.args[0]))
            return True
        if function is in_program:
            self._put(node, True)
            return True
        if getattr(function, "__sluice_inline__", False):
            self._put(node, self._evaluate(node))
            return True
        if self.program.constant_functions and callable(function) and self._is_known(node) and (
                callee_of(function, type(self.program)) or isinstance(getattr(function, "__func__", None), type(split))):
            self._put(node, self._evaluate(node))
            return True
        if hasattr(function, "__sdfg_signature__") and not isinstance(function, type(self.program)):
            self._convert(node, function)
            return True
        callee = callee_of(function, type(self.program)) if callable(function) else None
        constants = (*constant_parameters(callee.f), *self._objects(node, callee)) if callee else ()
        if constants:
            self._specialise(node, callee, constants)
            for child in (*node.args, *(keyword.value for keyword in node.keywords)):
                self._visit(child)
        return bool(constants)

    def _call_property(self, node):
        """`mat.modulus`, a property of an object around the program, is the call of its function. True where that is so."""
        found, holder = self._around(node.value) if isinstance(node.ctx, ast.Load) and not self.warns else (False, None)
        computed = inspect.getattr_static(type(holder), node.attr, None) if self.program.is_object(found, holder) else None
        callee = callee_of(types.MethodType(computed.fget, holder), type(self.program)) if isinstance(computed, property) else None
        if callee:
            own = self._own_name(node.attr)
            self.programs[own] = callee
            self.known[self._place(node)] = f"{own}()", "", set(), set()
        return bool(callee)

    def _compare_members(self, node):
        """`mode == Mode.FAST` of members of enumerations that are known. True where it is one."""
        sides = [self._around(one) for one in (node.left, *node.comparators)]
        known = len(sides) == 2 and all(found and isinstance(value, enum.Enum) for found, value in sides)
        if known and isinstance(node.ops[0], (ast.Eq, ast.Is, ast.NotEq, ast.IsNot)):
            equal = sides[0][1] is sides[1][1] if isinstance(node.ops[0], (ast.Is, ast.IsNot)) else sides[0][1] == sides[1][1]
            self._put(node, bool(equal) == isinstance(node.ops[0], (ast.Eq, ast.Is)))
        return known

    def _around(self, node):
        """_value of what no function, lambda or comprehension inside of the program has a variable for."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        return (False, None) if isinstance(root, ast.Name) and root.id in self.bound else self._value(node)

    def _objects(self, node, callee):
        """Parameters of the called function that get an object from around the program: its fields are looked up there as well."""
        names = list(inspect.signature(callee.f).parameters)[callee.bound is not None:]
        given = {**dict(zip(names, node.args)), **{keyword.arg: keyword.value for keyword in node.keywords}}
        found = [name for name, argument in given.items() if isinstance(argument, (ast.Name, ast.Attribute)) and name in names and
                 self.program.is_object(*self._around(argument))]
        if found and self.program.calls_itself(callee):
            self._refuse(node, f"{callee.name} calls itself with an object", "pass the fields that it needs")
        return found

    def _specialise(self, node, callee, constants):
        names = list(inspect.signature(callee.f).parameters)[callee.bound is not None:]
        values, positions, keywords = {}, set(), set()
        for at, (name, argument) in enumerate(zip(names, node.args)):
            if name in constants:
                values[name] = self._evaluate(argument)
                positions.add(at)
        for keyword in node.keywords:
            if keyword.arg in constants:
                values[keyword.arg] = self._evaluate(keyword.value)
                keywords.add(keyword.arg)
        for name in constants:
            if name not in values and name not in callee._defaults:
                self._refuse(node, f"argument {name} of {callee.name} is missing", "it is a constant: pass its value")
            values.setdefault(name, callee._defaults.get(name))
        own = self._own_name(callee.name)
        self.programs[own] = version(callee, values)
        self.known[self._place(node)] = "", own, positions, keywords

    def _convert(self, node, convertible):
        """A call of an object that makes its own graph."""
        names, constants = convertible.__sdfg_signature__()
        given = {**dict(enumerate(node.args)), **{keyword.arg: keyword.value for keyword in node.keywords}}
        values, dropped = {}, set()
        for key, argument in given.items():
            name = names[key] if isinstance(key, int) and key < len(names) else key
            if name in constants:
                values[key] = self._evaluate(argument)
                dropped.add(key)
            else:
                annotation = self.program._annotations().get(argument.id) if isinstance(argument, ast.Name) else None
                if annotation is None:
                    self._refuse(argument, f"the type of this argument of {type(convertible).__name__} is not known yet",
                                 "pass a parameter of the program that has an annotation", TypeNotKnown)
                values[key] = annotation
        sdfg = convertible.__sdfg__(*(values[at] for at in range(len(node.args))),
                                    **{key: value for key, value in values.items() if isinstance(key, str)})
        if getattr(convertible, "__sdfg_closure__", dict)():
            self._refuse(node, f"arrays that {type(convertible).__name__} brings along", "pass them as arguments")
        own = self._own_name(type(convertible).__name__)
        graph, positional, _ = graph_meaning(sdfg)
        self.graphs[own] = graph, [name for name in names if name not in constants] or positional
        self.known[self._place(node)] = ("", own, {key for key in dropped if isinstance(key, int)},
                                         {key for key in dropped if isinstance(key, str)})

    def _own_name(self, base):
        own = f"{base.strip('<>')}_{len(self.programs) + len(self.graphs)}"
        while own in self.taken:
            own += "_"
        return own

    def _value(self, node):
        """(whether a name or a chain of attributes has a value now, the value); (None, None) for a property."""
        if isinstance(node, ast.Name):
            return self.program.value_now(node.id)
        if not isinstance(node, ast.Attribute):
            return False, None
        found, holder = self._value(node.value)
        if not found:
            return found, None
        there, value = static_value(holder, node.attr)
        return (True, value) if there else (None if hasattr(type(holder), node.attr) else False, None)

    def _is_known(self, node):
        """Whether all names in it have values now."""
        own = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
        return all(self.program.value_now(one.id)[0] for one in ast.walk(node) if isinstance(one, ast.Name) and one.id not in own)

    def _evaluate(self, node):
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
        names.difference_update(one.id for one in ast.walk(node) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load))
        values = {}
        for name in sorted(names):
            found, values[name] = self.program.value_now(name)
            if not found:
                self._refuse(node, f"`{name}` has no value yet when the program is translated",
                             "constants are made of literals, names around the program and its sluice.compiletime arguments")
        return eval(compile(ast.Expression(node), "<constant>", "eval"), {**self.program.f.__globals__, **values})

    def _put(self, node, value):
        if isinstance(value, np.generic):
            value = value.item()  # adapts to what it meets, as a number of Python's does
        text = repr(value) if type(value) in (bool, int, float, complex) else constant_text(value)
        if text is None or (isinstance(value, (float, complex)) and not np.isfinite(value)):
            self._refuse(node, f"a constant of type {type(value).__name__}", "a number, a text, or a tuple of these can be one")
        self.known[self._place(node)] = f"({text})" if not text.startswith(("(", "[", "{")) else text, "", set(), set()

    def _place(self, node):
        line = self.first - 1
        return node.lineno + line, node.col_offset + 1, node.end_lineno + line, node.end_col_offset + 1

    def _refuse(self, node, message, remedy, kind=_core.CompileError):
        try:
            _core.refuse("F003", message, remedy)
        except _core.CompileError as refused:
            error = kind(*refused.args)
            error.__dict__.update(refused.__dict__)
            error.filename, (error.lineno, error.offset, *_) = inspect.getsourcefile(self.program.f), self._place(node)
            error.args = f"{error.filename}:{error.lineno}:{error.offset}: {error}",
            raise error from None
