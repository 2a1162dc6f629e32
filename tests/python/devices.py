"""Which targets with a device run here, asked without Sluice; tests of the others are skipped. CUDA's is the first GPU, or else kernels are
compiled for the CPU by what stands in for its driver (cuda_on_cpu/)."""
import ctypes
import functools
import pathlib
import subprocess
import tempfile

import numpy as np
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


class OnGpu:
    """An array in the memory of CUDA's device, for as long as the process runs, as CuPy's and PyTorch's show themselves."""

    def __init__(self, array, strides=None):
        serve_cuda()
        self._driver = ctypes.CDLL("libcuda.so.1") if has_gpu() else ctypes.CDLL(None)
        context, self._at = ctypes.c_void_p(), ctypes.c_uint64()
        self._driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0), self._driver.cuCtxSetCurrent(context)
        self._array = np.array(array, order="C")
        assert self._driver.cuMemAlloc_v2(ctypes.byref(self._at), ctypes.c_size_t(max(array.nbytes, 1))) == 0
        assert self._driver.cuMemcpyHtoD_v2(self._at, ctypes.c_void_p(self._array.ctypes.data), ctypes.c_size_t(array.nbytes)) == 0
        self.shape, self.ndim, self.dtype = array.shape, array.ndim, array.dtype
        self.__cuda_array_interface__ = {"shape": array.shape, "typestr": array.dtype.str, "data": (self._at.value, False), "strides": strides,
                                         "version": 3}

    def get(self):
        """What it holds now, on the host."""
        assert self._driver.cuMemcpyDtoH_v2(ctypes.c_void_p(self._array.ctypes.data), self._at, ctypes.c_size_t(self._array.nbytes)) == 0
        return self._array


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
