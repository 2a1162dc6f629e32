"""Schedules for ranks (docs/schedule.md), each compared with what one process computes. Run by test_schedule_ranks.py under mpirun:
schedule_on_ranks.py NAME ..."""
import sys

import numpy as np
from sluice import comm
from sluice.schedule import (ASYNC, BLOCK, SYNC, Computation, Constant, Input, Update, Var, assume, barrier_at, codegen, init, ranks,
                             receive, root, send)

ROWS = 5


def figure_2(n):
    """The paper's Figure 2, of n rows."""
    init("blur")
    M = Constant("M")
    i, j, c = Var("i", 0, n - 2), Var("j", 0, M - 2), Var("c", 0, 3)
    source = Input("source", [n, M, 3])
    bx, by = Computation("bx", [i, j, c], 0.0), Computation("by", [i, j, c], 0.0)
    bx[i, j, c] = (source[i, j, c] + source[i, j + 1, c] + source[i, j + 2, c]) / 3
    by[i, j, c] = (bx[i, j, c] + bx[i + 1, j, c] + bx[i + 2, j, c]) / 3
    return M, i, source, bx, by


def figure_3c(ranks, as_printed=False, delivery=SYNC, sent=ASYNC):
    """Its Figure 3(c). The bound is mended: `by` reads two rows of `bx` more than a rank has, which it computes as well, by inferred bounds
    or, as in 3(a), in the loop of `by`."""
    N = ROWS * ranks + 2
    M, i, source, bx, by = figure_2(N)
    lin = source.distribute(ROWS, halo=2)
    is_, ir, i0, i1 = Var("is_", 1, ranks), Var("ir", 0, ranks - 1), Var("i0"), Var("i1")
    if as_printed:
        bx.infer_bounds()
        bx.split(i, (N - 2) // ranks, i0, i1).parallelize(i1)
        bx.distribute(i0)
    by.split(i, (N - 2) // ranks, i0, i1).parallelize(i1)
    s = send([is_], lin(0, 0, 0), M * 2 * 3, is_ - 1, [sent])
    r = receive([ir], lin(ROWS, 0, 0), M * 2 * 3, ir + 1, [delivery], s)
    s.before(r, root)
    if as_printed:
        r.before(bx, root)
    else:
        bx.compute_at(by, i0)
        r.before(by, root)
    by.distribute(i0)
    s.distribute(is_)
    r.distribute(ir)
    return by


def figure_3c_for_any_ranks():
    """The same for as many ranks as there are, with blocks of a size that the call decides."""
    init("blur")
    N, M, B = Constant("N"), Constant("M"), Constant("B")
    assume("B >= 2")
    i, j, c, i0, i1 = Var("i", 0, N), Var("j", 0, M - 2), Var("c", 0, 3), Var("i0"), Var("i1")
    source = Input("source", [N + 2, M, 3])
    bx = Computation("bx", [i, j, c], (source[i, j, c] + source[i, j + 1, c] + source[i, j + 2, c]) / 3)
    by = Computation("by", [i, j, c], (bx[i, j, c] + bx[i + 1, j, c] + bx[i + 2, j, c]) / 3)
    lin = source.distribute(B, halo=2)
    is_, ir = Var("is_", 1, ranks), Var("ir", 0, ranks - 1)
    bx.infer_bounds().split(i, B, i0, i1).parallelize(i1).distribute(i0)
    by.split(i, B, i0, i1).parallelize(i1).distribute(i0)
    s = send([is_], lin(0, 0, 0), M * 2 * 3, is_ - 1, [ASYNC]).distribute(is_)
    r = receive([ir], lin(B, 0, 0), M * 2 * 3, ir + 1, [SYNC], s).distribute(ir)
    s.before(r, root)
    r.before(bx, root)
    return by


def exchanged(ranks, to=lambda rank: rank - 1, delivery=BLOCK):
    """Rows of `bx`, which is computed once, go to the rank that needs them."""
    n = ROWS * ranks
    init("exchanged")
    M = Constant("M")
    i, j = Var("i", 0, n), Var("j", 0, M)
    source = Input("source", [n, M]).distribute(ROWS)
    bx = Computation("bx", [i, j], source[i, j] * 2)
    by = Computation("by", [Var("i2", 0, n - 2), j], bx["i2", j] + bx["i2 + 1", j] + bx["i2 + 2", j])
    bx.split(i, ROWS, "i0", "i1").distribute("i0")
    by.split("i2", ROWS, "i0", "i1").distribute("i0")
    by.parallelize("i1")
    is_, ir = Var("is_", 1, ranks), Var("ir", 0, ranks - 1)
    s = send([is_], bx(ROWS * is_, 0), M * 2, to(is_), [delivery])
    r = receive([ir], bx(ROWS * (ir + 1), 0), M * 2, ir + 1, [SYNC], s)
    return bx, by, s.distribute(is_), r.distribute(ir)


def run_blur(graph, fewer=0):
    rank, ranks, M = comm.Get_rank(), comm.Get_size(), 9
    whole = np.random.default_rng(0).random((ROWS * ranks + 2 - fewer, M, 3))
    lin = np.full((ROWS + 2, M, 3), np.nan)
    own = whole[rank * ROWS:(rank + 1) * ROWS + (2 if rank == ranks - 1 else 0)]
    lin[:len(own)] = own
    by = np.zeros((ROWS * ranks - fewer, M - 2, 3))
    graph(source=lin, by=by)
    rows = (whole[:, :-2] + whole[:, 1:-1] + whole[:, 2:]) / 3
    expected = np.zeros_like(by)
    mine = slice(rank * ROWS, (rank + 1) * ROWS)
    expected[mine] = ((rows[:-2] + rows[1:-1] + rows[2:]) / 3)[mine]
    np.testing.assert_allclose(by, expected, rtol=1e-14)


def run_figure_3c():
    run_blur(codegen([figure_3c(comm.Get_size())]))


def run_as_printed():
    run_blur(codegen([figure_3c(comm.Get_size(), as_printed=True, sent=SYNC)]))


def run_any_ranks():
    graph = codegen([figure_3c_for_any_ranks()])
    for fewer in (0, 2):
        run_blur(graph, fewer)
    try:
        graph(source=np.zeros((ROWS + 2, 9, 3)), by=np.zeros((ROWS * comm.Get_size() + 1, 7, 3)))
    except ValueError as refused:
        assert "the schedule is for calls with" in str(refused), refused
    else:
        raise AssertionError("iterations without a rank were left out")


def run_asynchronous():
    by = figure_3c(comm.Get_size(), delivery=ASYNC)
    barrier_at(by, root)
    run_blur(codegen([by]))


def run_exchanged():
    rank, ranks, M = comm.Get_rank(), comm.Get_size(), 4
    bx, by, s, r = exchanged(ranks, delivery=ASYNC if ranks == 2 else BLOCK)
    s.after(bx)
    r.after(s).before(by)
    whole = np.random.default_rng(1).random((ROWS * ranks, M))
    result = np.zeros((ROWS * ranks - 2, M))
    codegen([by])(source=whole[rank * ROWS:(rank + 1) * ROWS].copy(), by=result)
    expected = np.zeros_like(result)
    mine = slice(rank * ROWS, (rank + 1) * ROWS)
    expected[mine] = (2 * (whole[:-2] + whole[1:-1] + whole[2:]))[mine]
    np.testing.assert_allclose(result, expected, rtol=1e-14)


def run_sums():
    """Updates on ranks; what is not distributed runs on all, from an input that all have."""
    ranks, rank = comm.Get_size(), comm.Get_rank()
    init("sums")
    M = Constant("M")
    i, j = Var("i", 0, ROWS * ranks), Var("j", 0, M)
    A, x = Input("A", [ROWS * ranks, M]).distribute(ROWS), Input("x", [M])
    y = Computation("y", [i], 0.0)
    scaled = Computation("scaled", [j], x[j] * 3)
    total = Update("total", [i, j], y[i], "+", A[i, j] * scaled[j])
    y.split(i, ROWS, "i0", "i1").distribute("i0")
    total.split(i, ROWS, "i0", "i1").distribute("i0")
    y.store_in([i % ROWS])
    whole, vector = np.random.default_rng(2).random((ROWS * ranks, 4)), np.arange(4.0)
    result = np.zeros(ROWS)
    codegen([y])(A=whole[rank * ROWS:(rank + 1) * ROWS].copy(), x=vector, y=result)
    np.testing.assert_allclose(result, (whole @ (3 * vector))[rank * ROWS:(rank + 1) * ROWS], rtol=1e-14)


def run_too_few():
    ranks = comm.Get_size() + 1
    codegen([figure_3c(ranks)])(source=np.zeros((ROWS + 2, 4, 3)), by=np.zeros((ROWS * ranks, 2, 3)))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        globals()["run_" + name]()
        print(f"{name} on rank {comm.Get_rank()} of {comm.Get_size()}", flush=True)
