"""sluice doctor, and what `sluice --version --verbose` says of the build."""
import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUBJECTS = ["compiler", "C-compiler", "BLAS", "threads", "cores", "caches", "bandwidth", "cache", "Python", "Graphviz", "OpenCL", "CUDA", "MPI"]


def examined(run, status=0, **changes):
    result = run("doctor", "--json", **changes)
    assert result.returncode == status, result.stdout + result.stderr
    found = json.loads(result.stdout)
    assert list(found) == ["compiles", *SUBJECTS] and found["compiles"] == (status == 0)
    return found


def test_a_machine_that_compiles(run, tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").write_bytes(b"x" * 1000)
    found = examined(run, SLUICE_CACHE=str(tmp_path / "kept"), SLUICE_CACHE_SIZE="3M", OMP_NUM_THREADS="3")
    assert found["compiler"]["team"] == 3 and os.access(found["compiler"]["path"], os.X_OK)
    said = subprocess.run([found["compiler"]["path"], "--version"], capture_output=True, text=True).stdout
    assert found["compiler"]["version"] == said.splitlines()[0]
    assert "OMP_NUM_THREADS=3" in found["threads"]["sentence"]
    assert found["cores"]["usable"] == len(os.sched_getaffinity(0)) and found["cores"]["cores"] >= found["cores"]["usable"]
    assert 0.1 < found["bandwidth"]["gigabytes_per_second"] < 10_000
    assert found["cache"]["bytes"] == 1000 and found["cache"]["limit"] == 3 << 20 and found["cache"]["folder"] == str(tmp_path / "kept")
    assert sorted(os.listdir(tmp_path / "kept")) in (["file"], ["file", "unfinished"])
    lines = run("doctor").stdout.splitlines()
    assert [line.split()[1] for line in lines if not line.startswith(" ")][:-1] == SUBJECTS and lines[-1] == "Programs can be compiled."


def test_what_is_missing_is_named_with_the_command_that_brings_it(run, tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "apt-get").write_text("#!/bin/sh\n")
    (tools / "apt-get").chmod(0o755)
    found = examined(run, status=1, PATH=str(tools), CXX="")
    assert not found["compiler"]["found"] and found["compiler"]["remedy"] == "apt-get install g++"
    assert found["Graphviz"]["remedy"] == "apt-get install graphviz" and found["Python"]["remedy"] == "apt-get install python3-numpy"
    assert not found["bandwidth"]["found"] and not found["MPI"]["found"]
    assert "Programs cannot be compiled." in run("doctor", PATH=str(tools), CXX="").stdout
    (tools / "apt-get").rename(tools / "dnf")
    assert examined(run, status=1, PATH=str(tools), CXX="")["compiler"]["remedy"] == "dnf install gcc-c++"


def test_a_setting_that_is_wrong_is_named(run, tmp_path):
    remedy = examined(run, status=1, CXX="nonesuch")["compiler"]["remedy"]
    assert "correct `cxx` = `nonesuch` (environment CXX)" in remedy
    found = examined(run, status=1, SLUICE_CXXFLAGS="-fnonesuch")["compiler"]
    assert "-fnonesuch" in found["sentence"] and "(environment SLUICE_CXXFLAGS)" in found["remedy"]
    found = examined(run, status=1, SLUICE_CACHE="/proc/none")["cache"]
    assert not found["found"] and "SLUICE_CACHE" in found["remedy"]


def test_no_blas(run):
    found = examined(run, SLUICE_WITHOUT_LIBRARIES="all")["BLAS"]
    assert not found["found"] and found["expansion"] == "native"


def test_no_device_of_opencl(run, tmp_path):
    found = examined(run, OCL_ICD_VENDORS=str(tmp_path))["OpenCL"]
    assert not found["found"] and found["device"] == "" and "pocl-opencl-icd" in found["remedy"]


def test_a_driver_that_aborts_ends_only_its_question(run, tmp_path):
    (tmp_path / "driver.c").write_text("""
#include <stdio.h>
#include <stdlib.h>
int clGetPlatformIDs(unsigned n, void** platforms, unsigned* count) { fputs("Not enough memory\\n", stderr); abort(); }
int clGetDeviceIDs(void) { return 1; }
""")
    subprocess.run(["cc", "-shared", "-fPIC", "driver.c", "-o", "driver.so"], cwd=tmp_path, check=True)
    found = examined(run, LD_PRELOAD=str(tmp_path / "driver.so"))
    assert not found["OpenCL"]["found"] and found["compiler"]["found"]
    assert found["OpenCL"]["sentence"].startswith("a driver of OpenCL ends the program that asks it for a device: Not enough memory")
    assert "/etc/OpenCL/vendors" in found["OpenCL"]["remedy"]


def test_version(run):
    short, long = run("--version"), run("--version", "--verbose")
    number = re.search(r"project\(sluice VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    assert short.stdout == run("version").stdout == f"sluice {number}\n"
    assert long.stdout == run("version", "--verbose").stdout == run("--verbose", "--version").stdout
    lines = long.stdout.splitlines()
    assert lines[0] == f"sluice {number}" and re.fullmatch(r"commit ([0-9a-f]{40}|unknown)", lines[1]) and lines[2] == "licence BSD-3-Clause"
    assert (ROOT / "LICENSE").read_text().startswith("BSD 3-Clause")
    for name in ("fmt", "isl", "zlib", "JSON for Modern C++", "CLI11", "nanobind"):
        assert sum(line.startswith(name) for line in lines) == 1, name


def test_prefix(run, binary, tmp_path):
    result = run("--prefix")
    assert result.returncode == 1 and "C014" in result.stderr and "make install" in result.stderr
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/sluice").write_bytes(binary.read_bytes())
    (tmp_path / "bin/sluice").chmod(0o755)
    (tmp_path / "include/sluice/driver").mkdir(parents=True)
    (tmp_path / "include/sluice/driver/compile.h").write_text("")
    assert run("--prefix", command=tmp_path / "bin/sluice").stdout == f"{tmp_path}\n"
