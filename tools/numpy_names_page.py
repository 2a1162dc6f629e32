#!/usr/bin/env python3
"""Writes docs/numpy-names.md: for every function of NumPy whether programs may call it, and where its meaning is written.

    .venv/bin/python tools/numpy_names_page.py [--check]     (--check: exit status 1 if the page is not what it would be)

A name is native if the front end has it, `prelude` if it is written in the Python subset (src/frontend/python/prelude), and refused if a typical
call is (tests/python/numpy_surface.py has the calls; tests/python/test_numpy_surface.py compares their values with NumPy's)."""
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "numpy-names.md"
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests" / "python")]

import numpy_surface  # noqa: E402

PRELUDE = {f"{path.parent.name}.{name}" for path in (ROOT / "src/frontend/python/prelude").glob("*/*.py") for name in re.findall(r"^def (\w+)", path.read_text(), re.M)}
TITLES = {"numpy": "numpy", "numpy.linalg": "numpy.linalg", "numpy.fft": "numpy.fft", "numpy.random": "numpy.random", "ndarray": "Methods and attributes of arrays", "more": "Makers of indices, methods and keywords of ufuncs"}


def how(section, name, refused, calls):
    if not calls or len(refused) == len(calls):
        return "refused"
    module = {"ndarray": "numpy", "more": "numpy"}.get(section, section)
    return "prelude" if f"{module}.{name.replace('Generator.', '_')}" in PRELUDE else "native"


def page(folder):
    lines = ["# NumPy's names", "", "Written by tools/numpy_names_page.py. *native*: the front end has it; *prelude*: it is written in the subset itself (`src/frontend/python/prelude`); *refused*: a",
             "program that calls it is refused with the line and what to write instead. Names of files, text, calendars and settings compute no arrays and are left out of the", "counts.", ""]
    rows, counts = {}, {"native": 0, "prelude": 0, "refused": 0}
    for section, table in numpy_surface.SECTIONS.items():
        rows[section] = []
        for name, calls in sorted(table.items()):
            if not calls:
                continue
            refused = [call for call in calls if not numpy_surface.translates(call, folder)]
            kind = how(section, name, refused, calls)
            counts[kind] += 1
            note = "" if kind == "refused" or not refused else "not " + ", ".join(f"`{call}`" for call in refused)
            rows[section].append(f"| `{name}` | {kind} | {note} |")
    lines.append(f"{counts['native']} native, {counts['prelude']} prelude, {counts['refused']} refused.")
    for section, title in TITLES.items():
        lines += ["", f"## {title}", "", "| name | how | calls that are refused |", "| --- | --- | --- |", *rows[section]]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        text = page(pathlib.Path(folder))
    if "--check" in sys.argv[1:]:
        sys.exit(0 if PAGE.exists() and PAGE.read_text() == text else f"{PAGE} is not up to date: run `make pages`")
    PAGE.write_text(text)
