"""Algorithms with schedules beside NumPy, and what is refused."""
import random

import numpy as np
import pytest

from sluice import CompileError
from seeds import seeds
from sluice.schedule import Buffer, Computation, Constant, Input, Update, Var, assume, codegen, init, root


def blur():
    init("blur")
    N, M = Constant("N"), Constant("M")
    i, j = Var("i", 0, N), Var("j", 0, M)
    iw = Var("iw", 0, N + 2)
    source = Input("source", [N + 2, M + 2])
    bx = Computation("bx", [iw, j], (source[iw, j] + source[iw, j + 1] + source[iw, j + 2]) / 3)
    by = Computation("by", [i, j], (bx[i, j] + bx[i + 1, j] + bx[i + 2, j]) / 3)
    return i, j, bx, by


def run_blur(by, n=37, m=41):
    source = np.random.default_rng(0).random((n + 2, m + 2))
    result = np.zeros((n, m))
    codegen([by])(source=source, by=result)
    rows = (source[:, :-2] + source[:, 1:-1] + source[:, 2:]) / 3
    assert np.allclose(result, (rows[:-2] + rows[1:-1] + rows[2:]) / 3)


def test_blur_without_a_schedule():
    *_, by = blur()
    run_blur(by)


def test_blur_tiled_and_fused_with_a_shift():
    i, j, bx, by = blur()
    bx.tile("iw", j, 8, 4, "r0", "c0", "r1", "c1")
    by.shift(i, 2).tile(i, j, 8, 4, "t0", "d0", "t1", "d1").after(bx, "c0")
    assert (bx.levels, by.levels) == (["r0", "c0", "r1", "c1"], ["t0", "d0", "t1", "d1"])
    run_blur(by)


def test_blur_fused_without_a_shift_is_refused():
    i, j, bx, by = blur()
    by.after(bx, "iw")
    with pytest.raises(CompileError, match=r"does not run bx\(\d+, \d+\) before by\(\d+, \d+\)") as raised:
        codegen([by])
    assert raised.value.code == "M005"


def test_rows_of_a_contraction():
    i, j, bx, by = blur()
    rows = Buffer("rows", [3, "M"])
    bx.store_in(rows, ["iw % 3", "j"])
    by.shift(i, 2).after(bx, "iw")
    run_blur(by)


def test_a_contraction_that_is_too_small_is_refused():
    i, j, bx, by = blur()
    rows = Buffer("rows", [2, "M"])
    bx.store_in(rows, ["iw % 2", "j"])
    by.shift(i, 2).after(bx, "iw")
    with pytest.raises(CompileError, match="over a value that by") as raised:
        codegen([by])
    assert raised.value.code == "M006"


def gemm():
    init("gemm")
    N, M, K = Constant("N"), Constant("M"), Constant("K")
    i, j, k = Var("i", 0, N), Var("j", 0, M), Var("k", 0, K)
    A, B = Input("A", [N, K]), Input("B", [K, M])
    C = Computation("C", [i, j], 0.0)
    total = Update("total", [i, j, k], C[i, j], "+", A[i, k] * B[k, j])
    return i, j, k, C, total


@pytest.mark.parametrize("schedule", ["none", "tiled", "outer k", "skewed", "fused", "isl"])
def test_matrix_product(schedule):
    i, j, k, C, total = gemm()
    if schedule == "tiled":
        total.tile(i, j, 8, 4, "i0", "j0", "i1", "j1").interchange("j1", k).parallelize("i0")
    elif schedule == "outer k":
        total.interchange(i, k)
    elif schedule == "skewed":
        total.skew(i, j, 2, "s", "t").reverse("t", "r")
    elif schedule == "fused":
        C.then(total, j)
    elif schedule == "isl":
        total.set_schedule("{ total[i, j, k] -> [k, j - i, i] }")
    rng = np.random.default_rng(1)
    a, b, c = rng.random((13, 7)), rng.random((7, 10)), np.full((13, 10), 9.0)
    codegen([C])(A=a, B=b, C=c)
    assert np.allclose(c, a @ b)


def test_triangle_predicate_and_recurrence():
    init("triangle")
    N = Constant("N")
    i = Var("i", 0, N)
    j = Var("j", 0, i + 1)
    x = Input("x", [N])
    t = Computation("t", [i, j], x[i] * 10 + x[j])
    s = Computation("s", [i], 0.0)
    Update("add", [i, j], s[i], "+", t[i, j], predicate="j % 2 == 0")
    values, sums = np.random.default_rng(2).random(9), np.zeros(9)
    codegen([s])(x=values, s=sums)
    expected = [sum(values[a] * 10 + values[b] for b in range(0, a + 1, 2)) for a in range(9)]
    assert np.allclose(sums, expected)


def heat():
    init("heat")
    N, T = Constant("N"), Constant("T")
    t, i = Var("t", 0, T), Var("i", 0, N)
    start = Input("start", [N])
    h = Computation("h", [t, i], "start[i] if t == 0 else h[t, i]")
    return t, i, N, T, start, h


def test_a_value_that_is_not_there_yet_is_refused():
    *_, h = heat()
    with pytest.raises(CompileError, match=r"does not run h\(.*\) before h") as raised:
        codegen([h])
    assert raised.value.code == "M005"


def test_reading_outside_of_a_domain_is_refused():
    init("outside")
    N = Constant("N")
    i = Var("i", 0, N)
    x = Input("x", [N])
    a = Computation("a", [i], x[i])
    b = Computation("b", [i], a[i + 1])
    with pytest.raises(CompileError, match="outside of the domain of `a`") as raised:
        codegen([b])
    assert raised.value.code == "M003"
    init("memory")
    N = Constant("N")
    x = Input("x", [N])
    a = Computation("a", [i], x[i + 1])
    with pytest.raises(CompileError, match="outside of its extents") as raised:
        codegen([a])
    assert raised.value.code == "M006"


def test_a_loop_with_a_dependence_is_not_parallel():
    init("sums")
    N = Constant("N")
    i = Var("i", 1, N)
    x = Input("x", [N])
    first = Computation("first", [Var("z", 0, 1)], x[0])
    total = Computation("[N] -> { total[p] : 0 <= p < N }", "x[p]")
    total.store_in(Buffer("sums", ["N"]))
    follow = Update("follow", [i], total[i], "+", first[0])
    follow.parallelize(i)
    codegen([total])
    init("chain")
    N = Constant("N")
    x = Input("x", [N])
    a = Computation("a", [Var("q", 0, N)], x["q"])
    line = Buffer("one", [1])
    a.store_in(line, [0])
    b = Computation("b", [Var("r", 0, N)], a["r"])
    b.after(a, "q")
    a.parallelize("q")
    with pytest.raises(CompileError, match="is not parallel") as raised:
        codegen([b])
    assert raised.value.code == "M005"


def test_set_and_levels_that_do_not_fit():
    i, j, k, C, total = gemm()
    for command, code in ((lambda: total.split(i, 0, "a", "b"), "M004"), (lambda: total.split("z", 4, "a", "b"), "M004"),
                          (lambda: total.set_schedule("{ total[i, j, k] -> [i] }"), "M004"), (lambda: total.tile(i, k, 2, 2, "a", "b", "c", "d"), "M004"),
                          (lambda: Buffer("C", [4]), "M001"),
                          (lambda: Computation("D", [i], "i * )"), "M002"),
                          (lambda: Computation("D", [i, j], 1.0, predicate="i * j < 3"), "M002")):
        with pytest.raises(CompileError) as raised:
            command()
        assert raised.value.code == code


def random_schedule(seed):
    """A chain of stencils with a sum; commands in random order. Returned with what it computes of x, as loops over NumPy's arrays."""
    rng = random.Random(seed)
    init("random")
    N = Constant("N")
    x = Input("x", [N, N])
    begin = rng.choice([0, "i", 1])
    i, j = Var("i", 1, N - 1), Var("j", begin, N - 1)
    a = Computation("a", [Var("p", 0, N), Var("q", 0, N)], x["p", "q"] * 2 + 1)
    right, up = rng.choice([0, 1]), rng.choice([0, 1])
    b = Computation("b", [i, j], a["i", f"j + {right}"] + a[f"i - {up}", "j"])

    def reference(x):
        n, doubled = len(x), x * 2 + 1
        b, c = np.zeros((n - 1, n - 1)), np.zeros(n)
        for i in range(1, n - 1):
            for j in range(i if begin == "i" else begin, n - 1):
                b[i, j] = doubled[i, j + right] + doubled[i - up, j]
                c[i] += b[i, j]
        return dict(c=c, b=b)

    c = Computation("c", [Var("u", 0, N)], 0.0)
    d = Update("d", [i, j], c[i], "+", b[i, j])
    names = iter(f"v{n}" for n in range(1000))
    for _ in range(rng.randrange(1, 7)):
        of = rng.choice([a, b, d])
        level = rng.choice(of.levels)
        kind = rng.choice(["split", "interchange", "shift", "skew", "reverse", "after"])
        if kind == "split":
            of.split(level, rng.choice([2, 3, 4]), next(names), next(names))
        elif kind == "interchange":
            of.interchange(level, rng.choice(of.levels))
        elif kind == "shift":
            of.shift(level, rng.randrange(-2, 4))
        elif kind == "skew" and level != of.levels[-1]:
            of.skew(level, of.levels[-1], rng.choice([-1, 1, 2]), next(names), next(names))
        elif kind == "reverse":
            of.reverse(level, next(names))
        elif kind == "after":
            first, second = rng.choice([(a, b), (b, d)])
            second.after(first, rng.choice([root, first.levels[0]]))
    return c, b, reference


def test_random_schedules():
    legal = 0
    for seed in seeds(20):
        c, b, reference = random_schedule(seed)
        try:
            graph = codegen([c, b])
        except CompileError as error:
            assert error.code in ("M004", "M005")
            continue
        legal += 1
        values = np.random.default_rng(seed).random((7, 7))
        results = dict(c=np.zeros(7), b=np.zeros((6, 6)))
        graph(x=values, **results)
        for name, expected in reference(values).items():
            assert np.allclose(results[name], expected), (seed, name)
    assert legal >= 5


def test_what_is_assumed_is_proven_with_and_checked():
    def program():
        init("assumed")
        N = Constant("N")
        x = Input("x", [N])
        return Computation("a", [Var("i", 0, 4)], x["i"] * 2)

    a = program()
    with pytest.raises(CompileError, match=r"M006: a\(1\) reads at x\[1\], outside of its extents with N = 1"):
        codegen([a])
    a = program()
    assume("N >= 4")
    graph, result = codegen([a]), np.zeros(4)
    graph(x=np.arange(5.0), a=result)
    assert np.array_equal(result, [0, 2, 4, 6])
    with pytest.raises(ValueError, match="the schedule is for calls with"):
        graph(x=np.arange(3.0), a=result)
