"""Numba: every function of the kernel under njit, without fast mathematics."""
import inspect

import numba


def prepare(kernel, name, inputs, sizes, folder, parallel=False):
    for key, value in list(vars(kernel).items()):
        if inspect.isfunction(value) and value.__module__ == name and key != "inputs":
            setattr(kernel, key, numba.njit(value, parallel=parallel))
    return getattr(kernel, name)


def version():
    return f"Numba {numba.__version__}"
