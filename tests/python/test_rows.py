"""Lists of lists of any lengths, and dictionaries of lists: four lists to compiled code."""
import heapq
from collections import defaultdict, deque

import numpy as np
import pytest

import sluice

EDGES = np.array([[0, 1], [1, 2], [2, 0], [3, 4], [5, 5], [1, 4]])
WEIGHTS = np.array([1.0, 2.5, 0.5, 4.0, 1.0, 7.25])
X = np.array([0.32, 0.11, 0.95, 0.5, 0.55, 0.12])


def distances(n, edges):
    adjacent = [[] for _ in range(n)]
    for k in range(edges.shape[0]):
        a, b = edges[k, 0], edges[k, 1]
        adjacent[a].append(b)
        adjacent[b].append(a)
    distance = np.full(n, -1)
    distance[0] = 0
    queue = deque([0])
    while queue:
        u = queue.popleft()
        for v in adjacent[u]:
            if distance[v] < 0:
                distance[v] = distance[u] + 1
                queue.append(v)
    return distance


def shortest(n, edges, weights):
    adjacent = [[] for _ in range(n)]
    for (u, v), w in zip(edges, weights):
        adjacent[u].append((v, w))
        adjacent[v].append((u, w))
    distance = [float("inf")] * n
    distance[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > distance[u]:
            continue
        for v, w in adjacent[u]:
            if d + w < distance[v]:
                distance[v] = d + w
                heapq.heappush(heap, (d + w, v))
    return np.array(distance)


def components(n, edges):
    adjacent = [[] for _ in range(n)]
    for u, v in edges:
        adjacent[u].append(v)
    index, low, on_stack, of = [-1] * n, [0] * n, [False] * n, [-1] * n
    stack = []
    counter = count = 0

    def visit(v):
        nonlocal counter, count
        index[v] = counter
        low[v] = counter
        counter += 1
        stack.append(v)
        on_stack[v] = True
        for w in adjacent[v]:
            if index[w] == -1:
                visit(w)
                low[v] = min(low[v], low[w])
            elif on_stack[w]:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            while True:
                w = stack.pop()
                on_stack[w] = False
                of[w] = count
                if w == v:
                    break
            count += 1

    for v in range(n):
        if index[v] == -1:
            visit(v)
    return count, of


def sorted_buckets(x):
    buckets = [[] for _ in range(len(x))]
    for v in x:
        buckets[int(v * len(x))].append(v)
    for b in buckets:
        b.sort()
    result = []
    for b in buckets:
        result.extend(b)
    return result, [len(b) for b in buckets], max(len(b) for b in buckets)


def runs(x):
    found = []
    current = []
    for v in x:
        if v > 0.3:
            current.append(v)
        elif current:
            found.append(current)
            current = []
    if current:
        found.append(current)
    return [len(r) for r in found], [max(r) for r in found], len(found)


def changed(n):
    """Elements by index, of the end, updated, taken, in rows that move."""
    rows = [[10 * i, 10 * i + 1] for i in range(n)]
    rows.append([7])
    for k in range(9):
        rows[k % n].append(k)
    rows[0][-1] += 100
    rows[1][0] = 5
    last = rows[-1]
    last.append(8)
    first = rows[0].pop()
    second = rows[1].pop(0)
    rows[2] = []
    rows[2] += [3, 4]
    total = 0
    for i, row in enumerate(rows):
        for j, v in enumerate(row):
            total += (i + 1) * (j + 2) * v
    return total, first, second, 8 in last, rows[2] == [3, 4], not rows[1], sum(rows[0]), sorted(rows[0]), rows[0][1:]


def grown_while_walked(n):
    rows = [[1] for _ in range(2)]
    for v in rows[0]:
        if v < n:
            rows[0].append(v + 1)
        if v == 2:
            continue
        rows[1].append(v)
    return len(rows[0]), len(rows[1]), rows[1][-1]


def groups(labels, x):
    of = defaultdict(list)
    for k, v in zip(labels, x):
        of[k].append(v)
    return [np.mean(of[k]) for k in sorted(of)], len(of)


def plain_groups(labels, x):
    of = {}
    for i in range(len(labels)):
        k = int(labels[i])
        if k not in of:
            of[k] = []
        of[k].append(float(x[i]))
    means = []
    for k, values in of.items():
        means.append(sum(values) / len(values) + k)
    return means


def groups_by_default(labels, x):
    of = {}
    for k, v in zip(labels, x):
        of.setdefault(int(k), []).append(v)
    total = 0.0
    for k in of:
        for v in of[k]:
            total += k * v
    return total


LABELS = np.array([2, 0, 2, 1, 0, 2])


@pytest.mark.parametrize("function, arguments", [
    (distances, (6, EDGES)), (shortest, (6, EDGES, WEIGHTS)), (components, (6, EDGES)), (sorted_buckets, (X,)), (runs, (X,)),
    (runs, (X[:0],)), (changed, (4,)), (grown_while_walked, (6,)), (groups, (LABELS, X)), (plain_groups, (LABELS, X)),
    (groups_by_default, (LABELS, X))], ids=lambda one: getattr(one, "__name__", ""))
def test_as_python(function, arguments):
    wanted, found = function(*arguments), sluice.program(function, strict=True)(*arguments)
    same(found, wanted)


def same(one, other):
    assert type(one) is type(other), (one, other)
    if isinstance(one, (tuple, list)):
        assert len(one) == len(other)
        for a, b in zip(one, other):
            same(a, b)
    else:
        np.testing.assert_array_equal(one, other)


def test_indices_outside():
    def outside(n, k):
        rows = [[i] for i in range(n)]
        rows[0].append(1)
        return rows[k][1]

    compiled = sluice.program(outside, strict=True)
    assert compiled(3, 0) == 1 and compiled(3, -3) == 1
    for k in (1, 3, -4):
        with pytest.raises(IndexError):
            compiled(3, k)


def test_a_row_that_has_another_name_and_changes():
    """The list and the row are one object to Python."""
    def shared(n):
        rows = []
        row = [1]
        rows.append(row)
        for i in range(n):
            row.append(i)
        return len(rows[0])

    assert sluice.program(shared, strict=True)(3) == 4
