// NumPy's arrays: rows of elements, whose lengths are SIZE and ROOM, the latter 1 with one dimension. They never grow, so that a
// view is another such row over the same elements.
#include "frontend/python/heap_functions.h"

namespace sluice::frontend {

const std::vector<HeapFunction> kArrayFunctions = {
    {"closed", R"(def @closed(first, n, m):
    BEGIN.append(first)
    SIZE.append(n)
    ROOM.append(m)
    return len(SIZE) - 1
)"},
    {"made", R"(def @made(n, m, x):
    if n < 0 or m < 0:
        raise ValueError("negative dimensions are not allowed")
    first = len($)
    for k in range(n * m):
        $.append(x)
    return @closed(first, n, m)
)"},
    {"axis", R"(def @axis(k, n):
    if k < -n or k >= n:
        raise IndexError("index is out of bounds")
    return k if k >= 0 else k + n
)"},
    {"item", R"(def @item(u, k):
    n = SIZE[u]
    if k < -n or k >= n:
        raise IndexError("index is out of bounds")
    return BEGIN[u] + (k if k >= 0 else k + n)
)"},
    {"cell", R"(def @cell(u, i, j):
    n = SIZE[u]
    m = ROOM[u]
    if i < -n or i >= n or j < -m or j >= m:
        raise IndexError("index is out of bounds")
    return BEGIN[u] + (i if i >= 0 else i + n) * m + (j if j >= 0 else j + m)
)"},
    {"row", R"(def @row(u, k):
    return @closed(BEGIN[u] + @axis(k, SIZE[u]) * ROOM[u], ROOM[u], 1)
)"},
    {"span", R"(def @span(u, begin, end):
    return @closed(BEGIN[u] + begin * ROOM[u], max(0, end - begin), ROOM[u])
)"},
    {"fill", R"(def @fill(first, begin, end, step, x):
    if step < 1:
        raise ValueError("a step backwards")
    for k in range(begin, end, step):
        $[first + k] = x
)"},
    {"rectangle", R"(def @rectangle(u, top, bottom, left, right, x):
    for i in range(top, bottom):
        for j in range(left, right):
            $[BEGIN[u] + i * ROOM[u] + j] = x
)"},
    {"put", R"(def @put(first, begin, end, step, v):
    if step < 1 or max(0, (end - begin + step - 1) // step) != SIZE[v]:
        raise ValueError("could not broadcast input array")
    for k in range(SIZE[v]):
        $[first + begin + k * step] = $[BEGIN[v] + k]
)"},
};

}  // namespace sluice::frontend
