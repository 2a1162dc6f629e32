"""Pythran: the kernel's functions with the types of the arguments, built with -O3 -march=native -fopenmp."""
import ast
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pythran

from libraries import cached
from measuring import load

FLAGS = ["-O3", "-march=native", "-fopenmp"]


def type_name(value):
    if isinstance(value, np.ndarray):
        return f"{value.dtype.name}[{','.join(':' * value.ndim)}]"
    return type(value).__name__


def prepare(kernel, name, inputs, sizes, folder):
    path = pathlib.Path(kernel.__file__)
    tree = ast.parse(path.read_text())
    tree.body = [node for node in tree.body if not (isinstance(node, ast.FunctionDef) and node.name == "inputs" or isinstance(node, ast.Assign))]
    export = f"#pythran export {name}({', '.join(map(type_name, inputs.values()))})\n"
    text = export + ast.unparse(tree)
    source = pathlib.Path(folder) / f"pythran_{name}.py"
    source.write_text(text)
    return getattr(load(cached(f"{version()} {FLAGS} {text}", lambda path: build(source, path)), f"pythran_{name}"), name)


def build(source, path):
    compiler = os.path.join(os.path.dirname(sys.executable), "pythran")
    library = source.with_suffix(".so")  # its name is the module's
    done = subprocess.run([compiler, *FLAGS, str(source), "-o", str(library)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(([line for line in done.stderr.splitlines() if "rror" in line] or ["Pythran failed"])[0])
    shutil.move(library, path)


def version():
    return f"Pythran {pythran.__version__}"
