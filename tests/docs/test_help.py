"""Every example that a command's --help gives is typed here as it stands, in order, in a folder that holds the examples."""
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = ROOT / "build" / "release" / "bin"
COMMANDS = ["compile", "run", "check", "show", "convert", "interpret", "fuzz", "reduce", "diff", "explain", "opt", "config", "machine", "doctor",
            "verify-operation", "certify", "tune"]
NEEDS = {"--load my_operations.so": "a library of the reader's", "cxx=clang++": "clang++", "reduce fuzz-findings": "a graph that fuzzing found"}


def shell(command, folder, cache):
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "SLUICE_CACHE": str(cache), "XDG_CONFIG_HOME": str(folder / "home")}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=500)


def commands():
    text = subprocess.run([str(BIN / "sluice"), "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  ([a-z-]+) ", text.partition("Subcommands:\n")[2].partition("\nSRC is")[0], re.MULTILINE)


def examples(command):
    text = subprocess.run([str(BIN / "sluice"), command, "--help"], capture_output=True, text=True, check=True).stdout
    lines = re.split(r"^Examples?:\n", text, flags=re.MULTILINE)
    return [re.split(r" {4,}", line.strip())[0] for line in lines[-1].splitlines() if line.startswith("  ")] if len(lines) > 1 else []


def test_every_command_is_listed_with_an_example():
    assert len(commands()) >= 15
    assert {name for name in commands() if not examples(name)} <= {"version"}
    assert set(commands()) - {"version"} == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_examples(command, tmp_path, tmp_path_factory):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    cache = tmp_path_factory.getbasetemp() / "help-cache"
    if command in ("diff", "certify"):
        assert shell("sluice convert examples/gemm.py -o gemm.sdfg", tmp_path, cache).returncode == 0
    if command == "compile":
        (tmp_path / "user.c").write_text('#include "jacobi_2d.h"\nint main(void) {\n    static double A[100], B[100];\n'
                                         '    return jacobi_2d(2, A, B, 10);\n}\n')
    given = examples(command)
    assert given
    for line in given:
        if any(text in line for text in NEEDS):
            continue
        line = line.replace("--budget 60s", "--budget 1s").replace("--time 600", "--time 1").replace("--sequences 1000", "--sequences 2")
        done = shell(line, tmp_path, cache)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
