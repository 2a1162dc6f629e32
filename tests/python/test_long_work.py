"""Work that takes long is shown in terminals and notebooks and ends at once when asked, leaving nothing; a compiler may come from pip."""
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import sys
import time
import types

import pytest

from sluice import _progress

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = ROOT / "build" / "release" / "bin" / "sluice"
AXPY = ROOT / "examples" / "axpy.py"

PROGRAM = """
import sys
sys.path.insert(0, {package!r})
import numpy as np
import sluice

@sluice.program
def doubled(x: sluice.float64[10]):
    x *= 2

x = np.ones(10)
doubled(x)
print(x.sum())
"""


@pytest.fixture
def place(tmp_path):
    """A cache, a program and a compiler that says that it runs, waits as long as WAIT says and compiles."""
    (tmp_path / "program.py").write_text(PROGRAM.format(package=str(ROOT / "python")))
    slow = tmp_path / "slow-c++"
    slow.write_text(f'#!/bin/sh\necho $$ > {tmp_path}/started\nsleep $WAIT\nexec c++ "$@"\n')
    slow.chmod(0o755)
    environment = {**os.environ, "SLUICE_CACHE": str(tmp_path / "cache"), "CXX": str(slow), "WAIT": "1"}
    return types.SimpleNamespace(folder=tmp_path, environment=environment, started=tmp_path / "started",
                                 commands={"python": [sys.executable, str(tmp_path / "program.py")],
                                           "command": [str(COMMAND), "compile", str(AXPY), "-o", str(tmp_path / "out")]})


def group_is_gone(leader):
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return True
    try:
        return (pathlib.Path("/proc") / str(leader) / "stat").read_text().split()[2] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.parametrize("kind", ["python", "command"])
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_at_once_and_leaves_nothing(place, kind, end):
    if kind == "python" and end == signal.SIGTERM:
        pytest.skip("Python has no handler for it: the process ends without any word")
    worker = subprocess.Popen(place.commands[kind], env={**place.environment, "WAIT": "100"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, start_new_session=True)
    deadline = time.time() + 60
    while not (place.started.exists() and place.started.read_text()) and time.time() < deadline:
        time.sleep(0.01)
    compiler = int(place.started.read_text())
    asked = time.time()
    worker.send_signal(end)  # to this process alone, not to the compiler
    _, error = worker.communicate(timeout=30)
    assert time.time() - asked < 10 and worker.returncode != 0
    assert ("KeyboardInterrupt" in error) == (kind == "python") and "error" not in error
    assert list((place.folder / "cache" / "unfinished").iterdir()) == []
    deadline = time.time() + 10
    while not group_is_gone(compiler) and time.time() < deadline:
        time.sleep(0.01)
    assert group_is_gone(compiler)
    assert not (place.folder / "out").exists() or not list((place.folder / "out").iterdir())


def on_a_terminal(words, environment):
    """Standard error of a process that has a terminal for it."""
    ours, theirs = pty.openpty()
    worker = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=theirs, stdin=subprocess.DEVNULL)
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 1000):
            text += part
    except OSError:  # The other end is closed.
        pass
    os.close(ours)
    assert worker.wait(60) == 0, text
    return text.decode()


@pytest.mark.parametrize(("kind", "name"), [("python", "doubled"), ("command", "axpy")])
def test_a_terminal_shows_what_takes_long(place, kind, name):
    text = on_a_terminal(place.commands[kind], place.environment)
    assert f"sluice: compiling {name} (" in text and text.endswith("\r\x1b[K"), text


@pytest.mark.parametrize("kind", ["python", "command"])
def test_nothing_is_shown_anywhere_else_or_when_it_is_quick(place, kind):
    done = subprocess.run(place.commands[kind], env=place.environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert on_a_terminal(place.commands[kind], place.environment) == ""  # found in the cache, or compiled in the folder


def test_a_notebook_shows_one_line_and_takes_it_away(monkeypatch):
    shown = []

    class Handle:
        def update(self, data, raw):
            shown.append(data["text/plain"])

    def display(data, raw, display_id):
        shown.append("new: " + data["text/plain"])
        return Handle()

    monkeypatch.setattr(_progress, "_notebook", lambda: display)
    for line in ("compiling", "still compiling", "", "another", ""):
        _progress.show(line)
    assert shown == ["new: compiling", "still compiling", "", "new: another", ""]


def test_a_closed_standard_error_stops_nothing(monkeypatch):
    class Closed:
        def isatty(self):
            raise ValueError("I/O operation on closed file")

    monkeypatch.setattr(_progress, "_notebook", lambda: None)
    for stream in (None, Closed()):
        monkeypatch.setattr(sys, "stderr", stream)
        _progress.show("compiling")


# ---- the compiler of a Python package ----
CLANGS = ("-nostdlib++", "-fveclib=libmvec", "-mllvm", "-openmp-ir-builder-optimistic-attributes")  # words that GCC does not know

# Words that Clang and Zig refuse, and the quick linker, which is chosen for GCC.
OF_GCC_ALONE = {"-fno-tree-loop-distribute-patterns"} | ({"-fuse-ld=gold"} if shutil.which("ld.gold") else set())


@pytest.fixture
def packages(tmp_path):
    """The files of the packages, with GCC behind them: no `c++` is on the path."""
    gcc, folder = shutil.which("g++"), tmp_path / "packages"
    runtime = folder / "cmeel.prefix"
    for each in (folder / "ziglang", runtime / "lib", runtime / "include"):
        each.mkdir(parents=True)
    asked = {word: subprocess.run([gcc, f"-print-file-name={word}"], capture_output=True, text=True).stdout.strip() for word in
             ("libgomp.so.1", "include/omp.h")}
    (runtime / "lib" / "libomp.so").symlink_to(asked["libgomp.so.1"])
    (runtime / "include" / "omp.h").symlink_to(asked["include/omp.h"])
    zig = folder / "ziglang" / "zig"
    zig.write_text(f'''#!{sys.executable}
import os, sys
assert not {OF_GCC_ALONE!r} & set(sys.argv)
assert sys.argv[1] == "c++" and os.environ["ZIG_GLOBAL_CACHE_DIR"].startswith(os.environ["SLUICE_CACHE"])
open({str(tmp_path / "used")!r}, "w").close()
os.environ["PATH"] = "/usr/bin:/bin"
os.execv({gcc!r}, [{gcc!r}, *(word for word in sys.argv[2:] if word not in {CLANGS!r})])
''')
    zig.chmod(0o755)
    return folder


def without_a_compiler(tmp_path, **more):
    (tmp_path / "empty").mkdir(exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if name not in ("CXX", "VIRTUAL_ENV")}
    return {**environment, "PATH": str(tmp_path / "empty"), "SLUICE_CACHE": str(tmp_path / "cache"), **more}


def test_a_compiler_that_pip_brought_is_used_without_a_word(place, packages, tmp_path):
    done = subprocess.run(place.commands["python"], env=without_a_compiler(tmp_path, PYTHONPATH=str(packages)), capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "20.0\n", "") and (tmp_path / "used").exists()


def test_it_is_asked_only_where_there_is_no_other(place, packages, tmp_path):
    ordinary = {name: value for name, value in os.environ.items() if name != "CXX"}
    for changes in ({"PATH": os.environ["PATH"]}, {"CXX": shutil.which("g++"), "PATH": "/usr/bin:/bin"}):
        environment = {**ordinary, "SLUICE_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(packages), **changes}
        assert subprocess.run(place.commands["python"], env=environment, capture_output=True, text=True).stdout == "20.0\n"
    assert not (tmp_path / "used").exists()


def test_without_any_the_message_names_both_ways_out(place, packages, tmp_path):
    (packages / "cmeel.prefix" / "lib" / "libomp.so").unlink()  # half of it is none
    done = subprocess.run(place.commands["python"], env=without_a_compiler(tmp_path, PYTHONPATH=str(packages), SLUICE_STRICT="1"),
                          capture_output=True, text=True)
    assert done.returncode != 0 and done.stderr.count("D001") == 1
    assert "apt-get install g++" in done.stderr and "pip install 'sluice[compiler]'" in done.stderr


@pytest.mark.parametrize(("name", "words"), [("clang++", set()), ("g++", OF_GCC_ALONE), ("icpx", set())])
def test_words_of_gcc_are_for_gcc_alone(place, tmp_path, name, words):
    compiler, gcc = tmp_path / "bin" / name, shutil.which("g++")
    compiler.parent.mkdir()
    compiler.write_text(f'''#!{sys.executable}
import os, sys
assert {OF_GCC_ALONE!r} & set(sys.argv) == {words!r}
os.execv({gcc!r}, [{gcc!r}, *sys.argv[1:]])
''')
    compiler.chmod(0o755)
    environment = {**os.environ, "SLUICE_CACHE": str(tmp_path / "cache"), "SLUICE_STRICT": "1"}
    for command in (str(compiler), f"/usr/bin/env {compiler}"):
        done = subprocess.run(place.commands["python"], env={**environment, "CXX": command}, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "20.0\n"), done.stderr


def test_a_linker_that_is_named_is_taken(place, tmp_path):
    compiler, gcc = tmp_path / "g++", shutil.which("g++")
    compiler.write_text(f'''#!{sys.executable}
import os, sys
assert [word for word in sys.argv if word.startswith("-fuse-ld=")] == ["-fuse-ld=bfd"]
os.execv({gcc!r}, [{gcc!r}, *sys.argv[1:]])
''')
    compiler.chmod(0o755)
    environment = {**os.environ, "SLUICE_CACHE": str(tmp_path / "cache"), "SLUICE_STRICT": "1", "CXX": f"{compiler} -fuse-ld=bfd"}
    done = subprocess.run(place.commands["python"], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "20.0\n"), done.stderr


INTERRUPTED = """
import os, signal, sys, threading, time
sys.path.insert(0, {package!r})
import numpy as np
import sluice

N = sluice.symbol("N")

@sluice.program
def steps(T: sluice.int64, A: sluice.float64[N], B: sluice.float64[N]):
    for t in range(T):
        B[1:-1] = 0.5 * (A[:-2] + A[2:])
        A[1:-1] = 0.5 * (B[:-2] + B[2:])

@sluice.program
def endless(A: sluice.float64[N]):
    total = 0.0
    while total >= 0.0:
        total = np.sum(A)
    return total

@sluice.program
def ordered(T: sluice.int64, x: sluice.int64[N]):
    for t in range(T):
        for i in range(1, N):
            x[i] = (x[i - 1] * 5 + x[i]) % 1000003

@sluice.program
def large_map(T: sluice.int64, x: sluice.float64[N], found: sluice.float64[N]):
    for i in sluice.map[0:N]:
        s = x[i]
        for t in range(T):
            s = 0.5 * s + 1.0 / (1.0 + s)
        found[i] = s

@sluice.program
def short_rounds(n: sluice.int64):  # by a team
    s = 0
    for i in range(n):
        s += (i * 7919) % 1001
    return s

@sluice.program
def one_after_the_other(n: sluice.int64, step: sluice.int64):
    x = step
    for i in range(n, 0, -3):
        x = (x * 1103515245 + i) % 2147483648
    return x

@sluice.program
def first_hit(n: sluice.int64, wanted: sluice.int64):
    x = 1
    for i in range(n):
        x = (x * 1103515245 + 12345) % 2147483648
        if x == wanted:
            break
    return x

@sluice.program
def halved(n: sluice.int64):
    count = 0
    while n != 1:
        n = n // 2 + 1
        count += 1
    return count

@sluice.program
def counted(first: sluice.int64, last: sluice.int64):
    count = 0
    latest = 0
    for i in range(first, last):
        count += 1
        latest = i
    return count, latest

@sluice.program
def weighed(n: sluice.int64):
    s = 0
    for i in range(n, -5, -1):
        s = s ^ i
    return s

def interrupted(call, after=0.2):
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        timer.join()
    return False

for n in 60, 60000:  # by one thread, and by a team
    A = np.arange(float(n))
    B = A.copy()
    steps(2, A, B)
    assert interrupted(lambda: steps(10**15, A, B)), n
    A[:] = B[:] = np.arange(float(n)) ** 2
    mine = A.copy(), B.copy()
    steps(3, *mine)
    steps.f(3, A, B)
    assert np.allclose(mine[0], A) and np.allclose(mine[1], B)  # a round trip behind it
u, v = np.ones(100000), np.zeros(100000)
large_map(3, u, v)
assert v.min() > 0 and interrupted(lambda: large_map(10**7, u, v)), "one parallel map"
x = np.arange(50)
ordered(1, x)
assert interrupted(lambda: ordered(10**15, x))
many = 2**25 + 5  # more than one part
assert short_rounds(many) == sum(np.sum(np.arange(k, min(k + 2**20, many)) * 7919 % 1001) for k in range(0, many, 2**20))
end = 2**63 - 1
for first, last in ((end - 2**24 - 2, end), (-end, 3 - end), (5, 6)):
    assert counted(first, last) == (last - first, last - 1)
assert counted(5, 5) == counted(5, 4) == (0, 0)
assert weighed(2**24 + 7) == np.bitwise_xor.reduce(np.arange(-4, 2**24 + 8))
assert one_after_the_other(10, 7) == one_after_the_other.f(10, 7) and first_hit(9, 12345) == first_hit.f(9, 12345) and halved(1) == 0
assert interrupted(lambda: short_rounds(10**15)) and interrupted(lambda: one_after_the_other(10**15, 7))
assert interrupted(lambda: first_hit(10**15, -1)) and interrupted(lambda: halved(7))
ones = np.ones(100)
assert endless(-ones) == -100
assert interrupted(lambda: endless(ones))

# A handler of the user's is called when the call has ended, as under any extension.
calls = []
signal.signal(signal.SIGINT, lambda *_: calls.append(1))
started = time.time()
ordered(3_000_000, x)
rounds = int(3_000_000 * 0.6 / (time.time() - started))
assert not interrupted(lambda: ordered(rounds, x)) and calls == [1]
# Other threads go on.
signal.signal(signal.SIGINT, signal.default_int_handler)
ended = []
worker = threading.Thread(target=lambda: (ordered(rounds, np.arange(50)), ended.append(1)))
worker.start()
assert interrupted(lambda: time.sleep(10))
worker.join()
print("ended", ended)
"""


def test_ctrl_c_ends_loops_of_compiled_programs(tmp_path):
    (tmp_path / "interrupted.py").write_text(INTERRUPTED.format(package=str(ROOT / "python")))
    done = subprocess.run([sys.executable, tmp_path / "interrupted.py"], env={**os.environ, "SLUICE_CACHE": str(tmp_path / "cache"), "OMP_NUM_THREADS": "2"},
                          capture_output=True, text=True, timeout=300)
    assert done.stdout == "ended [1]\n", done.stderr
