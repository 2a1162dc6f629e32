"""The command under test: SLUICE_COMMAND, else the release build, else the debug build."""
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def binary():
    """Path of `sluice`."""
    candidates = [os.environ.get("SLUICE_COMMAND"), ROOT / "build/release/bin/sluice", ROOT / "build/debug/bin/sluice"]
    for candidate in candidates:
        if candidate and pathlib.Path(candidate).exists():
            return pathlib.Path(candidate)
    pytest.fail("the command is not built: run `make build`")


@pytest.fixture
def sdfgcc(binary, tmp_path_factory):
    """Path of `sdfgcc`. A wheel brings the command under one name, and the other is a link to it."""
    beside = binary.parent / "sdfgcc"
    if beside.exists() or not os.environ.get("SLUICE_INSTALLED"):
        return beside
    link = tmp_path_factory.mktemp("bin") / "sdfgcc"
    link.symlink_to(binary)
    return link


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    return {**os.environ, "SLUICE_CACHE": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture
def run(binary, environment, tmp_path):
    """run("compile", ...) in an empty folder; returns the finished process."""

    def call(*arguments, command=binary, **changes):
        return subprocess.run([str(command), *map(str, arguments)], cwd=tmp_path, env={**environment, **changes}, text=True,
                              capture_output=True, timeout=120)

    return call


@pytest.fixture(scope="session")
def examples():
    return ROOT / "examples"
