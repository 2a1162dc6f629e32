"""Predicates on data leave points out, beside NumPy."""
import numpy as np

from devices import for_each_device, served
from sluice.schedule import Computation, Constant, Input, Update, Var, codegen, init
from test_schedule_commands import refused


def counted(dtype="int64"):
    init("counted")
    N, B = Constant("N"), Constant("B")
    i, b = Var("i", 0, N), Var("b", 0, B)
    x, at = Input("x", [N]), Input("at", [N], "int64")
    bins = Computation("bins", [b], 0.0)
    total = Update("total", [i, b], bins[b], "+", x[i], predicate="at[i] == b")
    return i, b, bins, total


def run_counted(graph, target=None, n=37):
    rng = np.random.default_rng(3)
    x, at, bins = rng.random(n), rng.integers(-2, 6, n), np.full(5, 9.0)
    (graph.compile(target=target) if target else graph)(x=x, at=at, bins=bins)
    assert np.allclose(bins, [x[at == b].sum() for b in range(5)])


def test_updates_take_part_where_data_say():
    i, b, bins, total = counted()
    graph = codegen([bins])
    assert "volume=1 dynamic" in graph.text() or "dynamic" in graph.text()
    run_counted(graph)


def test_commands_apply():
    i, b, bins, total = counted()
    total.interchange(i, b).parallelize(b).split(i, 8, "i0", "i1").unroll("i1", 4)
    run_counted(codegen([bins]))
    i, b, bins, total = counted()
    total.vectorize(i, 8)
    refused("M009", "its iterations are not one assignment each", lambda: codegen([bins]))
    i, b, bins, total = counted()
    total.add_predicate("i % 2 == 0").add_predicate("x[i] > 0.5")
    graph = codegen([bins])
    rng = np.random.default_rng(3)
    x, at, bins = rng.random(40), rng.integers(0, 5, 40), np.zeros(5)
    graph(x=x, at=at, bins=bins)
    some = (np.arange(40) % 2 == 0) & (x > 0.5)
    assert np.allclose(bins, [x[some & (at == b)].sum() for b in range(5)])


@for_each_device
def test_on_a_device(target):
    i, b, bins, total = counted()
    bins.split(b, 2, "b0", "b1").gpu("b0", "b1")
    total.interchange(i, b).split(b, 2, "b0", "b1").gpu("b0", "b1")
    run_counted(codegen([bins]), served(target))


def test_results_keep_what_the_caller_passed():
    init("clipped")
    N = Constant("N")
    i = Var("i", 0, N)
    x, limit = Input("x", [N]), Input("limit", [N])
    y = Computation("y", [i], limit[i], predicate="x[i] > limit[i]")
    graph = codegen([y])
    rng = np.random.default_rng(0)
    x, limit, y = rng.random(50), rng.random(50), np.full(50, -1.0)
    graph(x=x, limit=limit, y=y)
    assert np.array_equal(y, np.where(x > limit, limit, -1.0))


@for_each_device
def test_results_on_a_device_keep_it(target):
    init("clipped")
    N = Constant("N")
    i = Var("i", 0, N)
    x = Input("x", [N])
    y = Computation("y", [i], x[i], predicate="x[i] > 0.5")
    y.split(i, 8, "b", "t").gpu("b", "t")
    x, y_, graph = np.random.default_rng(0).random(21), np.full(21, -1.0), codegen([y])
    graph.compile(target=served(target))(x=x, y=y_)
    assert np.array_equal(y_, np.where(x > 0.5, x, -1.0))


def test_two_computations_of_one_result():
    """The later one stays the later one, and keeps what the first has stored where it does not hold."""
    init("two")
    N = Constant("N")
    i = Var("i", 0, N)
    x = Input("x", [N])
    y = Computation("y", [i], x[i] * 2)
    z = Computation("z", [Var("k", 0, N)], "-x[k]", predicate="x[k] > 0.5")
    graph = codegen([y, z])
    given, doubled, kept = np.random.default_rng(0).random(20), np.zeros(20), np.full(20, 7.0)
    graph(x=given, y=doubled, z=kept)
    assert np.array_equal(doubled, given * 2) and np.array_equal(kept, np.where(given > 0.5, -given, 7.0))


def test_a_condition_on_an_index_holds_for_what_is_read():
    init("gather")
    N, M = Constant("N"), Constant("M")
    i = Var("i", 0, M)
    x, at = Input("x", [N]), Input("at", [M], "int64")
    s = Computation("s", [Var("o", 0, 1)], 0.0)
    Update("total", [i], s[0], "+", x[at[i]], predicate="0 <= at[i] < N")
    graph = codegen([s])
    rng = np.random.default_rng(1)
    values, places, result = rng.random(9), rng.integers(-5, 20, 60), np.zeros(1)
    graph(x=values, at=places, s=result)
    inside = (places >= 0) & (places < 9)
    assert np.allclose(result, values[places[inside]].sum())


def test_other_operations():
    init("least")
    N = Constant("N")
    i = Var("i", 0, N)
    x = Input("x", [N])
    m, p = Computation("m", [Var("o", 0, 1)], 5.0), Computation("p", [Var("q", 0, 1)], 1.0)
    Update("lower", [i], m[0], "min", x[i], predicate="x[i] > 0.25")
    Update("factors", [Var("k", 0, N)], p[0], "*", "x[k]", predicate="x[k] > 0.9")
    graph = codegen([m, p])
    x, m, p = np.random.default_rng(0).random(30), np.zeros(1), np.zeros(1)
    graph(x=x, m=m, p=p)
    assert m[0] == x[x > 0.25].min() and np.allclose(p, x[x > 0.9].prod())


def test_who_would_read_it_is_refused():
    init("read")
    N = Constant("N")
    i = Var("i", 0, N)
    x = Input("x", [N])
    a = Computation("a", [i], x[i], predicate="x[i] > 0")
    b = Computation("b", [i], a[i] + 1)
    refused("M003", "`b` reads `a`, and data decide which of its points have values", lambda: codegen([b]))
    init("updated")
    N = Constant("N")
    i = Var("i", 0, N)
    x = Input("x", [N])
    a = Computation("a", [i], x[i], predicate="x[i] > 0")
    Update("more", [i], a[i], "+", 1.0)
    refused("M003", "`more` updates `a`", lambda: codegen([a]))
    init("own")
    N = Constant("N")
    i = Var("i", 0, N)
    x = Input("x", [N])
    a = Computation("a", [i], 0.0)
    u = Update("u", [i], a[i], "+", x[i])
    refused("M001", "reads its target", lambda: u.add_predicate("a[i] > 0"))
