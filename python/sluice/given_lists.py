"""Lists of numbers that compiled code is given: arrays of their elements, of which it makes lists again, and whose changes the caller's lists
get afterwards.

    f([3, 1, 2])                ->   a = a__0.tolist()
    f([(0, 1.5), (2, 0.5)])     ->   e = list(zip(e__0.tolist(), e__1.tolist()))

One compiled version serves every length. Where compiled code raises, the call is made again by Python, which leaves in the caller's lists
what it has done before it raises.
"""
import array
import ast
import sys

import numpy as np

_CODES = {int: "q", float: "d"}
_DTYPES = {bool: np.bool_, int: np.int64, float: np.float64, complex: np.complex128}
_CHANGES = {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse"}
_READS = {"len", "sum", "min", "max", "abs", "any", "all", "sorted", "enumerate", "zip", "range", "reversed", "list", "tuple", "set", "map", "filter",
          "print", "float", "int", "bool", "complex", "isinstance", "dict"}
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class GivenList:
    """What one list is to compiled code: `arguments` by name and `display`, the text that makes the list of them. changes: whether what it holds
    in the end is handed back."""
    functions, generators = {}, ()

    def __init__(self, value, arguments, display, changes):
        self.value, self.arguments, self.display, self.changes = value, arguments, display, changes

    @property
    def text(self):
        return self.display + ("!" if self.changes else "")

    def hand_back(self):
        """Nothing: `take_over` does, where the call returned."""

    def take_over(self, now):
        """The caller's list gets the elements that compiled code left in it."""
        if self.value and type(self.value[0]) is list:
            for row, after in zip(self.value, now):
                row[:] = after
            self.value[len(now):] = []
            self.value += now[len(self.value):]
        else:
            self.value[:] = now


def given_list(name, value, changes, taken, hands_on=False):
    """The GivenList of a variable; None where it is no list of numbers of one type, of rows of one length, or of tuples of such.

    changes: whether the code may change it; taken: names that its arguments must not have; hands_on: whether it returns one of the elements."""
    if type(value) is not list or (hands_on and value and type(value[0]) is list):
        return None
    columns = _columns(value, changes)
    if columns is None or (len(columns) > 1 and {"list", "zip"} & taken):
        return None
    arguments = {}
    for column in columns:
        argument = f"{name}__{len(arguments)}"
        while argument in taken:
            argument += "_"
        arguments[argument] = column
    lists = [argument + ".tolist()" for argument in arguments]
    rows = bool(value) and type(value[0]) is tuple
    display = f"list(zip({', '.join(lists)}))" if rows else lists[0] if lists else "[]"
    return GivenList(value, arguments, display, changes)


def _columns(value, changes):
    """Arrays of the elements: one, or one for each place in its tuples; None where there are none."""
    if not value:
        return []
    first = _type_of_all(value)
    if first is tuple:
        width = len(value[0])
        if not width or changes or any(len(one) != width for one in value):
            return None
        columns = [_array(column, _type_of_all(column)) for column in zip(*value)]
        return None if any(one is None for one in columns) else columns
    if first is list:
        length = len(value[0])
        if not length or any(len(one) != length for one in value) or len(set(map(id, value))) < len(value):
            return None
        flat = [one for row in value for one in row]
        elements = _array(flat, _type_of_all(flat))
        return None if elements is None else [elements.reshape(len(value), length)]
    elements = _array(value, first)
    return None if elements is None else [elements]


def _type_of_all(values):
    """None where they have several."""
    kinds = set(map(type, values))
    return kinds.pop() if len(kinds) == 1 else None


def _array(numbers, kind):
    try:
        if kind in _CODES:  # as fast as Python's own lists allow
            return np.frombuffer(array.array(_CODES[kind], numbers), _DTYPES[kind])
        return np.array(numbers, _DTYPES[kind]) if kind in _DTYPES else None
    except OverflowError:
        return None


def _root(node):
    while isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def changed_names(statements):
    """Names whose lists the statements may change or return: those that are written by index or by a method, that a function of the user's is
    given, and those that may be other names of the same."""
    found, pairs = set(), []
    for node in (one for statement in statements for one in ast.walk(statement)):
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        value = getattr(node, "value", None) or getattr(node, "iter", None)
        for target in targets:
            for one in ast.walk(target) if isinstance(target, ast.AST) else ():
                if isinstance(one, ast.Subscript):
                    found.add(_root(one))
                elif isinstance(one, ast.Name) and isinstance(value, ast.AST):
                    pairs += [(one.id, other) for other in _shared(value)]
        if isinstance(node, ast.AugAssign):
            found.add(_root(node.target))
        elif isinstance(node, ast.Return) and node.value:
            found.update(_shared(node.value))
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
                found.add(_root(node.func))
            known = isinstance(node.func, ast.Attribute) or (isinstance(node.func, ast.Name) and node.func.id in _READS)
            if not known or (isinstance(node.func, ast.Attribute) and node.func.attr in ("heappush", "heappop", "heapify", "shuffle", "insort")):
                for one in (*node.args, *(keyword.value for keyword in node.keywords)):
                    found.update(_shared(one))
    while more := {other for name, one in pairs for name, other in ((name, one), (one, name)) if name in found and other not in found}:
        found |= more
    return found - {None}


def moved_rows(statements):
    """Names of lists whose elements the statements may put into other places, or others into theirs."""
    found, others = set(), {}
    for node in (one for statement in statements for one in ast.walk(statement)):
        for target in getattr(node, "targets", ()):
            for one in getattr(target, "elts", (target,)):
                if isinstance(one, ast.Subscript) and isinstance(one.value, ast.Name):
                    found.add(one.value.id)
                elif isinstance(one, ast.Name) and isinstance(node, ast.Assign):
                    others.setdefault(one.id, set()).update(_shared(node.value))
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES - {"append", "extend"}:
                found.add(_root(node.func))
            elif not (isinstance(node.func, ast.Name) and node.func.id in _READS):
                found.update(*map(_shared, node.args))
    while more := {other for name in found for other in others.get(name, ()) if other not in found}:
        found |= more
    return found


def has_other_references(rows):
    """Whether anybody but this list holds one of its lists: who does sees where it is."""
    counts = [sys.getrefcount(row) for row in rows if type(row) is list]
    return any(count > alone for count in counts for alone in [sys.getrefcount(row) for row in [[]]])


def _shared(value):
    """Names of which the value of an expression may hold the object, or a part of it."""
    if isinstance(value, (ast.Name, ast.Subscript, ast.Starred)):
        return {_root(value)}
    if isinstance(value, (ast.Tuple, ast.List)):
        return set().union(*map(_shared, value.elts))
    if isinstance(value, ast.IfExp):
        return _shared(value.body) | _shared(value.orelse)
    if isinstance(value, ast.Dict):
        return set().union(*map(_shared, value.values))
    if isinstance(value, (ast.BoolOp, ast.NamedExpr)):
        return set().union(*map(_shared, value.values if isinstance(value, ast.BoolOp) else [value.value]))
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("enumerate", "zip", "reversed", "list", "tuple", "sorted"):
        return set().union(*map(_shared, value.args))
    return set()


def returned_rows(statements):
    """Names of lists of which `return` hands on a row: the caller's own, which compiled code has no more than a copy of."""
    rows, found = {}, set()

    def is_row(value):  # `m[i][j]` is a number
        return isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name)

    every = [node for statement in statements for node in ast.walk(statement)]
    for node in every:
        for target in getattr(node, "targets", None) or [getattr(node, "target", None)]:
            of = node.value if isinstance(node, ast.Assign) else getattr(node, "iter", None)
            if isinstance(target, ast.Name) and (is_row(of) if isinstance(node, ast.Assign) else isinstance(of, ast.Name)):
                rows.setdefault(target.id, set()).add(_root(of))

    def add(value):
        if is_row(value):
            found.add(_root(value))
        elif isinstance(value, ast.Name):
            found.update(rows.get(value.id, ()))
        elif isinstance(value, (ast.Tuple, ast.List, ast.IfExp)):
            for one in value.elts if hasattr(value, "elts") else (value.body, value.orelse):
                add(one)

    for one in every:
        if isinstance(one, ast.Return):
            add(one.value)
    return found


def returns_of(statements):
    """The `return` statements, those of inner functions left out."""
    for statement in statements:
        if isinstance(statement, ast.Return):
            yield statement
        elif not isinstance(statement, _SCOPES):
            yield from returns_of([one for one in ast.iter_child_nodes(statement) if isinstance(one, (ast.stmt, ast.ExceptHandler, ast.match_case))])


def with_callers_own(result, own):
    """What a call returns, with the caller's lists in place of those that compiled code made of them. own: (new list, the caller's) pairs."""
    for new, callers in own:
        if result is new:
            return callers
    if type(result) is tuple:
        return tuple(with_callers_own(one, own) for one in result)
    if type(result) in (list, dict):  # each is one object, wherever it stands
        for key, one in list(enumerate(result) if type(result) is list else result.items()):
            if type(one) in (tuple, list, dict):
                result[key] = with_callers_own(one, own)
    return result
