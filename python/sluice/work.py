"""How much statements do, so that it is known whether a call of compiled code is worth its cost between lines that Python runs."""
import ast
import builtins
import functools
import inspect
import itertools
import textwrap
import types

import numpy as np

# No loop; one loop over values that are given, or several one after the other; loops in loops, or what nobody knows.
STRAIGHT, OVER_VALUES, ANY = range(3)
_FEW_STEPS = 16
_SMALL = 1024  # elements: arrays up to here are as fast in NumPy when there is no loop
_SHORT = 128  # iterations that take Python about as long as a call of compiled code
_COLLECTIONS = {list, tuple, dict, set, str}
_LOOKED_AT = 8  # elements of a collection, for large arrays among them
_ENUMERATIONS = {"range", "enumerate", "zip", "reversed", "sorted", "list", "tuple", "set"}
_FIELDS = {"items", "keys", "values"}
_SIZES = {"len", "int", "float", "abs", "min", "max"}


def work_of(statements, function, around=()):
    """How much the statements of `function` do, functions that they call by name included, and the names whose sizes say how long loops over
    values take. around: functions that are being asked about."""
    bound = {one.id for statement in statements for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    work = _Work(function, bound, around)
    return max(map(work.visit, statements), default=STRAIGHT), frozenset(work.over)


@functools.lru_cache(maxsize=256)
def calls_worth_compiling(function):
    """Whether a call of the function does enough whatever it is given."""
    statements = _statements(function)
    return statements is None or work_of(statements, function, (function,))[0] != STRAIGHT


def is_large(value, in_loops=False, depth=0):
    """Whether it is an array of many elements, or has one among its first elements or fields; in loops a collection of many elements, too."""
    if isinstance(value, np.ndarray):
        return value.size > (_SHORT if in_loops else _SMALL)
    if type(value) in (int, float, complex, bool) or depth > 2:
        return False
    if type(value) not in _COLLECTIONS:
        inside = getattr(value, "__dict__", {}).values()
    elif in_loops and len(value) > _SHORT:
        return True
    else:
        inside = value.values() if type(value) is dict else () if type(value) is str else value
    return any(is_large(one, in_loops, depth + 1) for one in itertools.islice(inside, _LOOKED_AT))


class _Work(ast.NodeVisitor):
    def __init__(self, function, bound, around):
        self.function, self.bound, self.around = function, bound, around
        self.over = set()

    def generic_visit(self, node):
        return max((self.visit(one) for one in ast.iter_child_nodes(node)), default=STRAIGHT)

    def visit_While(self, node):
        return ANY

    def visit_For(self, node):
        body = max(map(self.visit, [*node.body, *node.orelse]))
        return OVER_VALUES if body == STRAIGHT and self._is_of_values(node.iter) else ANY

    def _comprehension(self, node):
        inside = max(STRAIGHT, *(self.visit(one) for one in ast.iter_child_nodes(node) if not isinstance(one, ast.comprehension)))
        over = node.generators[0]
        one_loop = len(node.generators) == 1 and inside == STRAIGHT and not any(map(self.visit, over.ifs))
        return OVER_VALUES if one_loop and self._is_of_values(over.iter) else ANY

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_Call(self, node):
        inside = self.generic_visit(node)
        if not isinstance(node.func, ast.Name):
            return inside
        called = self._called(node.func.id)
        given = [*node.args, *(one.value for one in node.keywords)]
        return max(inside, called if called == STRAIGHT or all(map(self._is_value, given)) else ANY)

    def _is_of_values(self, node):
        """Whether a loop over it has about as many iterations as a value that is given has elements, or a few."""
        if isinstance(node, (ast.Tuple, ast.List)):
            return True
        if not isinstance(node, ast.Call):
            return self._is_value(node)
        if isinstance(node.func, ast.Attribute):
            return node.func.attr in _FIELDS and not node.args and self._is_value(node.func.value)
        if not isinstance(node.func, ast.Name) or node.func.id not in _ENUMERATIONS:
            return False
        if node.func.id == "range":
            return all(_is_few(one) or self._is_length(one) for one in node.args)
        return all(_is_few(one) or self._is_of_values(one) for one in node.args)

    def _is_length(self, node):
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, (ast.Add, ast.Sub, ast.FloorDiv)) and all(_is_few(one) or self._is_length(one) for one in (node.left, node.right))
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id == "len" and all(map(self._is_value, node.args))
        shape = node.value if isinstance(node, ast.Subscript) else node
        return isinstance(shape, ast.Attribute) and shape.attr in ("shape", "size") and self._is_value(shape.value)

    def _is_value(self, node):
        """Whether it is no larger than what the statements are given: made of names that they do not bind, or written out."""
        if isinstance(node, (ast.List, ast.Tuple)):
            return not any(isinstance(one, ast.Starred) for one in node.elts)
        calls = [one for one in ast.walk(node) if isinstance(one, (ast.Call, ast.comprehension))]
        names = [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]
        self.over.update(names)
        return all(isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in _SIZES for one in calls) and \
            self.bound.isdisjoint(names)

    def _called(self, name):
        called = self._meaning(name)
        called = getattr(called, "f", called)  # of a program
        if isinstance(called, (type, np.ufunc, types.BuiltinFunctionType)) or (getattr(called, "__module__", None) or "").startswith("numpy"):
            return STRAIGHT
        statements = _statements(called) if isinstance(called, types.FunctionType) and called not in self.around else None
        return ANY if statements is None else work_of(statements, called, (*self.around, called))[0]

    def _meaning(self, name):
        """What the name means around the function; None where nobody knows."""
        code, inner = self.function.__code__, dict(zip(self.function.__code__.co_freevars, self.function.__closure__ or ()))
        if name in (*code.co_varnames, *code.co_cellvars):
            return None
        try:
            return inner[name].cell_contents if name in inner else self.function.__globals__.get(name, getattr(builtins, name, None))
        except ValueError:  # it has no value yet
            return None


def _is_few(node):
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value <= _FEW_STEPS


@functools.lru_cache(maxsize=256)
def _statements(function):
    """The function's body; None without source."""
    try:
        return ast.parse(textwrap.dedent("".join(inspect.getsourcelines(function)[0]))).body[0].body
    except (OSError, TypeError, SyntaxError, AttributeError):
        return None
