"""Attributes in the source of a program that stand for a value around it: fields of objects, names of modules.

`cfg.dt`, `self.u`, `physics.gravity`, `weights["first"]`: each such chain becomes one name for the compiler, bound to what it is worth. Only what lies in an
object is looked up (instances, classes, modules); a property would have to run at each call, and is left alone, but for files that know
this package as `dace`: there a property that gives a number, or an object with fields, runs at each call of the program.
"""
import ast
import inspect
import textwrap
import types

import numpy as np

from . import _core
from .methods import unbound


def static_value(holder, name, computed=False):
    """(found, value) of an attribute that reading does not compute. computed: or that is a property, and no array."""
    try:
        found = inspect.getattr_static(holder, name)
    except AttributeError:
        return False, None
    if computed and isinstance(found, property):
        try:
            value = getattr(holder, name)
        except Exception:  # the program may never come to it
            return False, None
        return (False, None) if isinstance(value, np.ndarray) else (True, value)
    if isinstance(found, (property, classmethod, types.GetSetDescriptorType)) or type(found).__name__ == "cached_property":
        return False, None
    return True, unbound(getattr(holder, name))


def _is_plain(value):
    """Whether the attributes of a value are the compiler's business: `.shape` of an array. An object that is called has fields as well."""
    return isinstance(value, (np.ndarray, np.generic, int, float, complex, type, types.FunctionType, types.MethodType)) or \
        type(value).__module__.partition(".")[0] == __package__


def item(holder, key):
    """(found, value) of an element of a dictionary, list or tuple whose key is written as a constant."""
    if type(holder) is dict:
        return (True, unbound(holder[key])) if key in holder else (False, None)
    inside = type(holder) in (list, tuple) and type(key) is int and key < len(holder)
    return (True, unbound(holder[key])) if inside else (False, None)


def _key(node):
    """The constant key of a subscript, that a path can hold: a number, or a text that is an identifier; None for others."""
    key = node.slice.value if isinstance(node.slice, ast.Constant) else None
    return key if (type(key) is int and key >= 0) or (type(key) is str and key.isidentifier()) else None


def follow(root, path, computed=False):
    """The value at `a.b.c`, given that of `a`; None where an attribute is not there, or is computed and may not be."""
    value = root
    for name in path.split(".")[1:]:
        if name[0] == "'" or name.isdigit():
            found, value = item(value, int(name) if name.isdigit() else name.strip("'"))
        else:
            found, value = static_value(value, name, computed)
        if not found:
            return None
    return value


def _refuse_assignment(path, node):
    try:
        _core.refuse("F001", f"unsupported construct: an assignment to the field {path}",
                     "keep the value in an array and assign its elements, or return it")
    except _core.CompileError as error:
        error.lineno, error.offset = node.lineno, node.col_offset + 1
        raise


def _compared_with_none(node):
    """The chain in `a.b is None`."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot)) and isinstance(node.left, ast.Attribute):
        other = node.comparators[0]
        if isinstance(other, ast.Constant) and other.value is None:
            yield node.left


def chains(source, lookup, binding, computed=False):
    """Every chain in the source that stands for a value: path -> value.

    lookup: (found, value) of the name that a chain begins with; binding: what a value means to the compiler, None if nothing; computed:
    whether properties may run. Raises
    CompileError F001, with the line in the source, where the program assigns such a chain: the caller's object would have to change with it.
    """
    try:
        tree = ast.parse(textwrap.dedent(source))
    except SyntaxError:
        return {}
    updated = {id(node.target) for node in ast.walk(tree) if isinstance(node, ast.AugAssign)}
    found = {}

    def resolve(node):
        """The value of the longest part of the chain that is one, and whether the chain goes on inside of an object."""
        if isinstance(node, ast.Name):
            return lookup(node.id) + (node.id,)
        if isinstance(node, ast.Subscript):
            return resolve_item(node)
        if not isinstance(node, ast.Attribute):
            return False, None, ""
        inside, value, path = resolve(node.value)
        if not inside:
            return False, None, ""
        path = f"{path}.{node.attr}"
        there, value = static_value(value, node.attr, computed)
        if there and binding(path, value) is not None:
            in_place = id(node) in updated and isinstance(value, np.ndarray)
            if not isinstance(node.ctx, ast.Load) and not in_place:
                _refuse_assignment(path, node)
            found[path] = value
            return not _is_plain(value), value, path
        return there, value, path

    def resolve_item(node):
        """The same of `holder["key"]`: steps of a path that are keys are written `'key'` and `0`."""
        key = _key(node)
        inside, value, path = resolve(node.value) if key is not None else (False, None, "")
        there, value = item(value, key) if inside else (False, None)
        path = f"{path}.{key!r}"
        if not there or binding(path, value) is None:
            return there, value, path
        if not isinstance(node.ctx, ast.Load) and not (id(node) in updated and isinstance(value, np.ndarray)):
            _refuse_assignment(path, node)
        found[path] = value
        return not _is_plain(value), value, path

    for node in ast.walk(tree):
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            resolve(node)
        for one in _compared_with_none(node):
            there, value, path = resolve(one)
            if there and path not in found:  # an object: that it is not None is all that programs know of it
                found[path] = value
    return found
