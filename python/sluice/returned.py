"""What programs return beside arrays. Numbers: in a file that imports this package as `dace` they are what DaCe makes of them, arrays of one
element. Objects of the user's classes, which compiled code hands over as the class and the fields."""
import contextlib
import contextvars
import functools
import inspect
import re
import sys
import weakref

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


KEPT = "field_of_tuple_"  # in front of the fields that nobody assigns, those of named tuples and frozen dataclasses

_classes = weakref.WeakValueDictionary()  # by the name that compiled code knows them by
_given = contextvars.ContextVar("given", default={})  # objects among the arguments of the call


class Records:
    """What stands for structured arrays of a type in compiled code (given_records.py)."""
    dtype = None


def _records(dtype, fields):
    first = dtype.names[0]
    made = np.empty(np.shape(fields[first])[:np.ndim(fields[first]) - dtype[first].ndim], dtype=dtype)
    for field, values in fields.items():
        made[field] = values
    return made if made.ndim else made[()]


def name_of_class(cls):
    """A name that no other class has which is alive."""
    name = base = f"{cls.__module__}.{cls.__qualname__}"
    number = 1
    while _classes.setdefault(name, cls) is not cls:
        number += 1
        name = f"{base}#{number}"
    return name


@contextlib.contextmanager
def with_given(objects):
    """objects: those that a call may return as they are, by the names of their classes in the program."""
    token = _given.set(objects)
    try:
        yield
    finally:
        _given.reset(token)


def object_of(name, fields):
    """The object that a program returned: of the class of that name with these fields, or one that its caller gave it."""
    if name in _given.get():
        return _given.get()[name]
    cls, fields = _class_named(name), {field.removeprefix(KEPT): value for field, value in fields.items()}
    if issubclass(cls, Records):
        return _records(cls.dtype, fields)
    if issubclass(cls, tuple):
        return tuple.__new__(cls, (fields[field] for field in cls._fields))
    made = object.__new__(cls)
    order = [field for field in getattr(cls, "__dataclass_fields__", ()) if field in fields]
    for field in dict.fromkeys([*order, *fields]):
        object.__setattr__(made, field, fields[field])
    return made


def _class_named(name):
    """The class; looked up in its module where another process compiled the program."""
    if name in _classes:
        return _classes[name]
    path, inside = name.partition("#")[0].split("."), []
    while path and ".".join(path) not in sys.modules:
        inside.insert(0, path.pop())
    return functools.reduce(getattr, inside, sys.modules[".".join(path)])
