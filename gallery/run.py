"""Runs the programs of the gallery beside NumPy, checks them and prints one table.

    .venv/bin/python gallery/run.py [NAME ...] [--size small|large] [--pages FOLDER] [--notebooks FOLDER]

--pages writes an HTML page for each, with an index, --notebooks a notebook for each.
"""
import argparse
import pathlib
import sys

import numpy as np

import sluice
from runner import notebooks, pages, programs


def summary(runs):
    wrong = [run.name for run in runs if not run.is_right]
    faster = sum(run.ratio > 1 for run in runs)
    return f"{len(runs)} programs, all in strict mode, {faster} faster than NumPy, wrong: {', '.join(wrong) or 'none'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="programs; all without any")
    parser.add_argument("--size", choices=["small", "large"], default="large")
    parser.add_argument("--pages", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--notebooks", type=pathlib.Path, metavar="FOLDER")
    options = parser.parse_args()
    if unknown := set(options.names).difference(programs.names()):
        parser.error(f"no program {', '.join(sorted(unknown))}; there are {', '.join(programs.names())}")
    print(f"NumPy {np.__version__} and Sluice {sluice.__version__}, medians of runs in turns, in milliseconds\n")
    print(f"{'program':<24} {'field':<21} {'NumPy':>9} {'Sluice':>9} {'ratio':>7} {'difference':>11}")
    runs = []
    for name in options.names or programs.names():
        run = programs.measure(name, options.size)
        runs.append(run)
        print(f"{name:<24} {programs.field(programs.load(name)[0]):<21} {run.numpy_ms:>9.2f} {run.sluice_ms:>9.2f} {run.ratio:>7.2f} "
              f"{run.error:>11.1e}{'' if run.is_right else '  WRONG'}", flush=True)
    print(f"\n{summary(runs)}")
    if options.pages:
        pages.write(options.pages, runs, summary(runs))
    if options.notebooks:
        notebooks.write(options.notebooks, runs, options.size)
    return all(run.is_right for run in runs)


if __name__ == "__main__":
    sys.exit(not main())
