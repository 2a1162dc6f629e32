"""Compiles a graph with the `sluice` command and calls the library through its C header."""
import ctypes
import pathlib
import re
import subprocess

import numpy as np

NUMBERS = {"bool": ctypes.c_bool, "float": ctypes.c_float, "double": ctypes.c_double,
           **{f"{sign}int{bits}_t": getattr(ctypes, f"c_{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)}}


class Failure(Exception):
    """What the command said, in one line."""


def sluice(command, *arguments):
    """Runs the command; its output, or Failure."""
    done = subprocess.run([str(command), *map(str, arguments)], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines() or [f"exit status {done.returncode}"]
        raise Failure(re.sub(r"^(\S*/)?\S*\.(sdfgz?|txt)(:\d+)*: ", "", said[0]))
    return done.stdout


def parameters(header, name):
    """(type, is a pointer, name) of each parameter."""
    text = re.search(rf"^int {name}\((.*)\);$", header, re.MULTILINE).group(1)
    found = []
    for part in [] if text == "void" else text.split(", "):
        spelled, parameter = re.fullmatch(r"(.*?)\s*(\w+)", part).groups()
        found.append((spelled.replace("const", "").replace("*", "").strip(), "*" in spelled, parameter))
    return found


def sizes(command, graph, arguments):
    """Symbols that stand alone for an extent of an array, from the array that is given."""
    found = {}
    for name, shape in re.findall(r"^  array (\w+): \w+\[(.*?)\]", sluice(command, "show", graph), re.MULTILINE):
        if isinstance(arguments.get(name), np.ndarray):
            found.update({size: extent for size, extent in zip(shape.split(", "), arguments[name].shape) if size.isidentifier()})
    return found


def call(command, graph, arguments, folder):
    """Compiles `graph` into `folder` and runs it on the arguments, arrays in place. Arrays that are not given are zeroed memory."""
    sluice(command, "compile", graph, "-o", folder)
    header = next(pathlib.Path(folder).glob("*.h"))
    name = header.stem
    scalars, values, kept = {**sizes(command, graph, arguments), **arguments}, [], []
    for spelled, pointer, parameter in parameters(header.read_text(), name):
        value = scalars.get(parameter)
        if pointer:
            if not isinstance(value, np.ndarray):
                value = np.zeros(1 << 16, np.uint8) if value is None else np.array(value, ndmin=1)
            kept.append(value)
            values.append(ctypes.c_void_p(value.ctypes.data))
        elif value is None:
            raise Failure(f"no argument {parameter}")
        else:
            values.append(NUMBERS[spelled](value.item() if isinstance(value, np.generic) else value))
    status = getattr(ctypes.CDLL(str(header.with_name(f"lib{name}.so"))), name)(*values)
    if status != 0:
        raise Failure(f"the program returned status {status}")
