"""Prints the benchmarks of Tiramisu's paper, each checked against NumPy: see README.md beside it."""
import argparse
import ctypes
import inspect
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import measuring  # noqa: E402

KERNELS = sorted(path.stem for path in (HERE / "kernels").glob("*.py"))


def in_c(kernel, folder):
    """The loop nest, compiled by gcc."""
    source, library = folder / f"{kernel.__name__}.c", folder / f"{kernel.__name__}.so"
    source.write_text("#include <stdlib.h>\n" + kernel.C)
    subprocess.run(["gcc", "-O3", "-march=native", "-ffast-math", "-fopenmp", "-shared", "-fPIC", source, "-o", library], check=True)
    function = ctypes.CDLL(str(library)).kernel
    function.restype = None

    def call(arrays):
        function(*(one.ctypes.data_as(ctypes.c_void_p) if isinstance(one, np.ndarray) else ctypes.c_long(one)
                   for one in kernel.c_arguments(arrays)))
    return call


def in_halide(kernel, arrays):
    """The same schedule, or None: there is none, or no wheel."""
    try:
        import halide as hl
    except ImportError:
        return None
    if not hasattr(kernel, "halide"):
        return None
    function, output = kernel.halide(hl, arrays)
    function.compile_jit()
    return lambda arrays: function.realize(output)


def contestants(kernel, arrays, folder):
    compiled = kernel.schedule().compile()
    found = {"sluice": lambda arrays: compiled(**arrays), "gcc": in_c(kernel, folder)}
    if hasattr(kernel, "openblas"):
        found["openblas"] = kernel.openblas
    halide = in_halide(kernel, arrays)
    if halide:
        found["halide"] = halide
    return found


def measured(name, options, folder):
    kernel = measuring.load(HERE / "kernels" / f"{name}.py", name)
    arrays = kernel.data(np.random.default_rng(0), options.quick)
    wanted = inspect.signature(kernel.reference).parameters
    expected = kernel.reference(**{key: arrays[key].copy() for key in wanted})
    results = list(expected)
    all = contestants(kernel, arrays, folder)
    times = {who: [] for who in all}
    for who, call in all.items():
        for result in results:
            arrays[result][...] = 0
        call(arrays)
        wrong = measuring.differs([arrays[result] for result in results], [expected[result] for result in results])
        if wrong:
            raise SystemExit(f"{name} by {who} is wrong: {wrong}")
    for _ in range(options.repeat):
        for who, call in all.items():
            start = time.perf_counter()
            call(arrays)
            times[who].append(time.perf_counter() - start)
    return {who: measuring.median(each) for who, each in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=KERNELS)
    parser.add_argument("--quick", action="store_true", help="small images, for a check of the results")
    parser.add_argument("--repeat", type=int, default=9)
    options = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, milliseconds (median of {options.repeat}), and how much faster than the peer")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names:
            times = measured(name, options, pathlib.Path(folder))
            own = times.pop("sluice")
            others = "  ".join(f"{who} {1e3 * each:.2f} ({each / own:.2f}x)" for who, each in times.items())
            print(f"{name:14} {1e3 * own:8.2f}   {others}", flush=True)


if __name__ == "__main__":
    main()
