"""What tells the types of two arguments apart, found in a fraction of a microsecond where NumPy's dtype or Python's type says it."""
import builtins

import numpy as np

from . import _core

_NUMBERS = frozenset([builtins.bool, int, float, complex])  # one type each, whatever the value


def type_key(value):
    """Equal for values that give an unannotated parameter the same type. Raises TypeError for what gives none."""
    kind = type(value)
    if kind is np.ndarray:
        return value.dtype, value.shape
    return kind if kind in _NUMBERS else _core.type_key(value)


def type_text(key):
    """The type behind a key, in words."""
    if isinstance(key, tuple):
        return f"{key[0].name}[{', '.join(map(str, key[1]))}]"
    return _core.type_key(key()) if isinstance(key, type) else key
