"""Programs of a file that imports this package as `dace`: what they return, and words that DaCe's programs use."""
import pickle

import numpy as np
import pytest

import sluice as dace
from test_dace_names import run_python

N = dace.symbol("N")


@dace.program
def first(A: dace.float64[N]):
    return A[0]


@dace.program
def twice(A: dace.float64[N]):
    return first(A) * 2 + A


def test_numbers_are_returned_as_arrays_of_one_element():
    A = np.array([3.0, 4.0])
    result = first(A)
    assert result.shape == (1,) and result.dtype == np.float64 and result[0] == 3
    np.testing.assert_array_equal(twice(A), A + 6)  # inside of programs a number is a number
    np.testing.assert_array_equal(first.to_sdfg()(A=A), [3])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(first))(A), [3])

    @dace.program
    def pair(A: dace.float64[N]):
        return A[1] > 3, A * 2, 5

    truth, array, five = pair(A)
    assert truth.tolist() == [True] and five.tolist() == [5]
    np.testing.assert_array_equal(array, A * 2)


def test_numbers_in_parts_that_python_runs_stay_numbers():
    seen = []

    def look(value):
        seen.append(np.shape(value))
        return open  # what no program returns

    @dace.program(strict=False)
    def by_python(A):
        x = first(A)
        look(x)
        return x + 1

    with pytest.warns(dace.FallbackWarning):
        assert by_python(np.array([3.0])).tolist() == [4]
    assert seen == [()]


def test_methods_return_arrays_too():
    class Holder:
        factor = 3

        @dace.method
        def scaled(self, A: dace.float64[N]):
            return A[0] * self.factor

    assert Holder().scaled(np.ones(2)).tolist() == [3]


def test_which_files_know_the_package_as_dace():
    run_python("""
        import pathlib, sys, tempfile
        import numpy as np
        import sluice.dace_compat
        folder = tempfile.mkdtemp()
        sys.path.insert(0, folder)
        body = "@{0}.program\\ndef f(A: {0}.float64[4]):\\n    return A[1]\\n"
        for name, head in (("own", "import sluice"), ("short", "import dace as dc"), ("here", "import sluice as dace")):
            pathlib.Path(folder, f"{name}.py").write_text(head + "\\n" + body.format(head.split()[-1]))
        import own, short, here
        A = np.arange(4.0)
        assert np.shape(own.f(A)) == () and np.shape(short.f(A)) == (1,) and np.shape(here.f(A)) == (1,)
    """)


# ---- elementwise ----
def test_elementwise_runs_a_lambda_over_the_elements():
    @dace.program
    def into(A: dace.float64[N, 3], B: dace.float64[N, 3]):
        dace.elementwise(lambda x: log(x), A, B)  # noqa: F821

    @dace.program
    def choice(A: dace.float64[N], a: dace.float64):
        return dace.elementwise(lambda x: x * a if x > 0.5 else N, A)

    @dace.program
    def narrowed(A: dace.float64[N], B: dace.int32[N]):
        dace.elementwise(lambda x: max(x, 2.7), A + 1, B[:])

    A, B = np.random.default_rng(0).random((5, 3)) + 0.1, np.zeros((5, 3))
    into(A, B)
    np.testing.assert_allclose(B, np.log(A), rtol=1e-14)
    a = A[:, 0].copy()
    np.testing.assert_array_equal(choice(a, 2.0), np.where(a > 0.5, a * 2, 5))
    c, B = np.array([0.0, 3.5, 7.0]), np.zeros(3, np.int32)
    narrowed(c, B)
    np.testing.assert_array_equal(B, np.maximum(c + 1, 2.7).astype(np.int32))


@pytest.mark.parametrize("call, code, message", [
    ("lambda x: x + B, A, A", "F005", "B is no number: the lambda of elementwise sees one element"),
    ("lambda x, y: x + y, A, B", "F005", "elementwise takes a lambda of one element, an input and an output"),
    ("lambda x: foo(x), A, B", "F002", "the name foo is not known"),
])
def test_elementwise_refuses(call, code, message, tmp_path, monkeypatch):
    tmp_path.joinpath("wrong_elementwise.py").write_text(
        f"import sluice\n\n@sluice.program(strict=True)\ndef f(A: sluice.float64[4], B: sluice.float64[4]):\n    sluice.elementwise({call})\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "wrong_elementwise", raising=False)
    import wrong_elementwise
    with pytest.raises(dace.CompileError) as raised:
        wrong_elementwise.f(np.ones(4), np.ones(4))
    assert raised.value.code == code and raised.value.message == message and raised.value.lineno == 5


# ---- texts of code ----
def test_code_answers_as_string():
    @dace.program
    def looped(A: dace.float64[N]):
        for i in range(5):
            if A[i] > 1:
                A[i] = 1

    sdfg = looped.to_sdfg()
    loop = next(block for block in sdfg.nodes() if isinstance(block, dace.LoopRegion))
    assert loop.loop_condition.as_string == loop.loop_condition == "i < 5"
    branch = next(block for block, _ in sdfg.all_nodes_recursive() if isinstance(block, dace.ConditionalBlock))
    assert all(condition is None or condition.as_string == condition for condition, _ in branch.branches)
    assert dace.InterstateEdge("i > 2").condition.as_string == "i > 2"
    assert sdfg.number_of_nodes() == len(sdfg.nodes()) and sdfg.number_of_edges() == len(sdfg.edges())
    state = sdfg.add_state()
    tasklet = state.add_tasklet("t", {}, {"o"}, "o = 1")
    assert tasklet.code.as_string == "o = 1"
    edge = sdfg.add_edge(sdfg.add_state(), state, dace.InterstateEdge())
    edge.data.condition = "N > 2"
    assert edge.data.condition.as_string == "N > 2" and sdfg.edges()[-1].data.condition == "N > 2"
    with pytest.raises(ValueError, match="a CodeBlock is Python, not CPP"):
        run_code_block(dace.Language.CPP)


def run_code_block(language):
    from sluice.code_block import CodeBlock
    assert CodeBlock("i < 3", dace.Language.Python).as_string == "i < 3"
    return CodeBlock("i < 3", language)


# ---- programs as objects that make graphs ----
def test_programs_are_convertible():
    table = np.arange(4.0)

    @dace.program
    def add(A: dace.float64[4], n: dace.compiletime):
        A += table * n

    assert add.__sdfg_signature__() == (["A", "n"], ["n"])
    A = np.ones(4)
    sdfg = twice.__sdfg__()
    np.testing.assert_array_equal(sdfg(A=A), A * 3)

    @dace.program
    def plain(A: dace.float64[4]):
        A += table

    assert list(plain.__sdfg_closure__()) == ["__g_table"] and plain.__sdfg_closure__()["__g_table"] is table
    plain.__sdfg__()(A=A, **plain.__sdfg_closure__())
    np.testing.assert_array_equal(A, 1 + table)


# ---- plain Python ----
def test_tasklets_in_plain_python_write_what_they_assign():
    def reset(A, B, i):
        with dace.tasklet:
            a << A(-1)
            b >> B(-1)[i]
            if a[i] > 0.5:
                b = 0

    A, B = np.array([0.7, 0.2]), np.array([5.0, 6.0])
    reset(A, B, 0)
    reset(A, B, 1)
    assert B.tolist() == [0, 6]
    assert dace.ndarray([2, 3], dtype=dace.int32).dtype == np.int32


# ---- DaCe's words and habits ----
def test_warnings_of_what_python_runs_have_daces_words():
    def undecidable(A):
        return open  # what no program computes with

    @dace.program(strict=False)
    def calls(A: dace.float64[N]):
        A += 1
        undecidable(A)

    with pytest.warns(dace.FallbackWarning, match="Automatically creating callback to Python interpreter: Python runs this line"):
        calls(np.zeros(2))


def test_loops_over_collections_are_told():
    names = ["a", "b"]

    @dace.program
    def looped(A: dace.float64[N], d: dace.compiletime):
        for v in dace.unroll(range(1, 3)):
            A += v
        for i in range(2):
            A[i] += 1
        for i, (_, v) in enumerate(zip(names[0:2], d.values())):
            A[i] += v

    with pytest.warns(UserWarning, match="looped: where it is compiled, this loop over a collection is implicitly unrolled") as told:
        A = np.zeros(2)
        looped(A, {"x": 10, "y": 20})
    assert A.tolist() == [14, 24] and len(told) == 1
    assert told[0].lineno == looped.f.__code__.co_firstlineno + 6


def test_numbers_that_were_symbols_may_be_given():
    size = dace.symbol("size")

    @dace.program
    def doubled(A: dace.float64[size]):
        for i in range(size):
            A[i] *= 2

    size = 3
    A = np.ones(3)
    doubled(A, size=3)
    assert A.tolist() == [2, 2, 2]
    with pytest.raises(TypeError, match="A005"):
        doubled(A, size=4)

    gone = dace.symbol("gone")

    @dace.program
    def halved(A: dace.float64[N * (gone + 1) - N * gone]):
        A /= 2

    halved(A, gone=7)
    assert A.tolist() == [1, 1, 1]


def test_an_array_for_what_is_returned():
    @dace.program
    def doubled(A: dace.float64[N]):
        return A * 2

    out = np.zeros(3)
    assert doubled(np.ones(3), __return=out) is out and out.tolist() == [2, 2, 2]
    with pytest.raises(ValueError, match="A003.*__return has shape"):
        doubled(np.ones(3), __return=np.zeros(4))


def test_columns_are_taken_for_vectors():
    @dace.program
    def doubled(A: dace.float64[N], B: dace.float64[N]):
        A *= B

    A, B = np.ones((3, 1)), np.arange(3.0)
    doubled(A, B)
    assert A.tolist() == [[0], [1], [2]]
    doubled.to_sdfg()(A, B=B)
    assert A.tolist() == [[0], [1], [4]]
    with pytest.raises(ValueError, match="A001"):
        doubled(np.ones((3, 2)), B)


class Filler:
    """Makes its own graph, for the type that the call tells."""
    value = 7.0

    def __sdfg__(self, *args):
        value = self.value

        @dace.program
        def fill(B):
            B[:] = value
        return fill.__sdfg__(*args)

    def __sdfg_signature__(self):
        return ["B"], []


def test_objects_make_graphs_for_the_types_of_the_call():
    filler = Filler()

    class Holder:
        def __init__(self):
            self.filler, self.n = Filler(), 3

        @dace.method
        def run(self, A, n):
            self.filler(A)
            return A + n + self.n

    @dace.program(strict=True)
    def some(A, b):
        filler(A)
        return A * b

    A = np.zeros(4, np.float32)
    result = some(A, 0.1)
    assert result.dtype == np.float32 and np.all(A == 7)
    np.testing.assert_array_equal(result, A * 0.1)
    np.testing.assert_array_equal(some(np.zeros((2, 3)), 2), np.full((2, 3), 14.0))
    np.testing.assert_array_equal(Holder().run(np.zeros(5), 2), np.full(5, 12.0))


def test_slices_of_one_element_have_no_dimension_where_numpy_refuses():
    @dace.program(strict=True)
    def distances(P: dace.float64[N, 3], mass: dace.float64[N]):
        x = P[:, 1:2]
        apart = np.add.outer(-x, x)
        return apart @ mass

    @dace.program(strict=True)
    def column(P: dace.float64[N, 3], B: dace.float64[N]):
        B[:] = np.reshape(P[:, 0], (N, 1))

    @dace.program(strict=True)
    def as_numpy(P: dace.float64[N, 3]):
        return P[:, 1:2]

    P, mass, B = np.random.default_rng(0).random((4, 3)), np.arange(4.0), np.zeros(4)
    np.testing.assert_allclose(distances(P, mass), np.add.outer(-P[:, 1], P[:, 1]) @ mass)
    column(P, B)
    np.testing.assert_array_equal(B, P[:, 0])
    np.testing.assert_array_equal(as_numpy(P), P[:, 1:2])


def test_dace_is_known_under_another_name_and_programs_tell_their_versions():
    run_python("""
        import pathlib, sys, tempfile
        import numpy as np
        import sluice, sluice.dace_compat
        folder = tempfile.mkdtemp()
        sys.path.insert(0, folder)
        body = "@{0}.program(strict=True)\\ndef f(A):\\n    for i in dace.map[0:3]:\\n        A[i] = i\\n"
        for name, head in (("short", "import dace as dc"), ("own", "import sluice")):
            pathlib.Path(folder, f"{name}.py").write_text(head + "\\n" + body.format(head.split()[-1]))
        import own, short
        A = np.zeros(3)
        short.f(A)
        assert A.tolist() == [0, 1, 2]
        assert len(short.f._cache.cache) == len(short.f._cache) == short.f._cache.size == 1
        try:
            own.f(A)
        except sluice.CompileError as error:
            assert error.code == "F002", error
        else:
            assert False
    """)


@dace.program(strict=True)
def truths(A: dace.bool[N], C: dace.bool):
    B = not A
    D = A and True
    number = 0
    if C is True:
        number += 1
    if C is not False:
        number += 2
    if C is False:
        number += 4
    return B, D, number


def test_truths_of_arrays_and_of_flags():
    A = np.array([True, False, True])
    B, D, number = truths(A, True)
    assert B.tolist() == [False, True, False] and D.tolist() == A.tolist() and number[0] == 3
    assert truths(A, False)[2][0] == 4

    @dace.program(strict=True)
    def ambiguous(A: dace.bool[N]):
        if not A:
            return 1
        return 2
    with pytest.raises(ValueError, match="the truth of an array is ambiguous"):  # as NumPy's error
        ambiguous(A)


class Configuration:
    def __init__(self, place):
        self.place = place

    @property
    def next(self):
        return self.place + 1

    @property
    def following(self):
        return Configuration(self.next)

    @property
    def broken(self):
        raise RuntimeError("nobody asks")


configuration = Configuration(2)


def test_properties_of_objects_run_at_each_call():
    @dace.program(strict=True)
    def place(A: dace.float64[N]):
        A[configuration.next] = configuration.following.next + configuration.place

    A = np.zeros(8)
    place(A)
    assert A.tolist() == [0, 0, 0, 6, 0, 0, 0, 0]
    configuration.place = 4
    place(A)
    configuration.place = 2
    assert A.tolist() == [0, 0, 0, 6, 0, 10, 0, 0]

    @dace.program(strict=True)
    def broken(A: dace.float64[N]):
        A[0] = configuration.broken
    with pytest.raises(dace.CompileError, match="F00"):
        broken(A)


def test_a_called_graph_whose_strides_are_symbols():
    rows, columns = dace.symbol("rows"), dace.symbol("columns")
    graph = dace.SDFG("last")
    graph.add_array("a", [N, N], dace.float32, strides=[rows, columns])
    graph.add_array("b", [1], dace.float32)
    state = graph.add_state()
    tasklet = state.add_tasklet("add", {"x"}, {"y"}, "y = x + 1")
    state.add_edge(state.add_read("a"), None, tasklet, "x", dace.Memlet("a[N - 1, 0]"))
    state.add_edge(tasklet, "y", state.add_write("b"), None, dace.Memlet("b[0]"))
    assert {"rows", "columns"} <= set(graph.symbols)

    @dace.program(strict=True)
    def call(A: dace.float32[N, N], B: dace.float32[1], C: dace.float32[1]):
        graph(a=A, b=B)
        graph(a=A.T, b=C)
    A, B, C = np.arange(16, dtype=np.float32).reshape(4, 4), np.zeros(1, np.float32), np.zeros(1, np.float32)
    call(A, B, C)
    assert B[0] == A[3, 0] + 1 and C[0] == A[0, 3] + 1


@dace.program(strict=True)
def laid_out(B: dace.float64[N]):
    A = dace.ndarray((2, 3), dtype=dace.int32, strides=(2, 4))
    C = dace.ndarray([N, 2], dace.float64, strides=[3, 1])
    for i, j in dace.map[0:2, 0:3]:
        A[i, j] = i * 10 + j
    C[:, 0] = B
    C[:, 1] = B * 2
    A[1:] += A[:1]
    return A, C, A.T @ A


def test_arrays_with_strides():
    A, C, product = laid_out(np.arange(4.0))
    expected = np.array([[0, 1, 2], [10, 12, 14]])
    np.testing.assert_array_equal(A, expected)
    np.testing.assert_array_equal(product, expected.T @ expected)
    np.testing.assert_array_equal(C, np.arange(4.0)[:, None] * [1, 2])
    assert A.strides == (8, 16) and C.strides == (24, 8) and A.dtype == np.int32

    @dace.program(strict=True)
    def overlapping():
        return dace.ndarray((2, 3), dtype=dace.int32, strides=(2, 1)) * 0
    with pytest.raises(dace.CompileError, match="F005: the strides 3 and 2 let elements overlap"):
        overlapping()


@dace.program(strict=True)
def stored(B: dace.float32[N]):
    a = (B + 1) @ dace.StorageType.CPU_ThreadLocal
    b: dace.float64[N] @ dace.StorageType.CPU_Pinned = B * 2
    a[0] = 0
    return a + b


@dace.program(strict=True)
def same_names(A: dace.float64[N, N], b: dace.float64[N]):
    for i in range(N):
        for j in range(i):
            with dace.tasklet:
                x << A[i, j]
                y >> A[i, j]
                y = x * 2
    for i in range(N):
        @dace.map
        def rows(j: _[0:i]):
            x << A[i, j]
            y >> b(1, lambda p, q: p + q)[i]
            y = x


def test_a_map_whose_parameter_has_the_name_of_a_loop():
    A, b = np.arange(16.0).reshape(4, 4), np.zeros(4)
    expected = A.copy()
    expected[np.tril_indices(4, -1)] *= 2
    same_names(A, b)
    np.testing.assert_array_equal(A, expected)
    np.testing.assert_array_equal(b, np.tril(expected, -1).sum(axis=1))


def test_storages_of_locals():
    B = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(stored(B), [0, 4, 7, 10])
    arrays = stored.to_sdfg(simplify=False).arrays
    assert {one.storage for one in arrays.values() if one.transient} >= {dace.StorageType.CPU_ThreadLocal, dace.StorageType.CPU_Pinned}


def test_orders_of_the_dimensions_of_a_product():
    @dace.program(strict=True)
    def product(A: dace.float64[2, 3, 4], B: dace.float64[4, 5, 2]):
        return np.tensordot(A, B, axes=([0, 2], [2, 0]), out_axes=[1, 0])
    A, B = np.arange(24.0).reshape(2, 3, 4), np.arange(40.0).reshape(4, 5, 2)
    np.testing.assert_array_equal(product(A, B), np.tensordot(A, B, axes=([0, 2], [2, 0])).T)


def test_expressions_that_python_evaluates_may_have_effects():
    count = 0

    def step(by):
        nonlocal count
        count += by
        return count

    @dace.program(strict=True)
    def numbered(A: dace.float64[3]):
        A[0] = dace.inline(step(1))
        A[1] = dace.inline(step(2) * 10)
    A = np.zeros(3)
    numbered(A)
    numbered(A)
    assert A.tolist() == [1, 30, 0] and count == 3


def test_a_lambda_in_a_tasklet():
    @dace.program(strict=True)
    def compute(A: dace.float64[N], B: dace.float64[N]):
        for i in dace.map[0:N]:
            with dace.tasklet:
                a >> A[i]  # noqa: F821
                b << B[i]  # noqa: F821
                f = lambda u, v: u * v + 1  # noqa: E731
                a = f(b, f(b, 2))  # noqa: F821, F841
    A, B = np.zeros(5), np.arange(5.0)
    compute(A, B)
    np.testing.assert_array_equal(A, B * (B * 2 + 1) + 1)


def test_lines_with_a_name():
    @dace.program(strict=True)
    def steps(A: dace.float64[N]):
        with dace.named("first"):
            B = A + 1
            with dace.named:
                B = B * 2
        return B

    A = np.arange(3.0)
    np.testing.assert_array_equal(steps(A), (A + 1) * 2)
    np.testing.assert_array_equal(steps.f(A), (A + 1) * 2)


a = value = np.ones(5)  # named as the connectors below


@dace.program
def doubled(A: dace.float64[N]):
    for k in dace.map[0:N]:
        with dace.tasklet:
            a << A[k]
            b >> A[k]
            b = a * 2


@dace.program
def negated(A: dace.float64[N]):
    @dace.map
    def each(k: _[0:N]):
        value << A[k]
        result >> A[k]
        result = -value


@dace.program
def scaled(A: dace.float64[N], B: dace.float64[N]):
    for k in dace.map[0:N]:
        with dace.tasklet:
            x << A[k]
            factor << a[k]
            y >> B[k]
            y = x * factor


@dace.program
def calls(A: dace.float64[N]):
    doubled(A)
    negated(A)


def test_connectors_are_no_arrays_of_the_module():
    for program, factor in ((doubled, 2), (negated, -1), (calls, -2)):
        a[:] = 1
        program(a)
        assert a.tolist() == [factor] * 5
        assert "__g_a" not in program.to_sdfg(a).arglist() and "__g_value" not in program.to_sdfg(a).arglist()
    a[:] = 3
    result = np.zeros(5)
    scaled(np.arange(5.0), result)
    assert result.tolist() == [0, 3, 6, 9, 12]


@dace.program(strict=True)
def connector_of_the_container(A: dace.float64[N], B: dace.float64[N], c: dace.int64[N], x: dace.float64[N]):
    for k in dace.map[0:N]:
        with dace.tasklet:
            in_x << A[k]
            other << x[c[k]]
            out >> B[k]
            out = in_x * other


@dace.program(strict=True)
def two_indirections(A: dace.float64[N], B: dace.float64[N], c: dace.int64[N], x: dace.float64[N]):
    for k in dace.map[0:N - 1]:
        with dace.tasklet:
            here << x[c[k]]
            there << x[c[k + 1]]
            out >> B[k]
            out = here - 2 * there
    B[N - 1] = A[0]


@dace.program(strict=True)
def names_of_its_own(A: dace.float64[N], B: dace.float64[N], y: dace.float64, x: dace.float64[N]):
    z = y + 1
    for k in dace.map[0:N]:
        with dace.tasklet:
            in_y << A[k]
            out >> B[k]
            if in_y > 1.5:
                z = in_y
            else:
                z = in_y * y
            y = z + y
            x = y + 0.5
            out = x * 2
    B[0] = z


def test_names_in_tasklets_are_apart_from_those_of_containers():
    A, x, c = np.arange(1.0, 4), np.array([5.0, 6, 7]), np.array([2, 0, 1])
    result = np.zeros(3)
    connector_of_the_container(A, result, c, x)
    np.testing.assert_array_equal(result, A * x[c])
    two_indirections(A, result, c, x)
    np.testing.assert_array_equal(result, [7 - 10, 5 - 12, 1])
    names_of_its_own(A, result, 10.0, x)
    np.testing.assert_array_equal(result, [11, (2 + 10.5) * 2, (3 + 10.5) * 2])


def test_a_scope_in_a_scope_with_ranges_from_data():
    H, W, nnz = (dace.symbol(name) for name in ("H", "W", "nnz"))

    @dace.program
    def spmv(A_row: dace.uint32[H + 1], A_col: dace.uint32[nnz], A_val: dace.float32[nnz], x: dace.float32[W], b: dace.float32[H]):
        @dace.mapscope(_[0:H])
        def compute_row(i):
            @dace.map(_[A_row[i]:A_row[i + 1]])
            def compute(j):
                a << A_val[j]
                in_x << x[A_col[j]]
                out >> b(1, lambda x, y: x + y)[i]
                out = a * in_x

    matrix = np.where(np.arange(12).reshape(3, 4) % 3 == 0, 2.0, 0).astype(np.float32)
    ends = np.concatenate([[0], np.cumsum((matrix != 0).sum(1))]).astype(np.uint32)
    x, result = np.arange(1, 5, dtype=np.float32), np.zeros(3, np.float32)
    spmv(ends, np.nonzero(matrix)[1].astype(np.uint32), matrix[matrix != 0], x, result, H=3, W=4)
    np.testing.assert_array_equal(result, matrix @ x)


def test_types_in_the_decorator_are_annotations():
    @dace.program(dace.float64[N], dace.int32)
    def repeated(A, times):
        for k in dace.map[0:N]:
            A[k] = A[k] * times

    values = np.ones(3)
    repeated(values, 4)
    assert values.tolist() == [4] * 3 and repeated.to_sdfg().arglist()["times"].dtype == dace.int32
    with pytest.raises(TypeError, match="1 types for f, which has 2 parameters"):
        @dace.program(dace.float64[N])
        def f(A, B):
            A[:] = B
    with pytest.raises(TypeError, match="with annotations"):
        @dace.program(dace.float64[N])
        def f(A: dace.float64[N]):
            A[:] = 1


def test_edges_add_nodes_that_were_made_on_their_own():
    from sluice.dace_compat import libraries  # noqa: F401
    import dace as peer
    sdfg = peer.SDFG("product")
    for name in "xy":
        sdfg.add_array(name, [N], peer.float64)
    sdfg.add_array("r", [1], peer.float64)
    state = sdfg.add_state()
    dot = peer.libraries.blas.Dot("dot")
    for name in "xy":
        state.add_memlet_path(state.add_read(name), dot, dst_conn=f"_{name}", memlet=peer.Memlet(f"{name}[0:N]"))
    state.add_edge(dot, "_result", peer.nodes.AccessNode("r"), None, peer.Memlet("r[0]"))
    x, y, r = np.arange(4.0), np.arange(1.0, 5), np.zeros(1)
    sdfg(x=x, y=y, r=r, N=4)
    assert r[0] == x @ y


def test_substitution_takes_a_name_and_a_value():
    M = dace.symbol("M")
    size = 2 * N + M
    assert size.subs(N, 3) == M + 6 and size.subs({N: 3, M: 1}) == 7 and size.subs([(N, M), (M, 2)]) == 6


def test_matches_walks_and_devices_under_dace_s_names():
    import sluice.dace_compat  # noqa: F401
    from dace.transformation.dataflow import MapTiling
    from dace.transformation.passes.pattern_matching import match_patterns
    graph = doubled.to_sdfg()
    match, = match_patterns(graph, MapTiling)
    match.tile_sizes = (3,)
    assert match.tile_sizes == (3,)
    match.apply()
    entries = [node for node, _ in graph.all_nodes_recursive() if isinstance(node, dace.nodes.MapEntry)]
    assert len(entries) == 2 and any("3" in str(entry.map.range) for entry in entries)
    values = np.arange(7.0)
    graph(A=values, N=7)
    assert values.tolist() == (np.arange(7.0) * 2).tolist()
    match, = match_patterns(doubled.to_sdfg(), MapTiling)
    match.tile_size = 3
    with pytest.raises(dace.CompileError):
        match.apply()
    with pytest.raises(AttributeError):
        match.sizes

    state = graph.states()[0]
    source = state.source_nodes()
    edges = list(state.bfs_edges(source))
    assert len(edges) == state.number_of_edges() and edges[0].src in source
    first = [edge.dst for edge in state.dfs_edges(source)]
    assert len(first) == len(set(first)) == state.number_of_nodes() - len(source)
    assert list(state.dfs_edges(source, lambda src, dst, edge: False)) == []
    backwards = list(state.bfs_edges(state.sink_nodes(), reverse=True))
    assert len(backwards) == len(edges) and backwards[0].dst in state.sink_nodes()
    assert doubled.to_sdfg().apply_fpga_transformations() == 1
