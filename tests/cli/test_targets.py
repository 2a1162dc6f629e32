"""--target: what runs where, and what is said about targets that are not there."""
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
AXPY = ROOT / "examples" / "axpy.py"
JACOBI = ROOT / "examples" / "jacobi_2d.py"


@pytest.mark.parametrize("words", [["run", AXPY, "N=8", "a=2"], ["compile", AXPY, "-o", "out"], ["show", AXPY, "--cpp"]])
def test_a_target_that_nobody_knows_is_named(run, words):
    result = run(*words, "--target", "abacus")
    assert result.returncode != 0
    assert "error D023: there is no target `abacus`" in result.stderr, result.stderr
    assert "choose among cpu, c99" in result.stderr


def test_the_default_is_the_cpu(run):
    assert run("show", AXPY, "--cpp", "--target", "cpu").stdout == run("show", AXPY, "--cpp").stdout


def test_help_lists_the_targets(run):
    assert "cpu (a CPU), c99 (C99)" in " ".join(run("run", "--help").stdout.split())


def test_c99_needs_a_c_compiler_and_nothing_else(run, tmp_path):
    """Library, header and source; a program in C compiles the source itself."""
    result = run("compile", AXPY, "--target", "c99", "-o", "out")
    assert result.returncode == 0, result.stderr
    assert "out/axpy.c" in result.stdout and "axpy.cpp" not in result.stdout
    (tmp_path / "main.c").write_text("""
#include <stdio.h>
#include "out/axpy.h"
int main(void) {
    double x[3] = {1, 2, 3}, y[3] = {10, 20, 30};
    int status = axpy(2, x, y, 3);
    printf("%d %g %g %g\\n", status, y[0], y[1], y[2]);
    return 0;
}
""")
    flags = ["-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-fwrapv", "-fno-strict-aliasing", "-Iout"]
    subprocess.run(["cc", *flags, "main.c", "out/axpy.c", "-o", "main", "-lm"], cwd=tmp_path, check=True)
    said = subprocess.run(["./main"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert said == "0 12 24 36\n"


def test_a_missing_c_compiler_is_named(run):
    result = run("--config", "cc=no-such-compiler", "run", AXPY, "N=8", "a=2", "--target", "c99")
    assert "error D001: there is no C compiler `no-such-compiler`" in result.stderr
    assert "apt-get install gcc" in result.stderr


def test_opencl_counts_what_the_device_did(run):
    result = run("run", JACOBI, "--target", "opencl", "N=32", "TSTEPS=3")
    if "D024" in result.stderr:
        pytest.skip("OpenCL finds no device here")
    assert result.returncode == 0, result.stderr
    assert "4 launches, 16384 bytes to the device, 16384 back" in result.stdout
    on_cpu = run("run", JACOBI, "N=32", "TSTEPS=3").stdout
    assert result.stdout.splitlines()[-2:] == on_cpu.splitlines()[-2:]


def test_opencl_without_a_device_names_debians_package(run, tmp_path):
    result = run("run", JACOBI, "--target", "opencl", "N=32", "TSTEPS=3", OCL_ICD_VENDORS=str(tmp_path))
    assert result.returncode != 0
    assert "error D024" in result.stderr and "pocl-opencl-icd" in result.stderr, result.stderr


def test_opencl_source_is_written_beside_the_hosts(run, tmp_path):
    """Compiling needs no device."""
    result = run("compile", AXPY, "--target", "opencl", "-o", "out", OCL_ICD_VENDORS=str(tmp_path))
    assert result.returncode == 0, result.stderr
    assert "__kernel void axpy_" in (tmp_path / "out" / "axpy.cl").read_text()
    assert "OpenCL" not in subprocess.run(["ldd", tmp_path / "out" / "libaxpy.so"], capture_output=True, text=True).stdout, "nothing is linked"


def test_cuda_source_is_written_beside_the_hosts(run, tmp_path):
    """Compiling needs no device, and links nothing."""
    result = run("compile", AXPY, "--target", "cuda", "-o", "out")
    assert result.returncode == 0, result.stderr
    assert 'extern "C" __global__ void axpy_' in (tmp_path / "out" / "axpy.cu").read_text()
    linked = subprocess.run(["ldd", tmp_path / "out" / "libaxpy.so"], capture_output=True, text=True).stdout
    assert "cuda" not in linked and "nvrtc" not in linked


def test_cuda_without_a_device_names_the_driver(run):
    result = run("run", AXPY, "--target", "cuda", "N=8", "a=2")
    if result.returncode == 0:
        pytest.skip("CUDA has a device here")
    assert "error D024" in result.stderr and "NVIDIA's driver" in result.stderr, result.stderr


# Two points of the map update one element.
PAIRS = """sdfg pairs(X, Y) {
  array X: int32[64]
  array Y: int32[32]
  transient array A: int32[64] storage=GPU_Global
  transient array B: int32[32] storage=GPU_Global
  state fill {
    n0 = access X
    n1 = access A
    n2 = access Y
    n3 = access B
    n0 -> n1 : X[0:64]
    n2 -> n3 : Y[0:32]
  }
  state main {
    n0 = access A
    n1 = map_entry pairs [i=0:64] passing (A) schedule=GPU_Device
    n2 = tasklet pairs (a) -> (b) { b = a }
    n3 = map_exit n1 passing (B)
    n4 = access B
    n0 -> n1.IN_A : A[0:64]
    n1.OUT_A -> n2.a : A[i]
    n2.b -> n3.IN_B : B[i//2] wcr="lambda x, y: x + y"RESOLVED
    n3.OUT_B -> n4 : B[0:32] wcr="lambda x, y: x + y"
  }
  state out {
    n0 = access B
    n1 = access Y
    n0 -> n1 : B[0:32]
  }
  fill -> main
  main -> out
}
"""


@pytest.mark.skipif(not shutil.which("oclgrind"), reason="checked by Oclgrind: `apt-get install oclgrind`")
@pytest.mark.parametrize("resolved, races", [("", 0), (" wcr_nonatomic=true", 1)])
def test_oclgrind_sees_races_where_somebody_vouches_in_vain(run, binary, tmp_path, resolved, races):
    (tmp_path / "pairs.txt").write_text(PAIRS.replace("RESOLVED", resolved))
    result = run("--data-races", binary, "run", "pairs.txt", "--target", "opencl", command="oclgrind")
    assert result.returncode == 0 and "1 launches" in result.stdout, result.stderr
    assert ("data race" in result.stdout + result.stderr) == bool(races), result.stdout + result.stderr
    agreed = run("interpret", "pairs.txt", "--loop", "--target", "opencl").stdout
    assert ("error I004" in agreed) == bool(races), agreed
