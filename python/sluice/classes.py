"""What a class of the user's means to a program that makes objects of it: the sources of its methods. Dataclasses and named tuples have
an `__init__` that is written here, as Python's libraries write theirs."""
import dataclasses
import dis
import inspect
import textwrap
import types

from .meanings import class_constant, constant_text
from .names import code_inside
from .sources import lines_of, remember

_SPECIAL = {"__slots__", "__new__", "__getattr__", "__getattribute__", "__setattr__", "__delattr__", "__del__", "__call__", "__init_subclass__"}

_KEPT = "field_of_tuple_"  # in front of the fields that a named tuple's properties read


def class_source(cls):
    """(file, methods as (text, first line), names of properties, constants by name), and the functions that the methods are; None for
    classes whose objects are more than their fields: those with bases, metaclasses and descriptors."""
    if type(cls) is not type or cls.__module__ == "builtins" or cls.__module__.partition(".")[0] in (__package__, "numpy"):
        return None
    named_tuple = cls.__bases__ == (tuple,) and hasattr(cls, "_fields")
    if (cls.__bases__ != (object,) and not named_tuple) or _SPECIAL & set(vars(cls)) - ({"__new__", "__slots__"} if named_tuple else set()):
        return None
    try:
        file, line = inspect.getsourcefile(cls), 1
        line = inspect.getsourcelines(cls)[1]
    except TypeError:
        return None
    except OSError:  # a named tuple
        pass
    if not file:
        return None
    methods, functions, properties, constants = [], [], set(), {}
    if named_tuple:  # Nobody assigns its fields.
        given = [(name, cls._field_defaults.get(name, inspect.Parameter.empty)) for name in cls._fields]
        readers = [(f"def {name}(self):\n    return self.{_KEPT}{name}\n", line) for name in cls._fields]
        return (file, [(_init(given, kept=_KEPT), line), *readers], {*cls._fields}, constants), functions
    fields = {field.name for field in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else set()
    for name, value in vars(cls).items():
        if isinstance(value, property) and not value.fset and isinstance(value.fget, types.FunctionType):
            properties.add(name)
            value = value.fget
        if isinstance(value, types.FunctionType) and not value.__closure__ and not (fields and name == "__init__"):
            try:
                remember(value)
                lines, first = lines_of(value)
            except (OSError, TypeError):
                continue  # written by a library
            methods.append(_without_decorators(lines, first))
            functions.append(value)
        elif name not in fields and not name.startswith("__") and (text := class_constant(value)):
            constants[name] = text
    if dataclasses.is_dataclass(cls):
        init = _of_dataclass(cls)
        if init is None:
            return None
        methods.append((init, line))
    elif "__init__" not in vars(cls):
        methods.append(("def __init__(self):\n    pass\n", line))
    return (file, methods, properties, constants), functions


def bind_classes(function, around, bindings, bind, watched):
    """Adds what the classes mean whose names are in `around`, with `bind(name, value)` what their methods take from the module, and to
    `watched` that they may change."""
    for name, value in around.items():
        found = class_source(value) if isinstance(value, type) and bindings.get(name, ("",))[0] == "object" else None
        if found is None:
            continue
        source, methods = found
        taken, code = _names_taken(methods), function.__code__
        if any(one.__globals__ is not function.__globals__ for one in methods) or taken & {*code.co_varnames, *code.co_cellvars}:
            continue
        bindings[name] = "class", source
        watched.append((name, value, bindings[name]))
        further = {other: function.__globals__[other] for other in taken & set(function.__globals__) - set(bindings)}
        for other, worth in further.items():
            bind(other, worth)
        bind_classes(function, further, bindings, bind, watched)


def _names_taken(methods):
    """The names of the module that they read."""
    return {one.argval for method in methods for code in (method.__code__, *code_inside(method.__code__))
            for one in dis.get_instructions(code) if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")}


def _without_decorators(lines, first):
    start = next(at for at, line in enumerate(lines) if line.lstrip().startswith(("def ", "async def ")))
    return textwrap.dedent("".join(lines[start:])), first + start


def _init(fields, end="", kept=""):
    parameters = [name if default is inspect.Parameter.empty else f"{name}={constant_text(default) or default!r}" for name, default in fields]
    body = "".join(f"    self.{kept}{name} = {name}\n" for name, _ in fields)
    return f"def __init__(self, {', '.join(parameters)}):\n{body}{end}" if body or end else "def __init__(self):\n    pass\n"


def _of_dataclass(cls):
    """Text of the `__init__` that a dataclass has; None where a default is no constant or list that begins without elements."""
    given, end = [], ""
    for field in dataclasses.fields(cls):
        if end and field.init and field.default_factory is not list:
            return None  # what stands behind a list would be given by another position
        if field.default_factory is list and field.init:
            end += f"    self.{field.name} = []\n"
        elif field.default_factory is not dataclasses.MISSING or not field.init or field.kw_only:
            return None
        elif field.default is dataclasses.MISSING:
            given.append((field.name, inspect.Parameter.empty))
        elif type(field.default) in (bool, int, float, str, type(None)):
            given.append((field.name, field.default))
        else:
            return None
    return _init(given, end + ("    self.__post_init__()\n" if hasattr(cls, "__post_init__") else ""))
