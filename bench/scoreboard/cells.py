"""Measures all cells of one kernel: a process for each peer, runs in turns, results compared with NumPy's.

A cell is a dictionary, and a file RESULTS/KERNEL.PEER.json: "state" (right, amplified, wrong, refused, late or failed), "message" where it has no
times, "times" in seconds, "reference" (NumPy's times in the same turns), "first" (seconds of the first call, compilation included), "peak" (MiB),
"mode" and "version".
"""
import json
import os
import pathlib
import select
import signal
import subprocess
import tempfile
import time

import numpy as np

from environments import BUILD, HERE, python_of
from measuring import differs, median

RUNS = 3  # at least, of every cell
WAITING = "300"  # Rounds that libgomp's waiting threads turn before they sleep, for peers as for ours (src/driver/openmp.cpp)
TURN = 0.02  # Seconds: a turn of a fast kernel is several calls one after the other


class Late(Exception):
    pass


class Worker:
    """A peer's process, asked line by line. It is stopped while others have their turn: threads of a BLAS turn for tens of milliseconds
    behind a call before they sleep, and would take a core from whoever comes next."""

    def __init__(self, peer, kernel, options, folder, cores):
        threads = str(len(cores))
        environment = {**os.environ, "PYTHONPATH": "", "SCOREBOARD_CACHE": str(BUILD / "cache"), "SLUICE_CACHE": str(folder / "sluice"),
                       "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads, "NUMBA_NUM_THREADS": threads, "MKL_NUM_THREADS": threads,
                       "NUMBA_DISABLE_PERFORMANCE_WARNINGS": "1", "JAX_PLATFORMS": "cpu"}
        if peer == "sluice":
            environment["PYTHONPATH"] = str(HERE.parents[1] / "python")
        else:
            environment["GOMP_SPINCOUNT"] = WAITING
        self.peer, self.left = peer, options.limit
        self.log = open(folder / f"{peer}.log", "w")
        self.process = subprocess.Popen([python_of(peer), str(HERE / "worker.py"), peer, kernel, options.preset, str(folder)], env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, cwd=folder, start_new_session=True,
                                        preexec_fn=lambda: os.sched_setaffinity(0, cores))

    def answer(self):
        """The next line; raises Late where the cell's seconds are over, EOFError where the process ended."""
        begin = time.perf_counter()
        ready, _, _ = select.select([self.process.stdout], [], [], max(self.left, 0.0))
        self.left -= time.perf_counter() - begin
        if not ready:
            raise Late
        if not (line := self.process.stdout.readline()):
            raise EOFError
        self.signal(signal.SIGSTOP)
        return json.loads(line)

    def ask(self, text):
        self.signal(signal.SIGCONT)
        try:
            self.process.stdin.write(text.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise EOFError from None
        return self.answer()

    def signal(self, number):
        """To the process, and the compilers that it started."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)

    def close(self):
        self.signal(signal.SIGKILL)
        self.process.wait()
        self.log.close()


def ending(worker, folder):
    """The last line that a process which ended has said."""
    code = worker.process.wait()
    lines = (folder / f"{worker.peer}.log").read_text(errors="replace").strip().splitlines()
    return (lines or [f"ended with {code}"])[-1][:120] if code > 0 else f"ended by signal {-code}"


def results(path):
    with np.load(path) as data:
        return [data[key] for key in sorted(data.files, key=lambda key: (key[0] != "r", int(key[1:])))]


def start(peer, kernel, options, folder, cores, reference):
    """The peer's first call, compared: its cell, and its process where the result is right."""
    worker = Worker(peer, kernel, options, folder, cores)
    try:
        cell = worker.answer()
        if "refused" in cell:
            worker.close()
            return {"state": "refused", "message": cell["refused"]}, None
        if peer == "numpy":
            return {"state": "right", **cell}, worker
        expected, mine = results(folder / "numpy.npz"), results(folder / f"{peer}.npz")
        (folder / f"{peer}.npz").unlink()
        wrong, state = differs(mine, expected), "right"
        if wrong:
            if not (folder / "moved.npz").exists():
                reference.ask("moved")
            wrong, state = differs(mine, expected, results(folder / "moved.npz")), "amplified"
        if not wrong:
            return {"state": state, **cell}, worker
        cell = {"state": "wrong", "message": wrong}
    except Late:
        cell = {"state": "late", "message": f"not done after {options.limit:g} s"}
    except EOFError:
        cell = {"state": "failed", "message": ending(worker, folder)}
    worker.close()
    return cell, None


def take_turns(workers, cells, options):
    """Runs in turns until every cell has its seconds or no time is left to it."""
    for cell in cells.values():
        cell["times"], cell["reference"] = [], []
    going = dict(workers)
    while set(going) - {"numpy"} or ("numpy" in going and len(workers) == 1):
        for peer, worker in list(going.items()):
            times = cells[peer]["times"]
            usual = median(times[-9:]) if times else min(cells[peer]["first"], TURN)
            try:
                said = worker.ask(f"run {max(1, min(100, int(TURN / max(usual, 1e-6))))}")["times"]
            except (Late, EOFError) as error:
                going.pop(peer)
                if peer == "numpy":  # nothing to compare with is left
                    return
                if not times:
                    cells[peer].update(state="late" if isinstance(error, Late) else "failed", message="no run was done in time")
                continue
            times += said
            if peer == "numpy":
                of_turn = said
            cells[peer]["reference"] += of_turn
            enough = len(times) >= RUNS and sum(times) >= options.seconds
            if peer != "numpy" and (enough or worker.left < max(said)):
                going.pop(peer)
            if peer == "numpy" and len(workers) == 1 and enough:
                going.pop(peer)


def measure(kernel, peers, options, cores):
    """A cell for each peer, NumPy's among them."""
    with tempfile.TemporaryDirectory(prefix="scoreboard-") as folder:
        folder, workers, cells = pathlib.Path(folder), {}, {}
        try:
            for peer in ["numpy", *(peer for peer in peers if peer != "numpy")]:
                if python_of(peer) is None:
                    continue
                cell, worker = start(peer, kernel, options, folder, cores, workers.get("numpy"))
                cells[peer] = cell
                if worker:
                    workers[peer] = worker
                elif peer == "numpy":
                    return cells
            workers["numpy"].left = options.limit * len(workers)  # it takes a turn for each of theirs
            take_turns(workers, {peer: cells[peer] for peer in workers}, options)
            for peer, worker in workers.items():
                worker.left = 5.0
                try:
                    cells[peer].update(worker.ask("end"))
                except (Late, EOFError):
                    pass
        finally:
            for worker in workers.values():
                worker.close()
    return cells
