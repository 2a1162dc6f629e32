"""The scoreboard: kernels of our own writing for the definitions of NPBench and PolyBench, beside NumPy, Numba, JAX, Pythran, DaCe and C.

    .venv/bin/python bench/scoreboard/run.py [KERNEL ...] [--preset S|paper|LARGE|tiny] [--peers NAME ...] [--load] [--again]

Cells that an earlier run has measured are kept, unless --again asks for them anew. Prints the table and writes it with the JSON of
all cells and an SVG heat map to the results' folder. README.md says how it measures.
"""
import argparse
import contextlib
import datetime
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]
import cells  # noqa: E402
import heatmap  # noqa: E402
import report  # noqa: E402
from environments import BUILD, PEERS  # noqa: E402
from measuring import load  # noqa: E402

QUICK = ("numpy", "sluice", "numba", "c")


def kernels():
    return sorted(path.stem for path in (HERE / "kernels").glob("*.py"))


def preset_of(kernel, preset):
    """The preset's name for a kernel, "L" where "paper" keeps NumPy busy for too long; None where the kernel has none."""
    sizes = load(HERE / "kernels" / f"{kernel}.py", kernel).SIZES
    return preset if preset in sizes else "L" if preset == "paper" and "L" in sizes else None


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


@contextlib.contextmanager
def competing_load(cores):
    """A process on every core that never waits."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=lambda core=core: os.sched_setaffinity(0, {core}))
                for core in cores]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def measured(kernel, options, cores):
    """The kernel's cells, from files where an earlier run left them."""
    peers = [peer for peer in options.peers if peer != "c" or (HERE / "c" / f"{kernel}.c").exists()]
    files = {peer: options.results / f"{kernel}.{peer}.json" for peer in peers}
    known = {peer: json.loads(file.read_text()) for peer, file in files.items() if file.exists() and not options.again}
    if missing := [peer for peer in peers if peer not in known]:
        for peer, cell in cells.measure(kernel, missing, options, cores).items():
            if peer in missing:
                known[peer] = cell
                files[peer].write_text(json.dumps(cell))
    return known


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="all unless given")
    parser.add_argument("--preset", default="S", choices=["tiny", "S", "paper", "LARGE"])
    parser.add_argument("--peers", nargs="+", default=list(QUICK), choices=[*PEERS, "all"], metavar="NAME",
                        help=f"of {', '.join(PEERS)}, or all; {', '.join(QUICK)} unless given")
    parser.add_argument("--seconds", type=float, default=0.5, help="of measuring, for each cell; three runs at least")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds that a cell may take, compilation included")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--load", action="store_true", help="NumPy and ours beside a process on every core")
    parser.add_argument("--again", action="store_true", help="measure what an earlier run has measured")
    parser.add_argument("--results", type=pathlib.Path, metavar="FOLDER", help="of the files; build/scoreboard/PRESET unless given")
    options = parser.parse_args(arguments)
    if unknown := set(options.kernels) - set(kernels()):
        parser.error(f"no such kernel: {', '.join(sorted(unknown))}; there are {', '.join(kernels())}")
    options.peers = ["numpy", "sluice"] if options.load else list(PEERS) if "all" in options.peers else options.peers
    options.results = (options.results or BUILD / "results" / (options.preset + ("-load" if options.load else ""))).resolve()
    options.results.mkdir(parents=True, exist_ok=True)
    cores = set(sorted(os.sched_getaffinity(0))[:options.threads])
    board = {"date": datetime.date.today().isoformat(), "processor": processor(), "threads": options.threads, "preset": options.preset,
             "load": options.load, "kernels": {}}
    wanted = options.preset
    with competing_load(cores) if options.load else contextlib.nullcontext():
        for kernel in options.kernels or kernels():
            options.preset = preset_of(kernel, wanted)
            if options.preset:
                board["kernels"][kernel] = measured(kernel, options, cores)
                print(report.progress(kernel, board["kernels"][kernel]), file=sys.stderr, flush=True)
    (options.results / "scoreboard.json").write_text(json.dumps(board, indent=1))
    (options.results / "scoreboard.md").write_text(report.table(board))
    (options.results / "scoreboard.svg").write_text(heatmap.svg(board))
    print(report.table(board))
    print(f"written to {options.results}: scoreboard.md, scoreboard.json, scoreboard.svg")


if __name__ == "__main__":
    main()
