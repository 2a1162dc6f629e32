"""Page-locked memory, mapped files, and copies on queues of their own: results against NumPy's, and that the words are in the text."""
import numpy as np
import pytest
from devices import for_each_device, on, served

import sluice

N = sluice.symbol("N")


@for_each_device
def test_pinned_memory_of_the_host(target):
    @sluice.program
    def kept(x: sluice.float64[N], y: sluice.float64[N]):
        t: sluice.float64[N] @ sluice.StorageType.CPU_Pinned = x * 2
        t[0] = 5
        for k in sluice.map[0:N]:
            y[k] = t[k] + 1

    sdfg = kept.to_sdfg(simplify=False)
    sdfg.apply("GPUTransformMap", {"map": "map_k"})
    x, y = np.random.default_rng(1).random((2, 100))
    sdfg.compile(target=served(target))(x=x, y=y)
    expected = x * 2
    expected[0] = 5
    np.testing.assert_array_equal(y, expected + 1)
    assert "PinnedBuffer<double>" in sdfg.generate_code(target=target)[0].code


@for_each_device
def test_copies_on_a_queue_of_their_own(target, monkeypatch):
    def chained(x: sluice.float64[N], z: sluice.float64[N], out: sluice.float64[N]):
        t = np.sin(z) + z
        t[1:-1] = t[:-2] + t[2:] * 0.5
        out[:] = t + x
        x[:] = out * 2

    arrays = np.random.default_rng(2).random((3, 1000))
    results = {}
    for queue in "01":
        monkeypatch.setenv("SLUICE_DEVICE_QUEUES", queue)
        compiled = on(target, chained)
        mine = arrays.copy()
        for _ in range(3):
            compiled(*mine)
        results[queue] = mine, compiled.compile(*mine).source
    theirs = arrays.copy()
    for _ in range(3):
        chained(*theirs)
    for mine, _ in results.values():
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)
    assert "Event" not in results["0"][1]
    assert "_copied.wait();" in results["1"][1] and ", 1, " in results["1"][1]


@for_each_device
def test_launches_and_copies_back_on_queues_of_their_own(target, monkeypatch):
    """Two chains that do not need each other, and a host that sorts in between."""
    def chains(x: sluice.float64[N], z: sluice.float64[N], out: sluice.float64[N], steps: sluice.int64):
        out[:] = np.sin(x) * 2
        z[:] = np.cos(z) * 3
        for t in range(steps):
            x[1:-1] = x[:-2] + x[2:] * 0.5
        x[:] = np.sort(x)
        out[1:] = out[:-1] + x[1:]

    arrays = np.random.default_rng(3).random((3, 500))
    monkeypatch.setenv("SLUICE_DEVICE_QUEUES", "1")
    compiled = on(target, chains)
    mine, theirs = arrays.copy(), arrays.copy()
    for _ in range(3):
        compiled(*mine, 3)
        chains(*theirs, 3)
    np.testing.assert_allclose(mine, theirs, rtol=1e-12)
    source = compiled.compile(*mine, 3).source
    assert ".launch_on(" in source and "_done.wait();" in source


def test_a_transient_in_a_file(tmp_path):
    @sluice.program
    def through(x: sluice.float64[N], y: sluice.float64[N]):
        t: sluice.float64[N] @ sluice.StorageType.CPU_Heap = x * 3
        y[:] = t[::-1]

    sdfg = through.to_sdfg(simplify=False)
    name = next(name for name, one in sdfg.arrays.items() if one.transient and one.storage == sluice.StorageType.CPU_Heap)
    sdfg.arrays[name].location = {"file": str(tmp_path / "t.bin")}
    x = np.random.default_rng(3).random(1000)
    y = np.zeros(1000)
    (tmp_path / "t.bin").write_bytes(b"what was there" * 10000)
    compiled = sdfg.compile(optimize="0")
    compiled(x=x, y=y)
    np.testing.assert_array_equal(y, (x * 3)[::-1])
    np.testing.assert_array_equal(np.fromfile(tmp_path / "t.bin"), x * 3)
    (tmp_path / "t.bin").unlink()
    (tmp_path / "t.bin").mkdir()
    with pytest.raises(Exception, match="memory.*`" + name + "` has N = 1000 elements"):
        compiled(x=x, y=y)
    with pytest.raises(sluice.CompileError, match="L024"):
        sdfg.compile(target="c99", optimize="0")
    sdfg.arrays["x"].location = {"file": str(tmp_path / "x.bin")}
    with pytest.raises(sluice.CompileError, match="L024"):
        sdfg.compile(optimize="0")


@for_each_device
def test_constants_and_those_that_their_memory_has_no_room_for(target):
    @sluice.program
    def looked_up(small: sluice.float64[7], large: sluice.float64[9000], k: sluice.int64[500], y: sluice.float64[500]):
        for i in sluice.map[0:500]:
            y[i] = large[k[i]] + small[k[i] % 7]

    small, large = np.random.default_rng(4).random(7), np.random.default_rng(5).random(9000)
    sdfg = looked_up.to_sdfg()
    sdfg.specialize({"small": small, "large": large})
    k, y = np.random.default_rng(6).integers(0, 9000, 500), np.zeros(500)
    sdfg.compile(target=served(target))(k=k, y=y)
    np.testing.assert_array_equal(y, large[k] + small[k % 7])
    source = sdfg.generate_code(target=target)[0].code
    kernels = source[source.index('R"kernels('):]
    word = {"opencl": "__constant double large[", "cuda": "__device__ const double large["}[target]
    assert word in kernels and "__constant" in kernels[:kernels.index("double small[")].rsplit("\n", 1)[1]
