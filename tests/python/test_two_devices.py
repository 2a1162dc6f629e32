"""One program for two devices beside the host: maps on OpenCL's device, states as kernels of an FPGA, which are simulated."""
import copy
import re

import numpy as np
import pytest
from devices import served

import sluice
from sluice import StorageType

TARGET = "opencl+hls-xilinx"
N = sluice.symbol("N")


def mapped(state, label, code, reads, writes):
    state.add_mapped_tasklet(label, {"i": "0:N"}, {name[0]: sluice.Memlet(f"{name}[i]") for name in reads}, code,
                             {"o": sluice.Memlet(f"{writes}[i]")}, external_edges=True)


def program():
    """Threads: y = 2 x + 1; the FPGA: z = x y; the host: w = z - y."""
    sdfg = sluice.SDFG("two_devices")
    for name in ("x", "y", "z", "w"):
        sdfg.add_array(name, (N,), sluice.float64)
    threads = sdfg.add_state("threads", is_start_state=True)
    mapped(threads, "doubled", "o = 2 * x + 1", ["x"], "y")
    elements = sdfg.add_state_after(threads, "elements")
    mapped(elements, "product", "o = x * y", ["x", "y"], "z")
    host = sdfg.add_state_after(elements, "host")
    mapped(host, "difference", "o = z - y", ["z", "y"], "w")
    return sdfg


def test_a_map_runs_in_threads_and_another_one_on_an_fpga(tmp_path):
    sdfg = program()
    sdfg.apply("GPUTransformState", {"state": "threads"})
    sdfg.apply("FPGATransformState", {"state": "elements"})
    served("opencl")
    compiled = sdfg.compile(str(tmp_path), target=TARGET)
    x = np.random.default_rng(1).random(37)
    y, z, w = np.zeros((3, 37))
    before = compiled.traffic
    compiled(x=x, y=y, z=z, w=w)
    np.testing.assert_array_equal(y, 2 * x + 1)
    np.testing.assert_array_equal(z, x * (2 * x + 1))
    np.testing.assert_array_equal(w, z - y)
    done = {name: count - before[name] for name, count in compiled.traffic.items()}
    assert (done["launches"], done["off_chip_reads"], done["off_chip_writes"]) == (2, 2 * 37, 37), done
    # Each device has its own text, and memory of its own on the host's side.
    kernels = {suffix: (tmp_path / f"two_devices{suffix}").read_text() for suffix in (".cl", ".hls.cpp")}
    assert len(re.findall("__kernel void", kernels[".cl"])) == 1 and "doubled" in kernels[".cl"] and "product" not in kernels[".cl"]
    assert len(re.findall('extern "C" void', kernels[".hls.cpp"])) == 1 and "doubled" not in kernels[".hls.cpp"]
    assert "sluice::opencl::DeviceBuffer" in compiled.source and "sluice::hls::DeviceBuffer" in compiled.source


def test_no_copy_leads_from_one_device_to_the_other():
    sdfg = program()
    sdfg.apply("GPUTransformState", {"state": "threads"})
    sdfg.apply("FPGATransformState", {"state": "elements"})
    there = {storage: next(name for name, one in sdfg.arrays.items() if one.storage == storage)
             for storage in (StorageType.GPU_Global, StorageType.FPGA_Global)}
    source, sink = there[StorageType.GPU_Global], there[StorageType.FPGA_Global]
    for data in (source, sink):
        wrong = copy.deepcopy(sdfg)
        state = wrong.add_state_after(wrong.states()[0], "between")
        state.add_nedge(state.add_read(source), state.add_write(sink), sluice.Memlet(f"{data}[0:N]"))
        with pytest.raises(sluice.CompileError, match=f"L026: no copy leads from `{source}` to `{sink}`"):
            wrong.compile(target=TARGET)
