"""Schedules for a device."""
import concurrent.futures

import numpy as np
import pytest

import sluice
from sluice import CompileError
from sluice.schedule import Buffer, Computation, Constant, Input, Update, Var, codegen, init, root
from devices import for_each_device, served
from test_schedule_commands import figure_2, refused

N, M = sluice.symbol("N"), sluice.symbol("M")


def run_blur(graph, target, n=39, m=37):
    source = np.random.default_rng(0).random((n, m, 3))
    result = np.zeros((n - 2, m - 2, 3))
    compiled = graph.compile(target=served(target))
    compiled(source=source, by=result)
    rows = (source[:, :-2] + source[:, 1:-1] + source[:, 2:]) / 3
    assert np.allclose(result, (rows[:-2] + rows[1:-1] + rows[2:]) / 3)
    return compiled.traffic


@for_each_device
def test_figure_3b(target):
    """The paper's GPU schedule: tiles to blocks, bx in shared memory, a structure of arrays, copies as operations."""
    init("blur")
    N, M = Constant("N"), Constant("M")
    i, j, c = Var("i", 0, N - 2), Var("j", 0, M - 2), Var("c", 0, 3)
    source = Input("source", [N, M, 3])
    bx = Computation("bx", [i, j, c], (source[i, j, c] + source[i, j + 1, c] + source[i, j + 2, c]) / 3)
    by = Computation("by", [i, j, c], (bx[i, j, c] + bx[i + 1, j, c] + bx[i + 2, j, c]) / 3)
    by.tile_gpu(i, j, 32, 8, "i0", "j0", "i1", "j1")
    bx.compute_at(by, "j0")
    bx.cache_shared_at(by, "j0")
    bx.store_in(["c", "i", "j"])
    source.host_to_device().before(bx, root)
    by.device_to_host().after(by, root)
    graph = codegen([by])
    text = graph.text()
    assert "schedule=GPU_Device gpu_block_size=[8, 32]" in text and text.count("schedule=GPU_ThreadBlock") == 2
    assert "float64[3, 34, 8] storage=GPU_Shared" in text
    traffic = run_blur(graph, target)
    assert [traffic[name] for name in ("launches", "to_device", "from_device", "within_device")] == [1, 39 * 37 * 24, 37 * 35 * 24, 0]


@for_each_device
def test_separate_kernels(target):
    i, j, c, bx, by = figure_2()
    bx.infer_bounds().tile_gpu(i, j, 16, 16)
    by.gpu(i, j)
    graph = codegen([by])
    assert "transient array bx: float64[N, M - 2, 3] storage=GPU_Global lifetime=SDFG" in graph.text()
    assert run_blur(graph, target)["launches"] == 2


def product():
    init("gemm")
    N, M, K = Constant("N"), Constant("M"), Constant("K")
    i, j, k = Var("i", 0, N), Var("j", 0, M), Var("k", 0, K)
    A, B = Input("A", [N, K], "float32"), Input("B", [K, M], "float32")
    C = Computation("C", [i, j], 0.0, dtype="float32")
    total = Update("total", [i, j, k], C[i, j], "+", A[i, k] * B[k, j])
    C.tile_gpu(i, j, 8, 8)
    total.tile_gpu(i, j, 8, 8, "i0", "j0", "i1", "j1")
    return C, total


@for_each_device
def test_matrix_product_on_a_device(target):
    C, total = product()
    rng = np.random.default_rng(1)
    a, b, c = rng.random((13, 7), np.float32), rng.random((7, 21), np.float32), np.full((13, 21), 9, np.float32)
    codegen([C]).compile(target=served(target))(A=a, B=b, C=c)
    assert np.allclose(c, a @ b, atol=1e-5)


def test_a_cache_is_a_copy_of_what_iterations_read():
    """On the CPU: packing. Readers elsewhere go on reading the original."""
    init("packed")
    N = Constant("N")
    i, j = Var("i", 0, N), Var("j", 0, N)
    x = Input("x", [N, N])
    a = Computation("a", [i, j], x[i, j] + 1)
    b = Computation("b", [i, j], a[j, i] * 2 + a[j, 0])
    c = Computation("c", [i, j], a[i, j])
    b.split(i, 4, "i0", "i1")
    cache = a.cache_local_at(b, "i0")
    cache.store_in(["a_cache_1", "a_cache_0"])
    graph = codegen([b, c])
    assert "a_cache[" in graph.text() and graph.text().count(" a[") > 0
    values, made, copied = np.random.default_rng(0).random((9, 9)), np.zeros((9, 9)), np.zeros((9, 9))
    graph(x=values, b=made, c=copied)
    assert np.allclose(made, (values.T + 1) * 2 + (values[:, :1] + 1).T) and np.allclose(copied, values + 1)
    a.cache_shared_at(c, i)
    refused("M010", "is tagged as memory of a block, and is allocated once", lambda: codegen([b, c]))
    refused("M004", "`c` does not read `x`", lambda: x.cache_shared_at(c, i))


def test_what_a_device_cannot_have_is_refused():
    i, j, c, bx, by = figure_2()
    bx.infer_bounds()
    by.gpu(i, j)
    refused("M010", "`bx` is used by kernels and by loops of the host", lambda: codegen([by]))
    i, j, c, bx, by = figure_2()
    refused("M004", "blocks directly in each other", lambda: by.gpu(j, i))
    refused("M004", "3 levels of `by` are blocks and threads", lambda: by.gpu(i, j, c))
    by.gpu(i, j)
    refused("M004", "is parallel and would be gone", lambda: by.split(i, 4, "a", "b"))
    bx.infer_bounds().gpu(i, j)
    by.device_to_host()
    refused("M010", "kernels read `source`, and no host_to_device says so", lambda: codegen([by]))
    i, j, c, bx, by = figure_2()
    bx.infer_bounds()
    by.device_to_host()
    refused("M010", "`by` is copied to or from the device, where nothing uses it", lambda: codegen([by]))
    init("scan")
    N = Constant("N")
    i = Var("i", 0, N)
    Input("x", [N])
    s = Computation("s", [i], 0.0)
    s.set_expression("x[i] if i == 0 else s[i - 1] + x[i]")
    s.split(i, 8, "o", "t").gpu("o", "t")
    refused("M005", "`o` of `s` is not parallel|`t` of `s` is not parallel", lambda: codegen([s]))
    refused("M010", "computations store in it", lambda: Buffer("b", [4]).tag_gpu_constant())
    init("tags")
    N = Constant("N")
    i = Var("i", 0, N)
    x = Input("x", [N])
    a = Computation("a", [i], x[i])
    a.buffer().tag_gpu_shared()
    refused("M010", "`a` is tagged as memory of a block, and is allocated once", lambda: codegen([a]))
    refused("M005", "the copy of `x` runs before all loops", lambda: x.host_to_device().after(a))


def filtered(taps=3):
    init("filtered")
    N, M = Constant("N"), Constant("M")
    i, j, a, b = Var("i", 0, N - taps + 1), Var("j", 0, M - taps + 1), Var("a", 0, taps), Var("b", 0, taps)
    x, k = Input("x", [N, M]), Input("k", [taps, taps])
    C = Computation("C", [i, j], 0.0)
    total = Update("total", [i, j, a, b], C[i, j], "+", x[i + a, j + b] * k[a, b])
    C.tile_gpu(i, j, 8, 8)
    total.tile_gpu(i, j, 8, 8, "i0", "j0", "i1", "j1")
    return C, k


def filter_of_numpy(x, k):
    rows, columns = x.shape[0] - k.shape[0] + 1, x.shape[1] - k.shape[1] + 1
    return sum(x[a:a + rows, b:b + columns] * k[a, b] for a in range(k.shape[0]) for b in range(k.shape[1]))


@for_each_device
def test_constant_memory(target):
    """The filter of a convolution: OpenCL's kernels take it as an argument, CUDA's as a variable that the host fills."""
    C, k = filtered()
    k.buffer().tag_gpu_constant()
    graph = codegen([C])
    assert "location={memory: constant}" in graph.text() and graph.text().count("constant") == 1
    rng = np.random.default_rng(0)
    compiled = graph.compile(target=served(target))
    word = {"opencl": "__constant const double* gpu_k", "cuda": "__constant__ double sluice_constant_gpu_k[9];"}[target]
    assert word in graph.generate_code(target=target)[0].code
    for n, m in ((20, 31), (9, 8)):
        x, weights, result = rng.random((n, m)), rng.random((3, 3)), np.zeros((n - 2, m - 2))
        compiled(x=x, k=weights, C=result)
        assert np.allclose(result, filter_of_numpy(x, weights))


@for_each_device
def test_threads_call_a_program_with_constant_memory(target):
    """Of a variable of CUDA's there is one: calls wait for each other."""
    C, k = filtered()
    k.buffer().tag_gpu_constant()
    compiled = codegen([C]).compile(target=served(target))
    rng = np.random.default_rng(1)
    x = rng.random((12, 12))

    def call(seed):
        weights, result = np.full((3, 3), float(seed)), np.zeros((10, 10))
        compiled(x=x, k=weights, C=result)
        return np.allclose(result, filter_of_numpy(x, weights))

    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        assert all(threads.map(call, range(24)))


def test_what_constant_memory_cannot_hold_is_refused():
    C, k = filtered()
    C.buffer().tag_gpu_global()
    refused("M010", "`C` is tagged as constant memory of a device, and computations store in it", lambda: C.buffer().tag_gpu_constant())
    init("unknown")
    N = Constant("N")
    refused("M010", "its size is known to the call alone", lambda: Input("x", [N]).buffer().tag_gpu_constant())
    C, k = filtered(taps=91)
    k.buffer().tag_gpu_constant()
    refused("M010", "take 66248 bytes of 65536", lambda: codegen([C]))
    init("host")
    i = Var("i", 0, 4)
    x = Input("x", [4])
    a = Computation("a", [i], x[i])
    x.buffer().tag_gpu_constant()
    refused("M010", "where nothing reads it", lambda: codegen([a]))


def refused_by_compiler(code, text, graph):
    with pytest.raises(CompileError, match=text) as refusal:
        graph.compile(target="opencl")
    assert code in str(refusal.value)


def test_constant_memory_of_any_graph():
    """A location is set before the program moves to the device, or after."""
    @sluice.program
    def weighted(x: sluice.float64[64], w: sluice.float64[4], y: sluice.float64[64]):
        for i in sluice.map[0:64]:
            y[i] = x[i] * w[i % 4]

    graph = weighted.to_sdfg()
    graph.arrays["w"].location = {"memory": "constant"}
    graph.apply("GPUTransformSDFG")
    assert graph.arrays["gpu_w"].location == {"memory": "constant"} and not graph.arrays["w"].location
    x, w, y = np.arange(64.0), np.arange(4.0) + 1, np.zeros(64)
    graph.compile(target=served("cuda"))(x=x, w=w, y=y)
    assert np.array_equal(y, x * np.tile(w, 16))
    graph.arrays["gpu_y"].location = {"memory": "constant"}
    refused_by_compiler("L025", "a write of `gpu_y`, which lies in constant memory", graph)
    graph.arrays["gpu_y"].location = {"memory": "texture"}
    refused_by_compiler("L024", "lies in the memory `texture`", graph)
    graph.arrays["gpu_y"].location = {}
    graph.arrays["x"].location = {"memory": "constant"}
    refused_by_compiler("L024", "is no array of one call in memory of a GPU", graph)


def test_constant_memory_has_a_size():
    @sluice.program
    def weighted(x: sluice.float64[N], w: sluice.float64[M], y: sluice.float64[N]):
        for i in sluice.map[0:N]:
            y[i] = x[i] * w[i % M]

    graph = weighted.to_sdfg()
    graph.arrays["w"].location = {"memory": "constant"}
    graph.apply("GPUTransformSDFG")
    refused_by_compiler("L024", "has a size that only the call knows", graph)
    graph.specialize({"M": 8193})
    refused_by_compiler("L024", "which is 65536 bytes, and with it the program needs 65544", graph)
