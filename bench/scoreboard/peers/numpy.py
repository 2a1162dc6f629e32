"""NumPy itself: the kernel as it stands."""
import numpy as np


def prepare(kernel, name, inputs, sizes, folder):
    return getattr(kernel, name)


def version():
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    return f"NumPy {np.__version__}, {blas['name']} {blas['version']}"
