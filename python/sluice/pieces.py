"""Lists, tuples and dictionaries that compiled code is given: their numbers and arrays are arguments, one by one, and a display in
front of the statements puts them together again.

    f({"k": 2.0, "u": [u, v]})   ->   p = _sluice_given({'k': p__0, 'u': [p__1, p__2]})

The compiler knows such a collection for the caller's (`sluice.explicit.given`): it refuses to change it or to hand it back. A generator of random
numbers is given as the array of its state, and has the state that the call leaves behind it.
"""
import types

import numpy as np

_MOST = 64  # numbers and arrays of one collection


_WORD = 2**64 - 1


def _state_of(generator):
    """The words of a generator's state, as runtime/pcg64.h has them."""
    whole = generator.bit_generator.state
    state, increment = whole["state"]["state"], whole["state"]["inc"]
    return np.array([state >> 64, state & _WORD, increment >> 64, increment & _WORD, whole["has_uint32"], whole["uinteger"]], dtype=np.uint64)


def _set_state(generator, words):
    high, low, increment_high, increment_low, has_half, half = map(int, words)
    state = {"state": high << 64 | low, "inc": increment_high << 64 | increment_low}
    generator.bit_generator.state = {"bit_generator": "PCG64", "state": state, "has_uint32": has_half, "uinteger": half}


def is_generator(value):
    return type(value) is np.random.Generator and type(value.bit_generator) is np.random.PCG64


class Pieces:
    """What one collection consists of. text: an expression of `names`, which are its numbers, arrays and functions in order."""
    changes = False  # compiled code does not change it

    def __init__(self, name, by_value, taken):
        self.name, self.by_value, self.taken = name, by_value, taken
        self.arguments, self.functions = {}, {}  # by name
        self.generators = []  # and the array of each one's state
        self.text = ""

    def _name(self, values, value):
        name = f"{self.name}__{len(self.arguments) + len(self.functions)}"
        while name in self.taken:
            name += "_"
        values[name] = value
        return name

    def _expression(self, value):
        """Text for a value; None where compiled code cannot be given it."""
        if type(value) in (tuple, list):
            parts = [self._expression(one) for one in value]
            if None in parts:
                return None
            return f"[{', '.join(parts)}]" if type(value) is list else f"({''.join(part + ', ' for part in parts)})"
        if type(value) is dict:
            parts = [self._expression(one) for one in value.values()]
            if None in parts or not all(type(key) in (str, int) for key in value):
                return None
            return "{" + ", ".join(f"{key!r}: {part}" for key, part in zip(value, parts)) + "}"
        if value is None or type(value) is str or (self.by_value and type(value) in (bool, int)):
            return repr(value)
        if type(value) in (bool, int, float, complex) or (isinstance(value, np.generic) and value.dtype.kind in "biufc") or (
                type(value) in (np.ndarray, np.memmap) and value.dtype.kind in "biufc"):
            return self._name(self.arguments, value)
        if isinstance(value, (types.FunctionType, np.ufunc)):
            return self._name(self.functions, value)
        if is_generator(value):
            self.generators.append((value, _state_of(value)))
            return f"_sluice_generator({self._name(self.arguments, self.generators[-1][1])})"
        return None

    @property
    def display(self):
        """The text that makes the collection of its pieces."""
        return f"_sluice_given({self.text})"

    def hand_back(self):
        """Generators have drawn what compiled code has drawn."""
        for generator, state in self.generators:
            _set_state(generator, state)


def take_apart(name, value, by_value=False, taken=()):
    """The pieces of the variable `name`, None where its value is no such collection, or has too many or others. by_value: integers are
    constants of the text; taken: names that the pieces must not have."""
    pieces = Pieces(name, by_value, taken)
    if not is_generator(value) and (type(value) not in (tuple, list, dict) or _count(value) > _MOST):
        return None
    pieces.text = pieces._expression(value)
    return pieces if pieces.text is not None else None


def _count(value):
    """How many values there are at any depth, up to a few more than are of interest."""
    if type(value) not in (tuple, list, dict) or len(value) > _MOST:
        return len(value) if type(value) in (tuple, list, dict) else 1
    found = 1
    for one in value.values() if type(value) is dict else value:
        found += _count(one)
        if found > _MOST:
            break
    return found
