"""No command is accepted and ignored: it has its effect in the code, or is refused."""
import numpy as np
import pytest

from sluice import CompileError
from sluice.schedule import Buffer, Computation, Constant, Input, Update, Var, codegen, init


def refused(code, match, action):
    with pytest.raises(CompileError, match=match) as raised:
        action()
    assert raised.value.code == code


def source_of(graph):
    code, _ = graph.generate_code()
    return code.code


def gemm():
    init("gemm")
    N, M, K = Constant("N"), Constant("M"), Constant("K")
    i, j, k = Var("i", 0, N), Var("j", 0, M), Var("k", 0, K)
    A, B = Input("A", [N, K]), Input("B", [K, M])
    C = Computation("C", [i, j], 0.0)
    return i, j, k, C, Update("total", [i, j, k], C[i, j], "+", A[i, k] * B[k, j])


def test_lanes_with_a_loop_inside_run_innermost_and_without_atomics():
    i, j, k, C, total = gemm()
    total.vectorize(j, 8).parallelize(i)
    graph = codegen([C])
    text = graph.text()
    assert "[t_0=0:8] passing (A, B) schedule=Sequential simd" in text and "[i=0:N] passing (A, B, C) schedule=CPU_Multicore" in text
    assert "C[i, 8*t + t_0] wcr=\"lambda a, b: a + b\" wcr_nonatomic" in text
    assert "#pragma omp simd\n                for (int64_t t_0 = 0; t_0 < 8" in source_of(graph) and "atomic" not in source_of(graph)
    rng = np.random.default_rng(1)
    a, b, c = rng.random((13, 7)), rng.random((7, 21)), np.full((13, 21), 9.0)
    graph(A=a, B=b, C=c)
    assert np.allclose(c, a @ b)


def test_updates_that_threads_share_stay_atomic():
    i, j, k, C, total = gemm()
    total.parallelize(k)
    assert "wcr_nonatomic" not in codegen([C]).text()


def fused(lanes):
    init("nb")
    N, M = Constant("N"), Constant("M")
    i, j = Var("i", 0, N), Var("j", 0, M)
    x = Input("x", [N, M])
    f = Computation("f", [i, j], 255 - x[i, j])
    g = Computation("g", [i, j], 2 * x[i, j])
    h = Computation("h", [i, j], f[i, j] + g[i, j])
    k = Computation("k", [i, j], f[i, j] - g[i, j])
    for one in (f, g, h, k)[:lanes]:
        one.vectorize(j, 8)
    for one in (f, g, h, k)[lanes:]:
        one.split(j, 8, "j_outer", "j_inner")
    f.then(g, "j_inner").then(h, "j_inner").then(k, "j_inner")
    return f, g, h, k


def test_computations_that_share_lanes_are_all_vectors():
    f, g, h, k = fused(4)
    graph = codegen([f, g, h, k])
    assert graph.text().count(" simd") == 4
    assert source_of(graph).count("#pragma omp simd") >= 4
    x = np.random.default_rng(0).random((5, 19))
    made = {name: np.zeros((5, 19)) for name in "fghk"}
    graph(x=x, **made)
    for name, expected in dict(f=255 - x, g=2 * x, h=255 - x + 2 * x, k=255 - x - 2 * x).items():
        assert np.allclose(made[name], expected)


def test_lanes_that_a_loop_cannot_have_are_refused():
    f, g, h, k = fused(3)
    refused("M009", "`j_inner` of `f` would not run in lanes: `k` runs in the same loop", lambda: codegen([f, g, h, k]))
    init("short")
    i = Var("i", 0, 3)
    x = Input("x", [3])
    y = Computation("y", [i], x[i])
    y.vectorize(i, 8)
    refused("M009", "`i_inner` of `y` would not run in lanes: no tile of 8 iterations is full", lambda: codegen([y]))
    i, j, k, C, total = gemm()
    total.vectorize(i, 4).vectorize(j, 4)
    refused("M009", "`i_inner` of `total` would not run in lanes|`j_inner` of `total` would not run in lanes", lambda: codegen([C]))
    init("modulo")
    N = Constant("N")
    i = Var("i", 0, N)
    x, last = Input("x", [N]), Buffer("last", [24])
    y = Computation("y", [i], x[i])
    y.store_in(last, [i % 24]).vectorize(i, 8)
    refused("M009", "its elements have no constant distance from one lane to the next", lambda: codegen([y]))


@pytest.mark.parametrize("kind", ["unroll", "vectorize"])
def test_tiles_are_told_apart_where_iterations_allocate_memory(kind):
    init("blur")
    N, M = Constant("N"), Constant("M")
    i, j = Var("i", 0, N - 2), Var("j", 0, M)
    source = Input("source", [N, M])
    bx = Computation("bx", [i, j], source[i, j] * 2)
    by = Computation("by", [i, j], bx[i, j] + bx[i + 1, j] + bx[i + 2, j])
    by.tile(i, j, 16, 16, "i0", "j0", "i1", "j1")
    getattr(by, kind)("j1", 8)
    bx.compute_at(by, "j0")
    graph = codegen([by])
    assert f"=0:8] passing (bx) schedule=Sequential {'simd' if kind == 'vectorize' else 'unroll'}" in graph.text()
    values, result = np.random.default_rng(0).random((39, 37)), np.zeros((37, 37))
    graph(source=values, by=result)
    assert np.allclose(result, 2 * (values[:-2] + values[1:-1] + values[2:]))


def test_lanes_whose_iterations_have_memory_of_their_own_are_refused():
    init("deep")
    N = Constant("N")
    i, j = Var("i", 0, N), Var("j", 0, N)
    x = Input("x", [N + 2, N])
    a = Computation("a", [i, j], x[i, j])
    b = Computation("b", [i, j], a[i, j] + a[i + 1, j])
    b.vectorize(j, 4)
    a.compute_at(b, "j_inner")
    refused("M009", "`j_inner` of `b` would not run in lanes", lambda: codegen([b]))


def test_commands_that_another_one_would_undo_are_refused():
    init("undone")
    N = Constant("N")
    i = Var("i", 0, N)
    x = Input("x", [N])
    a, b = Computation("a", [i], x[i]), Computation("b", [i], x[i] + 1)
    c = Computation("c", [i], a[i] + b[i])
    c.after(a, i)
    refused("M004", "`c` runs after `a` already and would forget it", lambda: c.after(b, i))
    b.between(a, i, c, i)
    a.buffer().set_size([N + 1])
    a.store_in(Buffer("other", [N]))
    refused("M004", "`a` has a size or an allocation for memory of its own and is stored in `other`", lambda: codegen([c]))
    for command in (lambda f: f.shift(i, 1), lambda f: f.store_in([i + 1]), lambda f: f.parallelize(i)):
        init("inlined")
        N = Constant("N")
        x = Input("x", [N])
        f = Computation("f", [i], x[i])
        g = Computation("g", [i], f[i])
        command(f.inline())
        refused("M004", "`f` cannot be inlined: other commands give it loops or memory", lambda: codegen([g]))
    init("unused")
    N = Constant("N")
    x = Input("x", [N])
    f = Computation("f", [i], x[i])
    Buffer("nobody", [N]).allocate_at(f, i)
    refused("M004", "nothing is stored in `nobody`", lambda: codegen([f]))
