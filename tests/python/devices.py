"""Which targets with a device run here, asked without Sluice; tests of the others are skipped. CUDA's is the first GPU, or else kernels are
compiled for the CPU by what stands in for its driver (cuda_on_cpu/)."""
import ctypes
import functools
import pathlib
import subprocess
import tempfile

import pytest

import sluice


def has_opencl():
    try:
        library = ctypes.CDLL("libOpenCL.so.1")
    except OSError:
        return False
    platforms, count = (ctypes.c_void_p * 8)(), ctypes.c_uint32()
    library.clGetPlatformIDs(8, platforms, ctypes.byref(count))
    devices = ctypes.c_uint32()
    found = [library.clGetDeviceIDs(ctypes.c_void_p(one), ctypes.c_uint64(0xFFFFFFFF), 0, None, ctypes.byref(devices)) == 0
             for one in platforms[:count.value]]
    return any(found) and devices.value > 0


@functools.cache
def has_gpu():
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return library.cuInit(0) == 0 and library.cuDeviceGet(ctypes.byref(ctypes.c_int()), 0) == 0


@functools.cache
def serve_cuda():
    """Its driver, or what stands in for it, is in the process."""
    if not has_gpu():
        library = pathlib.Path(tempfile.mkdtemp()) / "driver.so"
        folder = pathlib.Path(__file__).resolve().parent / "cuda_on_cpu"
        subprocess.run(["g++", "-std=c++20", "-O1", "-shared", "-fPIC", folder / "driver.cpp", "-o", library], check=True)
        (library.parent / "kernels.cuh").write_text((folder / "kernels.cuh").read_text())
        ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)


needs_opencl = pytest.mark.skipif(not has_opencl(), reason="OpenCL finds no device here: `apt-get install ocl-icd-libopencl1 pocl-opencl-icd`")
for_each_device = pytest.mark.parametrize("target", [pytest.param("opencl", marks=needs_opencl), "cuda"])


def served(target):
    """The target, which runs in this process from now on."""
    if target == "cuda":
        serve_cuda()
    return target


def on(target, program, **options):
    """The program for a target, strict."""
    return sluice.program(program, target=served(target), strict=True, **options)
