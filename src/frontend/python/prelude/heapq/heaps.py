"""Binary heaps in lists (Williams, Algorithm 232, 1964), with the elements where Python's heapq has them."""


def _towards_root(heap, start, end):
    """The element at `end` rises while it is less than its parent, no further than `start`."""
    at = end
    item = heap[at]
    moves = at > start
    while moves:
        parent = (at - 1) // 2
        moves = item < heap[parent]
        if moves:
            heap[at] = heap[parent]
            at = parent
            moves = at > start
    heap[at] = item


def _towards_leaves(heap, start):
    """The element at `start` sinks to a leaf, smaller children first, and rises from there."""
    end = len(heap)
    item = heap[start]
    at = start
    child = 2 * at + 1
    while child < end:
        if child + 1 < end:
            if not heap[child] < heap[child + 1]:
                child = child + 1
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    heapq._towards_root(heap, start, at)


def heappush(heap, item):
    heap.append(item)
    heapq._towards_root(heap, 0, len(heap) - 1)


def heappop(heap):
    assert len(heap) > 0, IndexError("index out of range")
    least = heap[0]
    last = heap.pop()
    if len(heap) > 0:
        heap[0] = last
        heapq._towards_leaves(heap, 0)
    return least


def heapify(x):
    for back in range(len(x) // 2):
        heapq._towards_leaves(x, len(x) // 2 - 1 - back)


def heapreplace(heap, item):
    assert len(heap) > 0, IndexError("index out of range")
    least = heap[0]
    heap[0] = item
    heapq._towards_leaves(heap, 0)
    return least


def heappushpop(heap, item):
    least = item
    if len(heap) > 0:
        if heap[0] < item:
            least = heap[0]
            heap[0] = item
            heapq._towards_leaves(heap, 0)
    return least


def nsmallest(n, iterable, key=None):
    if key is None:
        return sorted(iterable)[:max(n, 0)]
    return sorted(iterable, key=key)[:max(n, 0)]


def nlargest(n, iterable, key=None):
    if key is None:
        return sorted(iterable, reverse=True)[:max(n, 0)]
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]
