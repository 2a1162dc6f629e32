"""Elements that masks select, and where they are: np.nonzero and its kin, and reads through masks."""
import numpy as np
import pytest

import sluice


@sluice.program
def selected(x, mask):
    return np.nonzero(mask), np.flatnonzero(mask), x[mask], x[mask].sum(), x[~mask], np.nonzero(x), np.argwhere(mask), np.nonzero(mask[::-1]), x[x > 0.5]


@sluice.program
def of_any_rank(x, mask):
    return np.nonzero(mask), x[mask], np.argwhere(mask[::-1])


def compared(wanted, got):
    if isinstance(wanted, tuple):
        for one, other in zip(wanted, got, strict=True):
            compared(one, other)
        return
    assert np.asarray(wanted).dtype == np.asarray(got).dtype and np.shape(wanted) == np.shape(got)
    np.testing.assert_allclose(got, wanted, rtol=1e-12)


@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
@pytest.mark.parametrize("shape", [(0,), (1,), (7,), (8,), (9,), (64,), (255,), (256,), (1000,), (5, 6), (0, 3), (3, 4, 5)], ids=str)
def test_places(shape, share):
    rng = np.random.default_rng(14)
    x, mask = rng.random(shape).round(1), rng.random(shape) < share
    program = selected if x.ndim < 3 else of_any_rank
    compared(program.f(x, mask), program(x, mask))


def test_layouts():
    rng = np.random.default_rng(15)
    x, mask = rng.random((40, 30)), rng.random((40, 30)) < 0.3
    compared(selected.f(x[:, 4], mask[:, 4]), selected(x[:, 4], mask[:, 4]))
    for some in ((x.T, mask.T), (x[::2, ::-3], mask[::2, ::-3])):
        compared(of_any_rank.f(*some), of_any_rank(*some))


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_every_level(level):
    @sluice.program(optimize=level)
    def places(mask):
        return np.nonzero(mask)[0], np.sort(mask), np.linalg.solve(np.eye(3) * 2, np.ones(3))

    mask = np.arange(300) % 7 == 0
    compared(places.f(mask), places(mask))
