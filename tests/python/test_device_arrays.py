"""Arguments that lie in the memory of CUDA's device, as CuPy's and PyTorch's arrays do: nothing is copied for them."""
import subprocess

import numpy as np
import pytest
from devices import OnGpu, has_gpu, on
from test_devices import ROOT, traffic_of

import sluice
from sluice import StorageType

N = sluice.symbol("N")
M = sluice.symbol("M")


def test_annotated_arrays_stay_where_they_are():
    def steps(x: sluice.float64[N] @ StorageType.GPU_Global, rows: sluice.data.Array(sluice.float32, (N, M), storage=StorageType.GPU_Global),
              of_host: sluice.float64[N], out: sluice.float64[N]):
        count = 0
        while np.max(x) > 1:
            x[:] = x / 2
            count += 1
        rows[1:] = rows[:-1] + rows[1:]
        out[:] = x + of_host + np.sum(rows, axis=1)
        return count

    random = np.random.default_rng(1)
    x, rows, of_host, out = random.random(40) * 100, random.random((40, 7)).astype(np.float32), random.random(40), np.zeros(40)
    program = on("cuda", steps)
    there = OnGpu(x), OnGpu(rows)
    compiled = program.compile()
    before = compiled.traffic
    mine = np.zeros(40)
    assert program(*there, of_host, mine) == steps(x, rows, of_host, out) == 7
    after = compiled.traffic
    assert after["to_device"] - before["to_device"] == 320, "of_host alone"
    assert after["from_device"] - before["from_device"] < 320 + 200, "out, and numbers"
    for one, other in ((there[0].get(), x), (there[1].get(), rows), (mine, out)):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_what_is_given_says_where_it_lies():
    """Other sizes, other types, an array of the host in the same place, a result."""
    def turned(a, b):
        b[:] = a[::-1] + b
        return a * 2

    program = on("cuda", turned)
    for size, dtype in ((5, np.float64), (9, np.float64), (12, np.float64), (0, np.float64), (5, np.int32)):
        a, b = np.arange(size).astype(dtype), np.ones(size, dtype)
        for make in (lambda one: OnGpu(one.copy()), np.copy):
            mine = make(b)
            np.testing.assert_array_equal(program(make(a), mine), 2 * a)
            np.testing.assert_array_equal(mine.get() if make is not np.copy else mine, a[::-1] + b)


GRAPH = """sdfg doubled(x) {
  symbol N: int64
  array x: float64[N] storage=GPU_Global
  state main {
    n0 = access x
    n1 = map_entry points [i=0:N] passing (x) schedule=GPU_Device
    n2 = tasklet twice (a) -> (b) { b = 2 * a }
    n3 = map_exit n1 passing (x)
    n4 = access x
    n0 -> n1.IN_x : x[0:N]
    n1.OUT_x -> n2.a : x[i]
    n2.b -> n3.IN_x : x[i]
    n3.OUT_x -> n4 : x[0:N]
  }
}
"""


def test_graphs_of_which_an_argument_lies_there(tmp_path):
    x = np.arange(9.0)
    there = OnGpu(x)
    compiled = sluice.SDFG.from_text(GRAPH).compile(target="cuda")
    assert traffic_of(compiled, there) == (1, 0, 0, 0)
    np.testing.assert_array_equal(there.get(), 2 * x)
    command = ROOT / "build/release/bin/sluice"
    if command.exists():
        (tmp_path / "doubled.txt").write_text(GRAPH)
        said = subprocess.run([command, "run", tmp_path / "doubled.txt", "--target", "cuda", "N=4"], capture_output=True, text=True).stderr
        assert ("error A016: argument x lies in the memory of the device" if has_gpu() else "error D024: there is no CUDA here") in said, said


def test_arrays_that_lie_elsewhere_are_refused():
    def doubled(x: sluice.float64[N] @ StorageType.GPU_Global):
        x[:] = 2 * x

    def of_host(x: sluice.float64[N]):
        x[:] = 2 * x

    there = OnGpu(np.arange(8.0))
    for target in ("opencl", "cpu", "hls-xilinx"):
        with pytest.raises(sluice.CompileError, match=r"L002: argument `x` lies in GPU_Global.*") as failed:
            sluice.program(doubled, target=target, strict=True).compile()
        assert failed.value.remedy == "let it lie on the host, or choose the target cuda"
    with pytest.raises(ValueError, match="A016.*lies in the memory of the device, and an array of the host was given"):
        on("cuda", doubled)(np.arange(8.0))
    with pytest.raises(ValueError, match="A016.*lies in the memory of the host, and an array of the device was given"):
        on("cuda", of_host)(there)
    with pytest.raises(ValueError, match="A004"):
        on("cuda", doubled)(OnGpu(np.arange(4.0), strides=(16,)))
    with pytest.raises(TypeError, match="A002"):
        on("cuda", doubled)(OnGpu(np.arange(4)))
    with pytest.raises(TypeError, match="a member of StorageType"):
        sluice.float64[N] @ "somewhere"
    with pytest.raises(TypeError, match="cannot be .* in .*CPU_ThreadLocal"):
        on("cuda", lambda: None).like({"x": sluice.float64[N] @ StorageType.CPU_ThreadLocal})._annotations()
