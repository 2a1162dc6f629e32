"""Compiles every example, runs it on real-size input beside NumPy, checks the result and prints one table."""
import copy
import importlib
import pathlib
import statistics
import sys
import time

import numpy as np

import sluice

NAMES = ["axpy", "gemm", "jacobi_2d", "heat_3d", "spmv", "histogram", "filter", "mandelbrot", "fibonacci", "softmax", "cg"]
TOLERANCE = {"float32": 1e-4, "float64": 1e-8}


def load(name):
    """The example's module and its program."""
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    module = importlib.import_module(name)
    return module, getattr(module, name)


def run_reference(module, program, arguments):
    """Runs plain NumPy in place; returns its return value."""
    return getattr(module, "reference", program.f)(**arguments)


def results(module, arguments, returned):
    """Everything the program computed, by name: changed arguments and return values."""
    found = getattr(module, "comparable", lambda a: {k: v for k, v in a.items() if isinstance(v, np.ndarray)})(arguments)
    return found if returned is None else {**found, "return": returned}


def relative_error(actual, expected):
    """Largest |actual - expected| / (1 + |expected|) over all results."""
    return max(float(np.max(np.abs(actual[k].astype(np.float64) - expected[k].astype(np.float64)) / (1 + np.abs(expected[k].astype(np.float64)))))
               for k in expected)


def check(module, actual, expected):
    """The largest relative error, and whether it is within the tolerance of the narrowest floating type."""
    narrow = any(v.dtype == np.float32 for v in expected.values())
    error = relative_error(actual, expected)
    return error, error <= TOLERANCE["float32" if narrow else "float64"]


def seconds(call, arguments, repeat):
    """Median time of `call` on fresh copies of the arguments, and the last copy with the last return value."""
    times = []
    for _ in range(repeat):
        fresh = copy.deepcopy(arguments)
        begin = time.perf_counter()
        returned = call(**fresh)
        times.append(time.perf_counter() - begin)
    return statistics.median(times), fresh, returned


def describe(arguments):
    """Sizes for the table: the shape of the largest array."""
    largest = max((v for v in arguments.values() if isinstance(v, np.ndarray)), key=np.size)
    return "x".join(map(str, largest.shape)) if largest.size > 1 else f"n={largest.item()}"


def main():
    print(f"NumPy {np.__version__} and Sluice {sluice.__version__}, median of 3 runs after one warm-up for Sluice\n")
    print(f"{'program':<11} {'size':<16} {'NumPy':>10} {'Sluice':>10} {'speed-up':>9} {'compile':>9} {'rel. error':>11}")
    failed = []
    for name in NAMES:
        module, program = load(name)
        arguments = module.inputs("large")
        begin = time.perf_counter()
        compiled = program.compile()
        compile_time = time.perf_counter() - begin
        compiled(**copy.deepcopy(arguments))
        ours, fresh, returned = seconds(compiled, arguments, 3)
        reference, expected, expected_return = seconds(lambda **kw: run_reference(module, program, kw), arguments, 3 if ours > 0.01 else 1)
        error, good = check(module, results(module, fresh, returned), results(module, expected, expected_return))
        if not good:
            failed.append(name)
        print(f"{name:<11} {describe(arguments):<16} {reference * 1e3:>8.1f}ms {ours * 1e3:>8.1f}ms {reference / ours:>8.1f}x "
              f"{compile_time * 1e3:>7.0f}ms {error:>11.1e}{'' if good else '  WRONG'}", flush=True)
    if failed:
        sys.exit(f"wrong results: {', '.join(failed)}")
    print("""
What to try next:
  source .venv/bin/activate                                    # the Python package `sluice` is importable here
  build/release/bin/sluice show examples/jacobi_2d.py          # the dataflow graph as text
  build/release/bin/sluice compile examples/axpy.py -o out     # libaxpy.so, axpy.h and the readable axpy.cpp
  build/release/bin/sluice run examples/gemm.py M=500 N=500 K=500 alpha=1.5 beta=1.2 --repeat 5
  build/release/bin/sluice --help""")


if __name__ == "__main__":
    main()
