"""The four layers of a schedule say what the commands did, and read back as themselves."""
import pytest

import sluice
from sluice import _core  # noqa: F401  the extension has the layers
from sluice.schedule import Computation, Constant, Input, Layer, Update, Var, init, print_layer


def product():
    function = init("gemm")
    N = Constant("N")
    i, j, k = Var("i", 0, N), Var("j", 0, N), Var("k", 0, N)
    A, B = Input("A", [N, N]), Input("B", [N, N])
    C = Computation("C", [i, j], 0.0)
    total = Update("total", [i, j, k], C[i, j], "+", A[i, k] * B[k, j])
    return function, C, total


def test_the_algorithm_does_not_change_with_the_schedule():
    function, C, total = product()
    before = function.layer(1, [C])
    total.tile("i", "j", 8, 8, "i0", "j0", "i1", "j1")
    total.parallelize("i0")
    assert function.layer(1, [C]) == before
    text = str(before)
    assert "constant N\n" in text and "input A = float64[N, N]\n" in text and "output C\n" in text
    assert "computation C: " in text and " = float64 0.0\n" in text
    assert "C[i, j] -> total[i' = i, j' = j, k]" in text or "-> total[" in text


def test_computation_management_has_levels_times_and_tags():
    function, C, total = product()
    total.tile("i", "j", 8, 8, "i0", "j0", "i1", "j1")
    plain = function.layer(2, [C])
    total.parallelize("i0")
    total.vectorize("j1", 4)
    text = str(function.layer(2, [C]))
    assert "levels total = i0, j0, i1, j1_outer, j1_inner, k\n" in text
    assert "threads total = i0\n" in text and "vector total = j1_inner 4\n" in text and "tree = " in text
    assert function.layer(2, [C]) != plain


def test_data_management_has_places_and_the_orders_of_memory():
    function = init("rows")
    N = Constant("N")
    i, j = Var("i", 0, N), Var("j", 0, N)
    x = Input("x", [N, N])
    b = Computation("b", [i, j], x[i, j])
    c = Computation("c", [i, j], b[i, j])
    c.after(b, "i")
    whole = str(function.layer(3, [c]))
    b.store_in(["i % 2", "j"])
    text = str(function.layer(3, [c]))
    assert "memory b = float64[2, N] transient Default\n" in text and "place b: " in text
    # Two rows: the third row is stored over the first one.
    assert [line for line in whole.splitlines() if line.startswith("order")] != [line for line in text.splitlines() if line.startswith("order")]
    assert "memory c = float64[N, N] result Default\n" in text


def test_communication_has_the_copies():
    function, C, total = product()
    total.gpu("i", "j")
    Cs = function.layer(4, [C])
    assert str(Cs) == "layer 4 of gemm\n"
    C.device_to_host()
    assert str(function.layer(4, [C])) == "layer 4 of gemm\ndevice_to_host C\n"


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_each_layer_reads_back(number, capsys):
    function, C, total = product()
    total.tile("i", "j", 8, 8, "i0", "j0", "i1", "j1")
    C.device_to_host()
    layer = function.layer(number, [C])
    print_layer(number, [C])
    text = capsys.readouterr().out
    assert text == str(layer)
    again = Layer.parse(text)
    assert again == layer and str(again) == text


@pytest.mark.parametrize("text, why", [
    ("layer 5 of f\n", "layer 2 of gemm"),
    ("layer 1 of f\ntimes C: { C[i] -> [i] }\n", "layer 1 says nothing of the kind `times`"),
    ("layer 2 of f\ntimes C: { C[i] -> \n", "a relation is missing"),
    ("layer 2 of f\ntimes C: { C[i] -> i] }\n", "isl does not read the relation"),
    ("layer 1 of f\nconstant N = 3\n", "is too much"),
    ("layer 1 of f\ninput x\n", "` = ` is missing"),
])
def test_what_is_no_layer_is_refused(text, why):
    with pytest.raises(sluice.CompileError, match="M021") as refusal:
        Layer.parse(text)
    assert why in str(refusal.value)


def test_there_are_four():
    function, C, _ = product()
    with pytest.raises(sluice.CompileError, match="M004"):
        function.layer(5, [C])
