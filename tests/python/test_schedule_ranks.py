"""Schedules for ranks: what runs (schedule_on_ranks.py, under mpirun), and each illegal command with its witness."""
import pathlib

import pytest
import sluice
from schedule_on_ranks import ROWS, exchanged, figure_2, figure_3c
from sluice.schedule import (ASYNC, BLOCK, SYNC, Buffer, Computation, Constant, Input, Update, Var, assume, barrier_at, codegen, init, print_layer,
                             receive, send)
from test_mpi import MPIS, mpirun

PROGRAMS = pathlib.Path(__file__).with_name("schedule_on_ranks.py")


@pytest.mark.parametrize("mpi, ranks", [("openmpi", 1), ("openmpi", 2), ("openmpi", 4), ("mpich", 2)])
def test_schedules_on_ranks(mpi, ranks):
    names = ["figure_3c", "any_ranks", "exchanged", "sums"] if ranks == 4 else ["asynchronous", "exchanged", "as_printed", "any_ranks"]
    done = mpirun(mpi, ranks, *names, programs=PROGRAMS)
    assert done.returncode == 0, done.stdout
    for name in names:
        for rank in range(ranks):
            assert f"{name} on rank {rank} of {ranks}" in done.stdout, done.stdout


def test_too_few_ranks_are_refused():
    done = mpirun("openmpi", 2, "too_few", programs=PROGRAMS)
    assert done.returncode != 0 and "distributed over 3 ranks" in done.stdout, done.stdout


def refused(code, words, make):
    with pytest.raises(sluice.CompileError, match=words) as raised:
        make()
    assert raised.value.code == code


def test_a_rank_reads_what_another_one_computes():
    *_, source, bx, by = figure_2(4 * ROWS + 2)
    bx.set_expression("source[i, j, c]")
    by.set_expression("bx[i, j, c] + (bx[i + 1, j, c] if i < 10 else 0.0)")
    bx.split("i", ROWS, "i0", "i1").distribute("i0")
    by.split("i", ROWS, "i0", "i1").distribute("i0")
    refused("M003", r"by\(4, 0, 0\) reads bx\(5, 0, 0\), which another rank computes, and no message brings it with M = \d+, "
            r"comm_place = 1", lambda: codegen([by]))
    bx.infer_bounds()
    assert "comm_place" in codegen([by]).text()


def test_an_input_that_no_message_brings():
    *_, source, bx, by = figure_2(4 * ROWS + 2)
    source.distribute(ROWS, halo=2)
    by.split("i", ROWS, "i0", "i1").distribute("i0")
    bx.compute_at(by, "i0")
    refused("M003", r"bx\(.*\) reads source\(5, 0, 0\), which its rank is not passed", lambda: codegen([by]))


def ordered(**options):
    bx, by, s, r = exchanged(4, **options)
    s.after(bx)
    r.after(s).before(by)
    return by


def test_messages_out_of_order():
    bx, by, s, r = exchanged(4)
    s.before(bx)
    r.after(s).before(by)
    refused("M005", r"does not run bx\(\d+, \d+\) before send\(\d+\), which sends its value", lambda: codegen([by]))
    bx, by, s, r = exchanged(4)
    s.after(bx)
    r.after(by)
    refused("M005", r"does not run receive\(\d+\) before by\(\d+, \d+\), which reads what it brings", lambda: codegen([by]))


def test_messages_that_do_not_meet():
    refused("M003", r"send\(1\) sends what receive\(2\) does not receive",
            lambda: codegen([ordered(to=lambda rank: rank + 1)]))
    M, i, source, bx, by = figure_2(4 * ROWS + 2)
    lin = source.distribute(ROWS, halo=2)
    by.split(i, ROWS, "i0", "i1").distribute("i0")
    bx.compute_at(by, "i0")
    is_, ir = Var("is_", 1, 4), Var("ir", 0, 3)
    s = send(is_, lin(0, 0, 0), M * 6, is_ - 1, ASYNC).distribute(is_).before(by)
    refused("M003", "nobody receives what `send` sends", lambda: codegen([by]))
    r = receive(ir, lin(ROWS - 1, 0, 0), M * 6, ir + 1, SYNC, s).distribute(ir).after(s).before(by)
    refused("M003", r"receive\(\d+\) receives other points than are sent to it", lambda: codegen([by]))
    refused("M004", "`receive` receives what `send` sends", lambda: receive(ir, lin(ROWS, 0, 0), M * 6, ir + 1, SYNC, s))
    assert r.name == "receive"


def ring(delivery, received_first=False):
    n = 4
    init("ring")
    i = Var("i", 0, n)
    x = Input("x", [n])
    bx = Computation("bx", [i], x[i] * 2)
    by = Computation("by", [Var("k", 0, n)], bx[f"(k + {n - 1}) % {n}"])
    bx.distribute(i)
    by.distribute("k")
    a, b = Var("a", 0, n), Var("b", 0, n)
    s = send(a, bx(a), 1, (a + 1) % n, delivery).distribute(a).after(bx)
    r = receive(b, bx((b + n - 1) % n), 1, (b + n - 1) % n, SYNC, s).distribute(b).before(by)
    if received_first:
        r.before(s).after(bx)
    else:
        r.after(s)
    return by


def test_ranks_that_wait_for_each_other():
    refused("M005", r"in a circle: send\(\d\) may wait for receive\(\d\)", lambda: codegen([ring(BLOCK)]))
    refused("M005", r"in a circle", lambda: codegen([ring(ASYNC, received_first=True)]))
    assert "MPI_Isend" in codegen([ring(ASYNC)]).text()


def test_a_blocking_send_waits_for_one_receive_alone():
    bx, by, s, r = exchanged(4)
    s.after(bx)
    r.before(by)
    barrier = barrier_at(by)
    barrier.after(s).before(r)
    refused("M005", "something else waits between `send` and `receive`", lambda: codegen([by]))


def test_what_is_received_lies_beside_what_is_computed():
    init("twice")
    i = Var("i", 0, 8)
    x = Input("x", [8])
    bx = Computation("bx", [i], x[i] * 2)
    by = Computation("by", [Var("k", 0, 8)], bx["k"])
    a, b = Var("a", 1, 2), Var("b", 0, 1)
    s = send(a, bx(4), 2, 0, ASYNC).distribute(a).after(bx)
    receive(b, bx(4), 2, 1, SYNC, s).distribute(b).after(s).before(by)
    refused("M006", r"receive\(0\) receives bx\(4\) over the value that its rank has", lambda: codegen([by]))


def test_arguments_that_do_not_fit():
    M, i, source, bx, by = figure_2(4 * ROWS + 2)
    is_ = Var("is_", 1, 4)
    refused("M004", "every rank is passed all of `source`", lambda: send(is_, source(0, 0, 0), M * 6, is_ - 1, ASYNC))
    lin = source.distribute(ROWS, halo=2)
    refused("M004", "Say it once|no dimension", lambda: source.distribute(ROWS))
    refused("M004", "says not how", lambda: send(is_, lin(0, 0, 0), M * 6, is_ - 1, [ASYNC, BLOCK]))
    refused("M004", "has 2 iterators", lambda: send([is_, is_], lin(0, 0, 0), M * 6, is_ - 1, ASYNC))
    refused("M001", "`K`, which is no constant", lambda: send(is_, lin(0, 0, 0), "K", is_ - 1, ASYNC))
    refused("M001", "2 indices", lambda: send(is_, lin(0, 0), M * 6, is_ - 1, ASYNC))
    refused("M004", "not the outermost level", lambda: by.distribute("j"))
    by.split(i, ROWS, "i0", "i1").distribute("i0")
    bx.compute_at(by, "i0")
    refused("M004", "would no longer be the outermost", lambda: by.interchange("i0", "i1"))
    refused("M004", "which would be gone", lambda: by.set_schedule("{ by[i, j, c] -> [j, i, c] }"))
    refused("M004", "ranks would meet in a loop", lambda: barrier_at(by, "i0"))
    refused("M008", "layers of programs on ranks", lambda: print_layer(2, [by]))
    refused("M010", "constant memory", lambda: Buffer("b", [4]).tag_gpu_constant())
    s = send(is_, lin(0, 0, 0), M * 6 + 1, is_ - 1, ASYNC)
    refused("M004", "would run in a loop of `by`", lambda: s.before(by, "i0"))
    ir = Var("ir", 0, 3)
    r = receive(ir, lin(ROWS, 0, 0), M * 6 + 1, ir + 1, SYNC, s)
    refused("M004", "which rank runs `send` is not said", lambda: codegen([by]))
    s.distribute(is_)
    refused("M004", "has no iterator `is_`", lambda: r.distribute(is_))
    r.distribute(ir)
    refused("M004", r"are no rows of its memory, whose extents are \[7, M, 3\]", lambda: codegen([by]))


def test_a_message_says_where_it_runs():
    bx, by, s, r = exchanged(4)
    s.after(bx)
    refused("M004", "where `receive` runs is not said", lambda: codegen([by]))
    r.after(by).before(s)
    refused("M004", "would run after something|in a circle", lambda: codegen([by]))


def test_loops_that_are_shared_are_distributed_for_all():
    init("shared")
    i, N = Var("i", 0, 8), Constant("N")
    j = Var("j", 0, N)
    x = Input("x", [8, N])
    bx = Computation("bx", [i, j], x[i, j] * 2)
    by = Computation("by", [i, j], bx[i, j] + 1)
    by.after(bx, i).distribute(i)
    refused("M004", "`by` and `bx` share a loop that is distributed for one of them", lambda: codegen([by]))
    bx.distribute(i)
    assert "comm_place" in codegen([by]).text()


def test_blocks_of_a_size_that_the_call_decides_are_those_of_ranks():
    init("blocks")
    N, B = Constant("N"), Constant("B")
    i = Var("i", 0, N)
    x = Input("x", [N])
    a = Computation("a", [i], x[i] * 2)
    a.split(i, B, "i0", "i1")
    refused("M011", "`a` is split by `B`, .* only where each block is a rank's", lambda: codegen([a]))
    for command in (lambda: a.shift("i0", 1), lambda: a.reverse("i0", "q"), lambda: a.split("i0", 2, "p", "q")):
        refused("M011", "the blocks `i0` of `a` would no longer be those of ranks", command)
    refused("M011", "has blocks for ranks already", lambda: a.split("i1", B, "p", "q"))
    refused("M004", "would be gone", lambda: a.set_schedule("{ a[i] -> [i] }"))
    a.distribute("i0")
    b = Computation("b", [i], a["N - 1 - i"])
    b.split(i, B, "i0", "i1").distribute("i0")
    refused("M003", "which another rank computes, and no message brings it", lambda: codegen([b]))
    c = Computation("c", [Var("k", -1, N - 1)], x["k + 1"])
    c.store_in(["k + 1"]).split("k", B, "k0", "k1").distribute("k0")
    refused("M011", "do not count from 0", lambda: codegen([c]))
    d = Computation("d", [i], 0.0)
    refused("M001", "names `K`, which is no constant", lambda: d.split(i, "K", "p", "q"))
    refused("M001", "is the name of a number of ranks", lambda: Constant("comm_size"))
    refused("M002", "is no expression", lambda: assume("K >"))
    refused("M001", "names `K`, which is no constant", lambda: assume("K > 3"))


def test_every_rank_has_all_updates_of_what_it_has():
    init("sums")
    i, j = Var("i", 0, 4), Var("j", 0, 3)
    A = Input("A", [4, 3])
    y = Computation("y", [j], 0.0)
    total = Update("total", [i, j], y[j], "+", A[i, j])
    total.distribute(i)
    refused("M004", "`total` is distributed and updates `y`, which every rank has", lambda: codegen([y]))
    y.distribute(j)
    refused("M003", r"total\(\d, \d\) updates y\(\d\), which lies outside of the domain", lambda: codegen([y]))
