"""DaCe's own passes over syntax: Sluice translates programs in C++ and has none of them."""
import functools
import importlib

from sluice._absent import members

from .common import DaceSyntaxError  # noqa: F401

__getattr__ = members(__name__, "programs are translated in C++; nothing rewrites their syntax in Python")


@functools.cache
def mpi4py_is_usable():
    """Whether mpi4py is installed and finds MPI."""
    try:
        return hasattr(importlib.import_module("mpi4py"), "MPI") or bool(importlib.import_module("mpi4py.MPI"))
    except (ImportError, RuntimeError):
        return False
