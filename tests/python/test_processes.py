"""Programs in children of fork: how multiprocessing starts its workers on Linux."""
import os
import subprocess
import sys
import textwrap

import pytest

import sluice

PREAMBLE = """
import concurrent.futures, multiprocessing, os, signal, sys, threading, time
import numpy as np
import sluice

N = sluice.symbol("N")

@sluice.program
def total(x: sluice.float64[N]):
    return np.sum(x * 2.0)

@sluice.program
def slow(x: sluice.float64[N], steps: sluice.int64):
    for t in range(steps):
        x[1:] = x[1:] + 1.0

x = np.ones(1 << 20)
fork = multiprocessing.get_context("fork")

def work(k):
    return float(total(x * k))

def nested(k):
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=fork) as pool:
        return sum(pool.map(work, range(k)))
"""

SCRIPTS = {
    "a child": """
        assert work(1) == 2 << 20
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            os._exit(0 if work(2) == 4 << 20 else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert work(1) == 2 << 20
    """,
    "a pool": """
        work(1)
        with fork.Pool(3) as pool:
            assert pool.map(work, range(6)) == [k * (2 << 20) for k in range(6)]
    """,
    "a pool in workers of a pool": """
        work(1)
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=fork) as pool:
            assert list(pool.map(nested, [2, 3])) == [2 << 20, 6 << 20]
    """,
    "a child while another thread runs the program": """
        slow(x, 1)
        finished = threading.Event()

        def run(y):
            while not finished.is_set():
                slow(y, 20)

        runner = threading.Thread(target=run, args=(np.ones(1 << 20),))
        runner.start()
        try:
            time.sleep(0.05)
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                slow(x, 1)
                os._exit(0 if x[1] == 3 else 1)
            assert os.waitpid(child, 0)[1] == 0
        finally:
            finished.set()
        runner.join()
    """,
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_children_of_fork(script, tmp_path):
    file = tmp_path / "script.py"
    file.write_text(PREAMBLE + "if __name__ == '__main__':\n" + textwrap.indent(textwrap.dedent(script), "    "))
    package = os.path.dirname(os.path.dirname(sluice.__file__))
    environment = {**os.environ, "OMP_NUM_THREADS": "3", "PYTHONPATH": package}
    done = subprocess.run([sys.executable, str(file)], env=environment, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("chosen, expected", [
    ({}, "GOMP_SPINCOUNT = '300'"),
    ({"GOMP_SPINCOUNT": "7"}, "GOMP_SPINCOUNT = '7'"),
    ({"OMP_WAIT_POLICY": "active"}, "OMP_WAIT_POLICY = 'ACTIVE'"),
], ids=["ours", "a count of the user", "a policy of the user"])
def test_waiting_threads_sleep_unless_the_user_chose_otherwise(chosen, expected):
    """libgomp says what it read when it was loaded; the environment that other programs inherit is the user's."""
    package = os.path.dirname(os.path.dirname(sluice.__file__))
    environment = {name: value for name, value in os.environ.items() if name not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")}
    environment |= {"PYTHONPATH": package, "OMP_DISPLAY_ENV": "verbose", **chosen}
    done = subprocess.run([sys.executable, "-c", "import os, sluice; os.system('env')"], env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and expected in done.stderr, done.stderr
    inherited = dict(line.split("=", 1) for line in done.stdout.splitlines() if line.startswith(("GOMP_", "OMP_WAIT")))
    assert inherited == chosen
