"""Programs whose ranks send messages, each compared with what one process computes. Run by test_mpi.py under mpirun:
mpi_programs.py NAME ..."""
import sys

import numpy as np
import sluice
from sluice import comm

N, M, lNx, lNy = (sluice.symbol(name) for name in ("N", "M", "lNx", "lNy"))


@sluice.program(strict=True)
def ring(x: sluice.float64[N], got: sluice.float64[N]):
    rank = comm.Get_rank()
    size = comm.Get_size()
    requests = np.empty(2, dtype=sluice.MPI_Request)
    comm.Isend(x, (rank + 1) % size, 7, requests[0])
    comm.Irecv(got, (rank + size - 1) % size, 7, requests[1])
    comm.Waitall(requests)
    got += 1.0


def run_ring():
    rank, size = comm.Get_rank(), comm.Get_size()
    got = np.zeros(5)
    ring(np.arange(5.0) + 10 * rank, got)
    np.testing.assert_array_equal(got, np.arange(5.0) + 10 * ((rank - 1) % size) + 1)


@sluice.program(strict=True)
def around(token: sluice.int64[1]):
    rank = comm.Get_rank()
    if rank == 0:
        token[0] += 1
        if comm.Get_size() > 1:
            comm.Ssend(token, 1, 3)
            comm.Recv(token, comm.Get_size() - 1, 3)
    else:
        comm.Recv(token, rank - 1, 3)
        token[0] += rank + 1
        comm.Send(token, (rank + 1) % comm.Get_size(), 3)


def run_blocking():
    token = np.zeros(1, np.int64)
    around(token)
    rank, size = comm.Get_rank(), comm.Get_size()
    assert token[0] == sum(range(1, (size if rank == 0 else rank + 1) + 1)), token


@sluice.program(strict=True)
def through_temporaries(x: sluice.float64[N, N], y: sluice.float64[N, N]):
    """What comes lies in a temporary that is only copied; columns are strided."""
    rank = comm.Get_rank()
    size = comm.Get_size()
    t = np.empty((N,), dtype=np.float64)
    r = np.empty((2,), dtype=sluice.MPI_Request)
    comm.Isend(x[:, 1] * 2.0, (rank + 1) % size, 0, r[0])
    comm.Irecv(t, (rank + size - 1) % size, 0, r[1])
    comm.Waitall(r)
    y[:, 2] = t
    comm.Isend(y[1:-1, 2], (rank + 1) % size, 1, r[0])
    comm.Irecv(y[1:-1, 3], (rank + size - 1) % size, 1, r[1])
    comm.Waitall(r)


def run_temporaries():
    rank, size = comm.Get_rank(), comm.Get_size()
    whole = np.random.default_rng(3).random((size, 6, 6))
    y = np.zeros((6, 6))
    through_temporaries(whole[rank].copy(), y)
    expected = np.zeros((6, 6))
    expected[:, 2] = whole[rank - 1][:, 1] * 2
    expected[1:-1, 3] = whole[rank - 2 if size > 1 else 0][1:-1, 1] * 2
    np.testing.assert_array_equal(y, expected)


@sluice.program(strict=True)
def collectives(x: sluice.float64[N], all_x: sluice.float64[M], total: sluice.float64[N], largest: sluice.float64[N],
                share: sluice.float64[N], swapped: sluice.float64[M], spread: sluice.float64[N], at_root: sluice.float64[M]):
    comm.Allgather(x, all_x)
    comm.Allreduce(x, total)
    comm.Reduce(x, largest, op=comm.MAX, root=comm.Get_size() - 1)
    comm.Gather(x, at_root, root=0)
    comm.Scatter(at_root, share)
    comm.Alltoall(all_x, swapped)
    comm.Bcast(spread, root=comm.Get_size() - 1)
    comm.Barrier()


def run_collectives():
    rank, size = comm.Get_rank(), comm.Get_size()
    n = 6
    xs = np.random.default_rng(5).random((size, n))
    all_x, total, largest, share = np.zeros(n * size), np.zeros(n), np.zeros(n), np.zeros(n)
    swapped, spread, at_root = np.zeros(n * size), np.full(n, float(rank)), np.zeros(n * size)
    collectives(xs[rank].copy(), all_x, total, largest, share, swapped, spread, at_root)
    np.testing.assert_array_equal(all_x, xs.ravel())
    np.testing.assert_allclose(total, xs.sum(0), rtol=1e-15)
    np.testing.assert_array_equal(largest, xs.max(0) if rank == size - 1 else 0)
    np.testing.assert_array_equal(share, xs[rank])
    np.testing.assert_array_equal(swapped, np.tile(xs[rank], size))
    np.testing.assert_array_equal(spread, size - 1.0)
    np.testing.assert_array_equal(at_root, xs.ravel() if rank == 0 else 0)


# ---- seed 003: half_step and j2d_dist, with the lines filled in that it leaves out ------------------------------------------
MPI_Request = sluice.MPI_Request
Px = {1: 1, 2: 2, 4: 2}.get(comm.Get_size(), 1)
Py = comm.Get_size() // Px
_x, _y = divmod(comm.Get_rank(), Py)
nn = comm.Get_rank() - Py if _x > 0 else comm.PROC_NULL
ns = comm.Get_rank() + Py if _x < Px - 1 else comm.PROC_NULL
nw = comm.Get_rank() - 1 if _y > 0 else comm.PROC_NULL
ne = comm.Get_rank() + 1 if _y < Py - 1 else comm.PROC_NULL
noff, soff, woff, eoff = (int(n == comm.PROC_NULL) for n in (nn, ns, nw, ne))


@sluice.program(strict=True)
def half_step(inpbuf: sluice.float64[lNx + 2, lNy + 2], outbuf: sluice.float64[lNx + 2, lNy + 2]):
    req = np.empty((8,), dtype=MPI_Request)
    sluice.comm.Isend(inpbuf[1, 1:-1], nn, 0, req[0])
    sluice.comm.Isend(inpbuf[-2, 1:-1], ns, 1, req[1])
    sluice.comm.Isend(inpbuf[1:-1, 1], nw, 2, req[2])
    sluice.comm.Isend(inpbuf[1:-1, -2], ne, 3, req[3])
    sluice.comm.Irecv(inpbuf[0, 1:-1], nn, 1, req[4])
    sluice.comm.Irecv(inpbuf[-1, 1:-1], ns, 0, req[5])
    sluice.comm.Irecv(inpbuf[1:-1, 0], nw, 3, req[6])
    sluice.comm.Irecv(inpbuf[1:-1, -1], ne, 2, req[7])
    sluice.comm.Waitall(req)
    outbuf[1 + noff:-1 - soff, 1 + woff:-1 - eoff] = 0.2 * (
        inpbuf[1 + noff:-1 - soff, 1 + woff:-1 - eoff] +
        inpbuf[1 + noff:-1 - soff, woff:-2 - eoff] +
        inpbuf[1 + noff:-1 - soff, 2 + woff:lNy + 2 - eoff] +
        inpbuf[2 + noff:lNx + 2 - soff, 1 + woff:-1 - eoff] +
        inpbuf[noff:-2 - soff, 1 + woff:-1 - eoff])


@sluice.program(strict=True)
def j2d_dist(TSTEPS: sluice.int32, A: sluice.float64[N, N], B: sluice.float64[N, N]):
    lA = np.zeros((lNx + 2, lNy + 2), dtype=A.dtype)
    lB = np.zeros((lNx + 2, lNy + 2), dtype=B.dtype)
    lA[1:-1, 1:-1] = sluice.comm.BlockScatter(A)
    lB[1:-1, 1:-1] = sluice.comm.BlockScatter(B)
    for t in range(1, TSTEPS):
        half_step(lA, lB)
        half_step(lB, lA)
    A[:] = sluice.comm.BlockGather(lA[1:-1, 1:-1])
    B[:] = sluice.comm.BlockGather(lB[1:-1, 1:-1])


def run_jacobi():
    rank, n, steps = comm.Get_rank(), 24, 6
    rng = np.random.default_rng(11)
    A, B = rng.random((n, n)), rng.random((n, n))
    expected_A, expected_B = A.copy(), B.copy()
    for _ in range(1, steps):
        for a, b in ((expected_A, expected_B), (expected_B, expected_A)):
            b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
    j2d_dist(steps, A, B, lNx=n // Px, lNy=n // Py)
    if rank == 0:
        np.testing.assert_allclose(A, expected_A, rtol=1e-13)
        np.testing.assert_allclose(B, expected_B, rtol=1e-13)


# ---- linear algebra by blocks of rows -----------------------------------------------------------------------------------------
n = sluice.symbol("n")  # Rows of a rank.


@sluice.program(strict=True)
def gemm(alpha: sluice.float64, beta: sluice.float64, A: sluice.float64[N, M], B: sluice.float64[M, N], C: sluice.float64[N, N]):
    lA = np.empty((n, M))
    lC = np.empty((n, N))
    lA[:] = comm.BlockScatter(A)
    lC[:] = comm.BlockScatter(C)
    comm.Bcast(B)
    lC[:] = alpha * lA @ B + beta * lC
    C[:] = comm.BlockGather(lC)


@sluice.program(strict=True)
def gemv(A: sluice.float64[N, M], x: sluice.float64[M], y: sluice.float64[N]):
    lA = np.empty((n, M))
    lA[:] = comm.BlockScatter(A)
    comm.Bcast(x)
    comm.Allgather(lA @ x, y)


@sluice.program(strict=True)
def atax(A: sluice.float64[N, M], x: sluice.float64[M], y: sluice.float64[M]):
    lA = np.empty((n, M))
    lA[:] = comm.BlockScatter(A)
    comm.Bcast(x)
    comm.Allreduce((lA @ x) @ lA, y)


@sluice.program(strict=True)
def bicg(A: sluice.float64[N, M], p: sluice.float64[M], r: sluice.float64[N], q: sluice.float64[N], s: sluice.float64[M]):
    lA = np.empty((n, M))
    lr = np.empty((n,))
    lA[:] = comm.BlockScatter(A)
    lr[:] = comm.BlockScatter(r)
    comm.Bcast(p)
    comm.Allgather(lA @ p, q)
    comm.Allreduce(lr @ lA, s)


def run_algebra():
    rank, size = comm.Get_rank(), comm.Get_size()
    rng = np.random.default_rng(2)
    rows, columns = 12, 7
    A, B, C = rng.random((rows, columns)), rng.random((columns, rows)), rng.random((rows, rows))
    p, r = rng.random(columns), rng.random(rows)
    root = rank == 0
    given = lambda array: array.copy() if root else np.zeros_like(array)  # noqa: E731  What the root alone knows.
    result = given(C)
    gemm(1.5, 1.2, given(A), given(B), result, n=rows // size)
    if root:
        np.testing.assert_allclose(result, 1.5 * A @ B + 1.2 * C, rtol=1e-13)
    y, q, s = np.zeros(rows), np.zeros(rows), np.zeros(columns)
    gemv(given(A), given(p), y, n=rows // size)
    np.testing.assert_allclose(y, A @ p, rtol=1e-13)
    bicg(given(A), given(p), given(r), q, s, n=rows // size)
    np.testing.assert_allclose(q, A @ p, rtol=1e-13)
    np.testing.assert_allclose(s, r @ A, rtol=1e-13)
    atax(given(A), given(p), s, n=rows // size)
    np.testing.assert_allclose(s, A.T @ (A @ p), rtol=1e-13)


# ---- grids of ranks -----------------------------------------------------------------------------------------------------------
gx, gy = {1: (1, 1), 2: (1, 2), 4: (2, 2)}[comm.Get_size()]
Gx, Gy, lM, lN, lKx, lKy, lR = (sluice.symbol(name) for name in ("Gx", "Gy", "lM", "lN", "lKx", "lKy", "lR"))


@sluice.program(strict=True)
def places(found: sluice.int64[16]):
    grid = comm.Create_cart((Gx, Gy), periods=(False, True))
    found[0] = grid.Get_rank()
    found[1] = grid.Get_size()
    found[2], found[3] = grid.coords
    found[4], found[5] = grid.Get_coords(grid.size - 1)
    found[6] = grid.Get_cart_rank((Gx - 1, 0))
    found[7], found[8] = grid.Shift(0, 1)
    found[9], found[10] = grid.Shift(1, 1)
    row = grid.Sub((False, True))
    column = comm.Cart_sub(grid, [True, False])
    found[11], found[12] = row.rank, row.size
    found[13], found[14] = column.Get_rank(), column.Get_size()
    found[15] = grid.ndim + row.Get_dim()


@sluice.program(strict=True)
def among_rows(x: sluice.float64[N], rows: sluice.float64[N], columns: sluice.float64[N], first: sluice.float64[N],
               shifted: sluice.float64[N], lowest: sluice.float64[1]):
    grid = comm.Create_cart([Gx, Gy], [False, True])
    row, column = grid.Sub((False, True)), grid.Sub((True, False))
    row.Allreduce(x, rows)
    column.Allreduce(x * 2.0, columns, op=comm.MAX)
    first[:] = x
    row.Bcast(first, root=row.Get_size() - 1)
    source, dest = grid.Shift(1, 1)
    requests = np.empty(2, dtype=sluice.MPI_Request)
    grid.Isend(x, dest, 3, requests[0])
    grid.Irecv(shifted, source, 3, requests[1])
    comm.Waitall(requests)
    up, down = grid.Shift(0, 1)
    lowest[0] = -1.0
    edge = np.empty(1)
    edge[0] = x[0]
    grid.Send(edge, up)
    grid.Recv(lowest, down)
    grid.Barrier()


def run_grids():
    rank, size = comm.Get_rank(), comm.Get_size()
    i, j = divmod(rank, gy)
    found = np.zeros(16, np.int64)
    places(found, Gx=gx, Gy=gy)
    up = rank - gy if i > 0 else comm.PROC_NULL
    down = rank + gy if i + 1 < gx else comm.PROC_NULL
    left, right = i * gy + (j - 1) % gy, i * gy + (j + 1) % gy
    np.testing.assert_array_equal(found, [rank, size, i, j, gx - 1, gy - 1, (gx - 1) * gy, up, down, left, right, j, gy, i, gx, 3])
    whole = np.random.default_rng(5).random((gx, gy, 6))
    rows, columns, first, shifted, lowest = (np.zeros(6) for _ in range(5))
    lowest = lowest[:1]
    among_rows(whole[i, j], rows, columns, first, shifted, lowest, Gx=gx, Gy=gy)
    np.testing.assert_allclose(rows, whole[i].sum(axis=0), rtol=1e-14)
    np.testing.assert_array_equal(columns, 2.0 * whole[:, j].max(axis=0))
    np.testing.assert_array_equal(first, whole[i, -1])
    np.testing.assert_array_equal(shifted, whole[i, (j - 1) % gy])
    assert lowest[0] == (whole[i + 1, j, 0] if i + 1 < gx else -1.0)


@sluice.program(strict=True)
def gemm_on_grid(alpha: sluice.float64, beta: sluice.float64, A: sluice.float64[lM, lKy], B: sluice.float64[lKx, lN], C: sluice.float64[lM, lN]):
    grid = comm.Create_cart((Gx, Gy))
    C[:] = alpha * grid.MatMult(A, B) + beta * C


@sluice.program(strict=True)
def k2mm_on_grid(A: sluice.complex64[lM, lKy], B: sluice.complex64[lKx, lN], C: sluice.complex64[lNx, lR], sizes: sluice.int64[4]):
    M, N, K, R = sizes[0], sizes[1], sizes[2], sizes[3]
    tmp = sluice.distr.MatMult(A, B, (M, N, K))
    return sluice.distr.MatMult(tmp, C, (M, R, N))


@sluice.program(strict=True)
def atax_on_grid(A: sluice.float64[lM, lN], x: sluice.float64[lN]):
    grid = comm.Create_cart((Gx, Gy))
    return grid.MatMult(grid.MatMult(A, x), A)


@sluice.program(strict=True)
def bicg_on_grid(A: sluice.float32[lM, lN], p: sluice.float32[lN], r: sluice.float32[lM]):
    grid = comm.Create_cart((Gx, Gy))
    return grid.MatMult(r, A), grid.MatMult(A, p)


def run_products():
    """Whole matrices of sizes that the grids divide; each rank has its blocks."""
    for x, y in {1: [(1, 1)], 2: [(2, 1), (1, 2)], 4: [(2, 2), (4, 1), (1, 4)]}[comm.Get_size()]:
        i, j = divmod(comm.Get_rank(), y)
        rng = np.random.default_rng(x)
        block = lambda a: a[i * (a.shape[0] // x):(i + 1) * (a.shape[0] // x), j * (a.shape[1] // y):(j + 1) * (a.shape[1] // y)].copy()  # noqa: E731
        along_row = lambda a: a[j * (a.shape[0] // y):(j + 1) * (a.shape[0] // y)].copy()  # noqa: E731
        along_column = lambda a: a[i * (a.shape[0] // x):(i + 1) * (a.shape[0] // x)].copy()  # noqa: E731
        A, B, C, D = rng.random((12, 20)), rng.random((20, 8)), rng.random((12, 8)), rng.random((8, 4))
        lC = block(C)
        gemm_on_grid(1.5, 0.5, block(A), block(B), lC, Gx=x, Gy=y)
        np.testing.assert_allclose(lC, block(1.5 * A @ B + 0.5 * C), rtol=1e-13)
        A, B, D = (one.astype(np.complex64) * (1 + 2j) for one in (A, B, D))
        product = k2mm_on_grid(block(A), block(B), block(D), np.array([12, 8, 20, 4]))
        assert product.dtype == np.complex64
        np.testing.assert_allclose(product, block(A @ B @ D), rtol=1e-5)
        p, r = rng.random(8), rng.random(12)
        np.testing.assert_allclose(atax_on_grid(block(C), along_row(p), Gx=x, Gy=y), along_row((C @ p) @ C), rtol=1e-13)
        C, p, r = (one.astype(np.float32) for one in (C, p, r))
        s, q = bicg_on_grid(block(C), along_row(p), along_column(r), Gx=x, Gy=y)
        np.testing.assert_allclose(s, along_row(r @ C), rtol=1e-5)
        np.testing.assert_allclose(q, along_column(C @ p), rtol=1e-5)


def run_by_scalapack():
    """The same by the library."""
    sluice.config.set("expansions", "MPI_MatMul: ScaLAPACK")
    run_products()


# ---- maps that ranks share, of programs without messages -----------------------------------------------------------------------
@sluice.program
def steps(TSTEPS: sluice.int64, A: sluice.float64[N, N], B: sluice.float64[N, N]):
    for t in range(TSTEPS):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])


@sluice.program
def updates(A: sluice.float64[N, N], B: sluice.float64[N, N], least: sluice.float64[N], count: sluice.int64[2],
            found: sluice.bool_[1], z: sluice.complex128[N]):
    for i in sluice.map[0:N // 2]:
        B[2 * i, :] = A[i, :] * 2
        B[2 * i + 1, :] = A[i, :] * 3
    for i, j in sluice.map[0:N, 0:N]:
        with sluice.tasklet:
            a << A[i, j]
            b >> least(1, lambda x, y: min(x, y))[j]
            b = a
    for i in sluice.map[0:N]:
        with sluice.tasklet:
            a << A[i, 0]
            b >> count(1, lambda x, y: x + y)[1]
            b = 1 if a > 0.5 else 0
    for i in sluice.map[0:N]:
        with sluice.tasklet:
            a << A[i, 0]
            b >> found(1, lambda x, y: x or y)[0]
            b = a > 0.9
    for i in sluice.map[0:N]:
        with sluice.tasklet:
            a << A[i, 0]
            b >> z(1, lambda x, y: x + y)[N - 1]
            b = a + 1j
    for i in sluice.map[1:N:2]:
        for j in range(i):
            A[i, j] = A[i, j] + B[j, i]


def run_shared():
    rng = np.random.default_rng(0)  # The same on all ranks.
    for program, maps, sizes in ((steps, 2, (3, 16)), (updates, 6, (1, 2, 9))):
        shared, alone = program.to_sdfg(), program.to_sdfg()
        assert shared.apply_transformations_repeated("MPITransform") == maps
        shared, alone = shared.compile(), alone.compile()
        for n in sizes:
            given = [3, rng.random((n, n)), rng.random((n, n))] if program is steps else [
                rng.random((n, n)), rng.random((n, n)), rng.random(n), np.arange(2), np.zeros(1, bool), np.zeros(n, complex)]
            mine, expected = ([np.copy(a) if isinstance(a, np.ndarray) else a for a in given] for _ in range(2))
            shared(*mine)
            alone(*expected)
            for a, b in zip(mine, expected):
                np.testing.assert_allclose(a, b, rtol=1e-13)


# ---- what goes wrong ---------------------------------------------------------------------------------------------------------
@sluice.program(strict=True)
def waits_for_nobody(x: sluice.float64[N]):
    comm.Recv(x, (comm.Get_rank() + 1) % comm.Get_size(), 0)


def run_failing():
    """Rank 1 raises while the others wait for it: the run ends with its error."""
    if comm.Get_rank() == 1:
        raise RuntimeError("rank 1 gives up")
    waits_for_nobody(np.zeros(3))


def run_killed():
    import os
    import signal

    if comm.Get_rank() == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    waits_for_nobody(np.zeros(3))


def run_other_grid():
    places(np.zeros(16, np.int64), Gx=3, Gy=1)


def run_sizes():
    @sluice.program(strict=True)
    def differ(x: sluice.float64[N], y: sluice.float64[M]):
        if comm.Get_rank() == 0:
            comm.Send(x, 1, 0)
        if comm.Get_rank() == 1:
            comm.Recv(y, 0, 0)

    differ(np.zeros(3), np.zeros(4))


def run_no_rank():
    @sluice.program(strict=True)
    def nobody(x: sluice.float64[N]):
        comm.Send(x, 99, 0)

    nobody(np.zeros(3))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        globals()["run_" + name]()
        print(f"{name} on rank {comm.Get_rank()} of {comm.Get_size()}", flush=True)
