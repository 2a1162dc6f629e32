"""Objects among the arguments whose fields alone a segment uses: where calls come with one object after the other, or one whose fields change,
their numbers and arrays are arguments, one by one.

    f(m, x): return m.young * x   ->   m__young * x

The first object is a part of the code, as objects around a program are (fields.py): what it holds is known where the code is optimised.
"""
import ast

import numpy as np

from .fields import static_value
from .meanings import constant_text


class GivenObject:
    """The fields of one object. arguments: by the names that stand in their places; places: (line, begin, end, text)."""
    changes, generators, functions = False, (), {}  # what compiled code does to other collections (pieces.py) does not happen to these

    def __init__(self):
        self.arguments, self.places = {}, []

    @property
    def text(self):
        """What must be the same for the same code."""
        return repr(self.places)

    def hand_back(self):
        """There is nothing to give back: arrays are changed in place."""


def _is_argument(value):
    return type(value) in (bool, int, float, complex) or (isinstance(value, (np.generic, np.ndarray)) and value.dtype.kind in "biufc" and type(value) is not np.void)


def chains_of(statements, name):
    """The attributes in which the statements use a name, innermost first, and whether each is updated; None where it is used otherwise."""
    parents = {part: one for statement in statements for one in ast.walk(statement) for part in ast.iter_child_nodes(one)}
    chains = []
    for statement in statements:
        for one in ast.walk(statement):
            if not isinstance(one, ast.Name) or one.id != name:
                continue
            chain, node = [], one
            while isinstance(parents.get(node), ast.Attribute):
                node = parents[node]
                chain.append((node, isinstance(parents.get(node), ast.AugAssign) and parents[node].target is node))
            if not chain:
                return None
            chains.append(chain)
    return chains


def given_object(name, value, chains, taken):
    """The object, given by its fields; None where compiled code cannot be given it so."""
    given, names = GivenObject(), {}
    for chain in chains or ():
        held, path = value, name
        for node, updated in chain:
            found, held = static_value(held, node.attr)
            if not found:
                return None
            path = f"{path}.{node.attr}"
            text = constant_text(held) if held is None or type(held) in (str, tuple) else None
            if _is_argument(held) or text:
                break
        else:
            return None
        if not isinstance(node.ctx, ast.Load) and not (updated and isinstance(held, np.ndarray)):
            return None
        if not text and path not in names:
            own = path.replace(".", "__")
            while own in taken:
                own += "_"
            names[path] = own
            given.arguments[own] = held
        given.places.append((node.lineno, node.col_offset, node.end_col_offset, f"({text})" if text else names[path]))
        if node.lineno != node.end_lineno:
            return None
    return given if given.places else None
