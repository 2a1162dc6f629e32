"""Commands on where values are computed and lie: the legal case beside NumPy, the illegal case with its witness."""
import random

import numpy as np
import pytest

from seeds import seeds
from sluice import CompileError
from sluice.schedule import Buffer, Computation, Constant, Input, Update, Var, codegen, init, root


def refused(code, match, action):
    with pytest.raises(CompileError, match=match) as raised:
        action()
    assert raised.value.code == code


def figure_2():
    """The paper's Figure 2: `by` reads two rows that `bx` has not."""
    init("blur")
    N, M = Constant("N"), Constant("M")
    i, j, c = Var("i", 0, N - 2), Var("j", 0, M - 2), Var("c", 0, 3)
    source = Input("source", [N, M, 3])
    bx, by = Computation("bx", [i, j, c], 0.0), Computation("by", [i, j, c], 0.0)
    bx[i, j, c] = (source[i, j, c] + source[i, j + 1, c] + source[i, j + 2, c]) / 3
    by[i, j, c] = (bx[i, j, c] + bx[i + 1, j, c] + bx[i + 2, j, c]) / 3
    return i, j, c, bx, by


def run_figure(by, n=39, m=37):
    source = np.random.default_rng(0).random((n, m, 3))
    result = np.zeros((n - 2, m - 2, 3))
    graph = codegen([by])
    graph(source=source, by=result)
    rows = (source[:, :-2] + source[:, 1:-1] + source[:, 2:]) / 3
    assert np.allclose(result, (rows[:-2] + rows[1:-1] + rows[2:]) / 3)
    return graph


def test_reads_outside_of_a_domain_are_refused_unless_it_is_extended():
    *_, bx, by = figure_2()
    refused("M003", r"by\(\d+, \d+, \d+\) reads bx\(\d+, \d+, \d+\), which lies outside", lambda: codegen([by]))
    *_, bx, by = figure_2()
    bx.infer_bounds()
    run_figure(by)


def test_figure_3a_tiles_with_redundancy():
    i, j, c, bx, by = figure_2()
    by.tile(i, j, 32, 32, "i0", "j0", "i1", "j1")
    by.parallelize("i0")
    bx.compute_at(by, "j0")
    graph = run_figure(by)
    assert "bx" not in {name for name in graph.arglist()}


@pytest.mark.parametrize("level", ["i0", "j0", "i1", "j1"])
def test_compute_at_each_level(level):
    i, j, c, bx, by = figure_2()
    by.tile(i, j, 8, 8, "i0", "j0", "i1", "j1")
    bx.compute_at(by, level)
    run_figure(by)


def test_a_part_is_scheduled_and_laid_out_like_every_computation():
    i, j, c, bx, by = figure_2()
    by.tile(i, j, 16, 16, "i0", "j0", "i1", "j1").vectorize("j1", 8)
    bx.compute_at(by, "j0").store_in(["c", "i", "j"]).interchange(i, j).unroll(c, 3)
    run_figure(by)
    i, j, c, bx, by = figure_2()
    by.tile(i, j, 16, 16, "i0", "j0", "i1", "j1")
    bx.compute_at(by, "j0").store_at(by, "i0")
    run_figure(by)


def test_compute_at_is_refused_where_a_reader_is_elsewhere_or_it_is_a_result():
    i, j, c, bx, by = figure_2()
    bx.compute_at(by, i)
    Computation("other", [i, j, c], bx[i, j, c])
    refused("M004", "`other` reads it and does not run in these loops", lambda: codegen([by]))
    i, j, c, bx, by = figure_2()
    bx.compute_at(by, i)
    refused("M004", "the output `bx`", lambda: codegen([bx, by]))
    i, j, c, bx, by = figure_2()
    bx.compute_at(by, i).store_in(Buffer("one", [1, "M", 3]), [0, "j", "c"])
    refused("M006", "over a value that by", lambda: codegen([by]))


def test_compute_at_brings_the_updates_along():
    init("sums")
    N = Constant("N")
    i, k = Var("i", 0, N), Var("k", 0, 4)
    x = Input("x", [N + 3])
    s = Computation("s", [i], 0.0)
    Update("add", [i, k], s[i], "+", x[i + k])
    y = Computation("y", [i], s[i] * 2)
    y.split(i, 4, "i0", "i1")
    s.compute_at(y, "i0")
    values, result = np.random.default_rng(0).random(13), np.zeros(10)
    codegen([y])(x=values, y=result)
    assert np.allclose(result, 2 * np.convolve(values, np.ones(4), "valid"))


def test_inline_computes_in_the_type_of_what_is_inlined():
    def program(inlined):
        init("types")
        N = Constant("N")
        i = Var("i", 0, N)
        x = Input("x", [N], "uint8")
        f = Computation("f", [i], x[i] + 200, dtype="uint8")
        g = Computation("g", [i], f[i] * 1.0)
        if inlined:
            f.inline()
        values, result = np.arange(0, 250, 50, dtype=np.uint8), np.zeros(5)
        codegen([g])(x=values, g=result)
        return result

    assert np.array_equal(program(True), (np.arange(0, 250, 50, dtype=np.uint8) + np.uint8(200)).astype(float))
    assert np.array_equal(program(True), program(False))
    *_, bx, by = figure_2()
    bx.inline()
    refused("M003", "outside of the domain of `bx`", lambda: codegen([by]))
    *_, bx, by = figure_2()
    bx.infer_bounds().inline()
    refused("M004", "the output `bx` |`bx` cannot be inlined: it is an output", lambda: codegen([bx, by]))


def test_recurrences_have_their_first_values():
    init("heat")
    N, T = Constant("N"), Constant("T")
    t, i = Var("t", 0, T), Var("i", 0, N)
    Input("start", [N])
    h = Computation("h", [t, i], 0.0)
    h.set_expression("start[i] if t == 0 else (h[t-1, i] if i == 0 or i == N-1 else 0.25*h[t-1, i-1] + 0.5*h[t-1, i] + 0.25*h[t-1, i+1])")
    start = np.random.default_rng(0).random(9)
    rows = [start]
    for _ in range(4):
        row = rows[-1].copy()
        row[1:-1] = 0.25 * rows[-1][:-2] + 0.5 * rows[-1][1:-1] + 0.25 * rows[-1][2:]
        rows.append(row)
    result = np.zeros((5, 9))
    codegen([h])(start=start, h=result)
    assert np.allclose(result, rows)
    h.skew(t, i, 1, "w", "v")
    codegen([h])(start=start, h=result)
    assert np.allclose(result, rows)
    h.reverse("w", "r")
    refused("M005", r"does not run h\(\d+, \d+\) before h\(\d+, \d+\)", lambda: codegen([h]))


def test_data_decide_an_index():
    init("gather")
    N = Constant("N")
    i = Var("i", 0, N)
    at, x = Input("at", [N], "int64"), Input("x", [N])
    a = Computation("a", [i], x[i] * 2)
    b = Computation("b", [i], "a[min(max(at[i], 0), N - 1)] + x[min(max(at[i] + 1, 0), N - 1)]")
    order, values, result = np.array([3, 0, 2, 1, 4]), np.arange(5.) + 0.5, np.zeros(5)
    codegen([b])(at=order, x=values, b=result)
    assert np.allclose(result, values[order] * 2 + values[np.clip(order + 1, 0, 4)])
    b.after(a, i)
    refused("M005", r"does not run a\(\d+\) before b\(\d+\)", lambda: codegen([b]))


@pytest.mark.parametrize("index,legal", [
    ("x[min(max(at[i], 0), N - 1)]", True), ("x[max(min(at[i], N - 1), 0)]", True), ("x[at[i] % N]", True), ("x[at[i] % (i + 1)]", True),
    ("x[at[i]] if 0 <= at[i] < N else -1.0", True), ("x[at[i]] if at[i] >= 0 and N > at[i] else -1.0", True), ("table[byte[i]]", True),
    ("x[int(0.5 * i)]", False), ("x[min(max(int(0.5 * i), 0), N - 1)]", True), ("x[at[i]]", False), ("x[min(at[i], N - 1)]", False),
    ("x[max(at[i], 0)]", False), ("x[min(max(at[i], 0), N)]", False), ("x[at[i] % (N + 1)]", False), ("table[byte[i] + 1]", False),
    ("x[at[i]] if 0 <= at[i] <= N else -1.0", False), ("x[at[i]] if 0 <= byte[i] < N else -1.0", False),
    ("a[at[i]]", False), ("a[min(max(at[i], 0), N - 1)]", True), ("a[at[i]] if 0 <= at[i] and at[i] < N else -1.0", True)])
def test_an_index_that_data_decide_is_kept_within(index, legal):
    init("ranges")
    N = Constant("N")
    i = Var("i", 0, N)
    Input("at", [N], "int64"), Input("x", [N]), Input("byte", [N], "uint8"), Input("table", [256])
    a = Computation("a", [i], "x[i] * 2")
    b = Computation("b", [i], index)
    if not legal:
        refused("M003" if index.startswith("a") else "M006", r"b\(\d+\) may read", lambda: codegen([a, b]))
        return
    assert "b" in codegen([a, b]).arrays


def test_warp_affine():
    """Figures of the benchmark: bilinear, coordinates that no loop knows, clamped to the image."""
    init("warp")
    H, W = Constant("H"), Constant("W")
    y, x = Var("y", 0, H), Var("x", 0, W)
    Input("image", [H, W], "uint8"), Input("m", [6], "float32")
    row = Computation("row", [y, x], "m[0] * y + m[1] * x + m[2]", dtype="float32")
    column = Computation("column", [y, x], "m[3] * y + m[4] * x + m[5]", dtype="float32")

    def tap(p, q):
        return f"image[min(max(int(floor(row[y, x])) + {p}, 0), H - 1), min(max(int(floor(column[y, x])) + {q}, 0), W - 1)]"

    def mix(u, v, t):
        return f"(({u}) * (1 - {t}) + ({v}) * {t})"

    r, c = "(row[y, x] - floor(row[y, x]))", "(column[y, x] - floor(column[y, x]))"
    warped = Computation("warped", [y, x], mix(mix(tap(0, 0), tap(1, 0), r), mix(tap(0, 1), tap(1, 1), r), c), dtype="float32")
    warped.split(x, 16, "x0", "x1").parallelize(y)
    row.compute_at(warped, y)
    column.compute_at(warped, y)
    rng = np.random.default_rng(0)
    image, m = rng.integers(0, 256, (23, 37), dtype=np.uint8), np.array([0.9, 0.1, -1.5, 0.2, 1.1, 2.25], np.float32)
    result = np.zeros((23, 37), np.float32)
    codegen([warped])(image=image, m=m, warped=result)
    ys, xs = np.mgrid[:23, :37].astype(np.float32)
    o_r, o_c = m[0] * ys + m[1] * xs + m[2], m[3] * ys + m[4] * xs + m[5]
    fr, fc = np.floor(o_r), np.floor(o_c)

    def at(p, q):
        return image[np.clip(fr.astype(int) + p, 0, 22), np.clip(fc.astype(int) + q, 0, 36)]

    left, right = ((u * (1 - (o_r - fr)) + v * (o_r - fr)) for u, v in ((at(0, 0), at(1, 0)), (at(0, 1), at(1, 1))))
    assert np.allclose(result, left * (1 - (o_c - fc)) + right * (o_c - fc), atol=1e-3)


def test_memory_that_iterations_allocate():
    def program():
        init("rows")
        N = Constant("N")
        i, j = Var("i", 0, N), Var("j", 0, N)
        x = Input("x", [N, N])
        a = Computation("a", [i, j], x[i, j] + 1)
        return i, j, x, a

    i, j, x, a = program()
    b = Computation("b", [i, j], a[i, j] * 2)
    row = Buffer("row", ["N"])
    a.store_in(row, ["j"])
    b.after(a, i)
    row.allocate_at(b, i)
    b.parallelize(i)
    values, result = np.random.default_rng(0).random((6, 6)), np.zeros((6, 6))
    codegen([b])(x=values, b=result)
    assert np.allclose(result, (values + 1) * 2)
    i, j, x, a = program()
    b = Computation("b", [i, j], "a[i, j] if i == 0 else a[i - 1, j]")
    b.after(a, i)
    a.buffer().allocate_at(b, i)
    refused("M006", "that another iteration has stored, whose memory is gone", lambda: codegen([b]))
    i, j, x, a = program()
    b = Computation("b", [i, j], a[i, j])
    a.buffer().allocate_at(a, i)
    refused("M004", "`b` uses `a`, which is allocated in a loop of `a`", lambda: codegen([b]))


def test_sizes_predicates_and_between():
    init("sizes")
    N = Constant("N")
    i = Var("i", 0, N)
    x = Input("x", [N])
    a = Computation("a", [i], x[i])
    b = Computation("b", [i], a[i] + 1)
    c = Computation("c", [i], b[i] + a[i])
    c.buffer().set_size(["N + 2"])
    c.add_predicate("i % 2 == 0")
    b.between(a, i, c, i)
    values, result = np.random.default_rng(0).random(7), np.full(9, -1.0)
    codegen([c])(x=values, c=result)
    assert np.allclose(result[:7:2], 2 * values[::2] + 1) and np.all(result[1::2] == -1)
    a.buffer().set_size(["N - 1"])
    refused("M006", "outside of its extents", lambda: codegen([c]))


@pytest.mark.parametrize("size", [1, 7, 8, 9, 24])
def test_full_and_partial_tiles(size):
    init("tiles")
    N = Constant("N")
    i, j = Var("i", 0, N), Var("j", 0, N)
    x = Input("x", [N, N])
    y = Computation("y", [i, j], x[i, j] * 3)
    y.unroll(i, 4).vectorize(j, 8)
    assert y.levels == ["i_outer", "i_inner", "j_outer", "j_inner"]
    values, result = np.random.default_rng(0).random((size, size)), np.zeros((size, size))
    codegen([y])(x=values, y=result)
    assert np.allclose(result, values * 3)


def test_lanes_of_dependent_iterations_are_refused():
    init("scan")
    N = Constant("N")
    i = Var("i", 0, N)
    Input("x", [N])
    s = Computation("s", [i], 0.0)
    s.set_expression("x[i] if i == 0 else s[i - 1] + x[i]")
    s.unroll(i, 4)
    values, result = np.random.default_rng(0).random(11), np.zeros(11)
    codegen([s])(x=values, s=result)
    assert np.allclose(result, np.cumsum(values))
    init("scan")
    N = Constant("N")
    i = Var("i", 0, N)
    Input("x", [N])
    s = Computation("s", [i], 0.0)
    s.set_expression("x[i] if i == 0 else s[i - 1] + x[i]")
    s.vectorize(i, 4)
    refused("M005", "`i_inner` of `s` is not parallel", lambda: codegen([s]))
    refused("M004", "unrolled or vectorized and would be gone|is parallel and would be gone", lambda: s.split("i_inner", 2, "a", "b"))


def random_pipeline(seed):
    rng = random.Random(seed)
    init("random")
    N = Constant("N")
    i, j = Var("i", 0, N), Var("j", 0, N)
    x = Input("x", [N + 3, N + 3])
    up, left = rng.randrange(3), rng.randrange(3)
    a = Computation("a", [i, j], x[i, j] * 2 + 1)
    b = Computation("b", [i, j], a[i, j] + a[i + up, j + left])
    c = Computation("c", [i, j], b[i, j] * 3 + a[i, j])
    names = iter(f"v{n}" for n in range(100))
    for of in rng.sample([a, b, c], 2):
        kind = rng.choice(["tile", "unroll", "vectorize", "interchange"])
        if kind == "tile":
            of.tile(i, j, rng.choice([2, 3]), 4, *(next(names) for _ in range(4)))
        elif kind == "interchange":
            of.interchange(i, j)
        else:
            getattr(of, kind)(rng.choice(of.levels), rng.choice([2, 4]), next(names), next(names))
    b.after(c, root) if rng.random() < 0.1 else None
    kind = rng.choice(["inline b", "at", "bounds", "chain"])
    level = rng.choice(c.levels[:-1] or c.levels)
    if kind == "inline b":
        b.inline()
        a.compute_at(c, level)
    elif kind == "at":
        b.compute_at(c, level)
        a.infer_bounds()
    elif kind == "chain":
        b.compute_at(c, level)
        a.compute_at(c, rng.choice(c.levels[:c.levels.index(level) + 1]))
    else:
        a.infer_bounds()
    return c, up, left


def test_random_pipelines():
    legal = 0
    for seed in seeds(8):
        c, up, left = random_pipeline(seed)
        try:
            graph = codegen([c])
        except CompileError as error:
            assert error.code in ("M004", "M005", "M006", "M009"), (seed, error)
            continue
        legal += 1
        n = 7
        x, result = np.random.default_rng(seed).random((n + 3, n + 3)), np.zeros((n, n))
        graph(x=x, c=result)
        doubled = x * 2 + 1
        b = doubled[:n, :n] + doubled[up:up + n, left:left + n]
        assert np.allclose(result, b * 3 + doubled[:n, :n]), seed
    assert legal >= 2


@pytest.mark.parametrize("of_input", [True, False])
def test_copy_at_copies_what_iterations_read(of_input):
    init("copied")
    N = Constant("N")
    i, j = Var("i", 0, N), Var("j", 0, N)
    x = Input("x", [N + 2, N])
    b = Computation("b", [Var("k", 0, N + 2), j], x["k", j] * 2.0)
    source = x if of_input else b
    c = Computation("c", [i, j], source[i, j] + source[i + 2, j])
    c.split(i, 4, "i0", "i1")
    copy = source.copy_at(c, "i0")
    copy.vectorize(copy.levels[-1], 4)
    graph = codegen([c])
    assert copy.name in graph.arrays and graph.arrays[copy.name].transient
    source, result = np.random.default_rng(0).random((13, 11)), np.zeros((11, 11))
    graph(x=source, c=result)
    assert np.array_equal(result, (source[:-2] + source[2:]) * (1.0 if of_input else 2.0))


@pytest.mark.parametrize("order", [lambda p, q, y, i: q.before(p, root), lambda p, q, y, i: p.after(q, root), lambda p, q, y, i: q.before(p, i),
                                   lambda p, q, y, i: (q.before(p, i), p.before(y, i)), lambda p, q, y, i: q.then(p, root).then(y, root)])
def test_what_is_moved_behind_a_later_computation_stays_before_those_that_were_defined_after_it(order):
    init("two")
    N = Constant("N")
    i = Var("i", 0, N)
    x = Input("x", [N])
    p, q = Computation("p", [i], x[i] + 1), Computation("q", [i], x[i] * 3)
    y = Computation("y", [i], p[i] - q[i])
    order(p, q, y, i)
    graph, values, result = codegen([y]), np.arange(7.0), np.zeros(7)
    graph(x=values, y=result)
    assert np.array_equal(result, values + 1 - values * 3)
    text = graph.text()
    assert text.index("tasklet q") < text.index("tasklet p") < text.index("tasklet y")
