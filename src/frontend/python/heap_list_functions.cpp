// Lists, and dictionaries and sets, which are lists of places.
#include "frontend/python/heap_functions.h"

namespace sluice::frontend {

const std::vector<HeapFunction> kListFunctions = {
    {"close", R"(def @close(first):
    BEGIN.append(first)
    SIZE.append(len($) - first)
    ROOM.append(len($) - first)
    return len(SIZE) - 1
)"},
    {"append", R"(def @append(u, x):
    if SIZE[u] == ROOM[u]:
        first = len($)
        for k in range(SIZE[u]):
            $.append($[BEGIN[u] + k])
        for k in range(SIZE[u] + 1):
            $.append(x)
        BEGIN[u] = first
        ROOM[u] = 2 * SIZE[u] + 1
    else:
        $[BEGIN[u] + SIZE[u]] = x
    SIZE[u] += 1
)"},
    {"part", R"(def @part(u, begin, step, count):
    first = len($)
    for k in range(count):
        $.append($[BEGIN[u] + begin + k * step])
    return @close(first)
)"},
    {"repeat", R"(def @repeat(u, n):
    first = len($)
    for j in range(n):
        for k in range(SIZE[u]):
            $.append($[BEGIN[u] + k])
    return @close(first)
)"},
    {"filled", R"(def @filled(x, n):
    first = len($)
    for k in range(n):
        $.append(x)
    return @close(first)
)"},
    {"extend", R"(def @extend(u, v):
    n = SIZE[v]
    for j in range(n):
        @append(u, $[BEGIN[v] + j])
)"},
    {"grow", R"(def @grow(u, times):
    n = SIZE[u]
    if times < 1:
        SIZE[u] = 0
    for i in range(times - 1):
        for j in range(n):
            @append(u, $[BEGIN[u] + j])
)"},
    {"joined", R"(def @joined(u, v):
    first = len($)
    for k in range(SIZE[u]):
        $.append($[BEGIN[u] + k])
    for k in range(SIZE[v]):
        $.append($[BEGIN[v] + k])
    return @close(first)
)"},
    {"place", R"(def @place(u, k):
    if k < -SIZE[u] or k >= SIZE[u]:
        raise IndexError("list index out of range")
    return BEGIN[u] + (k if k >= 0 else k + SIZE[u])
)"},
    {"stored", R"(def @stored(u, k):
    if k < -SIZE[u] or k >= SIZE[u]:
        raise IndexError("list assignment index out of range")
    return BEGIN[u] + (k if k >= 0 else k + SIZE[u])
)"},
    {"insert", R"(def @insert(u, k, x):
    n = SIZE[u]
    at = (k + n if k + n > 0 else 0) if k < 0 else (k if k < n else n)
    @append(u, x)
    for j in range(n, at, -1):
        $[BEGIN[u] + j] = $[BEGIN[u] + j - 1]
    $[BEGIN[u] + at] = x
)"},
    {"cut", R"(def @cut(u, at, count):
    if at == 0:
        BEGIN[u] += count
        ROOM[u] -= count
    else:
        for k in range(at, SIZE[u] - count):
            $[BEGIN[u] + k] = $[BEGIN[u] + k + count]
    SIZE[u] -= count
)"},
    {"pop", R"(def @pop(u, k):
    n = SIZE[u]
    if n == 0:
        raise IndexError("pop from empty list")
    if k < -n or k >= n:
        raise IndexError("pop index out of range")
    at = k if k >= 0 else k + n
    x = $[BEGIN[u] + at]
    @cut(u, at, 1)
    return x
)"},
    {"last", R"(def @last(u):
    if SIZE[u] == 0:
        raise IndexError("pop from empty list")
    SIZE[u] -= 1
    return $[BEGIN[u] + SIZE[u]]
)"},
    {"lastleft", R"(def @lastleft(u):
    if SIZE[u] == 0:
        raise IndexError("pop from an empty deque")
    SIZE[u] -= 1
    return $[BEGIN[u] + SIZE[u]]
)"},
    {"popleft", R"(def @popleft(u):
    if SIZE[u] == 0:
        raise IndexError("pop from an empty deque")
    BEGIN[u] += 1
    SIZE[u] -= 1
    ROOM[u] -= 1
    return $[BEGIN[u] - 1]
)"},
    {"delete", R"(def @delete(u, k):
    n = SIZE[u]
    if k < -n or k >= n:
        raise IndexError("list assignment index out of range")
    @cut(u, k if k >= 0 else k + n, 1)
)"},
    {"replace", R"(def @replace(u, begin, end, v):
    n = SIZE[v]
    if v == u:
        v = @part(u, 0, 1, n)
    if end < begin:
        end = begin
    tail = @part(u, end, 1, SIZE[u] - end)
    SIZE[u] = begin
    @extend(u, v)
    @extend(u, tail)
)"},
    {"index", R"(def @index(u, x):
    at = -1
    for k in range(SIZE[u]):
        if at < 0 and @same($[BEGIN[u] + k], x):
            at = k
    return at
)"},
    {"count", R"(def @count(u, x):
    n = 0
    for k in range(SIZE[u]):
        if @same($[BEGIN[u] + k], x):
            n += 1
    return n
)"},
    {"remove", R"(def @remove(u, x):
    at = @index(u, x)
    if at < 0:
        raise ValueError("list.remove(x): x not in list")
    @cut(u, at, 1)
)"},
    {"reverse", R"(def @reverse(u):
    n = SIZE[u]
    for k in range(n // 2):
        x = $[BEGIN[u] + k]
        y = $[BEGIN[u] + n - 1 - k]
        $[BEGIN[u] + k] = y
        $[BEGIN[u] + n - 1 - k] = x
)"},
    {"rotate", R"(def @rotate(u, by):
    n = SIZE[u]
    if n > 0:
        moved = @part(u, 0, 1, n)
        for k in range(n):
            $[BEGIN[u] + (k + by) % n] = $[BEGIN[moved] + k]
)"},
    {"equal", R"(def @equal(u, v):
    same = SIZE[u] == SIZE[v]
    for k in range(SIZE[u]):
        if same:
            same = @same($[BEGIN[u] + k], $[BEGIN[v] + k])
    return same
)"},
    {"before", R"(def @before(u, v):
    k = 0
    while k < SIZE[u] and k < SIZE[v]:
        if not @same($[BEGIN[u] + k], $[BEGIN[v] + k]):
            break
        k += 1
    if k < SIZE[u] and k < SIZE[v]:
        return @less($[BEGIN[u] + k], $[BEGIN[v] + k])
    return SIZE[u] < SIZE[v]
)"},
    {"arranged", R"(def @arranged(u, order):
    n = SIZE[u]
    copy = @part(u, 0, 1, n)
    for k in range(n):
        $[BEGIN[u] + k] = $[BEGIN[copy] + INTS[BEGIN[order] + k]]
)"},
    {"order", R"(def @order(u, backwards):
    n = SIZE[u]
    first = len(INTS)
    for k in range(2 * n):
        INTS.append(k)
    BEGIN.append(first)
    SIZE.append(n)
    ROOM.append(n)
    order = len(SIZE) - 1
    width = 1
    while width < n:
        i = 0
        while i < n:
            mid = i + width if i + width < n else n
            end = i + 2 * width if i + 2 * width < n else n
            a = i
            b = mid
            k = i
            while k < end:
                take = b < end
                if take and a < mid:
                    x = $[BEGIN[u] + INTS[first + a]]
                    y = $[BEGIN[u] + INTS[first + b]]
                    if backwards:
                        take = @less(x, y)
                    else:
                        take = @less(y, x)
                if take:
                    INTS[first + n + k] = INTS[first + b]
                    b += 1
                else:
                    INTS[first + n + k] = INTS[first + a]
                    a += 1
                k += 1
            i = end
        for k in range(n):
            INTS[first + k] = INTS[first + n + k]
        width = 2 * width
    return order
)"},
    {"sort", R"(def @sort(u, backwards):
    order = @order(u, backwards)
    @arranged(u, order)
)"},
    {"left", R"(def @left(u, x):
    low = 0
    high = SIZE[u]
    while low < high:
        mid = (low + high) // 2
        if @less($[BEGIN[u] + mid], x):
            low = mid + 1
        else:
            high = mid
    return low
)"},
    {"right", R"(def @right(u, x):
    low = 0
    high = SIZE[u]
    while low < high:
        mid = (low + high) // 2
        if @less(x, $[BEGIN[u] + mid]):
            high = mid
        else:
            low = mid + 1
    return low
)"},
    {"down", R"(def @down(u, start, pos):
    x = $[BEGIN[u] + pos]
    while pos > start:
        parent = (pos - 1) // 2
        y = $[BEGIN[u] + parent]
        if not @less(x, y):
            break
        $[BEGIN[u] + pos] = y
        pos = parent
    $[BEGIN[u] + pos] = x
)"},
    {"up", R"(def @up(u, pos):
    end = SIZE[u]
    start = pos
    x = $[BEGIN[u] + pos]
    child = 2 * pos + 1
    while child < end:
        if child + 1 < end:
            if not @less($[BEGIN[u] + child], $[BEGIN[u] + child + 1]):
                child += 1
        $[BEGIN[u] + pos] = $[BEGIN[u] + child]
        pos = child
        child = 2 * pos + 1
    $[BEGIN[u] + pos] = x
    @down(u, start, pos)
)"},
    {"heappush", R"(def @heappush(u, x):
    @append(u, x)
    @down(u, 0, SIZE[u] - 1)
)"},
    {"heappop", R"(def @heappop(u):
    if SIZE[u] == 0:
        raise IndexError("index out of range")
    SIZE[u] -= 1
    x = $[BEGIN[u] + SIZE[u]]
    if SIZE[u] > 0:
        y = x
        x = $[BEGIN[u]]
        $[BEGIN[u]] = y
        @up(u, 0)
    return x
)"},
    {"heapreplace", R"(def @heapreplace(u, x):
    if SIZE[u] == 0:
        raise IndexError("index out of range")
    y = $[BEGIN[u]]
    $[BEGIN[u]] = x
    @up(u, 0)
    return y
)"},
    {"heappushpop", R"(def @heappushpop(u, x):
    y = x
    if SIZE[u] > 0:
        if @less($[BEGIN[u]], x):
            y = $[BEGIN[u]]
            $[BEGIN[u]] = x
            @up(u, 0)
    return y
)"},
    {"heapify", R"(def @heapify(u):
    for i in range(SIZE[u] // 2 - 1, -1, -1):
        @up(u, i)
)"},
    {"flat", R"(def @flat(u):
    node = -9000000000000000000
    for k in range(SIZE[u]):
        node = __h_node(node, @number($[BEGIN[u] + k]))
    return node
)"},
};

const std::vector<HeapFunction> kTableFunctions = {
    {"find", R"(def @find(d, k):
    at = __h_find(@_kept_places, (d, KEY))
    found = -1
    if at < len(@_kept_places):
        if @_kept_live[at] == 1:
            found = at
    return found
)"},
    {"set", R"(def @set(d, k, v):
    at = __h_find(@_kept_places, (d, KEY))
    if at == len(@_kept_places):
        @_kept_values.append(v)
        @_kept_keys.append(k)
        @_kept_live.append(1)
        @_kept_places.append((d, KEY))
        INTS_append(d, at)
    else:
        @_kept_values[at] = v
        if @_kept_live[at] == 0:
            @_kept_live[at] = 1
            INTS_append(d, at)
)"},
    {"add", R"(def @add(d, k):
    at = __h_find(@_kept_places, (d, KEY))
    if at == len(@_kept_places):
        @_kept_keys.append(k)
        @_kept_live.append(1)
        @_kept_places.append((d, KEY))
        INTS_append(d, at)
    else:
        if @_kept_live[at] == 0:
            @_kept_live[at] = 1
            INTS_append(d, at)
)"},
    {"key", R"(def @key(d, k):
    at = @find(d, k)
    if at < 0:
        raise KeyError(MESSAGE)
    return at
)"},
    {"drop", R"(def @drop(d, at):
    if at >= 0:
        @_kept_live[at] = 0
        INTS_remove(d, at)
)"},
    {"clear", R"(def @clear(d):
    for k in range(SIZE[d]):
        @_kept_live[INTS[BEGIN[d] + k]] = 0
    SIZE[d] = 0
)"},
};

}  // namespace sluice::frontend
