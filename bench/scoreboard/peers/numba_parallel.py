"""Numba with parallel=True: whole-array statements become parallel loops."""
import pathlib

from measuring import load

numba = load(pathlib.Path(__file__).with_name("numba.py"), "peer_numba_serial")
version = numba.version


def prepare(kernel, name, inputs, sizes, folder):
    return numba.prepare(kernel, name, inputs, sizes, folder, parallel=True)
