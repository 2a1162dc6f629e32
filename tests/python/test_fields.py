"""Fields of objects and names of modules in programs: constants and arrays as they are at the call; methods."""
import enum
import gc
import types
import weakref
from dataclasses import dataclass

import numpy as np
import pytest

import sluice

N = sluice.symbol("N")
constants = types.ModuleType("constants")
constants.gravity = 9.81
constants.double = lambda x: x
settings = types.SimpleNamespace(dt=0.5, steps=3, inner=types.SimpleNamespace(k=4.0), table=np.arange(4.0), name="a text")


class Limits:
    upper = 2.5
    lower = np.float32(-1.0)


def shifted(x):
    return x + settings.dt


def numbers(A: sluice.float64[N]):
    for _ in range(settings.steps):
        A += settings.dt * settings.inner.k * constants.gravity
    return np.minimum(np.maximum(A, Limits.lower), Limits.upper * 100)


def arrays(A: sluice.float64[4]):
    settings.table[1] = A[0] + settings.table.shape[0]
    settings.table += A
    settings.table[2:] *= 2.0
    return shifted(A) + settings.table


@pytest.mark.parametrize("function", [numbers, arrays])
def test_fields_mean_what_they_mean_in_python(function):
    table = settings.table.copy()
    ours = sluice.program(function)(np.arange(4.0))
    changed, settings.table = settings.table, table
    assert np.array_equal(ours, function(np.arange(4.0))) and np.array_equal(changed, settings.table)


def test_a_field_that_has_another_value_is_seen():
    state = types.SimpleNamespace(k=2.0, a=np.ones(3))

    @sluice.program
    def scale(A: sluice.float64[3]):
        return A * state.k + state.a

    assert np.array_equal(scale(np.ones(3)), [3, 3, 3])
    state.k, state.a = 5.0, np.full(3, 7.0)
    assert np.array_equal(scale(np.ones(3)), [12, 12, 12])
    state.a = np.arange(3, dtype=np.int32)
    assert np.array_equal(scale(np.ones(3)), [5, 6, 7])


class Field:
    def __init__(self, n, k):
        self.u, self.k, self.n = np.arange(float(n)), k, n

    @sluice.method
    def advance(self, v: sluice.float64[N], steps: sluice.int64):
        for _ in range(steps):
            self.u[:] = self.u * self.k + v

    @sluice.program
    def total(self):
        return self.square(np.sum(self.u)) + self.n

    def square(self, x):
        return x * x * self.k


def test_methods_take_their_objects_fields():
    one, two = Field(4, 2.0), Field(3, 0.5)
    for field, k in ((one, 2.0), (two, 0.5), (one, 2.0)):
        v, expected = np.full(len(field.u), 3.0), field.u.copy()
        for _ in range(2):
            expected = expected * k + v
        field.advance(v, 2)
        assert np.array_equal(field.u, expected)
        assert field.total() == np.sum(expected) ** 2 * k + field.n


class Calls:
    def __init__(self, k):
        self.u, self.k = np.arange(4.0), k

    @sluice.program
    def by_function(self):
        return self.square(self.u)

    def square(self, x):
        return x * x * self.k

    @sluice.program
    def by_program(self):
        return self.scaled(self.u) + 1

    @sluice.program
    def scaled(self, x):
        return x * self.k


def test_methods_that_call_methods_are_parsed_once():
    calls = Calls(2.0)
    for program, expected in ((calls.by_function, [0, 2, 8, 18]), (calls.by_program, [1, 3, 5, 7])):
        for _ in range(3):
            assert np.array_equal(program(), expected)
        assert program._changes == 0
    scaled = calls.scaled

    @sluice.program
    def of_another(x):
        return scaled(x) + calls.scaled(x)

    for _ in range(3):
        assert np.array_equal(of_another(np.ones(2)), [4, 4])
    assert of_another._changes == 0
    calls.k = 3.0
    assert np.array_equal(calls.by_function(), [0, 3, 12, 27]) and np.array_equal(calls.by_program(), [1, 4, 7, 10])
    assert np.array_equal(of_another(np.ones(2)), [6, 6])


class Stage:
    def __init__(self, k):
        self.k = k

    @sluice.method
    def __call__(self, x: sluice.float64[N]):
        return x * self.k


class Pipeline:
    def __init__(self, first, second):
        self.first, self.second = first, second

    @sluice.method
    def run(self, x: sluice.float64[N]):
        return self.second(self.first(x)) + self.first.k


def test_objects_that_are_called():
    stage, x = Stage(3.0), np.arange(4.0)
    assert np.array_equal(stage(x), x * 3)
    assert np.array_equal(Pipeline(stage, Stage(5.0)).run(x), x * 15 + 3)
    assert np.array_equal(Pipeline(Stage(2.0), stage).run(x), x * 6 + 2)


def test_methods_do_not_keep_their_objects():
    field = Field(3, 2.0)
    field.advance(np.zeros(3), 1)
    gone = weakref.ref(field)
    del field
    gc.collect()
    assert gone() is None


def test_a_method_that_was_looked_up_keeps_its_object():
    expected = np.sum(np.arange(4.0)) ** 2 * 2 + 4
    assert Field(4, 2.0).total() == expected  # nothing else names the object
    total = Field(4, 2.0).total
    gc.collect()
    assert total() == expected and isinstance(total, sluice.Program) and total == total and total.name == "total"
    field = Field(4, 2.0)
    gone, advance = weakref.ref(field), field.advance
    same = advance == field.advance, hash(advance) == hash(field.advance), advance == Field(4, 2.0).advance
    assert same == (True, True, False)
    advance(np.zeros(4), 1)
    del field
    gc.collect()
    assert np.array_equal(gone().u, np.arange(4.0) * 2)
    del advance
    gc.collect()
    assert gone() is None


def test_dataclasses_and_slots():
    @dataclass
    class Pair:
        a: np.ndarray
        k: float = 2.0

        @sluice.method
        def add(self, B: sluice.float64[3]):
            return self.a + B * self.k

    class Slotted:
        __slots__ = ("a",)

        def __init__(self, a):
            self.a = a

        @sluice.method
        def double(self):
            return self.a * 2.0

    assert np.array_equal(Pair(np.ones(3)).add(np.ones(3)), [3, 3, 3])
    assert np.array_equal(Pair(np.ones(3), 4.0).add(np.ones(3)), [5, 5, 5])
    assert np.array_equal(Slotted(np.arange(2.0)).double(), [0, 2])


class Computed:
    calls = 0

    @property
    def k(self):
        Computed.calls += 1
        return 2.0


computed = Computed()


def reads_property(A: sluice.float64[N]):
    return A * computed.k


def assigns(A: sluice.float64[N]):
    settings.dt = 3.0
    return A * 1.0


def counts(A: sluice.float64[N]):
    settings.steps += 1
    return A * 1.0


def reads_text(A: sluice.float64[N]):
    return A + settings.name


@pytest.mark.parametrize("function, code", [(reads_property, "F00"), (assigns, "F001"), (counts, "F001"), (reads_text, "F00")])
def test_computed_assigned_and_foreign_fields_are_refused(function, code):
    with pytest.raises(sluice.CompileError, match=code):
        sluice.program(function)(np.zeros(3))
    assert Computed.calls == 0 and settings.dt == 0.5 and settings.steps == 3


def test_a_parameter_hides_what_is_around():
    @sluice.program
    def f(settings: sluice.float64[3]):
        return settings * settings.shape[0]

    assert np.array_equal(f(np.ones(3)), [3, 3, 3])


class Scaling:
    def __init__(self, factor):
        self.factor = factor

    def scale(self, a):
        return a * self.factor

    def __call__(self, a):
        return self.scale(a) + 1


scaling = Scaling(0.5)


def test_methods_and_fields_of_an_object_that_is_called_as_well():
    other = Scaling(4)

    @sluice.program(strict=True)
    def program(A: sluice.float64[N]):
        return scaling.scale(A) + other(A) * scaling.factor
    A = np.arange(3.0)
    np.testing.assert_array_equal(program(A), program.f(A))
    other.factor = 5
    np.testing.assert_array_equal(program(A), program.f(A))


class Layers:
    def __init__(self):
        self.weights = {"first": np.ones((2, 3)), "second": [np.full(3, 2.0), np.full(2, 7.0)], "rate": 0.5}


parameters = {"a": np.arange(3.0), "b": np.zeros(3), "nested": {"c": np.ones(3)}, "scale": 4}


def test_arrays_in_dictionaries_and_lists():
    layers = Layers()

    @sluice.program(strict=True)
    def program(x: sluice.float64[3]):
        parameters["b"] += parameters["a"] * parameters["scale"]
        parameters["nested"]["c"][1:] = x[1:]
        return layers.weights["first"] @ x + layers.weights["second"][1] * layers.weights["rate"], parameters["nested"]["c"] + 1
    x = np.array([1.0, 2, 3])
    first, second = program(x)
    np.testing.assert_array_equal(first, [9.5, 9.5])
    np.testing.assert_array_equal(second, [2, 3, 4])
    assert parameters["b"].tolist() == [0, 4, 8] and parameters["nested"]["c"].tolist() == [1, 2, 3]
    parameters["a"], parameters["scale"], layers.weights["rate"] = np.ones(3), 10, 1.0
    first, second = program(x)
    assert parameters["b"].tolist() == [10, 14, 18] and first.tolist() == [13, 13]

    @sluice.program(strict=True)
    def assigns(x: sluice.float64[3]):
        parameters["b"] = x
    with pytest.raises(sluice.CompileError, match="F00"):
        assigns(x)

    @sluice.program(strict=False)
    def assigns_by_python(x: sluice.float64[3]):
        parameters["b"] = x * 2
        y = parameters["b"] + 1
        return y
    with pytest.warns(sluice.FallbackWarning):
        assert assigns_by_python(x).tolist() == [3, 5, 7]


# ---- objects that programs hand on ----
@dataclass
class Steel:
    young: float
    ratio: float = 0.3
    table: object = None

    @property
    def shear(self):
        return self.young / (2.0 * (1.0 + self.ratio))

    def plane(self):
        return self.young / (1.0 - self.ratio**2)


class Mode(enum.Enum):
    FAST = 1
    EXACT = 2


def stiffness(m):
    return m.plane() + m.shear


def scaled(material: Steel, x):
    return stiffness(material) * x + stiffness(m=material)


def fill(m, x):
    m.table[:] += x
    return m.table.sum()


def by_mode(mode, x):
    return x * 2.0 if mode is Mode.FAST else x + 1.0


MODULE = Steel(7.0)


def hands_on(m, x):
    return scaled(m, x) + scaled(material=MODULE, x=x) + m.shear


def in_inner_functions(m, x):
    def f(y):
        return y * m.shear + stiffness(m)

    return f(x)


def changes_arrays(m, n, x):
    m.table += 1.0
    a = fill(m, x)
    b = fill(n, x * 2.0)
    n.table[0] = m.table[1] + a - b
    return m.table * n.table


def of_modes(mode, x):
    y = x + 1.0 if mode != Mode.EXACT else x
    return by_mode(mode, y) if mode == Mode.FAST else by_mode(Mode.EXACT, y)


@pytest.mark.parametrize("function, given", [
    (hands_on, lambda: (Steel(200.0, 0.25), np.arange(3.0))), (in_inner_functions, lambda: (Steel(3.0), np.arange(3.0))),
    (changes_arrays, lambda: (Steel(1.0, table=np.ones(3)), Steel(2.0, table=np.arange(3.0)), np.arange(3.0))),
    (of_modes, lambda: (Mode.FAST, np.arange(3.0))), (of_modes, lambda: (Mode.EXACT, np.arange(3.0)))])
def test_objects_are_handed_on_to_functions(function, given):
    mine, own = given(), given()
    program = sluice.program(function, strict=True)
    for _ in range(2):
        np.testing.assert_allclose(program(*mine), function(*own), rtol=1e-14)
        for one, other in zip(mine, own):
            if isinstance(one, Steel) and one.table is not None:
                np.testing.assert_array_equal(one.table, other.table)


def test_an_object_that_is_handed_on_is_seen_to_change():
    program, m, x = sluice.program(hands_on, strict=True), Steel(1.0), np.arange(3.0)
    for young in (1.0, 2.0, 5.0):
        m.young = young
        np.testing.assert_allclose(program(m, x), hands_on(m, x), rtol=1e-14)


# ---- names inside that hide objects around ----
class Sized:
    rate = 7.0

    @property
    def size(self):
        return 100.0


HELD = Sized()


def count(v):
    return v.size


def rate_at(m, n):
    return m.rate if n == 0 else 1.0 + rate_at(m, n - 1)


@pytest.mark.parametrize("function", [lambda x: (lambda HELD: HELD.size)(x), lambda x: [HELD.size for HELD in (x, x)], lambda x: [count(HELD) for HELD in (x, x)]])
def test_names_inside_hide_objects_around(function):
    assert sluice.program(function, strict=True)(np.arange(3.0)) == function(np.arange(3.0))


def test_an_object_in_a_name_that_is_also_bound_inside_is_refused_or_right():
    def both(x):
        def inner(HELD):
            return count(HELD)

        return inner(x) + count(HELD)

    with pytest.raises(sluice.CompileError, match="F002"):
        sluice.program(both, strict=True)(np.arange(3.0))
    assert sluice.program(both, strict=False)(np.arange(3.0)) == both(np.arange(3.0))


def test_recursion_with_an_object_is_left_to_python():
    def calls(x):
        return x * rate_at(HELD, 3)

    with pytest.raises(sluice.CompileError, match="F003.*rate_at calls itself with an object"):
        sluice.program(calls, strict=True)(np.arange(3.0))
    np.testing.assert_array_equal(sluice.program(calls, strict=False)(np.arange(3.0)), calls(np.arange(3.0)))
