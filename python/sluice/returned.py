"""Numbers that programs return. In a file that imports this package as `dace` they are what DaCe makes of them: arrays of one element."""
import functools
import inspect
import re
import sys

import numpy as np

_NUMBERS = (bool, int, float, complex, np.number, np.bool_)
_IMPORT = re.compile(r"^\s*(import|from)\s+dace\b", re.MULTILINE)


@functools.cache
def _imports_dace(file):
    try:
        with open(file, encoding="utf-8") as text:
            return bool(_IMPORT.search(text.read()))
    except (OSError, UnicodeDecodeError):
        return False


def knows_as_dace(function):
    """Whether the file of the function imports this package as `dace`, or its module has it under that name."""
    package = sys.modules[__package__]
    if getattr(function, "__globals__", {}).get("dace") is package:
        return True
    return sys.modules.get("dace") is package and inspect.isfunction(function) and _imports_dace(function.__code__.co_filename)


def words_of_dace(function):
    """In such a file `dace` means this package to programs, as to DaCe, even where the file imports it under another name."""
    return {"dace": ("module", "sluice")} if knows_as_dace(function) else {}


def numbers_as_arrays(result):
    """The same with an array of shape (1,) for each number, also in a tuple of results."""
    if isinstance(result, _NUMBERS):
        return np.array([result])
    if type(result) is tuple:
        return tuple(map(numbers_as_arrays, result))
    return result
