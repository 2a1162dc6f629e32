"""C of our own writing for the kernels of PolyBench, built by gcc -O3 -march=native -fopenmp: c/NAME.c has a function NAME whose parameters are
the sizes of the preset, the kernel's arguments, and an array for each result that NumPy's form returns."""
import ctypes
import pathlib
import subprocess

import numpy as np

from libraries import cached

FLAGS = ["-O3", "-march=native", "-fopenmp", "-shared", "-fPIC"]


def argument(value):
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    return ctypes.c_double(value) if isinstance(value, float) else ctypes.c_long(value)


def prepare(kernel, name, inputs, sizes, folder):
    source = pathlib.Path(__file__).resolve().parents[1] / "c" / f"{name}.c"
    if not source.exists():
        raise LookupError("no source in C")
    library = cached(f"{version()} {FLAGS} {source.read_text()}",
                     lambda path: subprocess.run(["gcc", *FLAGS, str(source), "-o", str(path), "-lm"], check=True, capture_output=True))
    function = getattr(ctypes.CDLL(str(library)), name)
    with np.load(pathlib.Path(folder) / "numpy.npz") as expected:
        outputs = [np.empty_like(expected[key]) for key in expected.files if key.startswith("r")]
    extents = [ctypes.c_long(size) for size in sizes]

    def call(*arguments):
        function(*extents, *map(argument, arguments), *map(argument, outputs))
        return tuple(outputs)
    return call


def version():
    return subprocess.run(["gcc", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
