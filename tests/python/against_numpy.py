"""Programs against the same functions in plain NumPy: values, element types, shapes and what becomes of the arguments."""
import copy
import types
import warnings

import numpy as np

import sluice


class _Maps:
    """What stands for sluice.map in plain Python: iterations in order."""

    def __getitem__(self, ranges):
        if isinstance(ranges, tuple):
            return [tuple(int(i) for i in index) for index in np.ndindex(*(r.stop for r in ranges))]
        return range(ranges.start or 0, ranges.stop)


PLAIN_SLUICE = types.SimpleNamespace(map=_Maps(), float64=np.float64, float32=np.float32, int64=np.int64, int32=np.int32)


def plain(program, **sizes):
    """The function under @sluice.program as plain Python, with the programs that it calls; `sizes` are the values of symbols."""
    scope = dict(program.f.__globals__)
    for name in program.f.__code__.co_names:
        if isinstance(scope.get(name), sluice.Program):
            scope[name] = plain(scope[name], **sizes)
    scope.update(sluice=PLAIN_SLUICE, **sizes)
    return types.FunctionType(program.f.__code__, scope, program.f.__name__, program.f.__defaults__, program.f.__closure__)


def differences(wanted, got, label, rtol=1e-9):
    """In words, what differs; empty if nothing does. A number may come back as an array of one element."""
    if isinstance(wanted, dict) or isinstance(got, dict):
        if type(wanted) is not type(got) or list(wanted) != list(got):
            return [f"{label}: {got!r} instead of {wanted!r}"]
        return [d for key in wanted for d in differences(wanted[key], got[key], f"{label}[{key!r}]", rtol)]
    if isinstance(wanted, (tuple, list)) or isinstance(got, (tuple, list)):
        if type(wanted) is not type(got) or len(wanted) != len(got):
            return [f"{label}: {got!r} instead of {wanted!r}"]
        return [d for i, (w, g) in enumerate(zip(wanted, got)) for d in differences(w, g, f"{label}[{i}]", rtol)]
    if wanted is None or got is None:
        return [] if wanted is got else [f"{label}: {got!r} instead of {wanted!r}"]
    w, g = np.asarray(wanted), np.asarray(got)
    if w.ndim == 0 and g.shape == (1,):
        g = g[0]
    if w.shape != g.shape:
        return [f"{label}: shape {g.shape} instead of {w.shape}"]
    of_python = isinstance(wanted, (bool, int, float, complex))
    if w.dtype != g.dtype and not of_python:
        return [f"{label}: {g.dtype} instead of {w.dtype}"]
    tolerance = {"float32": 2e-5, "complex64": 2e-5, "float16": 2e-3}.get(str(w.dtype), rtol)
    if not np.allclose(g, w, rtol=tolerance, atol=tolerance, equal_nan=True):
        return [f"{label}: {g!r} instead of {w!r}"]
    return []


def agree(program, *arguments, rtol=1e-9, **sizes):
    """Calls the program and the plain function on equal arguments; fails where anything differs."""
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        wanted = plain(program, **sizes)(*theirs)
    found = differences(wanted, program(*ours), "result", rtol)
    for at, (w, g) in enumerate(zip(theirs, ours)):
        found += differences(w, g, f"argument {at}", rtol)
    assert not found, "\n".join(found)
