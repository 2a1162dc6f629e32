"""The scoreboard's kernels on a GPU beside NumPy and CuPy: medians of interleaved runs, results checked against NumPy's first.

    .venv/bin/python bench/gpu.py [--preset S] [--target cuda] [--seconds S] [--json FILE] [KERNEL ...]

Every call begins with arrays of the host and ends with results there, so the times hold the copies of all peers. CuPy runs the kernel's
own source with its arrays for NumPy's, and is left out where it refuses, or where a call takes over --limit seconds. `cpu` is
Sluice on the CPU, `launches` and `MB` what one call on the device starts and copies.
"""
import argparse
import inspect
import json
import pathlib
import statistics
import time

import measuring
import numpy as np

import sluice

FOLDER = pathlib.Path(__file__).resolve().parent / "scoreboard" / "kernels"


def compiled_for(target, name):
    module = measuring.load(FOLDER / f"{name}.py", f"{name}_{target}")
    for key, value in list(vars(module).items()):
        if inspect.isfunction(value) and value.__module__ == module.__name__ and key != "inputs":
            setattr(module, key, sluice.program(value, target=target, strict=True))
    return getattr(module, name)


def by_cupy(name):
    """From arrays of the host to arrays of the host."""
    import cupy
    module = measuring.load(FOLDER / f"{name}.py", f"{name}_cupy")
    module.np = cupy

    def call(*arguments):
        there = [cupy.asarray(value) if isinstance(value, np.ndarray) else value for value in arguments]
        returned = getattr(module, name)(*there)
        for mine, theirs in zip(arguments, there):
            if isinstance(mine, np.ndarray):
                mine[...] = cupy.asnumpy(theirs)
        return [cupy.asnumpy(one) if isinstance(one, cupy.ndarray) else one for one in measuring.flat(returned)]
    return call


def results(returned, arguments):
    return [one for one in measuring.flat(returned) if one is not None] + [value for value in arguments if isinstance(value, np.ndarray)]


def measured(name, options):
    """The kernel's row."""
    module = measuring.load(FOLDER / f"{name}.py", name)
    arguments = list(module.inputs(np.random.default_rng(0), *module.SIZES[options.preset]).values())
    _, returned, own = measuring.timed(getattr(module, name), arguments, time.perf_counter)
    expected = results(returned, own)
    row, calls = {"kernel": name}, {}
    for peer, make in [(options.target, lambda: compiled_for(options.target, name)), ("cpu", lambda: compiled_for("cpu", name)),
                       ("cupy", lambda: by_cupy(name)), ("numpy", lambda: getattr(module, name))]:
        try:
            function = make()
            if peer in (options.target, "cpu"):
                function(*measuring.fresh(arguments))  # compiles
            first, returned, own = measuring.timed(function, arguments, time.perf_counter)
            wrong = measuring.differs(results(returned, own), expected)
        except Exception as refusal:  # whatever a peer raises, it is not measured
            row[peer] = f"{type(refusal).__name__}: {refusal}".splitlines()[0][:90]
            continue
        if wrong and peer != "cupy":
            row[peer] = f"WRONG: {wrong}"
        elif first < options.limit:
            calls[peer] = function
    if options.target in calls:
        compiled = compiled_for(options.target, name).compile(*measuring.fresh(arguments))
        before = compiled.traffic
        measuring.timed(compiled, arguments, time.perf_counter)
        spent = {key: compiled.traffic[key] - before[key] for key in before}
        row |= {"launches": spent["launches"], "megabytes": (spent["to_device"] + spent["from_device"]) / 1e6}
    times, end = {peer: [] for peer in calls}, time.perf_counter() + options.seconds
    while calls and (time.perf_counter() < end or len(times[next(iter(calls))]) < 3):
        for peer, function in calls.items():
            times[peer].append(measuring.timed(function, arguments, time.perf_counter)[0])
    return row | {peer: 1e3 * statistics.median(each) for peer, each in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--preset", default="S")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--seconds", type=float, default=0.3, help="of measuring a kernel, at least three turns")
    parser.add_argument("--limit", type=float, default=2, help="seconds of a peer's call beyond which it is left out")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    names = options.kernels or sorted(path.stem for path in FOLDER.glob("*.py"))
    peers = [options.target, "cpu", "cupy", "numpy"]
    print(f"{'kernel':26}" + "".join(f"{peer:>11}" for peer in peers) + f"{'launches':>10}{'MB':>9}   milliseconds, preset {options.preset}", flush=True)
    rows = []
    for name in names:
        row = measured(name, options)
        rows.append(row)
        cells = [f"{row[peer]:11.3f}" if isinstance(row.get(peer), float) else f"{'-':>11}" for peer in peers]
        said = "; ".join(f"{peer}: {row[peer]}" for peer in peers if isinstance(row.get(peer), str))
        print(f"{name:26}" + "".join(cells) + f"{row.get('launches', '-'):>10}{row.get('megabytes', 0):9.1f}   {said}", flush=True)
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1))
    for peer in peers[1:]:
        ratios = [row[peer] / row[options.target] for row in rows if isinstance(row.get(peer), float) and isinstance(row.get(options.target), float)]
        if ratios:
            print(f"{peer} / {options.target}: geometric mean {statistics.geometric_mean(ratios):.2f} of {len(ratios)}, below 1 on {sum(one < 1 for one in ratios)}")


if __name__ == "__main__":
    main()
