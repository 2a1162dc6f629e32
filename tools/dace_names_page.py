#!/usr/bin/env python3
"""Writes docs/dace-names.md: what became of each public name of DaCe, which tools/dace_names.txt lists.

    .venv/bin/python tools/dace_names_page.py [--check]     (--check: exit status 1 if the page is not what it would be)

A name is native if the package, or `sluice.dace_compat`, answers it; else the page says why not, from the table below."""
import importlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "dace-names.md"
NAMES = ROOT / "tools" / "dace_names.txt"
sys.path.insert(0, str(ROOT / "python"))

import sluice  # noqa: E402
import sluice.dace_compat  # noqa: E402,F401
from sluice._absent import _Names  # noqa: E402
from sluice._absent_transformations import REASONS as TRANSFORMATIONS  # noqa: E402

# Why a name is not there: the first pattern that fits. What no pattern names is not done yet, and the page says so.
REASONS = [
    (r"(?i)gpu|cupy|threadblock|warp", "GPU code is made for the target `opencl`"),
    (r"MPI|(?i:pgrid|process_?grid|rdistr|redistr|subarray|distributed)", "no distributed arrays"),
    (r"(?i)structure(view|reference)|container(array|view)|tensor|structviews", "no nested data in graphs"),
    (r"RTL|stringtype|pyobject|callback", "no hardware descriptions and no Python objects in graphs"),
    (r"instrument|profile|data_report|latest_report", "`program.instrument` and `report` (instrumentation.md)"),
    (r"_json$|guid$|debuginfo|hash", "files and places are the graph's own: SDFG.save, SDFG.from_file"),
    (r"(sdfg|cfg)_(list|id)|root_sdfg|parent|orig_sdfg", "nodes are handles of one graph that is a value: no lists of graphs and no parents"),
    (r"transformation_hist|append_transformation|logical_groups|build_folder|regenerate_code|set_sourcecode",
     "recipes keep what was applied, the cache what was compiled"),
    (r"^dace\.symbolic\.", "expressions are Sluice's own and not SymPy's"),
    (r"^dace\.dtypes\.", "DaCe's own tables of types and schedules"),
    (r"meta_|(init|exit|global)_code|using_explicit|state_machine|recheck|strict_transformations", "DaCe's internals or names that it has given up"),
    (r"^dace\.transformation\.passes\.", "`SDFG.simplify` and the pipelines run what they need"),
]


def answered(name):
    """Whether something stands under the name that may be used."""
    at, module = sluice, "dace"
    for part in name.split(".")[1:]:
        module = f"{module}.{part}"
        try:
            at = getattr(at, part)
        except (AttributeError, NotImplementedError, sluice.CompileError):
            try:
                at = importlib.import_module(module)
            except ImportError:
                return False
        if isinstance(at, _Names):
            return False
    return True


def why_not(name):
    if name.startswith("dace.transformation.") and (last := name.rpartition(".")[2]) in TRANSFORMATIONS:
        return TRANSFORMATIONS[last]
    return next((reason for pattern, reason in REASONS if re.search(pattern, name)), "not done")


def page():
    groups, native, planned, total = {}, 0, 0, 0
    for name in NAMES.read_text().split():
        group, _, last = name.rpartition(".")
        how = "native" if answered(name) else why_not(name)
        groups.setdefault(group, {}).setdefault(how, []).append(last)
        native, planned, total = native + (how == "native"), planned + (how == "not done"), total + 1
    lines = ["# DaCe's names", "", "Written by tools/dace_names_page.py from tools/dace_names.txt. *native*: the name is answered here, by Sluice itself or after",
             "`import sluice.dace_compat`; else the reason why not. *not done*: nothing speaks against it.", "",
             f"{native} of {total} names native, {planned} not done."]
    for group, rows in groups.items():
        lines += ["", f"## {group}", "", "| what became of them | names |", "| --- | --- |"]
        for how, names in sorted(rows.items(), key=lambda row: (row[0] != "native", row[0])):
            lines.append(f"| {how} | {', '.join(f'`{name}`' for name in names)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    text = page()
    if "--check" in sys.argv[1:]:
        sys.exit(0 if PAGE.exists() and PAGE.read_text() == text else f"{PAGE} is not up to date: run `make pages`")
    PAGE.write_text(text)
