"""Arguments and expressions that are constants of a program."""
import types

import numpy as np
import pytest

import sluice


@sluice.program(strict=True)
def scaled(A: sluice.float64[6], options: sluice.compiletime, part: sluice.compiletime = slice(1, 4)):
    if options.mode == "add":
        A[part] += options.by
    else:
        A[part] *= options.by


@sluice.program(strict=True)
def scaled_twice(A: sluice.float64[6], options: sluice.compiletime):
    scaled(A, options)
    scaled(A, options, part=slice(None, None, 5))


def test_objects_and_slices():
    A = np.ones(6)
    scaled(A, types.SimpleNamespace(mode="add", by=2.0))
    assert A.tolist() == [1, 3, 3, 3, 1, 1]
    scaled(A, types.SimpleNamespace(mode="multiply", by=2.0), slice(None, None, 2))
    assert A.tolist() == [2, 3, 6, 3, 2, 1]


def test_changes_of_the_object_are_seen():
    options = types.SimpleNamespace(mode="add", by=1.0)
    A = np.zeros(6)
    scaled(A, options)
    options.by = 5.0
    scaled(A, options)
    assert A[1] == 6


def test_passed_on_to_another_program():
    A = np.ones(6)
    scaled_twice(A, types.SimpleNamespace(mode="add", by=2.0))
    assert A.tolist() == [3, 3, 3, 3, 1, 3]


def test_numbers_are_no_arguments():
    @sluice.program(strict=True)
    def power(A: sluice.float64[4], n: sluice.compiletime):
        for _ in sluice.unroll(range(n)):
            A += 1

    A = np.zeros(4)
    power(A, 3)
    power(A, np.int64(2))
    assert np.all(A == 5)
    assert "n" not in power.to_sdfg(n=2).arglist()


def test_a_constant_that_the_run_decides_is_refused():
    @sluice.program
    def callee(A, n: sluice.compiletime):
        A[:] = n

    @sluice.program(strict=True)
    def caller(A: sluice.float64[4], n):
        callee(A, n)

    with pytest.raises(sluice.CompileError, match="F003.*has no value yet"):
        caller(np.zeros(4), 3)


def test_what_is_not_compiled_runs_in_python():
    @sluice.program(strict=False)
    def odd(A, text: sluice.compiletime):
        A[:] = len(str(text).split("/"))

    A = np.zeros(2)
    with pytest.warns(sluice.FallbackWarning):
        odd(A, types.SimpleNamespace())
    assert np.all(A == 1)


def test_inline():
    def complicated(a, b):
        return int(np.ceil(b)) + a

    @sluice.program(strict=True)
    def uses(A: sluice.float64[20]):
        A[sluice.inline(complicated(5, 0.5))] = sluice.inline(complicated(1, 1.0) * 10)

    A = np.zeros(20)
    uses(A)
    assert A[6] == 20 and np.count_nonzero(A) == 1
    assert sluice.inline(3) == 3


def test_always_inline():
    class Names:
        index = {"vapour": 0, "liquid": 1}

        @sluice.always_inline
        def of(self, name):
            return self.index[name]

    names = Names()

    @sluice.program(strict=True)
    def uses(A: sluice.float64[3]):
        A[names.of("liquid")] = 1.0

    A = np.zeros(3)
    uses(A)
    assert A.tolist() == [0, 1, 0] and names.of("liquid") == 1

    @sluice.program(strict=True)
    def wrong(A: sluice.float64[3], i: sluice.int64):
        A[names.of(i)] = 1.0

    with pytest.raises(sluice.CompileError, match="F003"):
        wrong(A, 1)


def test_constant_functions():
    class Settings:
        def __init__(self, n):
            self.n = n

        @property
        def twice(self):
            return 2 * self.n

        def half(self):
            return self.n // 2

    settings = Settings(4)

    @sluice.program(constant_functions=True, strict=True)
    def uses(A: sluice.float64[10]):
        A[settings.twice] = settings.half() + settings.n

    A = np.zeros(10)
    uses(A)
    assert A[8] == 6


def test_slices_written_as_calls():
    @sluice.program(strict=True)
    def uses(A: sluice.float64[4, 6]):
        A[1, slice(2, None)] = 1
        A[slice(3)] += 2

    A, B = np.zeros((4, 6)), np.zeros((4, 6))
    uses(A)
    uses.f(B)
    assert np.array_equal(A, B)


def test_lists_for_arrays():
    @sluice.program
    def picks(A: sluice.float64[6], at: sluice.int32[3]):
        at[0] = 5
        return A[at]

    A, at = np.arange(6.0), [1, 2, 3]
    assert picks(A, at).tolist() == [5, 2, 3] and at == [5, 2, 3]
    with pytest.raises(TypeError):
        picks(A, [0.5, 1, 2])


N, M = sluice.symbol("N"), sluice.symbol("M")


def test_symbols_by_name():
    @sluice.program
    def sums(A: sluice.float64[N]):
        return np.sum(A)

    @sluice.program
    def both(A: sluice.float64[N]):
        if M > 100:
            pass
        A[:] = 3

    assert sums(np.ones(4), N=4) == 4
    with pytest.raises(ValueError, match="A003|N"):
        sums(np.ones(4), N=5)
    A = np.zeros(3)
    both(A, M=2, N=3)
    assert np.all(A == 3)


def test_a_program_with_a_star_parameter_is_compiled_without_its_values():
    @sluice.program(strict=True)
    def program(*more):
        return np.zeros(len(more) + 2)
    assert program.compile()().tolist() == [0, 0]
    assert program(1, 2).tolist() == [0, 0, 0, 0] and program().tolist() == [0, 0]
    assert program.to_sdfg().arrays["__return"].shape == (2,)
