"""Programs whose ranks send messages (mpi_programs.py), under mpirun on 1, 2 and 4 ranks, with each MPI that is installed."""
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest
import sluice
from sluice import comm

PROGRAMS = pathlib.Path(__file__).with_name("mpi_programs.py")
N = sluice.symbol("N")
MPIS = {"openmpi": ("mpicxx.openmpi", "mpirun.openmpi", ["--allow-run-as-root", "--oversubscribe"]),
        "mpich": ("mpicxx.mpich", "mpirun.mpich", [])}


def mpirun(mpi, ranks, *names, timeout=240, programs=PROGRAMS):
    cxx, run, flags = MPIS[mpi]
    if not shutil.which(cxx) or not shutil.which(run):
        pytest.skip(f"{mpi} is not installed (apt-get install openmpi-bin libopenmpi-dev mpich libmpich-dev)")
    environment = dict(os.environ, MPICXX=cxx, OMP_NUM_THREADS="1", HYDRA_LAUNCHER="fork")
    return subprocess.run([run, *flags, "-n", str(ranks), sys.executable, str(programs), *names], env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout)


@pytest.mark.parametrize("ranks", [1, 2, 4])
@pytest.mark.parametrize("mpi", MPIS)
def test_programs_on_ranks(mpi, ranks):
    names = ["ring", "blocking", "temporaries", "collectives", "jacobi", "grids", "shared"]
    if mpi == "openmpi":  # They call no routine of MPI that the others do not.
        names += ["algebra", "products"]
    done = mpirun(mpi, ranks, *names)
    assert done.returncode == 0, done.stdout
    for name in names:
        for rank in range(ranks):
            assert f"{name} on rank {rank} of {ranks}" in done.stdout, done.stdout


@pytest.mark.parametrize("ranks", [1, 2, 4])
@pytest.mark.parametrize("mpi", MPIS)
def test_products_by_scalapack(mpi, ranks):
    if not any(pathlib.Path(folder, f"libscalapack-{mpi}.so").exists() for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu")):
        pytest.skip(f"ScaLAPACK is not installed (apt-get install libscalapack-{mpi}-dev)")
    done = mpirun(mpi, ranks, "by_scalapack")
    assert done.returncode == 0 and f"by_scalapack on rank 0 of {ranks}" in done.stdout, done.stdout


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("name, said", [("other_grid", "sizes Gx*Gy and comm_size differ"), ("failing", "rank 1 gives up"), ("killed", ""),
                                        ("sizes", "D031"), ("no_rank", "the receiver of a message is rank 99 of 2")])
def test_a_rank_that_fails_ends_the_run(mpi, name, said):
    done = mpirun(mpi, 2, name, timeout=120)
    assert done.returncode != 0 and said in done.stdout, done.stdout


def needs_mpi():
    if not shutil.which("mpicxx"):
        pytest.skip("no MPI is installed (apt-get install openmpi-bin libopenmpi-dev)")


def test_a_missing_mpi_is_named(monkeypatch):
    monkeypatch.setenv("MPICXX", "no-such-mpicxx")

    @sluice.program(strict=True)
    def barrier(x: sluice.float64[N]):
        comm.Barrier()

    with pytest.raises(sluice.CompileError, match="libopenmpi-dev"):
        barrier(np.zeros(3))


def test_maps_that_ranks_cannot_share():
    """The schedule MPI by hand: L027 where MPITransform would have refused; other targets refuse it."""
    def graph(body):
        return sluice.SDFG.from_text(
            "sdfg f(x) {\n  symbol N: int64\n  array x: float64[N, N]\n  state main {\n" + body + "  }\n}\n")

    inner = ("    n0 = map_entry outer [i=0:N]\n    n1 = map_exit n0 passing (x)\n"
             "    n2 = map_entry inner [j=0:N] schedule=MPI\n    n3 = map_exit n2 passing (x)\n"
             "    n4 = tasklet one () -> (out) { out = 1 }\n    n5 = access x\n    n0 -> n2\n    n2 -> n4\n"
             "    n4.out -> n3.IN_x : x[i, j]\n    n3.OUT_x -> n1.IN_x : x[i, 0:N]\n    n1.OUT_x -> n5 : x[0:N, 0:N]\n")
    race = ("    n0 = map_entry all [i=0:N] schedule=MPI\n    n1 = map_exit n0 passing (x)\n"
            "    n2 = tasklet one () -> (out) { out = 1 }\n    n3 = access x\n    n0 -> n2\n"
            "    n2.out -> n1.IN_x : x[i - i // 2, 0]\n    n1.OUT_x -> n3 : x[0:N, 0]\n")
    needs_mpi()
    for body, words in ((inner, "inside of another scope"), (race, "is not known")):
        with pytest.raises(sluice.CompileError, match=words) as error:
            graph(body).compile()
        assert error.value.code == "L027"
    with pytest.raises(sluice.CompileError, match="L001"):
        graph(race).compile(target="c99")


@pytest.mark.parametrize("text, words", [
    ("comm.Recv(x + 1.0, 0)", "no place in memory"),
    ("comm.Recv(x[::-1], 0)", "no place in memory"),
    ("comm.Isend(x, 0, 0, y[0])", "type float64"),
    ("comm.Wait(np.zeros(1, dtype=np.int64))", "request"),
    ("comm.Reduce(x, y, op='mean')", "not known"),
    ("z = comm.BlockScatter(x)", "cannot know"),
    ("comm.Recv(x, source=0, tag=1, status=None)", "status"),
    ("comm.Gatherv(x, y)", "not known"),
    ("grid = comm.Create_cart((1, 1)); grid.Split(x)", "no method Split"),
    ("grid = comm.Create_cart((1, 1)); y[0] = grid.name", "no attribute name"),
    ("grid = comm.Create_cart((1, 1)); row = grid.Sub((True,))", "1 truths for a grid of 2"),
    ("grid = comm.Create_cart((1, 1)); row = grid.Sub((x[0], True))", "not known before the run"),
    ("grid = comm.Create_cart((1, 1)); grid.Shift(2, 1)", "no dimension 2"),
    ("grid = comm.Create_cart((1, 1)); y[0] = grid.Get_cart_rank((0, 0, 0))", "3 coordinates in a grid of 2"),
    ("grid = comm.Create_cart((1, 1)); grid.Bcast(x, 0, 1)", "Bcast"),
    ("grid = comm.Create_cart((1,)); grid.MatMult(np.outer(x, x), x)", "two dimensions"),
    ("grid = comm.Create_cart((1, 1)); grid.MatMult(x, x)", "two matrices, or a matrix and a vector"),
    ("grid = comm.Create_cart((1, 1)); grid.MatMult(np.outer(x, x), x.astype(np.float32))", "float64 and float32"),
    ("y[:] = sluice.distr.MatMult(np.outer(x, x), x, (3, 3))", "make a grid"),
])
def test_refusals(tmp_path, text, words):
    (tmp_path / "refused.py").write_text(
        "import numpy as np\nimport sluice\nfrom sluice import comm\nN = sluice.symbol('N')\n\n@sluice.program(strict=True)\n"
        f"def f(x: sluice.float64[N], y: sluice.float64[N]):\n    {text}\n    y[0] = x[0]\n")
    import importlib.util

    spec = importlib.util.spec_from_file_location("refused", tmp_path / "refused.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(sluice.CompileError, match=words):
        module.f.to_sdfg()


def test_messages_in_graphs_have_rules():
    """L027, B005 and B002 of library nodes."""
    def graph(operation, read, written, **properties):
        sdfg = sluice.SDFG("talk")
        sdfg.add_array("A", [8], sluice.float64)
        sdfg.add_array("B", [8], sluice.float32)
        state = sdfg.add_state("main")
        node = state.add_library_node(operation, ["_in"], ["_out"], **properties)
        state.add_edge(state.add_read(read[0]), None, node, "_in", sluice.Memlet(read))
        state.add_edge(node, "_out", state.add_write(written[0]), None, sluice.Memlet(written))
        return sdfg

    needs_mpi()
    graph("MPI_Allreduce", "A[0:4]", "A[4:8]").compile()
    for sdfg, code in ((graph("MPI_Allreduce", "A[0:5]", "A[3:8]"), "L027"), (graph("MPI_Allreduce", "A[0:8]", "B[0:8]"), "L027"),
                       (graph("MPI_Allreduce", "A[0:4]", "A[4:8]", op="bitwise_or"), "B005"),
                       (graph("MPI_Reduce", "A[0:4]", "A[4:8]", op="mean"), "B005"),
                       (graph("MPI_Wait", "A[0:4]", "A[4:8]"), "B002")):
        with pytest.raises(sluice.CompileError, match=code):
            sdfg.compile()
    # A variable of a loop may be 0, where both sides are one element.
    text = graph("MPI_Allreduce", "A[0:1]", "A[k:k + 1]").text()
    begin, end = text.index("  state main {"), text.rindex("}")
    for first, code in (1, None), (0, "L027"):
        loop = f"symbol k: int64\n  loop all [k: `k = {first}`; `k < 8`; `k = k + 1`] {{\n{text[begin:end]}}}\n}}\n"
        sdfg = sluice.SDFG.from_text(text[:begin].replace("  symbol k: int64\n", "") + loop)
        if code is None:
            sdfg.compile()
            continue
        with pytest.raises(sluice.CompileError, match=code):
            sdfg.compile()


def test_messages_are_of_programs():
    with pytest.raises(RuntimeError, match="for @sluice.program functions"):
        comm.Send(np.zeros(2), 0)


def test_other_targets_refuse_messages():
    @sluice.program(strict=True, target="c99")
    def barrier(x: sluice.float64[N]):
        comm.Barrier()

    with pytest.raises(sluice.CompileError, match="choose the target mpi"):
        barrier(np.zeros(3))


def test_the_command_runs_on_ranks(tmp_path):
    command = pathlib.Path(__file__).parents[2] / "build/release/bin/sluice"
    if not command.exists() or not shutil.which("mpirun.openmpi"):
        pytest.skip("needs build/release/bin/sluice and Open MPI (apt-get install openmpi-bin libopenmpi-dev)")
    (tmp_path / "sums.py").write_text(
        "import sluice\nfrom sluice import comm\nN = sluice.symbol('N')\n\n@sluice.program\n"
        "def sums(x: sluice.float64[N], y: sluice.float64[N]):\n    comm.Allreduce(x, y)\n    y += comm.Get_rank()\n")
    done = subprocess.run(["mpirun.openmpi", *MPIS["openmpi"][2], "-n", "2", str(command), "run", str(tmp_path / "sums.py"), "N=4",
                           "x=ones", "-o", f"y={tmp_path / 'y.npy'}"], env=dict(os.environ, MPICXX="mpicxx.openmpi"), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    assert done.returncode == 0 and done.stdout.count("sums:") == 1 and "on 2 ranks" in done.stdout, done.stdout
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), 2.0)


def test_one_process_is_one_rank():
    needs_mpi()

    @sluice.program(strict=True)
    def alone(x: sluice.float64[N], y: sluice.float64[N]):
        comm.Allreduce(x, y, op="product")
        y += comm.Get_size() * 10 + comm.Get_rank()

    y = np.zeros(3)
    alone(np.arange(3.0), y)
    np.testing.assert_array_equal(y, [10, 11, 12])
    assert (comm.Get_rank(), comm.Get_size()) == (0, 1)


def test_a_layout_that_changes_is_a_warning():
    """Seed 003: derived types are made once, which relies on sizes that stay the same. What comes is right all the same."""
    needs_mpi()

    @sluice.program(strict=True)
    def columns(a: sluice.float64[N, N], b: sluice.float64[N, N]):
        requests = np.empty(2, dtype=sluice.MPI_Request)
        for i in range(N):
            comm.Isend(a[:, i], 0, 1, requests[0])
            comm.Irecv(b[:, i], 0, 1, requests[1])
            comm.Waitall(requests)
        for j in range(N):
            comm.Isend(a[j:, j], 0, 2, requests[0])
            comm.Irecv(b[j:, N - 1 - j], 0, 2, requests[1])
            comm.Waitall(requests)

    a, b = np.random.default_rng(1).random((5, 5)), np.zeros((5, 5))
    wanted = a.copy()
    for j in range(5):
        wanted[j:, 4 - j] = a[j:, j]
    with pytest.warns(sluice.PerformanceWarning, match=r"warning L039: the layout of what this message moves changes with `\w+`") as said:
        columns(a, b)
    np.testing.assert_array_equal(b, wanted)
    assert len(said) == 2, [str(one.message) for one in said]


def test_mpi4pys_names_mean_the_same(monkeypatch):
    """A module of mpi4py's shape stands for it."""
    needs_mpi()
    import types

    Intracomm = type("Intracomm", (), {"name": "MPI_COMM_WORLD", "__module__": "mpi4py.MPI"})
    MPI = types.ModuleType("mpi4py.MPI")
    MPI.Intracomm, MPI.COMM_WORLD, MPI.SUM = Intracomm, Intracomm(), object()
    world = MPI.COMM_WORLD

    @sluice.program(strict=True)
    def summed(x: sluice.float64[N], y: sluice.float64[N]):
        MPI.COMM_WORLD.Allreduce(x, y, op=MPI.SUM)
        world.Bcast(y, root=world.Get_size() - 1)

    y = np.zeros(3)
    summed(np.arange(3.0), y)
    np.testing.assert_array_equal(y, np.arange(3.0))
