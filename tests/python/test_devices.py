"""@program(target="opencl") and "cuda": results of a device against NumPy's, and how often it was launched and what was copied."""
import importlib.util
import pathlib

import numpy as np
import pytest
from devices import for_each_device, on, served

import sluice

pytestmark = for_each_device
N = sluice.symbol("N")
M = sluice.symbol("M")
KERNEL = {"opencl": "__kernel", "cuda": "__global__"}
ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


def device(target):
    return lambda function: on(target, function)


def agree(one, other):
    np.testing.assert_allclose(one, other, rtol=1e-5 if np.asarray(other).dtype == np.float32 else 1e-12)


def traffic_of(compiled, *arguments):
    """Launches, and bytes to and from the device, of one call."""
    before = compiled.traffic
    compiled(*arguments)
    return tuple(compiled.traffic[name] - before[name] for name in ("launches", "to_device", "from_device", "within_device"))


def test_arrays_are_copied_where_that_is_needed(target):
    @device(target)
    def added(x: sluice.float64[N], y: sluice.float64[N], z: sluice.float64[N]):
        z[:] = x + y

    x, y = np.random.default_rng(1).random((2, 100))
    z = np.zeros(100)
    compiled = added.compile(x, y, z)
    assert traffic_of(compiled, x, y, z) == (1, 2 * 800, 800, 0), "z is not needed there, x and y are not changed"
    agree(z, x + y)
    assert f"{KERNEL[target]} void added_" in compiled.source


def test_loops_of_the_host_launch_again(target):
    @device(target)
    def smoothed(x: sluice.float64[N], y: sluice.float64[N], steps: sluice.int64):
        for _ in range(steps):
            y[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3
            x[1:-1] = y[1:-1]

    x, y = np.random.default_rng(2).random((2, 77))
    mine = x.copy(), y.copy()
    compiled = smoothed.compile(*mine, 5)
    assert traffic_of(compiled, *mine, 5)[:3] == (5, 2 * 616, 2 * 616)  # the second statement is a copy in the device's memory
    for _ in range(5):
        y[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3
        x[1:-1] = y[1:-1]
    agree(mine[0], x), agree(mine[1], y)


def test_a_loop_of_numbers_is_one_launch(target):
    """Sums in Python's order, a recurrence with a loop inside and a condition: one thread runs each, however long."""
    @device(target)
    def energy(mass, place, trace):
        total = 0.0
        for i in range(mass.shape[0]):
            for j in range(i + 1, mass.shape[0]):
                apart = place[j] - place[i]
                if apart > 0.9:
                    total -= mass[i]
                else:
                    total -= mass[i] * mass[j] / np.sqrt(apart ** 2 + 0.01)
            trace[i] = total
        for k in range(1, 20):
            if trace[k] < 0:
                trace[k] = -trace[k] + trace[k - 1]
        trace[0] = total

    mass, place = np.random.default_rng(11).random((2, 30))
    mine, trace = np.zeros((2, 30))
    compiled = energy.compile(mass, place, mine)
    before = compiled.traffic["launches"]
    energy(mass, place, mine), energy.f(mass, place, trace)
    np.testing.assert_allclose(mine, trace, rtol=1e-14)
    assert compiled.traffic["launches"] - before == 4, "the first sum, the pairs, the recurrence, the last element"


def test_what_the_host_reads_is_copied_back(target):
    @device(target)
    def halved(x: sluice.float64[N]):
        steps = 0
        while np.max(x) > 1:
            x[:] = x / 2
            steps += 1
        return steps

    x = np.random.default_rng(3).random(50) * 100
    mine = x.copy()
    assert halved(mine) == halved.f(x)
    agree(mine, x)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64])
def test_updates_of_one_element(dtype, target):
    """Every width has an atomic update of its own; neighbours in one word must stay."""
    @device(target)
    def histogram(x, where, bins, largest):
        for i in sluice.map[0:len(x)]:
            bins[where[i]] += x[i]
        for i in sluice.map[0:len(x)]:
            largest[where[i]] = max(largest[where[i]], x[i])

    random = np.random.default_rng(4)
    x, where = random.integers(0, 3, 1000).astype(dtype), random.integers(0, 7, 1000)
    bins, largest = np.arange(7).astype(dtype), np.ones(7, dtype)
    expected, most = bins.copy(), largest.copy()
    np.add.at(expected, where, x)
    histogram(x, where, bins, largest)
    np.maximum.at(most, where, x)
    np.testing.assert_array_equal(bins, expected)
    np.testing.assert_array_equal(largest, most)


def test_reductions_of_every_operator(target):
    @device(target)
    def reduced(x):
        return np.sum(x), np.max(x), np.min(x), np.any(x > 0.999), np.all(x > 0), np.sum(x.reshape(50, 100), axis=1), np.prod(x[:20])

    x = np.random.default_rng(5).random(5000)
    for one, other in zip(reduced(x), reduced.f(x)):
        agree(one, other)


def test_integers_are_numpys(target):
    @device(target)
    def arithmetic(a, b):
        return a // b, a % b, abs(a), a << 2, a >> 1, np.minimum(a, b), np.sign(a), ~a, a * b, a + b, a - b

    for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32, np.uint64):
        info = np.iinfo(dtype)
        a = np.array([info.min, info.max, 7, 0, 5, info.max - 1], dtype)
        b = np.array([1, 3, info.max, 2, 4, 2] if info.min == 0 else [-1, 3, -2, 2, -4, 2], dtype)
        with np.errstate(all="ignore"):
            for one, other in zip(arithmetic(a, b), arithmetic.f(a, b)):
                np.testing.assert_array_equal(one, other)


def test_functions_are_numpys(target):
    names = "sqrt exp log sin cos tan arcsin arccos arctan sinh cosh tanh floor ceil trunc rint expm1 log1p cbrt exp2 log2 log10".split()
    source = "def functions(x):\n    return " + ", ".join(f"np.{name}(x)" for name in names)
    for dtype in (np.float32, np.float64):
        x = np.linspace(0.01, 0.99, 97).astype(dtype)
        expected = _with_source(source)(x)
        made = on(target, _with_source(source))
        for name, one, other in zip(names, made(x), expected):
            np.testing.assert_allclose(one, other, rtol=4e-6 if dtype == np.float32 else 1e-13, err_msg=name)


def _with_source(source):
    import linecache
    space = {"np": np}
    name = "<functions of a device>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    exec(compile(source, name, "exec"), space)
    return space["functions"]


def test_names_that_kernels_have_taken(target):
    @device(target)
    def taken(kernel: sluice.float64[N], local: sluice.float64[N], half: sluice.float64, warpSize: sluice.float64):
        for barrier in sluice.map[0:N]:
            threadIdx = kernel[barrier] * half
            local[barrier] = threadIdx + warpSize

    x, y = np.arange(9.0), np.zeros(9)
    taken(x, y, 0.5, 1.0)
    agree(y, x / 2 + 1)


TILES = """sdfg tiles(X, Y) {
  symbol N: int64
  transient array A: float64[N] storage=GPU_Global
  transient array B: float64[N] storage=GPU_Global
  array X: float64[N]
  array Y: float64[N]
  transient array tile: float64[16] storage=GPU_Shared
  state fill {
    n0 = access X
    n1 = access A
    n0 -> n1 : X[0:N]
  }
  state main {
    n0 = access A
    n1 = map_entry blocks [b=0:N:16] passing (A) schedule=GPU_Device
    n2 = access tile
    n3 = map_entry threads [t=0:16] passing (tile) schedule=GPU_ThreadBlock
    n4 = tasklet turn (a) -> (b) { b = 2 * a }
    n5 = map_exit n3 passing (B)
    n6 = map_exit n1 passing (B)
    n7 = access B
    n0 -> n1.IN_A : A[0:N]
    n1.OUT_A -> n2 : A[b:b + 16] -> [0:16]
    n2 -> n3.IN_tile : tile[0:16]
    n3.OUT_tile -> n4.a : tile[15 - t]
    n4.b -> n5.IN_B : B[b + t]
    n5.OUT_B -> n6.IN_B : B[b:b + 16]
    n6.OUT_B -> n7 : B[0:N]
  }
  state out {
    n0 = access B
    n1 = access Y
    n0 -> n1 : B[0:N]
  }
  fill -> main
  main -> out
}
"""


def test_threads_of_a_block_share_memory(target):
    """Each tile is read in by the threads of a block and written back to front: without the barrier some read what nobody wrote."""
    compiled = sluice.SDFG.from_text(TILES).compile(target=served(target))
    x, y = np.random.default_rng(6).random(160), np.zeros(160)
    compiled(x, y)
    np.testing.assert_array_equal(y.reshape(-1, 16), 2 * x.reshape(-1, 16)[:, ::-1])
    assert {"opencl": "__local", "cuda": "__shared__"}[target] + " double tile[16]" in compiled.source and compiled.source.count("sluice_barrier();") >= 2


def test_local_storage_that_a_block_shares(target):
    """InLocalStorage of a tile: its threads copy what they read together."""
    @sluice.program
    def blurred(x: sluice.float64[258], y: sluice.float64[256]):
        for i in sluice.map[0:256]:
            y[i] = x[i] + 2 * x[i + 1] + x[i + 2]

    graph = blurred.to_sdfg()
    graph.apply("MapTiling", {"map": "map_i"}, tile_sizes=[64], divides_evenly=True)
    graph.apply("SetSchedule", {"map": "map_i"}, schedule="GPU_ThreadBlock")
    graph.apply("InLocalStorage", storage="GPU_Shared")
    graph.apply("GPUTransformSDFG")
    compiled = graph.compile(target=served(target))
    x, y = np.random.default_rng(13).random(258), np.zeros(256)
    assert traffic_of(compiled, x, y)[:3] == (1, 258 * 8, 256 * 8)
    agree(y, x[:-2] + 2 * x[1:-1] + x[2:])
    assert {"opencl": "__local", "cuda": "__shared__"}[target] + " double trans_x[66]" in compiled.source
    assert "for (int64_t c0 = sluice_thread_unit(0); c0 < 66; c0 += sluice_thread_units(0))" in compiled.source


def test_empty_arrays_launch_nothing(target):
    @device(target)
    def doubled(x: sluice.float64[N]):
        x[:] = 2 * x

    compiled = doubled.compile(np.ones(3))
    assert traffic_of(compiled, np.ones(0)) == (0, 0, 0, 0)


@pytest.mark.parametrize("name", ["axpy", "cg", "fibonacci", "filter", "gemm", "heat_3d", "histogram", "jacobi_2d", "mandelbrot", "softmax", "spmv"])
def test_examples(name, target):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    inputs = module.inputs("small")
    ours, theirs = ({key: np.copy(value) if isinstance(value, np.ndarray) else value for key, value in inputs.items()} for _ in range(2))
    program = getattr(module, name)
    returned = on(target, program.f)(**ours)
    expected = program(**theirs)
    comparable = getattr(module, "comparable", dict)
    for key, value in comparable(theirs).items():
        np.testing.assert_allclose(comparable(ours)[key], value, rtol=1e-5 if np.asarray(value).dtype == np.float32 else 1e-9)
    if expected is not None:
        np.testing.assert_allclose(returned, expected, rtol=1e-5)


def test_returns_from_within_copy_back_first(target):
    @device(target)
    def settled(x: sluice.float64[N], steps: sluice.int64, limit: sluice.float64):
        for k in range(steps):
            x[:] = x / 2 + k
            if np.max(x) > limit:
                x[0] = -1.0
                return k
            if limit < 0:
                return -k
        x[:] = x + 100
        return steps

    for steps, limit in ((3, 1e9), (10, 2.0), (5, 0.0), (4, -1.0), (0, 1.0)):
        x = np.random.default_rng(12).random(9)
        mine = x.copy()
        assert settled(mine, steps, limit) == settled.f(x, steps, limit)
        agree(mine, x)


def test_streams_between_kernels(target):
    """Threads push, the host copies what there is; what a condition reads is among the results."""
    @device(target)
    def sifted(A: sluice.float64[N], limits: sluice.float64[N], B: sluice.float64[N], count: sluice.int64[1]):
        scaled = np.empty_like(A)
        while count[0] < 30:
            scaled[:] = A * 3
            S = sluice.define_stream(sluice.float64, N)

            @sluice.map(_[0:N])
            def select(i):
                a << scaled[i]
                limit << limits[i]
                kept >> S(-1)
                one >> count(-1, lambda x, y: x + y)[0]
                if a > limit:
                    kept = a
                    one = 1

            S >> B
            A[:] = A + np.sum(B) / 40

    random = np.random.default_rng(10)
    A, limits, B, count = random.random(40), np.full(40, 2.0), np.zeros(40), np.zeros(1, np.int64)
    expected, kept, rounds = A.copy(), B.copy(), 0
    mine = A.copy(), limits.copy(), B.copy(), count.copy()
    while count[0] < 30:
        scaled = expected * 3
        chosen = scaled[scaled > limits]
        kept[:len(chosen)] = chosen
        count[0] += len(chosen)
        expected, rounds = expected + np.sum(kept) / 40, rounds + 1
    compiled = sifted.compile()
    before = compiled.traffic["launches"]
    sifted(*mine)
    assert mine[3][0] == count[0] and compiled.traffic["launches"] - before >= 2 * rounds
    agree(np.sort(mine[2]), np.sort(kept))
    agree(mine[0], expected)
    assert compiled.on_host == []


def test_tasklets_in_the_devices_own_language(target):
    """Connectors with names that arrays have, a pointer, an index of the map; another language is refused."""
    own = {"opencl": ("OpenCL", "b = mad(a, 2.0, row[i % 3]) + K;"),
           "cuda": ("CPP", "b = __longlong_as_double(__double_as_longlong(a)) * 2.0 + row[i % 3] + K;")}

    def graph(language, code):
        sdfg = sluice.SDFG("own_language")
        sdfg.add_symbol("K", sluice.int64)
        for name in ("a", "b"):
            sdfg.add_array(name, [N], sluice.float64)
        sdfg.add_array("c", [3], sluice.float64)
        state = sdfg.add_state("main")
        state.add_mapped_tasklet("own", {"i": "0:N"}, {"a": sluice.Memlet("a[i]"), "row": sluice.Memlet("c[0:3]")}, code,
                                 {"b": sluice.Memlet("b[i]")}, language=sluice.Language[language], external_edges=True)
        sdfg.apply("GPUTransformSDFG")
        return sdfg

    a, b, c = np.arange(9.0), np.zeros(9), np.array([1.0, 10.0, 100.0])
    graph(*own[target]).compile(target=served(target))(a=a, b=b, c=c, K=5)
    np.testing.assert_array_equal(b, 2 * a + c[np.arange(9) % 3] + 5)
    language, code = own[{"opencl": "cuda", "cuda": "opencl"}[target]]
    with pytest.raises(sluice.CompileError, match=f"L005.*a tasklet in {language} cannot run on the device of"):
        graph(language, code).compile(target=target)


def test_complex_numbers(target):
    dtype = {"opencl": np.complex128, "cuda": np.complex64}[target]  # test_the_ends_of_complex_functions has both

    @device(target)
    def waves(z, w, x, by, where, bins):
        for i in sluice.map[0:len(z)]:
            bins[where[i]] += z[i]
        return (z * w + by, z / w, -z, abs(z), z.real, np.conj(z).imag, np.exp(z), np.sqrt(z), np.log(z), z ** 2, z ** -3, z ** w, z == w, z != w,
                np.where(z.real > 0.5, z, w), np.sum(z), z @ w, np.outer(z[:40], w[:37]) @ np.outer(w[:37], z[:3]), np.angle(z), x + z,
                np.sum(z.reshape(7, -1), axis=0), np.sum(z.reshape(7, -1), axis=1), 1 / z, z.astype(np.complex64), z * z[3])

    random = np.random.default_rng(9)
    z, w = ((random.standard_normal((2, 700)) + 1j * random.standard_normal((2, 700)))).astype(dtype)
    w[:5] = z[:5]
    x, where = random.random(700).astype(z.real.dtype), random.integers(0, 5, 700)
    bins, expected = np.full((2, 5), 2 - 1j, dtype)
    np.add.at(expected, where, z)
    mine = waves(z, w, x, dtype(1 + 2j), where, bins)
    tolerance = {"rtol": 1e-3, "atol": 1e-4} if dtype == np.complex64 else {"rtol": 1e-10, "atol": 1e-12}
    np.testing.assert_allclose(bins, expected, **tolerance)
    kept = bins.copy()
    for one, other in zip(mine, waves.f(z, w, x, dtype(1 + 2j), where, kept)):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(one, other, **tolerance)


def test_the_ends_of_complex_functions(target):
    """Infinities, NaN, zeros, and what is about to be infinite."""
    @device(target)
    def ends(z):
        return np.exp(z), np.sqrt(z), np.log(z), np.isnan(z), np.isinf(z), np.isfinite(z), z == z, np.maximum(z, z[0]), np.minimum(z[1], z)

    for dtype, most in ((np.complex128, 709.9), (np.complex64, 88.9)):
        parts = np.array([0.5, -1.5, 0.0, -0.0, np.inf, -np.inf, np.nan, most, 1e30, -1e30], dtype(0).real.dtype)
        z = np.empty((10, 10), dtype)
        z.real, z.imag = np.meshgrid(parts, parts)
        z = z.reshape(-1)
        with np.errstate(all="ignore"):
            expected = ends.f(z)
        for one, other in zip(ends(z), expected):
            for part in ("real", "imag"):
                np.testing.assert_allclose(getattr(one, part), getattr(other, part), rtol=1e-5 if dtype == np.complex64 else 1e-12)


def test_parts_of_the_host_copy_what_they_touch(target):
    """No kernel has `arcsin` of complex numbers: what the host computes of an array in a loop is copied there and back, and no more, where that is one run."""
    @device(target)
    def rows(A: sluice.complex128[N, M]):
        for k in range(len(A)):
            A[k] = np.arcsin(A[k])
            A[:] = A + 1

    @device(target)
    def windows(A: sluice.complex128[N, M]):
        for k in range(1, len(A) - 1):
            A[0, k - 1:k + 2] = np.arcsin(A[k, k - 1:k + 2]) + A[k + 1, k - 1:k + 2]
            A[:] = A + 1

    @device(target)
    def columns(A: sluice.complex128[N, M]):
        for k in range(A.shape[1]):
            A[:, k] = np.arcsin(A[:, k])
            A[:] = A + 1

    @device(target)
    def some(A: sluice.complex128[N, M], flags: sluice.int64[N]):
        for k in range(len(A)):
            for j in range(A.shape[1]):
                if flags[k] > j:
                    A[k, j] = np.arcsin(A[k, j])
            A[:] = A / 2

    @device(target)
    def behind(A: sluice.complex128[N, M]):
        for k in range(len(A)):
            A[k, 1:] = np.arcsin(A[k - 1, 1:]) + A[0, 0]
            A[:] = A + 1

    size = 7 * 8 * 16
    for program, most in ((rows, 2 * size), (windows, 3 * size), (columns, 9 * size), (some, 9 * size), (behind, 8 * size)):
        ours = np.random.default_rng(5).random((7, 8)) + 0.25j
        theirs, flags = ours.copy(), [np.arange(7)] * (program is some)
        traffic = traffic_of(program.compile(ours.copy(), *flags), ours, *flags)
        program.f(theirs, *flags)
        agree(ours, theirs)
        assert max(traffic[1:3]) <= most + 56, (program.f.__name__, traffic)


def test_what_no_kernel_holds_is_the_hosts(target):
    @device(target)
    def halved(z: sluice.float16[N]):
        z[:] = z / 2

    @device(target)
    def multiplied(z: sluice.complex128[N]):
        return np.prod(z)

    @device(target)
    def turned(z: sluice.complex128[N]):
        z[:] = np.arcsin(z)

    random = np.random.default_rng(31)
    for program, given, reason in ((halved, random.random(5).astype(np.float16), "holds float16"),
                                   (multiplied, random.random(5) + 1j, "of complex128, and not by sums"),
                                   (turned, random.random(5) + 1j, "calls `asin` and has complex numbers")):
        ours, theirs = given.copy(), given.copy()
        returned, expected = program(ours), program.f(theirs)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
        if expected is not None:
            np.testing.assert_allclose(returned, expected, rtol=1e-12)
        assert reason in program.compile(given).on_host[0][2]


FILLED = """sdfg filled(Y) {
  array Y: float64[8]
  transient array T: float64[SIZE] storage=GPU_Global
  state main {
    n0 = map_entry fill [i=0:8] schedule=GPU_Device gpu_block_size=[BLOCK]
    n1 = tasklet fill () -> (b) { b = i }
    n2 = map_exit n0 passing (T)
    n3 = access T
    n4 = access Y
    n0 -> n1
    n1.b -> n2.IN_T : T[i]
    n2.OUT_T -> n3 : T[0:8]
    n3 -> n4 : T[0:8]
  }
}
"""


def test_what_the_device_refuses_is_an_error_of_the_call(target):
    def filled(size, block):
        y = np.zeros(8)
        sluice.SDFG.from_text(FILLED.replace("SIZE", str(size)).replace("BLOCK", str(block))).compile(target=served(target))(y)
        return y

    np.testing.assert_array_equal(filled(8, 4), np.arange(8))
    with pytest.raises(sluice.CompileError, match="D025.*asks for blocks of 1000000 threads"):
        filled(8, 1000000)
    with pytest.raises(MemoryError, match="D015.*`T` has"):
        filled(10 ** 15, 4)
    np.testing.assert_array_equal(filled(9, 4), np.arange(8), err_msg="what failed leaves the device as it was")


LONG = """sdfg long(Y) {
  array Y: float64[70000, 2]
  transient array T: float64[70000, 2] storage=GPU_Global
  state main {
    n0 = map_entry fill [i=0:70000, j=0:2] schedule=GPU_Device gpu_block_size=[2]
    n1 = tasklet fill () -> (b) { b = i + j }
    n2 = map_exit n0 passing (T)
    n3 = access T
    n4 = access Y
    n0 -> n1
    n1.b -> n2.IN_T : T[i, j]
    n2.OUT_T -> n3 : T[0:70000, 0:2]
    n3 -> n4 : T[0:70000, 0:2]
  }
}
"""


def test_more_rows_than_a_grid_has(target):
    """CUDA's grids have at most 65,535 blocks along y."""
    y = np.zeros((70000, 2))
    sluice.SDFG.from_text(LONG).compile(target=served(target))(y)
    np.testing.assert_array_equal(y, np.add.outer(np.arange(70000.0), np.arange(2.0)))


def test_bounds_that_are_choices(target):
    """`i < (a if c else b)` and `(a if c else b) + i` of a launch; which bound holds, the sizes say."""
    def averaged(x, w):
        return np.convolve(x, np.ones(w) / w, mode="valid")

    program = on(target, averaged)
    for w in (1, 5, 20, 23):
        x = np.arange(20.0)
        np.testing.assert_allclose(program(x, w), averaged(x, w))


def test_lists_without_a_bound_are_the_hosts(target):
    def fibonacci(n):
        f = [0, 1]
        while len(f) < n:
            f.append(f[-1] + f[-2])
        return np.array(f)

    np.testing.assert_array_equal(on(target, fibonacci)(10), fibonacci(10))


def test_one_map_is_moved_and_the_rest_stays(target):
    @sluice.program
    def halves(x: sluice.float64[N], y: sluice.float64[N], bins: sluice.int64[4]):
        for i in sluice.map[0:N // 2]:
            y[i] = 2 * x[i]
        for j in sluice.map[0:N]:
            x[j] = x[j] + y[j]
        for k in sluice.map[0:N]:
            bins[k % 4] += 1

    graph = halves.to_sdfg()
    places = [str(match) for match in graph.matches("GPUTransformMap")]
    assert len(places) == 3
    graph.apply("GPUTransformMap", {"map": "map_i"})
    graph.apply("GPUTransformMap", {"map": "map_k"})
    compiled = graph.compile(target=served(target))
    x, y = np.random.default_rng(4).random((2, 50))
    bins = np.array([5, 0, 1, 2])
    wanted = np.concatenate((2 * x[:25], y[25:]))
    sums, counts = x + wanted, bins + [13, 13, 12, 12]
    assert traffic_of(compiled, x, y, bins) == (2, 2 * 400 + 32, 400 + 32, 0), "x and y there, y back; bins there and back"
    agree(y, wanted)
    agree(x, sums)
    np.testing.assert_array_equal(bins, counts)


def test_one_state_of_a_loop_is_moved_and_the_rest_stays(target):
    @sluice.program
    def rows(x: sluice.float64[N, N], y: sluice.float64[N]):
        for k in range(1, N):
            for j in sluice.map[0:N]:
                x[k, j] = x[k - 1, j] / 2 + y[j]
            if x[k, 0] > 1:
                y[k] = y[k - 1] + x[k, 0]

    graph = rows.to_sdfg()
    graph.apply("GPUTransformState", {"state": "map_j"})
    x, y = np.random.default_rng(4).random((20, 20)), np.random.default_rng(5).random(20)
    wanted, line = x.copy(), y.copy()
    for k in range(1, 20):
        wanted[k] = wanted[k - 1] / 2 + line
        if wanted[k, 0] > 1:
            line[k] = line[k - 1] + wanted[k, 0]
    compiled = graph.compile(target=served(target))
    assert traffic_of(compiled, x, y)[0] == 19, "a launch in each iteration"
    agree(x, wanted)
    agree(y, line)


def test_products_by_tiles(target):
    """Sizes that are no multiples of a tile, operands given transposed, stacks of matrices, other types."""
    @device(target)
    def products(a, b, c, stack, whole):
        c[:] = 2 * a @ b + 3 * c
        return a @ b, (b.T @ a.T).T, stack @ b, whole @ whole.T, np.einsum("ik,kj->ji", a, b)

    random = np.random.default_rng(7)
    a, b, c, stack = random.random((40, 50)), random.random((50, 33)), random.random((40, 33)), random.random((2, 21, 50))
    whole = random.integers(0, 9, (35, 18)).astype(np.int32)
    mine = c.copy()
    compiled = products.compile(a, b, mine, stack, whole)
    assert compiled.source.count({"opencl": "__local double", "cuda": "__shared__ double"}[target]) >= 6
    for one, other in zip(products(a, b, mine, stack, whole), products.f(a, b, c, stack, whole)):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-12)
    agree(mine, c)


def test_folds_by_blocks(target):
    """Rows are folded by the threads of a block, columns by a thread each; nobody updates what is one thread's own atomically."""
    @device(target)
    def folds(x, y, truths):
        total = x @ y[0] + x @ y[1]
        return (np.sum(x, axis=1), np.sum(x, axis=0), np.max(x, axis=1), np.min(x), np.mean(x, axis=-1), np.all(truths, axis=1),
                np.prod(x[:, :40], axis=1), np.sum(x.reshape(7, 10, -1), axis=(0, 2)), total)

    random = np.random.default_rng(8)
    x, y = random.random((70, 500)) + 0.5, random.random((2, 500))
    truths = random.random((9, 300)) > 0.001
    compiled = folds.compile(x, y, truths)
    for one, other in zip(folds(x, y, truths), folds.f(x, y, truths)):
        np.testing.assert_allclose(one, other, rtol=1e-11)
    kernels = compiled.source[compiled.source.index("The kernels of"):]
    assert kernels.count("SLUICE_UPDATE") == 1, "all blocks update the smallest of all"
    assert kernels.count("[128];") >= 6
