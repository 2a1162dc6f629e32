"""Whether OpenCL has a device here, asked without Sluice; tests of its target are skipped where it has none."""
import ctypes

import pytest


def has_device():
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


needs_device = pytest.mark.skipif(not has_device(), reason="OpenCL finds no device here: `apt-get install ocl-icd-libopencl1 pocl-opencl-icd`")
