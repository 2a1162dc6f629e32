"""Memlets whose conflict resolution has an identity: what they update is the identity before."""
import numpy as np
import pytest

import sluice

M, N, K = (sluice.symbol(name) for name in ("M", "N", "K"))


@sluice.program(strict=True)
def products(A: sluice.float64[N, K], B: sluice.float64[K, N], C: sluice.float64[N, N]):
    E = sluice.define_local([N, N], sluice.float64)

    @sluice.map
    def sums(i: _[0:N], j: _[0:N], k: _[0:K]):  # noqa: F821
        a << A[i, k]
        b << B[k, j]
        out >> E(1, lambda x, y: x + y, 0)[i, j]
        out = a * b

    @sluice.mapscope
    def rows(i: _[0:N - 1]):  # noqa: F821
        @sluice.mapscope
        def columns(j: _[i + 1:N]):  # noqa: F821
            @sluice.map
            def largest(k: _[0:K]):  # noqa: F821
                a << A[i, k]
                b << B[k, j]
                out >> C(1, lambda x, y: max(x, y), -1e30)[i, j]
                out = a * b

    for i in sluice.map[0:N]:
        with sluice.tasklet:
            e << E[i, i]
            out >> C[i, i]
            out = e


def test_what_is_updated_begins_with_the_identity_and_nothing_else():
    rng = np.random.default_rng(3)
    A, B = rng.random((4, 5)), rng.random((5, 4))
    terms = A[:, :, None] * B[None]  # i, k, j
    expected = np.where(np.arange(4)[:, None] < np.arange(4), terms.max(axis=1), -7)
    np.fill_diagonal(expected, np.diag(A @ B))
    C = np.full((4, 4), -7.0)
    for _ in range(2):  # the second call finds what the first one left
        products(A, B, C)
        np.testing.assert_allclose(C, expected)
    C[:] = -7
    products.to_sdfg()(A=A, B=B, C=C)
    np.testing.assert_allclose(C, expected)


@sluice.program(strict=True)
def of_each_row(A: sluice.float64[N, K], s: sluice.float64[N], t: sluice.float64[N]):
    @sluice.mapscope
    def row(i: _[0:N]):  # noqa: F821
        own = sluice.define_local([2], sluice.float64)
        own[:] = 9

        @sluice.map
        def both(q: _[0:2], k: _[0:K]):  # noqa: F821
            a << A[i, k]
            out >> own(1, lambda x, y: x + y, 0)[q]
            out = a * (q + 1)

        @sluice.map
        def all_of_it(k: _[0:K]):  # noqa: F821
            a << A[i, k]
            out >> t(1, lambda x, y: x + y, 1)[i]
            out = a
        s[i] = own[0] + own[1]


def test_iterations_that_own_what_they_update_begin_on_their_own():
    A, s, t = np.arange(12.0).reshape(3, 4), np.full(3, np.nan), np.full(3, np.nan)
    of_each_row(A, s, t)
    np.testing.assert_array_equal(s, 3 * A.sum(axis=1))
    np.testing.assert_array_equal(t, 1 + A.sum(axis=1))


def test_iterations_that_share_it_are_refused():
    @sluice.program(strict=True)
    def shared(A: sluice.float64[N, K], s: sluice.float64[N]):
        for k in sluice.map[0:K]:
            for _ in range(2):
                @sluice.map
                def add(i: _[0:N]):  # noqa: F821
                    a << A[i, k]
                    out >> s(1, lambda x, y: x + y, 0)[i]
                    out = a

    with pytest.raises(sluice.CompileError, match="F012: each iteration of the map over k would begin again with the identity"):
        shared.to_sdfg()

    @sluice.program(strict=True)
    def read(A: sluice.float64[N], s: sluice.float64[N]):
        @sluice.map
        def add(i: _[0:N]):  # noqa: F821
            a << A(1, lambda x, y: x + y, 0)[i]
            out >> s[i]
            out = a

    with pytest.raises(sluice.CompileError, match="F012: the identity of a memlet is a number that is written"):
        read.to_sdfg()


def test_plain_python_knows_no_first_iteration():
    @sluice.program
    def total(A: sluice.float64[N], s: sluice.float64[1]):
        for i in sluice.map[0:N]:
            with sluice.tasklet:
                a << A[i]
                out >> s(1, lambda x, y: x + y, 0)[0]
                out = a

    s = np.full(1, np.nan)
    total(np.arange(4.0), s)
    assert s[0] == 6
    with pytest.raises(TypeError, match="identity has no meaning in plain Python"):
        plain_total(np.arange(4.0), s)


def plain_total(A, s):
    for i in range(len(A)):
        with sluice.tasklet:
            a << A[i]
            out >> s(1, lambda x, y: x + y, 0)[0]  # noqa: F821
            out = a  # noqa: F841
