"""NVRTC takes the kernels of the target "cuda" for each architecture; no device is needed."""
import ctypes
import importlib.util
import inspect
import pathlib

import numpy as np
import pytest
from devices import on
from test_device_kernels import FOLDER, NAMES, load

import sluice

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


def find_nvrtc():
    """The library that `pip install nvidia-cuda-nvrtc-cu12` brings, or the system's; none."""
    package = importlib.util.find_spec("nvidia")
    folders = [pathlib.Path(place) / "cuda_nvrtc" / "lib" for place in package.submodule_search_locations] if package else []
    for name in [*(str(path) for folder in folders for path in folder.glob("libnvrtc.so.*")), "libnvrtc.so.12"]:
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    return None


NVRTC = find_nvrtc()
pytestmark = pytest.mark.skipif(NVRTC is None, reason="NVRTC is not here: `pip install nvidia-cuda-nvrtc-cu12`")


def machine_code(text, architecture):
    program = ctypes.c_void_p()
    assert NVRTC.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernels.cu", 0, None, None) == 0
    options = [f"--gpu-architecture={architecture}".encode(), b"--fmad=false", b"--device-as-default-execution-space", b"--disable-warnings"]
    error = NVRTC.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    size = ctypes.c_size_t()
    if error:
        NVRTC.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        NVRTC.nvrtcGetProgramLog(program, log)
        raise AssertionError(log.value.decode())
    NVRTC.nvrtcGetCUBINSize(program, ctypes.byref(size))
    binary = ctypes.create_string_buffer(size.value)
    NVRTC.nvrtcGetCUBIN(program, binary)
    NVRTC.nvrtcDestroyProgram(ctypes.byref(program))
    return binary.raw


def kernels(source):
    """The text between the host's."""
    begin = source.index('R"kernels(') + len('R"kernels(')
    return source[begin:source.index(')kernels"', begin)]


@pytest.mark.parametrize("name", ["axpy", "histogram", "softmax", "spmv"])
@pytest.mark.parametrize("architecture", ["sm_70", "sm_80", "sm_90"])
def test_examples(name, architecture):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    source = on("cuda", getattr(module, name).f).compile(**module.inputs("small")).source
    binary = machine_code(kernels(source), architecture)
    assert binary[:4] == b"\x7fELF" and name.encode() in binary


# Sizes that the run decides.
WITH_MAPS_ON_THE_HOST = {"mandelbrot2", "stockham_fft"}


def test_the_scoreboards_kernels():
    """Those that test_device_kernels.py runs; their text is enough. No map is left for threads of the host, but in those above."""
    for name in NAMES:
        module = load(name)
        for key, value in list(vars(module).items()):
            if inspect.isfunction(value) and value.__module__ == name and key != "inputs":
                setattr(module, key, on("cuda", value))
        graph = getattr(module, name).to_sdfg(**module.inputs(np.random.default_rng(0), *module.SIZES["tiny"]), simplify=False)
        source = graph.generate_code(optimize=3, target="cuda")[0].code
        assert ("#pragma omp" in source) == (name in WITH_MAPS_ON_THE_HOST), name
        if 'R"kernels(' in source:
            assert machine_code(kernels(source), "sm_80")[:4] == b"\x7fELF", name


def test_constants_that_the_memory_of_constants_does_not_hold():
    @sluice.program
    def looked_up(large: sluice.float64[9000], k: sluice.int64[500], y: sluice.float64[500]):
        for i in sluice.map[0:500]:
            y[i] = large[k[i]]

    sdfg = looked_up.to_sdfg()
    sdfg.specialize({"large": np.random.default_rng(5).random(9000)})
    assert machine_code(kernels(sdfg.generate_code(target="cuda")[0].code), "sm_80")
