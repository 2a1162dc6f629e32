"""np.roll as two slices that change places: every shift, axis, rank and type that NumPy takes."""
import numpy as np
import pytest

import sluice


@sluice.program
def along_all(a, k):
    return np.roll(a, k), np.roll(a, -k), np.roll(a, (k, 2))


@sluice.program
def along_axes(a, k):
    return np.roll(a, k, 0), np.roll(a, k, axis=-1), np.roll(a, (k, 2), axis=(0, 1)), np.roll(a, k, axis=(1, 0)), np.roll(a, (k, 3), axis=(0, 0)), np.roll(a, (k, 3), 0)


def compared(program, *arguments):
    for wanted, got in zip(program.f(*arguments), program(*arguments), strict=True):
        assert wanted.dtype == got.dtype
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("k", [0, 1, -1, 3, 7, 8, -9, 1000])
@pytest.mark.parametrize("shape", [(0,), (1,), (7,), (3, 4), (2, 3, 4)])
def test_shifts(shape, k):
    compared(along_all, np.arange(np.prod(shape, dtype=int)).reshape(shape) * 1.5, k)


@pytest.mark.parametrize("k", [0, 1, -2, 5, -11])
@pytest.mark.parametrize("shape", [(3, 4), (1, 4), (0, 4), (4, 0), (2, 3, 4)])
def test_axes(shape, k):
    compared(along_axes, np.arange(np.prod(shape, dtype=int)).reshape(shape), k)


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int16, np.float32, np.complex128])
def test_types_and_layouts(dtype):
    a = (np.arange(24).reshape(4, 6) % 5).astype(dtype)
    for one in (a, np.asfortranarray(a), a[::2, ::-1], a.T) if dtype == np.float32 else (a,):
        compared(along_axes, one, np.int32(2))


def test_an_argument_that_is_rolled_into_itself():
    @sluice.program
    def turned(a):
        a[:] = np.roll(a, 1, axis=0)
        a[1:] = np.roll(a[1:], -1)
        return a

    mine, theirs = np.arange(12.0).reshape(4, 3), np.arange(12.0).reshape(4, 3)
    np.testing.assert_array_equal(turned(mine), turned.f(theirs))
    np.testing.assert_array_equal(mine, theirs)


def spread(u, steps):
    for t in range(steps):
        u = u + 0.1 * (np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u)
    return u


def test_what_a_loop_carries_is_rolled_once():
    """The check of integers that grow asked for the value of each sum, and had every roll computed again."""
    u = np.random.default_rng(1).random((6, 7))
    rolls = sluice.program(spread).to_sdfg(u, 3, simplify=False)
    maps = [node for state in rolls.all_states() for node in state.nodes() if type(node).__name__ == "MapEntry"]
    assert len(maps) <= 2 * (4 * 2 + 1) + 2  # two halves of each of four rolls and the sum, for both arrays that u may mean
    np.testing.assert_allclose(sluice.program(spread)(u, 3), spread(u, 3))
