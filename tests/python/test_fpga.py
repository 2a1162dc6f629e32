"""An FPGA: results of the simulation against NumPy's, what it counts, what Vitis HLS is given, and what is refused."""
import os
import pathlib
import re
import subprocess

import numpy as np
import pytest
from fpga_designs import axpydot, counted, designs, gemver, gemver_by_numpy, histogram, moved, on_fpga, streamed, systolic_gemm, waiting

import sluice
from sluice import DeviceType, ScheduleType

N = sluice.symbol("N")
M = sluice.symbol("M")
GOLDEN = pathlib.Path(__file__).parent / "hls"
ROOT = pathlib.Path(__file__).resolve().parents[2]


@sluice.program(device=DeviceType.FPGA, strict=True)
def axpy(a: sluice.float64, x: sluice.float64[N], y: sluice.float64[N]):
    for i in sluice.map[0:N]:
        y[i] = a * x[i] + y[i]


@sluice.program(target="hls-xilinx", strict=True)
def dot(x: sluice.float64[N], y: sluice.float64[N], result: sluice.float64[1]):
    result[0] = np.dot(x, y)


@sluice.program(target="hls-xilinx", strict=True)
def gemv(A: sluice.float64[N, M], x: sluice.float64[M], y: sluice.float64[N]):
    y[:] = A @ x


@sluice.program(strict=True)
def filtered(w: sluice.float64[3], x: sluice.float64[66], y: sluice.float64[64]):
    for i in sluice.map[0:64]:
        y[i] = w[0] * x[i] + w[1] * x[i + 1] + w[2] * x[i + 2]


def kernels_of(compiled):
    """The text for Vitis, without what it begins with."""
    source = compiled.source
    return source[source.index("/* The kernels of"):]


# ---- results ----
def test_one_state_of_a_loop_is_a_kernel_and_the_rest_stays():
    @sluice.program
    def rows(x: sluice.float64[N, N], y: sluice.float64[N]):
        for k in range(1, N):
            for j in sluice.map[0:N]:
                x[k, j] = x[k - 1, j] / 2 + y[j]
            if x[k, 0] > 1:
                y[k] = y[k - 1] + x[k, 0]

    graph = rows.to_sdfg()
    graph.apply("FPGATransformState", {"state": "map_j"})
    x, y = np.random.default_rng(4).random((20, 20)), np.random.default_rng(5).random(20)
    wanted, line = x.copy(), y.copy()
    for k in range(1, 20):
        wanted[k] = wanted[k - 1] / 2 + line
        if wanted[k, 0] > 1:
            line[k] = line[k - 1] + wanted[k, 0]
    compiled = graph.compile(target="hls-xilinx")
    compiled(x, y)
    np.testing.assert_allclose(x, wanted)
    np.testing.assert_allclose(y, line)
    assert compiled.traffic["launches"] == 19


def test_axpy():
    x, y = np.random.default_rng(1).random((2, 100))
    mine = y.copy()
    compiled = axpy.compile(2.5, x, mine)
    compiled(2.5, x, mine)
    np.testing.assert_allclose(mine, 2.5 * x + y)
    assert compiled.traffic == {"launches": 1, "to_device": 1600, "from_device": 800, "within_device": 0, "elements": 1,
                                "off_chip_reads": 200, "off_chip_writes": 100}


def test_a_sum_goes_off_the_chip_once():
    x, y = np.random.default_rng(2).random((2, 100))
    result = np.zeros(1)
    compiled = dot.compile(x, y, result)
    compiled(x, y, result)
    np.testing.assert_allclose(result[0], x @ y)
    assert compiled.traffic["off_chip_reads"] <= 201 and compiled.traffic["off_chip_writes"] <= 2


def test_gemv():
    A, x = np.random.default_rng(3).random((20, 30)), np.random.default_rng(4).random(30)
    y = np.zeros(20)
    gemv(A, x, y)
    np.testing.assert_allclose(y, A @ x)


def test_jacobi_2d():
    scope = {}
    exec(compile((ROOT / "examples" / "jacobi_2d.py").read_text(), str(ROOT / "examples" / "jacobi_2d.py"), "exec"), scope)
    program = scope["jacobi_2d"]
    A = np.random.default_rng(5).random((12, 12))
    B = A.copy()
    mine = A.copy(), B.copy()
    sluice.program(program.f, target="hls-xilinx", strict=True)(*([3, *mine]))
    theirs = A.copy(), B.copy()
    program.f(3, *theirs)
    for one, other in zip(mine, theirs):
        np.testing.assert_allclose(one, other)


def smoothed(x: sluice.float64[N], steps: sluice.int64):
    for _ in range(steps):
        x[:] = x / np.max(x)
        x[1:] = x[:-1] + x[1:]


def chosen(x: sluice.float64[N], y: sluice.float64[N]):
    y[:] = np.where(x > 0.5, x, -x)


def truths(x: sluice.float64[N], y: sluice.bool_[N], z: sluice.bool_[N]):
    y[:] = x > 0.5
    z[:] = y & (x < 0.7)


def integers(x: sluice.int32[N], y: sluice.int32[N]):
    y[:] = (x // 3) % 5 - x


def halved(x: sluice.float64[N]):
    steps = 0
    while np.max(x) > 1:
        x[:] = x / 2
        steps += 1
    return steps


def settled(x: sluice.float64[N], limit: sluice.float64):
    for k in range(20):
        x[:] = x / 2
        if np.max(x) < limit:
            return k
    x[:] = 0
    return -1


def variance(x: sluice.float64[N, M]):
    return np.var(x, axis=0)


def softmax(x: sluice.float32[N, M]):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


@pytest.mark.parametrize("function, arguments", [
    (smoothed, (np.linspace(1, 3, 20), 4)), (chosen, (np.linspace(0, 1, 30), np.zeros(30))),
    (truths, (np.linspace(0, 1, 30), np.zeros(30, bool), np.zeros(30, bool))),
    (integers, (np.arange(-20, 20, dtype=np.int32), np.zeros(40, np.int32))), (halved, (np.linspace(0, 50, 10),)), (settled, (np.linspace(0, 50, 10), 3.0)),
    (variance, (np.linspace(0, 1, 24).reshape(6, 4) ** 2,)), (softmax, (np.linspace(0, 1, 24, dtype=np.float32).reshape(6, 4),))])
def test_programs_of_the_language_of_numpy(function, arguments):
    copied = [[one.copy() if isinstance(one, np.ndarray) else one for one in arguments] for _ in range(2)]
    mine, theirs = sluice.program(function, target="hls-xilinx", strict=True)(*copied[0]), function(*copied[1])
    for one, other in zip(copied[0] + [mine], copied[1] + [theirs]):
        if one is not None:
            np.testing.assert_allclose(one, other, rtol=1e-5)


def test_axpydot_moves_three_vectors_instead_of_five():
    n = 200
    x, y, w = np.random.default_rng(6).random((3, n))
    result = np.zeros(1)
    sdfg = moved(axpydot())
    assert counted(on_fpga(sdfg), x=x, y=y, w=w, result=result) == (1, 4 * n, n + 1)
    np.testing.assert_allclose(result[0], (2 * x + y) @ w)
    streamed(sdfg, "fpga_x", "fpga_y", "fpga_w")
    sdfg.apply("StreamingComposition")
    result[:] = 0
    assert counted(on_fpga(sdfg), x=x, y=y, w=w, result=result) == (5, 3 * n, 1)
    np.testing.assert_allclose(result[0], (2 * x + y) @ w)


@pytest.mark.parametrize("replicated, fed, composed, matrices",
                         [(False, (), (), 6), (False, ("fpga_A", "C"), (), 6), (False, (), ("C",), 4), (True, (), ("C", "D"), 3)])
def test_gemver_moves_fewer_matrices(replicated, fed, composed, matrices):
    """The four variants of the table: as it is, fed by streams, composed, composed of copies."""
    n = 32
    random = np.random.default_rng(7)
    A, vectors = random.random((n, n)), {name: random.random(n) for name in ("u1", "v1", "u2", "v2", "y", "z")}
    w = np.zeros(n)
    sdfg = streamed(moved(gemver(n, replicated)), *fed)
    for data in composed:
        sdfg.apply("StreamingComposition", {"memory": data})
    _, reads, writes = counted(on_fpga(sdfg), A=A, w=w, **vectors)
    np.testing.assert_allclose(w, gemver_by_numpy(A, **vectors))
    assert reads + writes == matrices * n * n + 9 * n, "and each vector once, x twice"


@pytest.mark.parametrize("n, k, m, elements", [(8, 5, 6, 4), (6, 4, 7, 1), (9, 3, 2, 3)])
def test_a_systolic_array_multiplies(n, k, m, elements):
    random = np.random.default_rng(8)
    A, B, C = random.random((n, k)), random.random((k, m)), np.zeros((n, m))
    sdfg = systolic_gemm(n, k, m, elements)
    ran, reads, writes = counted(on_fpga(sdfg), A=A, B=B, C=C)
    np.testing.assert_allclose(C, A @ B)
    assert (ran, reads, writes) == (elements + 3, n * k + n // elements * k * m, n * m)


# ---- deadlocks ----
def test_a_queue_that_is_too_short_ends_with_the_cycle_of_waits():
    x, y = np.arange(8.0), np.zeros(8)
    on_fpga(waiting(8))(x=x, y=y)
    np.testing.assert_array_equal(y, 2 * x)
    compiled = on_fpga(waiting(3))
    for _ in range(2):
        with pytest.raises(sluice.CompileError) as failed:
            compiled(x=x, y=y)
        said = str(failed.value)
        assert "D010" in said and "processing elements wait for each other: " in said
        assert "`ask` waits for room in `asked`, which `answer` empties" in said
        assert "`answer` waits for room in `answered`, which `ask` empties" in said


# ---- what Vitis gets ----
# AMD, Vitis High-Level Synthesis User Guide (UG1399): behind what a pragma stands, and its options.
PRAGMAS = {
    "INTERFACE": (r'extern "C" void \w+\(.*\) \{', r"(m_axi port=\w+ offset=slave bundle=\w+|s_axilite port=\w+)"),
    "DATAFLOW": (r'extern "C" void \w+\(.*\) \{', r""),
    "STREAM": (r"    hls::stream<\w+, \d+> \w+(\(\"\w+\"\)|\[\d+\]);", r"variable=\w+ depth=\d+"),
    "PIPELINE": (r" +for \(.*\) \{", r"(II=\d+)?"),
    "UNROLL": (r" +for \(.*\) \{", r"(factor=\d+)?"),
    "DEPENDENCE": (r" +for \(.*\) \{", r"variable=\w+ inter false"),
    "ARRAY_PARTITION": (r" +\w+ \w+\[\d+\]( = \{0\})?;", r"variable=\w+ complete dim=1"),
}


def check_pragmas(text):
    before, found = "", set()
    for line in text.splitlines():
        if not line.startswith("#pragma"):
            before = line
            continue
        name, options = re.fullmatch(r"#pragma HLS (\w+) ?(.*)", line).groups()
        place, allowed = PRAGMAS[name]
        assert re.fullmatch(place, before), f"{line} stands behind {before}"
        assert re.fullmatch(allowed, options), line
        found.add(name)
    return found


@pytest.mark.parametrize("name", ["axpydot", "local", "systolic"])
def test_what_is_printed_is_the_golden_text_and_its_pragmas_are_the_vendors(name):
    text = kernels_of(on_fpga(designs()[name]))
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("SLUICE_BLESS"):
        golden.write_text(text)
    assert text == golden.read_text()
    check_pragmas(text)


def test_every_pragma_of_the_table_is_printed():
    assert set().union(*(check_pragmas((GOLDEN / f"{name}.txt").read_text()) for name in ("axpydot", "local", "systolic"))) == set(PRAGMAS)


def test_memory_on_the_chip_and_registers_agree():
    x, y = np.arange(16, dtype=np.float32), np.zeros(16, dtype=np.float32)
    on_fpga(histogram())(x=x, y=y)
    np.testing.assert_array_equal(y, x * x + (x * x)[::4][np.arange(16) % 4])


@pytest.mark.skipif(not os.environ.get("SLUICE_HLS_HEADERS"), reason="SLUICE_HLS_HEADERS names no folder with the vendor's hls_stream.h (Xilinx/hls-lib-stream)")
def test_the_vendors_headers_take_the_text(tmp_path):
    for design in ("axpydot", "local", "systolic"):
        source = on_fpga(designs()[design]).source
        text = source[source.index("/* What kernels for Vitis HLS begin with."):]
        (tmp_path / "kernels.cpp").write_text(text)
        subprocess.run(["g++", "-std=c++14", "-fsyntax-only", "-D__SYNTHESIS__", "-I", os.environ["SLUICE_HLS_HEADERS"], tmp_path / "kernels.cpp"],
                       check=True)


# ---- banks of memory ----
def in_banks(**banks):
    """axpydot on the FPGA; memory by array: {"memorytype": ..., "bank": ...}."""
    sdfg = axpydot()
    for name, location in banks.items():
        sdfg.arrays[name].location = location
    return moved(sdfg)


@pytest.mark.parametrize("target", ["hls-xilinx", "hls-intel"])
def test_arrays_lie_in_the_banks_that_the_graph_says(tmp_path, target):
    sdfg = in_banks(x={"memorytype": "HBM", "bank": "3"}, w={"bank": "1"})
    assert sdfg.arrays["fpga_x"].location == {"memorytype": "HBM", "bank": "3"}
    sdfg.save(str(tmp_path / "design.sdfg"))
    command = ROOT / "build/release/bin/sluice"
    if not command.exists():
        pytest.skip("needs build/release/bin/sluice")
    subprocess.run([command, "compile", tmp_path / "design.sdfg", "--target", target, "-o", tmp_path / "out"], check=True)
    if target == "hls-xilinx":
        kernel = re.search(r'extern "C" void (\w+)\(', (tmp_path / "out" / "axpydot.hls.cpp").read_text()).group(1)
        lines = (tmp_path / "out" / "axpydot.cfg").read_text().splitlines()
        assert lines[0] == "[connectivity]" and set(lines[1:]) == {f"sp={kernel}_1.fpga_x:HBM[3]", f"sp={kernel}_1.fpga_w:DDR[1]"}
    else:
        text = (tmp_path / "out" / "axpydot.cl").read_text()
        assert re.search(r'SLUICE_BANK\("HBM3"\) sluice_off_chip\(const \w+\) restrict fpga_x', text)
        assert re.search(r'SLUICE_BANK\("DDR1"\) sluice_off_chip\(const \w+\) restrict fpga_w', text)


def test_banks_change_no_result():
    x, y, w, out = np.arange(16.0), np.ones(16), np.full(16, 2.0), np.zeros(1)
    plain, banked = out.copy(), out.copy()
    on_fpga(in_banks())(x=x, y=y, w=w, result=plain)
    on_fpga(in_banks(x={"memorytype": "HBM", "bank": "3"}))(x=x, y=y, w=w, result=banked)
    assert plain[0] == banked[0] != 0


@pytest.mark.parametrize("location, said", [({"memorytype": "HBM", "bank": "0:4"}, "the bank `0:4`"), ({"memorytype": "HBM"}, "no bank of HBM"),
                                            ({"memorytype": "L2", "bank": "0"}, "the memory L2, which no FPGA has")])
def test_banks_that_there_are_not(location, said):
    text = refusal(in_banks(x=location))
    assert "L030" in text and said in text


# ---- refusals ----
def refusal(sdfg):
    with pytest.raises(sluice.CompileError) as failed:
        on_fpga(sdfg)
    return str(failed.value)


def test_an_end_of_a_stream_has_one_element():
    sdfg = streamed(moved(axpydot()), "fpga_x", "fpga_y")
    state = next(one for one in sdfg.states() if one.label == "main")
    state.add_mapped_tasklet("intruder", {"i": "0:4"}, {"v": sluice.Memlet("fpga_w[i]")}, "o = v",
                             {"o": sluice.Memlet("stream_fpga_x[0]")}, schedule=ScheduleType.FPGA_Device, external_edges=True)
    said = refusal(sdfg)
    assert "L031" in said and "both push into `stream_fpga_x`" in said


def test_elements_share_no_array_that_one_writes():
    sdfg = moved(axpydot())
    state = next(one for one in sdfg.states() if one.label == "main")
    state.add_mapped_tasklet("intruder", {"i": "0:4"}, {"v": sluice.Memlet("fpga_w[i]")}, "o = v", {"o": sluice.Memlet("fpga_x[i]")},
                             schedule=ScheduleType.FPGA_Device, external_edges=True)
    said = refusal(sdfg)
    assert "L031" in said and "`fpga_x`" in said and "at the same time" in said


def test_a_device_is_the_target_that_the_settings_say(monkeypatch):
    def doubled(x: sluice.float64[N]):
        x[:] = 2 * x

    def meant(device):
        return sluice.program(doubled, device=device).target

    assert (meant(DeviceType.CPU), meant(DeviceType.FPGA)) == ("cpu", "hls-xilinx") and meant(DeviceType.GPU) in ("cuda", "opencl")
    monkeypatch.setenv("SLUICE_TARGET_GPU", "opencl")
    monkeypatch.setenv("SLUICE_TARGET_FPGA", "hls-intel")
    assert (meant(DeviceType.GPU), meant(DeviceType.FPGA)) == ("opencl", "hls-intel")
    x = np.arange(5.0)
    compiled = sluice.program(doubled).to_sdfg().compile(optimize=1, target="fpga")
    compiled(x=x)
    np.testing.assert_array_equal(x, 2 * np.arange(5.0))
    assert "__attribute__((max_global_work_dim(0)))" in compiled.source
    monkeypatch.setenv("SLUICE_TARGET_FPGA", "opencl")
    with pytest.raises(sluice.CompileError, match="D012"):
        meant(DeviceType.FPGA)
    with pytest.raises(ValueError, match="a CPU, a GPU or an FPGA, not for Snitch"):
        sluice.program(doubled, device="Snitch")
    with pytest.raises(ValueError, match="target='fpga', and target='c99'"):
        sluice.program(doubled, device=DeviceType.FPGA, target="c99")


@pytest.mark.parametrize("target", ["hls-xilinx", "hls-intel"])
@pytest.mark.parametrize("moved_first", [False, True])
def test_weights_that_are_fixed_are_no_traffic(target, moved_first):
    w, x, y = np.array([0.25, 0.5, 1e-3]), np.random.default_rng(1).random(66), np.zeros(64)
    sdfg = filtered.to_sdfg()
    steps = [lambda: sdfg.specialize({"w": w}), lambda: sdfg.apply_transformations("FPGATransformSDFG")]
    for step in reversed(steps) if moved_first else steps:
        step()
    assert "w" not in sdfg.arglist() and list(sdfg.constants) == ["w"] and "fpga_w" not in sdfg.arrays
    compiled = sdfg.compile(target=target)
    compiled(x=x, y=y)
    np.testing.assert_allclose(y, w[0] * x[:-2] + w[1] * x[1:-1] + w[2] * x[2:], rtol=1e-14)
    assert compiled.traffic["off_chip_reads"] == 3 * 64 and compiled.traffic["to_device"] == 8 * 66
