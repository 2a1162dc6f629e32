"""How the benchmarks in Python measure: fresh arguments, clocks, comparison with NumPy, medians with intervals.

Shared by npbench.py and scoreboard/. Needs NumPy alone, so that a peer's own environment can load it.
"""
import importlib.util
import math
import statistics
import sys

AMPLIFIED = 100  # Results may be so many times as far off as NumPy's own on arguments moved by one unit in the last place.


def load(path, name):
    """The module of a file, under that name."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def fresh(arguments):
    return [value.copy() if hasattr(value, "copy") else value for value in arguments]


def timed(function, arguments, clock, fresh=fresh):
    """Seconds of one call on fresh copies, what it returned, and the copies afterwards."""
    own = fresh(arguments)
    start = clock()
    returned = function(*own)
    return clock() - start, returned, own


def flat(value):
    return [one for part in value for one in flat(part)] if isinstance(value, (tuple, list)) else [value]


def moved(arguments):
    """The arguments with every real number one unit in the last place larger."""
    import numpy as np

    def next_of(value):
        if type(value) is float:
            return math.nextafter(value, math.inf)
        return np.nextafter(value, value.dtype.type(np.inf)) if getattr(getattr(value, "dtype", None), "kind", "") == "f" else value
    return [next_of(value) for value in arguments]


def differs(mine, expected, others=None):
    """In words; empty: equal as far as the precision says (rtol 1e-9 for double precision, 1e-4 for single, of the largest value; integers
    equal), or within AMPLIFIED times the distance of `others`."""
    import numpy as np
    if len(mine) != len(expected):
        return f"{len(mine)} results instead of {len(expected)}"
    for at, (one, other) in enumerate(zip(mine, expected)):
        if other is None and one is None:
            continue
        one, other = np.asarray(one), np.asarray(other)
        if one.shape == (1,):  # what a program returns instead of a number
            one = one.reshape(other.shape if other.size == 1 else one.shape)
        if one.shape != other.shape:
            return f"shape {one.shape} instead of {other.shape}"
        if other.dtype.kind not in "fc":
            if not np.array_equal(one, other):
                return "integers differ"
            continue
        finite = np.abs(other[np.isfinite(other)])
        rtol = 1e-9 if other.real.dtype == np.float64 else 1e-4
        atol = rtol * float(finite.max(initial=1e-30))
        if others is not None:
            atol = max(atol, AMPLIFIED * float(np.nanmax(np.abs(np.asarray(others[at]) - other))))
        if not np.allclose(one, other, rtol=rtol, atol=atol, equal_nan=True):
            return f"differs by {float(np.nanmax(np.abs(one - other))):.1e}"
    return ""


def interval(times):
    """Bounds of the median with a confidence of 95 %, by order statistics; of fewer than six times, the smallest and the largest."""
    ordered = sorted(times)
    rank = max(0, round((len(times) - 1.96 * math.sqrt(len(times))) / 2) - 1) if len(times) >= 6 else 0
    return ordered[rank], ordered[len(times) - 1 - rank]


def median(times):
    return statistics.median(times)


def geometric_mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else math.nan
