"""The gallery as notebooks (nbformat 4.5): what the program does, its source, a run beside NumPy, and its picture.

Each stands alone: it needs NumPy and Sluice, and Matplotlib to draw its picture anew.
"""
import json

from . import pictures, programs

RUN = """\
import copy, time

arguments = inputs({size!r})
ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
{name}(**copy.deepcopy(arguments))  # compiles
begin = time.perf_counter()
result = {name}(**ours)
between = time.perf_counter()
expected = {name}.f(**theirs)  # the same function in plain NumPy
end = time.perf_counter()
print(f"Sluice {{1e3 * (between - begin):.2f}} ms, NumPy {{1e3 * (end - between):.2f}} ms")"""

PICTURE = """\
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("without Matplotlib there is no picture")
else:
    drawn = picture(arguments, result)
    if isinstance(drawn, dict):
        for label, (x, y, *kind) in drawn.items():
            plt.plot(x, y, "." if kind == ["points"] else "-", label=label)
        plt.legend()
    else:
        plt.imshow(drawn)"""


def cell(identity, text, code=True, outputs=()):
    common = {"id": identity, "metadata": {}, "source": text.splitlines(keepends=True)}
    if not code:
        return {"cell_type": "markdown", **common}
    return {"cell_type": "code", **common, "execution_count": None, "outputs": list(outputs)}


def notebook(run, size):
    module, _ = programs.load(run.name)
    times = f"Sluice {run.sluice_ms:.2f} ms, NumPy {run.numpy_ms:.2f} ms\n"
    cells = [cell("about", f"# {run.name.replace('_', ' ')}\n\n{module.__doc__.strip()}", code=False),
             cell("program", programs.source(module).rstrip()),
             cell("run", RUN.format(name=run.name, size=size), outputs=[{"output_type": "stream", "name": "stdout", "text": [times]}])]
    if hasattr(module, "picture"):
        drawn = pictures.mime(module.picture(run.inputs, run.result))
        cells.append(cell("picture", PICTURE, outputs=[{"output_type": "display_data", "data": drawn, "metadata": {}}]))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}}, "cells": cells}


def write(folder, runs, size):
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        (folder / f"{run.name}.ipynb").write_text(json.dumps(notebook(run, size), indent=1) + "\n")
