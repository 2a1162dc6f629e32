"""Programs of which Python runs lines (docs/graph-breaks.md), beside Python alone: what a decorator costs where little can be compiled.

    .venv/bin/python bench/graph_breaks.py [--runs N] [PROGRAM ...]

Results are compared before anything is timed. Prints the medians of interleaved runs in milliseconds, the first call, and Python's over
Sluice's (above 1: Sluice is faster).
"""
import argparse
import collections
import copy
import datetime
import json
import math
import random
import statistics
import time
import warnings

import numpy as np

import sluice

PROGRAMS = {}


def arguments(*values):
    """Registers a program with its arguments."""
    def register(function):
        PROGRAMS[function.__name__] = (function, values)
        return function
    return register


RNG = np.random.default_rng(0)
VECTOR = RNG.normal(size=20_000)


class Negative(Exception):
    pass


def beyond(v, t):
    return v - t if v > t else 0.0


def length(v):
    s = 0.0
    for q in v:
        s += q * q
    return math.sqrt(s)


@arguments(VECTOR)
def handlers(x):
    bad, counts = [], {}
    for i in range(len(x)):
        try:
            if x[i] < 0:
                raise Negative(str(i))
            key = f"{int(x[i] * 10)}"
            counts[key] = counts.get(key, 0) + 1
        except Negative as error:
            bad.append(str(error))
    return bad, counts


@arguments(list(VECTOR), 0.1)
def names_of_helpers(xs, t):
    out = {}
    for i, v in enumerate(xs):
        key = "k%d" % (i % 7)
        u = beyond(v, t)
        w = beyond(u, 0.1)
        out[key] = out.get(key, 0.0) + w
    return out


@arguments([list(VECTOR[i:i + 5]) for i in range(2000)])
def small_rows(rows):
    found = []
    for row in rows:
        name = json.dumps(row)
        n = length(row)
        m = length([1.0, n])
        found.append((name, n + m))
    return found


@arguments(20_000)
def dates(n):
    day, s = datetime.date(2020, 1, 1), 0
    for i in range(n):
        s += (day + datetime.timedelta(days=i)).day
    return s


@arguments(50_000)
def draws(n):
    rng, s = random.Random(3), 0
    for _ in range(n):
        x = rng.random()
        y = rng.random()
        if x * x + y * y < 1:
            s += 1
    return 4 * s / n


@arguments("the quick brown fox " * 3000)
def words(text):
    total, counts = 0, collections.Counter(text.split())
    for word, count in counts.items():
        total += len(word) * count
    return total, counts.most_common(3)


@arguments(VECTOR)
def records(x):
    log = []
    for i in range(len(x)):
        y = np.sin(x[i]) + np.cos(x[i])
        log.append({"i": i, "y": y})
    return sum(one["y"] for one in log)


@arguments(RNG.normal(size=(2000, 50)))
def rows_of_arrays(a):
    found = {}
    for i in range(a.shape[0]):
        row = a[i]
        mean, largest = row.mean(), row.max()
        found[f"row{i}"] = {"mean": mean, "largest": largest}
    return found["row3"]["mean"]


@arguments(RNG.normal(size=200_000), 20)
def large_arrays(x, n):
    log = []
    for k in range(n):
        log.append(repr(k))
        y = x * 2 + k
        z = np.sqrt(y * y + 1)
        x = z - y
    return float(x.sum()), len(log)


def same(a, b):
    return math.isclose(a, b, rel_tol=1e-9) if isinstance(a, float) else a == b


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("programs", nargs="*", choices=[*PROGRAMS, []], metavar="PROGRAM")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'program':18} {'Python ms':>10} {'Sluice ms':>10} {'first ms':>10} {'ratio':>7}")
    for name in options.programs or PROGRAMS:
        function, values = PROGRAMS[name]
        program, times = sluice.program(function, strict=False), {"python": [], "sluice": []}

        def timed(one):
            given = copy.deepcopy(values)
            begin = time.perf_counter()
            result = one(*given)
            return time.perf_counter() - begin, result
        first, result = timed(program)
        wanted = function(*copy.deepcopy(values))
        assert all(map(same, wanted, result)) if isinstance(wanted, tuple) else same(wanted, result), name
        for _ in range(options.runs):
            times["python"].append(timed(function)[0])
            times["sluice"].append(timed(program)[0])
        python, ours = (statistics.median(times[key]) for key in ("python", "sluice"))
        print(f"{name:18} {1e3 * python:10.2f} {1e3 * ours:10.2f} {1e3 * first:10.1f} {python / ours:7.2f}", flush=True)


if __name__ == "__main__":
    main()
