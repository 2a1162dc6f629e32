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


def shell(command, folder, status=0):
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == status, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def python(checkout, title):
    (checkout / "user.py").write_text(snippet(section(title), "python"))
    return shell(f"{shlex.quote(sys.executable)} user.py", checkout)


def test_for_the_scientist(checkout):
    assert "jacobi_2d: compiled" in python(checkout, "For the scientist")


def test_for_the_engineer(checkout):
    lines = commands(section("For the performance engineer"), "sluice")
    assert len(lines) >= 12
    for line in lines:
        shell(line, checkout, status=int(line.startswith("sluice diff")))  # which says by its status that they differ
    assert (checkout / "jacobi_2d.html").exists()
    assert "MapFusion @" in python(checkout, "For the performance engineer") and (checkout / "softmax.sdfg").exists()


def test_for_the_tool_builder(checkout):
    text = section("For the tool builder")
    (checkout / "user.cpp").write_text(snippet(text, "cpp"))
    (checkout / "user.c").write_text(snippet(text, "c"))
    builds, lines, uses = commands(text, "g++"), commands(text, "sluice"), commands(text, "cc")
    assert (len(builds), len(uses)) == (1, 1) and len(lines) >= 3
    shell(f"{builds[0]} && ./user", checkout)
    for line in [*lines, *uses]:
        shell(line, checkout)


def test_no_snippet_is_left_out():
    """Every fenced block and every line of a command of ours lies in one of the three sections, or is one of the commands that set up."""
    titles = ["For the scientist", "For the performance engineer", "For the tool builder"]
    assert re.findall(r"^## (.*)$", README, re.MULTILINE) == [*titles, "Where to read on"]
    assert README.count("```") // 2 == sum(section(title).count("```") // 2 for title in titles) == 4
    outside = README.partition("## For the scientist")[0] + section("Where to read on")
    assert [line.split()[:2] for line in outside.splitlines() if line.startswith("    ")] == [["make", "demo"], ["make", "test"]]


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
