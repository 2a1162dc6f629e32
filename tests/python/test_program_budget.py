"""Programs that are written anew again and again are refused, and not translated for ever."""
import heapq

import pytest

import sluice


def vertex_cover(graph):
    queue = []
    for key, value in graph.items():
        heapq.heappush(queue, [-1 * len(value), (key, value)])
    chosen = set()
    while queue and queue[0][0] != 0:
        best = heapq.heappop(queue)[1][0]
        chosen.add(best)
        for one in queue:
            if one[0] == 0:
                continue
            if best in one[1][1]:
                at = one[1][1].index(best)
                del one[1][1][at]
                one[0] += 1
        heapq.heapify(queue)
    return chosen


def matching(graph):
    chosen = set()
    edges = {(a, b) for a, others in graph.items() for b in others}
    while edges:
        a, b = edges.pop()
        chosen.add(a)
        chosen.add(b)
        for edge in edges.copy():
            if a in edge or b in edge:
                edges.discard(edge)
    return chosen


@pytest.mark.parametrize("program", [vertex_cover, matching])
def test_ends(program):
    graph = {0: [1, 3], 1: [0, 3], 2: [0, 3, 4], 3: [0, 1, 2], 4: [2, 3]}
    try:
        result = sluice.program(strict=True)(program)({key: list(value) for key, value in graph.items()})
    except sluice.CompileError:
        return
    assert all(a in result or b in result for a, others in graph.items() for b in others)
