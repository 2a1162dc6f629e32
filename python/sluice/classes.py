"""What a class of the user's means to a program that makes objects of it: the sources of its methods. Dataclasses and named tuples have
an `__init__` that is written here, as Python's libraries write theirs."""
import abc
import ast
import dataclasses
import dis
import inspect
import re
import sys
import textwrap
import types
import weakref

from . import _core
from .lambdas import is_lambda, lambda_source
from .meanings import class_constant, constant_text, has_members, members
from .names import code_inside
from .returned import KEPT, Records, name_of_class
from .sources import lines_of, remember

_SPECIAL = {"__new__", "__getattr__", "__getattribute__", "__setattr__", "__delattr__", "__del__", "__init_subclass__"}

_OF_EVERY_CLASS = {"__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__annotations__", "__slots__"}


def class_source(cls):
    """(names of the class and its bases, methods as (place among these, source), names of properties, of static methods and of methods of
    the class, constants by name), and the functions that the methods are; None for classes whose objects are more than their fields: those
    with metaclasses and descriptors, and those of libraries. A source is (text, file, first line). The same object for as long as the
    class has the same members."""
    known = _read.get(cls)
    if known is None or not has_members(cls, known[0]):
        known = _read[cls] = members(cls), _class_source(cls)
    return known[1]


_read = weakref.WeakKeyDictionary()  # class -> its members, and what they say


def _class_source(cls):
    named_tuple = isinstance(cls, type) and cls.__bases__ == (tuple,) and hasattr(cls, "_fields")
    order = [cls] if named_tuple else [one for one in cls.__mro__ if one not in (object, abc.ABC)]
    if not all(_has_only_fields(one, named_tuple) for one in order):
        return None
    file, line = _place_of(cls)
    if not file:
        return None
    if named_tuple:  # Nobody assigns its fields.
        given = [(name, cls._field_defaults.get(name, inspect.Parameter.empty)) for name in cls._fields]
        readers = [(0, _reader(name, file, line)) for name in cls._fields]
        parts = "".join(f"self.{KEPT}{name}, " for name in cls._fields)
        as_tuple = {"__tuple__(self)": f"({parts})", "__getitem__(self, at)": f"({parts})[at]", "__len__(self)": len(cls._fields),
                    "__eq__(self, other)": f"({parts}) == ({parts.replace('self.', 'other.')})"}
        of_tuple = [(0, (f"def {head}:\n    return {value}\n", file, line)) for head, value in as_tuple.items()]
        init = _init(given, kept=KEPT), file, line
        own = {name: value.fget if isinstance(value, property) else value for name, value in vars(cls).items()}
        functions = [one for name, one in own.items() if isinstance(one, types.FunctionType) and one.__module__ == cls.__module__ and
                     one.__code__.co_filename == file]
        try:
            methods = [(0, (text, file, first)) for text, first in (_text_of(one, one.__name__) for one in functions)]
        except (OSError, TypeError, StopIteration):
            return None
        properties = {*cls._fields, *(name for name, value in vars(cls).items() if isinstance(value, property) and value.fget in functions)}
        return ([name_of_class(cls)], [(0, init), *methods, *readers, *of_tuple], properties, set(), set(), _matched(cls)), functions
    methods, functions, kinds, constants, hidden = [], [], {}, {}, set()
    for at, one in enumerate(order):
        if not _read_class(one, at, methods, functions, kinds, constants, hidden):
            return None
    methods.append((len(order), ("def __init__(self):\n    pass\n", file, line)))
    named = {kind: {name for name, of in kinds.items() if of is kind} for kind in (property, staticmethod, classmethod)}
    return ([name_of_class(one) for one in order], methods, named[property], named[staticmethod], named[classmethod], {**constants, **_matched(cls)}), functions


def _matched(cls):
    """The attributes that patterns name by their places, and those that objects may have where their classes say all of them."""
    names = getattr(cls, "__match_args__", ())
    result = {"__match_args__": repr(names)} if type(names) is tuple and names and all(type(one) is str for one in names) else {}
    if cls.__dictoffset__ == 0:
        result["__slots__"] = repr(tuple(name for one in cls.__mro__ for name, value in vars(one).items() if inspect.ismemberdescriptor(value)))
    return result


def with_fields(source, cls, fields, given):
    """The source of a class whose objects are made of these fields, in order. given: the name of the one among the arguments."""
    order, methods, properties, statics, of_class, constants = source
    _, (_, file, line) = methods[0]
    kept = KEPT if _is_frozen(cls) or issubclass(cls, tuple) else ""
    init = 0, (_init([(field, inspect.Parameter.empty) for field in fields], kept=kept), file, line)
    constants = {one: text for one, text in constants.items() if one not in fields}
    return order, [init, *methods], properties, statics, of_class, {**constants, "__given__": repr(given)}


def records_source(dtype, given):
    """(source, functions, class) of the objects that stand for structured arrays of a type. given: as for with_fields."""
    cls = type(f"Records{dtype.descr}", (Records,), {"dtype": dtype})
    init = 0, (_init([(field, inspect.Parameter.empty) for field in dtype.names], kept=KEPT), "<records>", 1)
    return ([name_of_class(cls)], [init], set(), set(), set(), {"__given__": repr(given)} if given else {}), [], cls


def plain_functions(around, classes):
    """Functions that may change objects of the classes: plain ones among the names around, and methods but for `__init__`."""
    yield from (one for one in around.values() if isinstance(one, types.FunctionType) and one.__globals__ is around)
    for cls in {base for one in classes for base in one.__mro__}:
        for name, value in vars(cls).items():
            function = value.fget if isinstance(value, property) else getattr(value, "__func__", getattr(value, "f", value))
            if isinstance(function, types.FunctionType) and name != "__init__":
                yield function


def _has_only_fields(cls, named_tuple):
    """Whether Python finds nothing in objects of the class but their fields and what stands in the class."""
    if type(cls) not in (type, abc.ABCMeta) or cls.__module__ == "builtins" or cls.__module__.partition(".")[0] in (__package__, "numpy"):
        return False
    of_frozen = {"__setattr__", "__delattr__"} if _is_frozen(cls) else set()
    return not _SPECIAL & set(vars(cls)) - of_frozen - ({"__new__"} if named_tuple else set())


def _is_frozen(cls):
    return "__dataclass_params__" in vars(cls) and cls.__dataclass_params__.frozen


def _place_of(cls):
    """(file, line) of the class; None for the file of what no file holds."""
    try:
        return inspect.getsourcefile(cls), inspect.getsourcelines(cls)[1]
    except TypeError:
        return None, 1
    except OSError:  # a named tuple
        return inspect.getsourcefile(cls), 1


def _read_class(cls, at, methods, functions, kinds, constants, hidden):
    """Adds what stands in one class, in its place `at` among the bases, but for names that are `hidden`: they mean something in a class
    before it that no method is. Whether objects have only fields."""
    file, line = _place_of(cls)
    of_dataclass = dataclasses.is_dataclass(cls) and "__dataclass_fields__" in vars(cls)
    makes_init = of_dataclass and cls.__dataclass_params__.init and _is_generated(vars(cls)["__init__"])
    fields = {field.name for field in dataclasses.fields(cls)} if of_dataclass else set()
    for name, value in vars(cls).items():
        kind = type(value) if isinstance(value, (property, staticmethod, classmethod)) else None
        if name in hidden or (makes_init and name == "__init__"):
            continue
        if kind is property and value.fset or (kind is None and hasattr(type(value), "__set__") and not inspect.ismemberdescriptor(value)
                                               and name not in ("__dict__", "__weakref__")):
            return False  # assignments run code
        function = value.fget if kind is property else value.__func__ if kind else value
        if isinstance(function, _core.UsualCalls):  # a program
            function = function.f
        if isinstance(function, types.FunctionType) and not (function.__closure__ and "__class__" not in function.__code__.co_freevars):
            try:
                text, first = _text_of(function, name)
            except (OSError, TypeError, StopIteration):
                hidden.add(name)  # written by a library
                continue
            methods.append((at, (text, file, first)))
            functions.append(function)
            kinds.setdefault(name, kind)
        elif (name not in fields or not makes_init) and name not in _OF_EVERY_CLASS:
            hidden.add(name)
            if name not in kinds and not name.startswith("__") and (text := class_constant(value)):
                constants[name] = text
    if makes_init:
        init = _of_dataclass(cls, functions)
        if init is None:
            return False
        methods.append((at, (init, file, line)))
    if of_dataclass:
        if _is_frozen(cls):  # Nobody assigns its fields.
            methods += [(at, _reader(name, file, line)) for name in sorted(fields)]
            kinds.update((name, property) for name in fields)
        if cls.__dataclass_params__.eq and not any(one.__name__ == "__eq__" and one.__qualname__.startswith(cls.__qualname__ + ".") for one in functions):
            compared = [field.name for field in dataclasses.fields(cls) if field.compare]
            other = "other_of_class"  # frontend/python/heap_classes.h knows it by that
            sides = ["(" + "".join(f"{side}.{name}, " for name in compared) + ")" for side in ("self", other)]
            methods.append((at, (f"def __eq__(self, {other}):\n    return {' == '.join(sides)}\n", file, line)))
            if cls.__dataclass_params__.order:
                operators = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
                methods += [(at, (f"def {name}(self, {other}):\n    return {f' {sign} '.join(sides)}\n", file, line)) for name, sign in operators.items()]
    return True


def bind_classes(function, around, bindings, bind, watched, given):
    """Adds what the classes mean whose names are in `around`, with `bind(name, value)` what their methods take from the module, and to
    `watched` that they may change. given: further ones as class_source tells them, and the classes, by names that nothing around has. Where there are classes, plain functions come with their source: they may be called with objects."""
    own = {*function.__code__.co_varnames, *function.__code__.co_cellvars}
    seen, found = set(), False

    def take(functions):
        taken = _names_taken(functions)
        if taken & own or not all(_reads_alike(one, function) for one in functions):
            return False
        further = {other: function.__globals__[other] for other in taken & set(function.__globals__) - set(bindings)}
        for other, worth in further.items():
            bind(other, worth)
        add({other: function.__globals__[other] for other in taken & set(function.__globals__)})
        return True

    def add(names):
        nonlocal found
        for name, value in names.items():
            if name in seen or not isinstance(value, type) or bindings.get(name, ("",))[0] != "object":
                continue
            seen.add(name)
            read = class_source(value)
            if read is None:
                continue
            source, methods = read
            before = bindings[name]
            bindings[name] = "class", source
            if not take(methods):
                bindings[name] = before
                continue
            found = True
            watched.append((name, value, bindings[name]))
            watched.append((name, value, ("members", (value, members(value)))))

    add(around)
    for name, (source, methods, cls) in given.items():
        if take(methods):
            bindings[name], found = ("class", source), True
            watched.append((name, cls, ("members", (cls, members(cls)))))
    helpers = {}

    def help_with(names):
        for name, value in names.items():
            if name in helpers or not isinstance(value, types.FunctionType) or value.__closure__ or value.__globals__ is not function.__globals__:
                continue
            try:
                helpers[name] = _without_decorators(*lines_of(value))
            except (OSError, TypeError, StopIteration):
                continue
            taken = _names_taken([value]) & set(function.__globals__)
            if _names_taken([value]) & own:
                del helpers[name]
                continue
            further = {other: function.__globals__[other] for other in taken}
            for other, worth in further.items():
                if isinstance(worth, type) and other not in bindings:
                    bind(other, worth)
            add(further)
            help_with(further)

    if any(isinstance(value, (type, types.FunctionType)) for value in around.values()):
        help_with({**around, **{name: function.__globals__.get(name) for name in list(bindings)}})
    if not found:
        return
    for name, (text, first) in helpers.items():
        if name not in bindings:
            bind(name, function.__globals__[name])
        kind, *rest = bindings.get(name, ("helper", None))
        source = text, inspect.getsourcefile(function.__globals__[name]), first
        bindings[name] = ("helper", source) if kind in ("helper", "object") else (kind, rest[0], source)
        for other in _names_taken([function.__globals__[name]]) & set(function.__globals__) - set(bindings):
            bind(other, function.__globals__[other])


def _is_generated(function):
    """Whether a dataclass has written the method, which it does where the class has none of its own."""
    return getattr(getattr(function, "__code__", None), "co_filename", "") == "<string>"


def _reads_alike(method, function):
    """Whether what a method reads of its module means the same in that of the function, and is nothing that anyone binds again."""
    if method.__globals__ is function.__globals__:
        return True
    for name in _names_taken([method]):
        value = method.__globals__.get(name)
        if (name in method.__globals__) != (name in function.__globals__) or value is not function.__globals__.get(name):
            return False
        if name in method.__globals__ and not isinstance(value, (type, types.ModuleType)):
            return False
    return True


def _names_taken(methods):
    """The names of the module that they read."""
    return {one.argval for method in methods for code in (method.__code__, *code_inside(method.__code__))
            for one in dis.get_instructions(code) if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")}


def _text_of(function, name):
    """(text of a `def` of that name, first line)"""
    remember(function)
    text, first = _without_decorators(*(lambda_source if is_lambda(function) else lines_of)(function))
    return re.sub(r"\bdef\s+\w+", f"def {name}", text, count=1), first


def _without_decorators(lines, first):
    start = next(at for at, line in enumerate(lines) if line.lstrip().startswith(("def ", "async def ")))
    return textwrap.dedent("".join(lines[start:])), first + start


def _reader(name, file, line):
    return f"def {name}(self):\n    return self.{KEPT}{name}\n", file, line


def _init(fields, end="", kept="", only_by_name=()):
    parameters = [name if default is inspect.Parameter.empty else f"{name}={constant_text(default) or repr(default)}" for name, default in fields]
    first = next((at for at, (name, _) in enumerate(fields) if name in only_by_name), None)
    if first is not None:
        parameters.insert(first, "*")
    body = "".join(f"    self.{kept}{name} = {name}\n" for name, _ in fields)
    return f"def __init__(self, {', '.join(parameters)}):\n{body}{end}" if body or end else "def __init__(self):\n    pass\n"


def _of_dataclass(cls, functions):
    """Text of the `__init__` that a dataclass has, but that nobody gives it what it makes itself; None where a default is no constant, and
    made by nothing that _made knows. Adds what makes them to the functions."""
    given, by_name, end = [], [], ""
    kept = KEPT if _is_frozen(cls) else ""
    if len(dataclasses.fields(cls)) != len(cls.__dataclass_fields__):
        return None  # fields of the class, and what only __post_init__ gets
    for field in dataclasses.fields(cls):
        if field.default_factory is not dataclasses.MISSING:
            text = _made(field.default_factory, functions)
        elif field.default is dataclasses.MISSING:
            text = None
        elif type(field.default) in (bool, int, float, str, type(None)):
            text = constant_text(field.default) or repr(field.default)
        else:
            return None
        if field.default_factory is not dataclasses.MISSING or not field.init:
            if text is None and field.init:
                return None
            end += f"    self.{kept}{field.name} = {text}\n" if text is not None else ""
            by_name.append("")  # what stands behind it would be given by another position
        else:
            by_name += [field.name] if by_name or field.kw_only else []
            given.append((field.name, inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default))
    given.sort(key=lambda one: one[0] in by_name)
    return _init(given, end + ("    self.__post_init__()\n" if hasattr(cls, "__post_init__") else ""), kept, by_name)


def _made(factory, functions):
    """What a default factory makes, as Python writes it; None for others than lambdas, collections, and what has a name in its
    module."""
    if factory in (list, dict, set):
        return {list: "[]", dict: "{}", set: "set()"}[factory]
    around = getattr(sys.modules.get(getattr(factory, "__module__", None)), "__dict__", {})
    name = getattr(factory, "__name__", "")
    if name.isidentifier() and around.get(name) is factory and factory.__module__ != "builtins":
        functions.append(eval(f"lambda: {name}()", around))  # reads the name
        return f"{name}()"
    if not isinstance(factory, types.FunctionType) or not is_lambda(factory) or factory.__closure__:
        return None
    try:
        lines, _ = lambda_source(factory)
    except OSError:
        return None
    functions.append(factory)
    return ast.unparse(ast.parse("".join(lines)).body[0].body[0].value)
