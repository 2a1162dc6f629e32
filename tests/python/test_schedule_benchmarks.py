"""The image kernels of Tiramisu's paper with the schedules of its repository, beside NumPy."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Var, codegen, init


def image(*shape, dtype=np.uint8):
    return np.random.default_rng(0).integers(0, 256, shape).astype(dtype)


def test_cvt_color():
    init("cvt_color")
    H, W = Constant("H"), Constant("W")
    y, x = Var("y", 0, H), Var("x", 0, W)
    p = Input("p", [3, H, W], "uint32")
    gray = Computation("gray", [y, x], "(4899 * p[0, y, x] + 9617 * p[1, y, x] + 1868 * p[2, y, x] + 8192) >> 14", dtype="uint8")
    gray.vectorize(x, 8).parallelize(y)
    source, result = image(3, 13, 37, dtype=np.uint32), np.zeros((13, 37), np.uint8)
    codegen([gray])(p=source, gray=result)
    assert np.array_equal(result, ((4899 * source[0] + 9617 * source[1] + 1868 * source[2] + 8192) >> 14).astype(np.uint8))


def test_edge_detector():
    init("edge")
    N, M = Constant("N"), Constant("M")
    i, j = Var("i", 0, N - 2), Var("j", 0, M - 2)
    u, v = Var("u", 0, N - 4), Var("v", 0, M - 4)
    p = Input("p", [N, M], "int32")
    around = " + ".join(f"p[i + {a}, j + {b}]" for a in range(3) for b in range(3) if (a, b) != (1, 1))
    R = Computation("R", [i, j], f"({around}) // 8", dtype="int32")
    out = Computation("out", [u, v], "abs(R[u + 1, v + 1] - R[u + 2, v]) + abs(R[u + 2, v + 1] - R[u + 1, v])", dtype="int32")
    out.tile(u, v, 8, 8, "u0", "v0", "u1", "v1").parallelize("u0")
    R.compute_at(out, "v0")
    source, result = image(41, 30, dtype=np.int32), np.zeros((37, 26), np.int32)
    codegen([out])(p=source, out=result)
    r = sum(source[a:39 + a, b:28 + b] for a in range(3) for b in range(3) if (a, b) != (1, 1)) // 8
    assert np.array_equal(result, abs(r[1:38, 1:27] - r[2:39, :26]) + abs(r[2:39, 1:27] - r[1:38, :26]))


def test_gaussian():
    init("gaussian")
    H, W = Constant("H"), Constant("W")
    c, y, x = Var("c", 0, 3), Var("y", 0, H - 4), Var("x", 0, W - 4)
    Input("p", [3, H, W], "float32"), Input("k", [5], "float32")
    gx = Computation("gx", [c, y, x], " + ".join(f"p[c, y, x + {a}] * k[{a}]" for a in range(5)), dtype="float32")
    gy = Computation("gy", [c, y, x], " + ".join(f"gx[c, y + {a}, x] * k[{a}]" for a in range(5)), dtype="float32")
    gy.tile(y, x, 8, 16, "y0", "x0", "y1", "x1").parallelize(c).vectorize("x1", 8)
    gx.compute_at(gy, "x0").vectorize(x, 8)
    k = np.array([1, 4, 6, 4, 1], np.float32) / 16
    source, result = image(3, 29, 45, dtype=np.float32), np.zeros((3, 25, 41), np.float32)
    codegen([gy])(p=source, k=k, gy=result)
    rows = sum(source[:, :, a:41 + a] * k[a] for a in range(5))
    assert np.allclose(result, sum(rows[:, a:25 + a] * k[a] for a in range(5)), atol=1e-2)


def test_nb():
    init("nb")
    H, W = Constant("H"), Constant("W")
    y, x = Var("y", 0, H), Var("x", 0, W)
    Input("p", [H, W], "uint8")
    values = dict(f="255 - p[y, x]", g="2 * p[y, x]", h="f[y, x] + g[y, x]", k="f[y, x] - g[y, x]")
    f, g, h, k = all = [Computation(name, [y, x], value, dtype="uint8") for name, value in values.items()]
    for one in all:
        one.vectorize(x, 8)
    f.parallelize(y).then(g, "x_inner").then(h, "x_inner").then(k, "x_inner")
    source = image(11, 30)
    results = {name: np.zeros_like(source) for name in values}
    codegen(all)(p=source, **results)
    a, b = np.uint8(255) - source, np.uint8(2) * source
    for name, expected in dict(f=a, g=b, h=a + b, k=a - b).items():
        assert np.array_equal(results[name], expected), name


def test_ticket_2373_reads_no_negative_column():
    init("ticket")
    N, M = Constant("N"), Constant("M")
    x, y, r = Var("x", 0, N), Var("y", 0, M), Var("r", 0, 32)
    p = Input("p", [N, M], "uint8")
    volume = Computation("volume", [x, y, r], p[x - r, y], dtype="uint8", predicate="x >= r")
    volume.interchange(y, r).parallelize(x)
    source = image(40, 5)
    result = np.full((40, 5, 32), 7, np.uint8)
    codegen([volume])(p=source, volume=result)
    for a in range(40):
        for b in range(32):
            assert np.array_equal(result[a, :, b], source[a - b] if a >= b else np.full(5, 7)), (a, b)
