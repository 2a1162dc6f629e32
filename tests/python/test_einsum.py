"""np.einsum with `...`, without `->` and with lists of indices, compared with NumPy."""
import linecache

import numpy as np
import pytest

import sluice

rng = np.random.default_rng(2)
A, B, C, S = rng.random((2, 3, 4)), rng.random((2, 4, 5)), rng.random((1, 4, 5)), rng.random((4, 4))


def made(text, count):
    """np.einsum with these subscripts, as a function whose source Python finds."""
    names = ", ".join("abc"[:count])
    source = f"def f({names}):\n    return np.einsum('{text}', {names})\n"
    linecache.cache[f"<{text}>"] = len(source), None, source.splitlines(True), f"<{text}>"
    space = {"np": np}
    exec(compile(source, f"<{text}>", "exec"), space)
    return space["f"]


@pytest.mark.parametrize("text, operands", [
    ("...ij,...jk->...ik", (A, B)), ("...ij,...jk->...ik", (A, C)), ("...ij,jk", (A, S)), ("i...,i...->...", (A, A)), ("...i->...", (A,)), ("...ii->...i", (rng.random((3, 4, 4)),)), ("...", (A,)),
    ("ij...->ji...", (A,)), ("...ij,kj->...ik", (A, S)), ("...,...", (A[0], A)), ("ba", (S,)), ("zj,jB", (S, S)), ("ij,jk", (S, S)), ("ii", (S,)), ("i...,...j", (S[0], S[1])), ("...k,k", (A, S[0]))])
def test_subscripts(text, operands):
    function = made(text, len(operands))
    ours, wanted = sluice.program(function, strict=True)(*operands), function(*operands)
    assert np.shape(ours) == np.shape(wanted) and type(ours) is type(wanted)
    np.testing.assert_allclose(ours, wanted, rtol=1e-13)


def lists(a, b, s):
    return (np.einsum(a, [0, 1, 2], b, [0, 2, 3], [0, 1, 3]), np.einsum(s, [0, 0]), np.einsum(s, [3, 1], s, [1, 0]), np.einsum(a, [..., 1, 2], s, [2, 0], [..., 1, 0]),
            np.einsum(s, [1, 0]))


def test_lists_of_indices():
    for one, other in zip(sluice.program(lists, strict=True)(A, B, S), lists(A, B, S), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-13)


@pytest.mark.parametrize("text, operands", [("...ij,...ij->ij", (A, A)), ("i...", (A[0, 0, 0],)), ("...i...", (A,))])
def test_mistakes_are_refused(text, operands):
    function = made(text, len(operands))
    with pytest.raises(sluice.CompileError):
        sluice.program(function, strict=True)(*operands)
    with pytest.raises(ValueError):
        function(*operands)
