"""Everything that the README shows is done here, in order, and so is what `make demo` and `sluice run --help` propose to try."""
import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
BIN = ROOT / "build" / "release" / "bin"


def section(title):
    return README.partition(f"## {title}\n")[2].partition("\n## ")[0]


def snippet(text, language):
    return re.search(rf"```{language}\n(.*?)```", text, re.DOTALL).group(1)


def commands(text, *programs):
    """Indented lines that call one of the programs, without their comments."""
    lines = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    return [line for line in lines if line.split()[0] in programs]


@pytest.fixture
def checkout(tmp_path):
    """What a user sees after `make build`, in a folder that may be written."""
    for name in ("examples", "src", "build"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def shell(command, folder):
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_python(checkout):
    (checkout / "user.py").write_text(snippet(section("In Python"), "python"))
    assert "jacobi_2d" in shell(f"{shlex.quote(sys.executable)} user.py", checkout)
    assert (checkout / "jacobi_2d.sdfg").exists()


def test_cpp(checkout):
    text = section("In C++")
    (checkout / "user.cpp").write_text(snippet(text, "cpp"))
    lines = commands(text, "g++")
    assert len(lines) == 1
    shell(f"{lines[0]} && ./user", checkout)


def test_commands_then_c(checkout):
    text = section("On the command line")
    lines = commands(text, "sluice")
    assert len(lines) >= 8
    for line in lines:
        shell(line, checkout)
    (checkout / "user.c").write_text(snippet(text, "c"))
    lines = commands(text, "cc")
    assert len(lines) == 1
    shell(lines[0], checkout)


def test_what_the_demo_proposes(checkout):
    proposed = (ROOT / "examples/demo.py").read_text().partition("What to try next:")[2].partition('"""')[0]
    lines = [line for line in proposed.splitlines() if "build/release/bin/sluice" in line]
    assert len(lines) == 4
    for line in lines:
        shell(line, checkout)


def test_the_example_of_run(checkout):
    lines = commands(shell("sluice run --help", checkout).partition("Example:")[2].replace("\n  ", "\n    "), "sluice")
    assert len(lines) == 1
    shell(lines[0], checkout)
    assert (checkout / "c.npy").exists()
