"""Arrays around a program and those that it calls: arguments `__g_NAME` that each call passes, as they are then."""
import numpy as np

from .meanings import array_type

_SHARED = "__g_numpy_random"  # the state of the generator that np.random.rand and its kin draw from


def shared_state():
    """The words of that state, as runtime/mt19937.h has them."""
    _, key, place, has_normal, normal = np.random.get_state()
    return np.concatenate([key.astype(np.uint64), np.array([place, has_normal], dtype=np.uint64), np.array([normal]).view(np.uint64)])


def hand_back(arrays):
    """NumPy's generator has drawn what compiled code, which was given these arrays, has drawn."""
    if (state := arrays.get(_SHARED)) is not None:
        np.random.set_state(("MT19937", state[:624].astype(np.uint32), int(state[624]), int(state[625]), float(state[626:].view(np.float64)[0])))


def draws(arrays):
    """Whether compiled code that is given these arrays draws from NumPy's shared generator."""
    return _SHARED in arrays


def _programs(program, seen):
    """The program and those that it calls, these first."""
    if program in seen:
        return []
    seen.add(program)
    program._parsed
    return [*(one for callee in program._callees for one in _programs(callee, seen)), program]


def now(program):
    """By argument name."""
    programs = _programs(program, set())
    arrays = {f"__g_{name}": one._lookup(path) for one in programs for name, path in one._array_names.items()}
    if any(one._parsed.draws for one in programs):
        arrays[_SHARED] = shared_state()
    return arrays


def _separated(program):
    """The programs; a field of one object and the field of that name of another are given different names, one array in fields of any
    names the same."""
    while True:
        programs = _programs(program, set())
        arrays, names, changed = {}, {}, False
        for one in programs:
            for name, path in one._array_names.items():
                value = one._lookup(path)
                own = name
                if arrays.setdefault(name, value) is not value:
                    own = f"{name}_{len(one.field_names) + 1}"
                elif value is not None:
                    own = names.setdefault(id(value), name)
                if own != name and "." in path:
                    one.field_names[path] = own
                    changed = True
        if not changed:
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
