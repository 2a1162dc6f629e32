"""Intel's OpenCL for FPGAs: results of the simulation against NumPy's, what the compiler is given, and what is refused."""
import ctypes
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
from fpga_designs import between_copies, counted, designs, gemver, gemver_by_numpy, histogram, moved, on_fpga, systolic_gemm, waiting

import sluice
from sluice import ScheduleType, StorageType

N = sluice.symbol("N")
M = sluice.symbol("M")
GOLDEN = pathlib.Path(__file__).parent / "hls"
TARGET = "hls-intel"


def kernels_of(compiled):
    """The text without what it begins with."""
    source = compiled.source
    return source[source.index("/* The kernels of"):]


# ---- results ----
def smoothed(x: sluice.float64[N], steps: sluice.int64):
    for _ in range(steps):
        x[:] = x / np.max(x)
        x[1:] = x[:-1] + x[1:]


def truths(x: sluice.float64[N], y: sluice.bool_[N], z: sluice.bool_[N]):
    y[:] = x > 0.5
    z[:] = y & (x < 0.7)


def integers(x: sluice.int32[N], y: sluice.int32[N]):
    y[:] = (x // 3) % 5 - x


def softmax(x: sluice.float32[N, M]):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


@pytest.mark.parametrize("function, arguments", [
    (smoothed, (np.linspace(1, 3, 20), 4)), (truths, (np.linspace(0, 1, 30), np.zeros(30, bool), np.zeros(30, bool))),
    (integers, (np.arange(-20, 20, dtype=np.int32), np.zeros(40, np.int32))),
    (softmax, (np.linspace(0, 1, 24, dtype=np.float32).reshape(6, 4),))])
def test_programs_of_the_language_of_numpy(function, arguments):
    copied = [[one.copy() if isinstance(one, np.ndarray) else one for one in arguments] for _ in range(2)]
    mine, theirs = sluice.program(function, target=TARGET, strict=True)(*copied[0]), function(*copied[1])
    for one, other in zip(copied[0] + [mine], copied[1] + [theirs]):
        if one is not None:
            np.testing.assert_allclose(one, other, rtol=1e-5)


def test_axpydot_by_five_elements_twice():
    n = 200
    compiled = on_fpga(designs()["axpydot"], TARGET)
    for seed in (1, 2):
        x, y, w = np.random.default_rng(seed).random((3, n))
        result = np.zeros(1)
        assert counted(compiled, x=x, y=y, w=w, result=result) == (5, 3 * n, 1)
        np.testing.assert_allclose(result[0], (2 * x + y) @ w)


def test_gemver_moves_fewer_matrices():
    n = 32
    random = np.random.default_rng(7)
    A, vectors = random.random((n, n)), {name: random.random(n) for name in ("u1", "v1", "u2", "v2", "y", "z")}
    w = np.zeros(n)
    sdfg = moved(gemver(n, True))
    for data in ("C", "D"):
        sdfg.apply("StreamingComposition", {"memory": data})
    _, reads, writes = counted(on_fpga(sdfg, TARGET), A=A, w=w, **vectors)
    np.testing.assert_allclose(w, gemver_by_numpy(A, **vectors))
    assert reads + writes == 3 * n * n + 9 * n


def test_a_systolic_array_multiplies_and_its_elements_start_themselves():
    n, k, m, elements = 8, 5, 6, 4
    random = np.random.default_rng(8)
    A, B, C = random.random((n, k)), random.random((k, m)), np.zeros((n, m))
    compiled = on_fpga(systolic_gemm(n, k, m, elements), TARGET)
    assert compiled.source.count("__attribute__((autorun))") == elements
    assert counted(compiled, A=A, B=B, C=C) == (elements + 3, n * k + n // elements * k * m, n * m)
    np.testing.assert_allclose(C, A @ B)


def test_memory_on_the_chip_and_registers_agree():
    x, y = np.arange(16, dtype=np.float32), np.zeros(16, dtype=np.float32)
    on_fpga(histogram(), TARGET)(x=x, y=y)
    np.testing.assert_array_equal(y, x * x + (x * x)[::4][np.arange(16) % 4])


@pytest.mark.parametrize("target, language, code", [("hls-xilinx", "CPP", "auto twice = a + a; b = twice + c[i];"),
                                                    (TARGET, "OpenCL", "double twice = a + a; b = twice + c[i];")])
def test_tasklets_in_the_kernels_own_language(target, language, code):
    sdfg = sluice.SDFG("own_language")
    for name in ("a", "b", "c"):
        sdfg.add_array(name, [16], sluice.float64)
    state = sdfg.add_state("main")
    state.add_mapped_tasklet("own", {"i": "0:16"}, {"a": sluice.Memlet("a[i]"), "c": sluice.Memlet("c[0:16]")}, code,
                             {"b": sluice.Memlet("b[i]")}, language=sluice.Language[language], external_edges=True)
    a, b, c = np.arange(16.0), np.zeros(16), np.arange(16.0) ** 2
    compiled = on_fpga(moved(sdfg), target)
    compiled(a=a, b=b, c=c)
    np.testing.assert_array_equal(b, 2 * a + c)
    assert "II=1" not in compiled.source[compiled.source.index("The kernels of"):], "nobody knows what the text touches"
    with pytest.raises(sluice.CompileError, match=f"L005.*in {language} cannot run"):
        on_fpga(sdfg, {TARGET: "hls-xilinx", "hls-xilinx": TARGET}[target])


# ---- channels ----
def test_a_channel_that_is_too_short_ends_with_the_cycle_of_waits_and_is_empty_again():
    x, y = np.arange(8.0), np.zeros(8)
    on_fpga(waiting(8), TARGET)(x=x, y=y)
    np.testing.assert_array_equal(y, 2 * x)
    compiled = on_fpga(waiting(3), TARGET)
    for _ in range(2):
        with pytest.raises(sluice.CompileError, match="`ask` waits for room in `asked`, which `answer` empties"):
            compiled(x=x, y=y)


def given_and_taken(taken, place="0", count=1):
    """Eight elements go into a stream of an array of streams, `taken` come out."""
    sdfg, state = between_copies("given_and_taken")
    sdfg.add_stream("s", sluice.float64, buffer_size=16, shape=(count,), storage=StorageType.FPGA_Local)
    order = dict(schedule=ScheduleType.FPGA_Device, external_edges=True)
    state.add_mapped_tasklet("give", {"i": "0:8"}, {"v": sluice.Memlet("fpga_x[i]")}, "o = v", {"o": sluice.Memlet(f"s[{place}]")}, **order)
    state.add_mapped_tasklet("take", {"i": f"0:{taken}"}, {"v": sluice.Memlet(f"s[{place}]")}, "o = v", {"o": sluice.Memlet("fpga_y[i]")},
                             **order)
    return sdfg


def test_what_is_left_in_a_channel_is_no_launchs_of_its_own():
    x, y = np.arange(8.0), np.zeros(8)
    compiled = on_fpga(given_and_taken(5), TARGET)
    for _ in range(2):
        with pytest.raises(sluice.CompileError, match="ends with 3 elements in `s`, a channel, which keeps them for the next launch"):
            compiled(x=x, y=y)
    on_fpga(given_and_taken(5))(x=x, y=y)
    np.testing.assert_array_equal(y[:5], x[:5])


def test_a_place_among_channels_is_known_when_they_are_built():
    x, y = np.arange(8.0), np.zeros(8)
    on_fpga(given_and_taken(8, "i % 2", 2))(x=x, y=y)
    np.testing.assert_array_equal(y, x)
    with pytest.raises(sluice.CompileError, match="a place among the streams `s` that no unrolled loop says") as failed:
        on_fpga(given_and_taken(8, "i % 2", 2), TARGET)
    assert "L023" in str(failed.value)


# ---- what the compiler gets ----
# Intel, FPGA SDK for OpenCL Pro Edition, Programming Guide: in front of what a pragma stands, and attributes by their places.
PRAGMAS = r"#pragma (ii \d+|unroll( \d+)?|ivdep array\(\w+\))"
LOOP = r" +for \(.*\) \{"
CHANNEL = r"channel \w+ \w+(\[\d+\])? __attribute__\(\(depth\(\d+\)\)\);"
REGISTERS = r" +\w+ __attribute__\(\(register\)\) \w+\[\d+\]( = \{0\})?;"
KERNEL = r"__kernel void \w+\((void|(sluice_off_chip\([\w ]+\) restrict \w+|const \w+ \w+)(, .*)?)\) \{"
OF_KERNELS = ["__attribute__((autorun))", "__attribute__((max_global_work_dim(0)))"]


@pytest.mark.parametrize("name", ["axpydot", "local", "systolic"])
def test_what_is_printed_is_the_golden_text_and_its_attributes_are_the_vendors(name):
    text = kernels_of(on_fpga(designs()[name], TARGET))
    golden = GOLDEN / f"{name}.intel.txt"
    if os.environ.get("SLUICE_BLESS"):
        golden.write_text(text)
    assert text == golden.read_text()
    lines = text.splitlines()
    for line, behind in zip(lines, lines[1:] + [""]):
        if line.startswith("#pragma"):
            assert re.fullmatch(PRAGMAS, line) and re.fullmatch(f"{PRAGMAS}|{LOOP}", behind), line
        elif line in OF_KERNELS:
            assert behind in OF_KERNELS or re.fullmatch(KERNEL, behind), behind
            assert "autorun" not in line or lines[lines.index(line) + 2].endswith("(void) {"), "what starts itself takes no argument"
        elif "__attribute__" in line:
            assert re.fullmatch(f"{CHANNEL}|{REGISTERS}", line), line
    assert text.count("__kernel") == text.count("max_global_work_dim(0)")


def opencl_says(text):
    """What a compiler of OpenCL C says of a text whose channels are variables; for a process of its own."""
    opencl = ctypes.CDLL("libOpenCL.so.1")
    opencl.clCreateContext.restype = opencl.clCreateProgramWithSource.restype = ctypes.c_void_p
    platforms, device, failed = (ctypes.c_void_p * 8)(), ctypes.c_void_p(), ctypes.c_int()
    if opencl.clGetPlatformIDs(8, platforms, None) or opencl.clGetDeviceIDs(ctypes.c_void_p(platforms[0]), ctypes.c_uint64(0xFFFFFFFF), 1,
                                                                            ctypes.byref(device), None):
        return None
    context = ctypes.c_void_p(opencl.clCreateContext(None, 1, ctypes.byref(device), None, None, ctypes.byref(failed)))
    source = ctypes.c_char_p(text.encode())
    built = ctypes.c_void_p(opencl.clCreateProgramWithSource(context, 1, ctypes.byref(source), None, ctypes.byref(failed)))
    options = "-cl-std=CL2.0 -Dchannel=__global -Dread_channel_intel(c)=(c) -Dwrite_channel_intel(c,v)=((c)=(v))"
    rc = opencl.clBuildProgram(built, 0, None, options.encode(), None, None)
    log = ctypes.create_string_buffer(100000)
    opencl.clGetProgramBuildInfo(built, device, 0x1183, len(log), log, None)
    return rc, log.value.decode()


def test_a_compiler_of_opencl_takes_the_text(tmp_path):
    text = ""
    for name in ("axpydot", "local", "systolic"):
        source = on_fpga(designs()[name], TARGET).source
        begins = "/* What OpenCL C lacks" if not text else "/* The kernels of"
        text += source[source.index(begins):]
    (tmp_path / "kernels.cl").write_text(text)
    asked = subprocess.run([sys.executable, "-c", "import sys, pathlib; sys.path.insert(0, sys.argv[1]); import test_hls_intel as here; "
                            "print(here.opencl_says(pathlib.Path(sys.argv[2]).read_text()))", str(pathlib.Path(__file__).parent),
                            str(tmp_path / "kernels.cl")], capture_output=True, text=True)
    if "libOpenCL" in asked.stderr or asked.stdout.strip() == "None":
        pytest.skip("no OpenCL here")
    said = asked.stdout
    assert said.startswith("(0, "), said + asked.stderr
    for warning in re.findall(r"warning: \S+ (.*?)\\n", said):
        assert re.fullmatch(r"OpenCL extension 'cl_intel_channels' .*|unknown attribute '(depth|max_global_work_dim|autorun|register)' ignored",
                            warning), warning
