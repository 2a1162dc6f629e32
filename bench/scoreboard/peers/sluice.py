"""Ours: every function of the kernel under `sluice.program`, with nothing else said."""
import inspect

import sluice


def prepare(kernel, name, inputs, sizes, folder):
    for key, value in list(vars(kernel).items()):
        if inspect.isfunction(value) and value.__module__ == name and key != "inputs":
            setattr(kernel, key, sluice.program(value))
    return getattr(kernel, name)


def version():
    return f"Sluice {sluice.__version__}"
