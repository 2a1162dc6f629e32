"""Ordinary programs with other arguments than they were written for: each argument in turn gets another type, size, sign, layout, NaN or infinity.

    python tests/python/changed_arguments.py --seed 1 [--only heat,kmeans] [--changes 5] [FILE.py ...]

Programs are those of the gallery on their small inputs, or the functions of FILEs that stand in a list CASES of (function, arguments). Value,
type, dtype, shape, arguments behind the call and the type of what is raised must be those of plain Python. Refusals are counted by their code.
"""
import argparse
import collections
import copy
import importlib.util
import pathlib
import random
import signal
import sys
import warnings

import numpy as np

import sluice

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "gallery"))
from runner import programs  # noqa: E402

SECONDS = 60  # of one call, with its compilation


def one_element(x, value, rng):
    changed = x.copy()
    changed.flat[rng.randrange(x.size)] = value
    return changed


def changes(x, rng):
    """(label, other value) for one argument."""
    if isinstance(x, np.ndarray) and x.dtype.kind in "fiu":
        if x.dtype.kind == "f":
            yield from [("float32", x.astype(np.float32)), ("integers", (x * 10).astype(np.int64)), ("zeros", np.zeros_like(x))]
        else:
            yield from [("int32", x.astype(np.int32)), ("floats", x.astype(float)), ("uint8", (x % 200).astype(np.uint8))]
        if x.dtype.kind == "f" and x.size:
            yield from [("nan", one_element(x, np.nan, rng)), ("infinite", one_element(x, np.inf, rng))]
        if x.ndim >= 1:
            yield from [("empty", x[:0].copy()), ("one", x[:1].copy()), ("two", x[:2].copy()), ("reversed", x[::-1]), ("strided", np.repeat(x, 2, axis=0)[::2])]
        if x.ndim >= 2:
            yield from [("Fortran", np.asfortranarray(x)), ("transposed", x.T), ("one column", x[:, :1])]
    elif isinstance(x, bool):
        yield "not", not x
    elif isinstance(x, int):
        yield from [("int64", np.int64(x)), ("int32", np.int32(x)), ("0", 0), ("1", 1), ("negative", -x), ("float", float(x))]
    elif isinstance(x, float):
        yield from [("float64", np.float64(x)), ("float32", np.float32(x)), ("int", int(x)), ("0", 0.0), ("negative", -x), ("nan", float("nan"))]
    elif isinstance(x, str):
        yield from [("empty", ""), ("reversed", x[::-1])]
    elif isinstance(x, list) and x:
        yield from [("empty", []), ("one", x[:1]), ("reversed", x[::-1])]


def copied(x):
    """A copy that lies in memory as it does."""
    if isinstance(x, np.ndarray) and not (x.flags.c_contiguous or x.flags.f_contiguous):
        memory = np.zeros([2 * n for n in x.shape], x.dtype)
        view = memory[tuple(slice(None, None, -2 if s < 0 else 2) for s in x.strides)]
        view[...] = x
        return view
    return x.copy(order="K") if isinstance(x, np.ndarray) else copy.deepcopy(x)


def is_narrow(x):
    return isinstance(x, (np.ndarray, np.generic)) and x.dtype.name in ("float16", "float32", "complex64")


def difference(wanted, got, narrow=False):
    """In words; empty where there is none. Rounding may differ, by the sums' order; `narrow`: as numbers of float32 are rounded."""
    if type(wanted) is not type(got):
        return f"a {type(got).__name__} instead of a {type(wanted).__name__}: {got!r:.80} {wanted!r:.80}"
    if isinstance(wanted, (tuple, list)):
        if len(wanted) != len(got):
            return f"{len(got)} elements instead of {len(wanted)}"
        return next((d for w, g in zip(wanted, got) if (d := difference(w, g, narrow))), "")
    if isinstance(wanted, dict):
        return difference([list(wanted), list(wanted.values())], [list(got), list(got.values())], narrow)
    if isinstance(wanted, (np.ndarray, np.generic)):
        if wanted.dtype != got.dtype or wanted.shape != got.shape:
            return f"{got.dtype} {got.shape} instead of {wanted.dtype} {wanted.shape}"
    if isinstance(wanted, (np.ndarray, np.generic, float, complex)) and np.asarray(wanted).dtype.kind in "fc":
        narrow = narrow or is_narrow(wanted)
        largest = np.max(np.abs(np.asarray(wanted)[np.isfinite(wanted)]), initial=0.0)
        with np.errstate(all="ignore"):
            close = np.allclose(got, wanted, rtol=2e-3 if narrow else 1e-6, atol=max(1e-12, float(largest) * (1e-3 if narrow else 1e-9)), equal_nan=True)
        return "" if close else f"{got!r:.200} instead of {wanted!r:.200}"
    return "" if np.array_equal(wanted, got) else f"{got!r:.200} instead of {wanted!r:.200}"


class TooLong(BaseException):
    pass


def outcome(function, arguments):
    """What it returns, or the exception that it raises."""
    def stop(*_):
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return function(*arguments)
    except Exception as error:
        return error
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def compare(function, program, arguments):
    """(outcome, detail): ok, refused CODE or WRONG."""
    ours, theirs = [copied(x) for x in arguments], [copied(x) for x in arguments]
    try:
        wanted = outcome(function, theirs)
    except TooLong:
        return "too long in Python", ""
    got = outcome(program, ours)
    code = getattr(got, "code", None)
    if isinstance(got, sluice.CompileError) or (isinstance(got, NotImplementedError) and code):
        return f"refused {code}", str(got)
    if isinstance(wanted, Exception) or isinstance(got, Exception):
        if isinstance(wanted, Exception) and isinstance(got, type(wanted)):  # What was changed before it, the caller sees.
            found = difference(theirs, ours, any(map(is_narrow, arguments)))
            return ("WRONG", f"behind {type(wanted).__name__}: {found}") if found else ("ok", "")
        if isinstance(got, OverflowError) and not isinstance(wanted, Exception):  # Python's integers may be larger than ours.
            return "refused A014", str(got)
        return "WRONG", f"{got!r:.300} instead of {wanted!r:.300}"
    narrow = any(map(is_narrow, arguments))
    found = difference(wanted, got, narrow) or difference(theirs, ours, narrow)
    return ("WRONG", found) if found else ("ok", "")


def gallery(names):
    """(name, function, arguments) of its programs."""
    for name in names or programs.names():
        module, program = programs.load(name)
        yield name, program.f, list(module.inputs("small").values())


def cases_of(path):
    spec = importlib.util.spec_from_file_location(pathlib.Path(path).stem, path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for function, arguments, *_ in module.CASES:
        yield function.__name__, function, list(arguments)


def campaign(cases, seed, most, report=print):
    """Outcomes by kind, and findings. Of each argument at most `most` changes are tried."""
    rng, outcomes, findings = random.Random(seed), collections.Counter(), []
    for name, function, arguments in cases:
        program = sluice.program(function, strict=True)
        for at, argument in enumerate(arguments):
            tried = list(changes(argument, rng))
            for label, value in rng.sample(tried, min(most, len(tried))):
                try:
                    kind, detail = compare(function, program, arguments[:at] + [value] + arguments[at + 1:])
                except TooLong:
                    kind, detail = "too long", ""
                outcomes[kind] += 1
                if kind == "WRONG":
                    findings.append(f"{name}, argument {at}, {label}: {detail}")
                    report(findings[-1])
    return outcomes, findings


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--changes", type=int, default=5)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    only = [name for name in options.only.split(",") if name]
    cases = [case for path in options.files for case in cases_of(path) if not only or case[0] in only] if options.files else gallery(only)
    outcomes, findings = campaign(cases, options.seed, options.changes)
    print(dict(outcomes))
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
