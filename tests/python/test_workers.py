"""Processes that work side by side share one cache: each program is one whole entry, whoever compiled it and wherever another was killed."""
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

SCRIPT = """
import sys, time
import numpy as np
import sluice

N = sluice.symbol("N")

@sluice.program(strict=True)
def shared(x: sluice.float64[N], k: sluice.int64):
    return np.sum(np.sqrt(x * x + k))

while time.time() < float(sys.argv[1]):
    pass
print(float(shared(np.arange(5.0), 0)))
"""


def entries(cache):
    """Whole entries of the cache: folders with a library and its size."""
    return sorted(path.parent for path in pathlib.Path(cache).glob("??/*/size"))


def unfinished(cache):
    folder = pathlib.Path(cache) / "unfinished"
    return sorted(folder.iterdir()) if folder.exists() else []


@pytest.fixture
def script(tmp_path):
    (tmp_path / "worker.py").write_text(SCRIPT)
    return lambda cache, begin: subprocess.Popen([sys.executable, str(tmp_path / "worker.py"), str(begin)], text=True, stdout=subprocess.PIPE,
                                                 stderr=subprocess.PIPE, env={**os.environ, "SLUICE_CACHE": str(cache)}, start_new_session=True)


def test_many_processes_compile_one_program_at_once(script, tmp_path):
    cache, begin = tmp_path / "cache", time.time() + 3
    workers = [script(cache, begin) for _ in range(6)]
    for worker in workers:
        out, error = worker.communicate(timeout=300)
        assert (worker.returncode, out, error) == (0, "10.0\n", "")
    assert len(entries(cache)) == 1 and unfinished(cache) == []


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_who_is_killed_leaves_nothing_that_others_see(script, tmp_path, end):
    cache = tmp_path / "cache"
    worker = script(cache, 0)
    deadline = time.time() + 100
    while not list((cache / "unfinished").glob("*/shared.cpp")) and time.time() < deadline:  # the C++ compiler is about to start
        time.sleep(0.005)
    os.killpg(worker.pid, end)
    worker.wait(timeout=20)
    assert worker.returncode != 0
    if end == signal.SIGINT:
        assert unfinished(cache) == [] and worker.stderr.read().count("KeyboardInterrupt") == 1
    assert entries(cache) == []
    after = script(cache, 0)
    assert after.communicate(timeout=300) == ("10.0\n", "") and len(entries(cache)) == 1


SPAWN = """
import multiprocessing
import numpy as np
import sluice

N = sluice.symbol("N")

@sluice.program(strict=True)
def doubled(x: sluice.float64[N]):
    return x * 2

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        print(sum(y.sum() for y in pool.map(doubled, [np.ones(k) for k in range(1, 5)])))
        graph = doubled.to_sdfg()
        print(sum(y.sum() for y in pool.map(graph, [np.ones(k) for k in range(1, 5)])))
"""

JOBLIB = """
from joblib import Parallel, delayed
import numpy as np
import sluice

N = sluice.symbol("N")

def helper(x):
    return x * 3

@sluice.program(strict=True)
def tripled(x: sluice.float64[N]):
    return helper(x)

def closed(k):
    @sluice.program(strict=True)
    def scaled(x: sluice.float64[N]):
        return x * k
    return scaled

if __name__ == "__main__":
    print(sum(y.sum() for y in Parallel(n_jobs=2)(delayed(tripled)(np.ones(k)) for k in range(1, 5))))
    print(sum(y.sum() for y in Parallel(n_jobs=2)(delayed(closed(2.0))(np.ones(k)) for k in range(1, 5))))
"""


def run(tmp_path, text):
    (tmp_path / "main.py").write_text(text)
    done = subprocess.run([sys.executable, "main.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300,
                          env={**os.environ, "SLUICE_CACHE": str(tmp_path / "cache")})
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_workers_that_are_spawned(tmp_path):
    assert run(tmp_path, SPAWN) == ["20.0", "20.0"]
    assert len(entries(tmp_path / "cache")) == 1  # of the program and of its graph


def test_joblib(tmp_path):
    pytest.importorskip("joblib")
    assert run(tmp_path, JOBLIB) == ["30.0", "20.0"]


def test_a_program_that_no_name_finds_needs_cloudpickle(tmp_path):
    text = JOBLIB.partition("if __name__")[0].replace("from joblib import Parallel, delayed\n", "import pickle, sys\n") + """
sys.modules["cloudpickle"] = sys.modules["joblib.externals"] = sys.modules["joblib"] = None
try:
    pickle.dumps(closed(2.0))
except pickle.PicklingError as error:
    print("refused" if "cloudpickle" in str(error) else error)
print(pickle.loads(pickle.dumps(tripled)) is tripled)
"""
    assert run(tmp_path, text) == ["refused", "True"]


DASK = """
import dask
import numpy as np
import sluice

N = sluice.symbol("N")

@sluice.program(strict=True)
def tripled(x: sluice.float64[N]):
    return 3 * x

if __name__ == "__main__":
    for scheduler in ("threads", "processes"):
        delayed = [dask.delayed(tripled)(np.ones(k)) for k in range(1, 5)]
        print(sum(y.sum() for y in dask.compute(*delayed, scheduler=scheduler, num_workers=2)))
"""


def test_dask(tmp_path):
    pytest.importorskip("dask")
    assert run(tmp_path, DASK) == ["30.0", "30.0"]
    assert len(entries(tmp_path / "cache")) == 1


XDIST = """
import numpy as np
import pytest
import sluice

N = sluice.symbol("N")

@sluice.program(strict=True)
def tripled(x: sluice.float64[N]):
    return 3 * x

@pytest.mark.parametrize("k", range(8))
def test_one(k):
    assert tripled(np.ones(k)).sum() == 3 * k
"""


def test_workers_of_pytest(tmp_path):
    pytest.importorskip("xdist")
    (tmp_path / "test_many.py").write_text(XDIST)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-n", "3", "test_many.py"], cwd=tmp_path, capture_output=True, text=True,
                          timeout=300, env={**os.environ, "SLUICE_CACHE": str(tmp_path / "cache")})
    assert done.returncode == 0 and "8 passed" in done.stdout, done.stdout + done.stderr
    assert len(entries(tmp_path / "cache")) == 1 and unfinished(tmp_path / "cache") == []


def test_without_a_file(tmp_path):
    """`python -c`, standard input, `-i` and exec: all find the source where Python keeps one."""
    program = "import numpy as np, sluice\n@sluice.program\ndef plus(x: sluice.float64[4]):\n    x += 1\n\nx = np.zeros(4)\nplus(x)\nprint(x.sum())\n"
    environment = {**os.environ, "SLUICE_CACHE": str(tmp_path / "cache"), "SLUICE_STRICT": "0"}
    (tmp_path / "plus.py").write_text(program)
    for words, typed in ((["-c", program], ""), (["-"], program), (["-i", "plus.py"], "plus(x)\nprint(x.sum())\n")):
        done = subprocess.run([sys.executable, *words], input=typed, cwd=tmp_path, capture_output=True, text=True, env=environment, timeout=100)
        assert "4.0" in done.stdout and ("Traceback" not in done.stderr), (words[0], done.stdout, done.stderr)
        if words[0] == "-i":
            assert "8.0" in done.stdout
