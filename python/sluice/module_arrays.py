"""Arrays around a program and those that it calls: arguments `__g_NAME` that each call passes, as they are then."""
from .meanings import array_type


def _programs(program, seen):
    """The program and those that it calls, these first."""
    if program in seen:
        return []
    seen.add(program)
    program._parsed
    return [*(one for callee in program._callees for one in _programs(callee, seen)), program]


def now(program):
    """By argument name."""
    return {f"__g_{name}": one._lookup(path) for one in _programs(program, set()) for name, path in one._array_names.items()}


def _separated(program):
    """The programs; a field of one object and the field of that name of another are given different names."""
    while True:
        programs = _programs(program, set())
        arrays = {}
        for one in programs:
            for name, path in one._array_names.items():
                value = one._lookup(path)
                if arrays.setdefault(name, value) is not value and "." in path:
                    one.field_names[path] = f"{name}_{len(one.field_names) + 1}"
        if not any("." in path and name in arrays and arrays[name] is not one._lookup(path)
                   for one in programs for name, path in one._array_names.items()):
            return programs
        for one in programs:
            one.__dict__.pop("_parsed", None)


def current(program):
    """The same as now(); where one has changed its type or size since the source was parsed, it is parsed again."""
    programs = _separated(program)
    arrays = now(program)
    types = {name: array_type(value) for name, value in arrays.items()}
    if program._array_types is not None and types != program._array_types:
        for one in programs:
            one.__dict__.pop("_parsed", None)
        _separated(program)
        types = {name: array_type(value) for name, value in now(program).items()}
    program._array_types = types
