"""Arrays that iterations hand on in another size, and masks that are used more than once."""
import copy

import numpy as np
import pytest

import sluice


def agrees(function, *arguments):
    mine = copy.deepcopy(arguments)
    expected = function(*arguments)
    result = sluice.program(function, strict=True)(*mine)
    for one, other in zip(expected if isinstance(expected, tuple) else (expected,), result if isinstance(result, tuple) else (result,)):
        assert type(one) is type(other)
        np.testing.assert_allclose(other, one, rtol=1e-12)
        assert np.shape(one) == np.shape(other) and np.asarray(one).dtype == np.asarray(other).dtype
    for one, other in zip(arguments, mine):
        np.testing.assert_array_equal(one, other)


def mandelbrot(re, im, steps):
    c = (re + im[:, None] * 1j).reshape(re.size * im.size)
    gone_at = np.zeros(c.size, dtype=np.int64)
    place = np.arange(c.size)
    z = np.zeros_like(c)
    for n in range(1, steps):
        z = z * z + c
        gone = np.abs(z) > 2.0
        gone_at[place[gone]] = n
        rest = np.logical_not(gone)
        z = z[rest]
        c = c[rest]
        place = place[rest]
    return gone_at.reshape(im.size, re.size), z


def together(z, c, n):
    for i in range(n):
        z = z * z + c
        rest = np.abs(z) < 2.0
        z, c = z[rest], c[rest]
    return z, c


def in_tuples(x, n):
    a = x + 1.0
    b = x * 2.0
    c = x - 0.5
    for i in range(n):
        m = x > 0.1 * i
        x, (a, b), c = x[m], (a[m], b[m]), c[m]
    a, (b, x), c = b, (x, a), 4 * c
    return a, b, c, x


def sizes_from_before(x, n):
    a = x + 1.0
    b = x * 2.0
    c = x - 0.5
    for i in range(n):
        m = a > 1.0 + 0.1 * i
        a, b, c = a[m], a * 2.0 + b, a[:5] * c[:5]
        b = b[m]
        c = np.concatenate((c, a))[:a.size]
    return a, b, c


def until_empty(x):
    count = 0
    y = x * 1.0
    w = np.arange(x.size)
    v = x + 1.0
    while y.size > 0:
        keep = y > y.mean()
        y = y[keep]
        w = w[keep]
        v = v[keep]
        count += w.sum() + y.size
    return count, v


def grows(x, n):
    a = x.copy()
    b = x * 2.0
    c = x + 1.0
    for i in range(n):
        a = np.concatenate((a, b[:2]))
        b = np.concatenate((b, a[-1:]))
        c = np.concatenate((c, a[:1], b[:1]))
    return a, b, c


def keeps_the_last(z, n):
    c = z * 0.5
    k = z + 3.0
    total = 0.0
    for i in range(n):
        old = z
        rest = z < 2.0 - 0.1 * i
        z = z[rest]
        c = c[rest]
        k = k[rest]
        total += old.sum() - z.sum() + old[-1]
    return z, c, total


def rows(points, n):
    weights = points[:, 0] + 2.0
    ids = np.arange(points.shape[0])
    for i in range(n):
        inside = points[:, 0] ** 2 + points[:, 1] ** 2 > 0.05 * (i + 1)
        points = points[inside] * 0.97
        weights = weights[inside]
        ids = ids[inside]
    return points, weights, ids


def stockham(R, K, x):
    N = R ** K
    roots = np.exp(-2j * np.pi * np.outer(np.arange(R), np.arange(R)) / R)
    y = x.copy()
    for stage in range(K):
        rest = R ** (K - stage - 1)
        done = R ** stage
        twiddles = np.exp(-2j * np.pi * np.outer(np.arange(R), np.arange(rest)) / (R * rest))
        butterflies = (roots @ y.reshape(R, N // R)).reshape(R, rest, done)
        y = np.transpose(butterflies * twiddles[:, :, None], (1, 0, 2)).reshape(N)
    return y


def other_types(x, n):
    a = x > 0.5
    b = x * 1.0
    c = np.arange(x.size)
    for i in range(n):
        b = b[a]
        c = c[a]
        a = b > 0.6
    return a, b, c


def read_behind_the_loop(x, n):
    for t in range(n):
        m = x < 0.9 - t * 0.0001
        e = x[m]
        e[0] = t
    return e, e.sum()


def ranges(x, n):
    a = x + 1.0
    total = 0
    for t in range(n):
        for i in range(a.size):
            a = a[a < 1.95 - 0.003 * i]
            total += i + a.size
        for v in a:
            a = a[a < 1.9 - 0.01 * v]
            total += v
    return total, a


def ranges_of_three(x, n):
    a, b, c = x + 1.0, x * 2.0, x - 0.5
    total = 0.0
    for t in range(n):
        for i in range(a.size):
            m = a < 1.95 - 0.003 * i
            a = a[m]
            b = b[m]
            c = c[m]
            total += i + a.size
    return total, a, b, c


@pytest.mark.parametrize("function, arguments", [
    (read_behind_the_loop, (np.linspace(0, 1, 50000), 3)),
    (ranges, (np.linspace(0, 1, 21), 4)),
    (ranges_of_three, (np.linspace(0, 1, 21), 4)),
    (mandelbrot, (np.linspace(-2, 0.5, 17), np.linspace(-1.25, 1.25, 13), 12)),
    (together, (np.linspace(0, 2, 30), np.linspace(0, 1.5, 30), 7)),
    (in_tuples, (np.linspace(0, 1, 21), 5)),
    (sizes_from_before, (np.linspace(0, 1, 21), 4)),
    (until_empty, (np.random.default_rng(3).random(40),)),
    (grows, (np.arange(5.0), 6)),
    (keeps_the_last, (np.linspace(0, 2.5, 40), 6)),
    (rows, (np.random.default_rng(4).standard_normal((50, 2)), 9)),
    (stockham, (2, 6, np.random.default_rng(5).random(64) + 0j)),
    (other_types, (np.linspace(0, 1, 33), 1)),
])
def test_arrays_of_another_size_in_each_iteration(function, arguments):
    agrees(function, *arguments)


def mask_that_changes(a, b):
    m = a > 0.5
    x = a[m]
    m[0] = True
    y = b[m]
    m[1:3] = False
    z = a[m]
    return x, y, z


def mask_in_branches(a, b, n):
    m = a > 0.5
    total = a[m].sum()
    for i in range(n):
        if i % 2 == 0:
            m = b > 0.1 * i
        total += a[m].sum() * b[m].sum()
        m[i] = not m[i]
    return total + a[m].sum()


def mask_by_two_names(a):
    m = a > 0.5
    same = m
    x = a[m]
    same[:4] = False
    return x, a[m], a[same]


def changes(m):
    m[2] = not m[2]
    return 0


def mask_that_a_call_changes(a):
    m = a > 0.3
    x = a[m]
    changes(m)
    return x, a[m]


def part_of_a_mask(a):
    m = a > 0.4
    x = a[2:][m[2:]]
    m[-1] = not m[-1]
    y = a[2:][m[2:]]
    return x, y, a[:5][m[:5]]


def places_of_places(a, p):
    m = p > 3
    out = np.zeros(a.size)
    out[p[m]] = a[m]
    out[p[m]] += 1.0
    return out


@pytest.mark.parametrize("function, arguments", [
    (mask_that_changes, (np.random.default_rng(1).random(12), np.random.default_rng(2).random(12))),
    (mask_in_branches, (np.random.default_rng(1).random(12), np.random.default_rng(2).random(12), 7)),
    (mask_by_two_names, (np.random.default_rng(1).random(12),)),
    (mask_that_a_call_changes, (np.random.default_rng(1).random(12),)),
    (part_of_a_mask, (np.random.default_rng(1).random(12),)),
    (places_of_places, (np.random.default_rng(1).random(12), np.random.default_rng(2).permutation(12))),
])
def test_a_mask_is_asked_again_when_it_has_changed(function, arguments):
    agrees(function, *arguments)


def test_a_mask_is_asked_once():
    def function(a, b, c):
        m = a > 0.5
        return a[m].sum() + b[m].sum() + c[m].sum()

    x = np.linspace(0, 1, 9)
    graph = sluice.program(function, strict=True).to_sdfg(x, x, x, simplify=False)
    assert graph.text().count("library Places") == 1


def test_a_second_name_of_one_iteration_does_not_share_what_the_next_begins_with():
    def clusters(points, k, most):
        centers = points[:k].copy()
        for step in range(most):
            nearest = np.argmin(np.linalg.norm(points[:, None] - centers, axis=2), axis=1)
            new = np.array([points[nearest == j].mean(axis=0) if np.any(nearest == j) else centers[j] for j in range(k)])
            if np.allclose(new, centers):
                break
            centers = new
        return centers, nearest, step

    agrees(clusters, np.random.default_rng(2).random((60, 2)), 5, 30)
    agrees(clusters, np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [5.0, 5.0]]), 2, 3)


def test_a_second_name_that_is_changed_in_place_would_have_to_share_it():
    def kept(x, n):
        c = x[:2].copy()
        for i in range(n):
            new = x[x > c[0]]
            c = new
            new[0] = new[0] + 1.0
        return c

    with pytest.raises(sluice.CompileError, match="F008.*may mean more than"):
        sluice.program(kept, strict=True)(np.arange(12.0), 3)
