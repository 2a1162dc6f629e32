"""The programs of the gallery: finds them, runs them beside NumPy, compares and measures.

A program's file holds a docstring (`Field: what it computes.`, then the source of the method), one function under @sluice.program with
the file's name, `inputs(size)`, which gives its arguments by name for "small" or "large", and perhaps `picture(inputs, result)`. NumPy's
side is the same function without its decorator.
"""
import copy
import dataclasses
import functools
import importlib.util
import inspect
import pathlib
import statistics
import sys
import time

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parents[1]
TOLERANCE = {"float32": 1e-4, "complex64": 1e-4}  # of the largest value; 1e-9 for wider types
RUNS, SECONDS = 5, 4.0  # each side runs five times, or until the seconds are over


@dataclasses.dataclass
class Run:
    """One program on the inputs of one size. Times are medians in milliseconds; error: the largest difference, relative to the largest value."""
    name: str
    inputs: dict
    result: object
    error: float
    is_right: bool
    numpy_ms: float
    sluice_ms: float

    @property
    def ratio(self):
        return self.numpy_ms / self.sluice_ms


def names():
    return sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "run")


@functools.cache
def load(name):
    """The module of a program, by a name that no other module has, and the program, strict: no line of it is left to Python."""
    spec = importlib.util.spec_from_file_location(f"gallery_{name}", FOLDER / f"{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    program = getattr(module, name)
    program.strict = True
    return module, program


def field(module):
    return module.__doc__.partition(":")[0]


def title(module):
    """What is computed, in one line."""
    return module.__doc__.splitlines()[0].partition(": ")[2].rstrip(".")


def source(module):
    """The program's file without its docstring."""
    return inspect.getsource(module).split('"""', 2)[2].lstrip()


def leaves(value):
    """The arrays and numbers inside of tuples, lists and dictionaries."""
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (tuple, list)):
        return [np.asarray(value)]
    return [leaf for part in value for leaf in leaves(part)]


def compare(actual, expected):
    """The largest relative difference of all leaves, and whether it is one of rounding: integers and truth values are equal."""
    actual, expected = leaves(actual), leaves(expected)
    if [(one.shape, one.dtype) for one in actual] != [(one.shape, one.dtype) for one in expected]:
        return np.inf, False
    largest, is_right = 0.0, True
    for ours, theirs in zip(actual, expected):
        if not np.issubdtype(theirs.dtype, np.inexact):
            is_right &= np.array_equal(ours, theirs)
            continue
        is_right &= np.array_equal(np.isfinite(ours), np.isfinite(theirs))
        finite = np.isfinite(ours) & np.isfinite(theirs)
        if finite.any():
            difference = np.abs(ours[finite] - theirs[finite]).max() / (np.abs(theirs[finite]).max() or 1.0)
            largest = max(largest, float(difference))
            is_right &= bool(difference <= TOLERANCE.get(theirs.dtype.name, 1e-9))
    return largest, is_right


def check(name, size):
    """Runs the program and NumPy once: (inputs, result, largest difference, whether it is right). Arguments that are changed count as well."""
    module, program = load(name)
    inputs = module.inputs(size)
    ours, theirs = copy.deepcopy(inputs), copy.deepcopy(inputs)
    result, expected = program(**ours), program.f(**theirs)
    return inputs, result, *compare((result, ours), (expected, theirs))


def measure(name, size):
    """A Run: compared first, which warms both up, then timed in turns on fresh copies of the arguments."""
    inputs, result, error, is_right = check(name, size)
    _, program = load(name)
    sides = {program.f: [], program: []}
    end = time.perf_counter() + SECONDS
    while len(sides[program]) < RUNS and (not sides[program] or time.perf_counter() < end):
        for side, times in sides.items():
            fresh = copy.deepcopy(inputs)
            begin = time.perf_counter()
            side(**fresh)
            times.append(time.perf_counter() - begin)
    return Run(name, inputs, result, error, is_right, *(1e3 * statistics.median(times) for times in sides.values()))
