"""Prints every number of bench/README.md in one run."""
import pathlib
import subprocess
import timeit

import numpy as np

import sluice

BIN = pathlib.Path(__file__).parents[1] / "build" / "release" / "bin"
N = sluice.symbol("N")


@sluice.program
def four_arrays(a: sluice.float64[N], b: sluice.float64[N], c: sluice.float64[N], d: sluice.float64[N]):
    d[:] = a + b + c


def call_overhead():
    """Microseconds of one call with four arrays of four elements, median of five."""
    arrays = [np.ones(4) for _ in range(4)]
    compiled = four_arrays.compile()
    calls = 100_000
    for label, function in (("compiled program", compiled), ("decorated function", four_arrays)):
        times = sorted(timeit.repeat(lambda: function(*arrays), number=calls, repeat=5))
        print(f"call from Python, 4 arrays, {label}: {times[2] / calls * 1e6:.2f} us")


def main():
    for name, title in (("compile_time", "Compile time"), ("call_overhead", "Call overhead"), ("stencils", "Stencils against hand-written loops"),
                        ("graph_scale", "Graph scale"), ("simplify_scale", "Transformations and the size of the program"),
                        ("load_sdfg", "A .sdfg file of 58 MB"),
                        ("gemm_chain", "A matrix product by transformations")):
        print(f"\n== {title}", flush=True)
        subprocess.run([BIN / f"bench_{name}"], check=True)
        if name == "call_overhead":
            call_overhead()


if __name__ == "__main__":
    main()
