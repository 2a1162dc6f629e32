// Texts, and numbers that Python has methods for.
#include "frontend/python/heap_functions.h"

namespace sluice::frontend {

const std::vector<HeapFunction> kTextFunctions = {
    {"finish", R"(def __h_finish(first):
    n = len(CHARS) - first
    if n == 1:
        return -1 - CHARS[first]
    BEGIN.append(first)
    SIZE.append(n)
    ROOM.append(n)
    return len(SIZE) - 1
)"},
    {"length", R"(def __h_length(s):
    n = 1
    if s >= 0:
        n = SIZE[s]
    return n
)"},
    {"point", R"(def __h_point(s, k):
    c = -1 - s
    if s >= 0:
        c = CHARS[BEGIN[s] + k]
    return c
)"},
    {"copy", R"(def __h_copy(s):
    if s < 0:
        CHARS.append(-1 - s)
    else:
        for k in range(SIZE[s]):
            CHARS.append(CHARS[BEGIN[s] + k])
)"},
    {"add", R"(def __h_add(s, t):
    first = len(CHARS)
    inside = False
    if s >= 0:
        if BEGIN[s] + SIZE[s] == first:
            first = BEGIN[s]
            inside = True
    if not inside:
        __h_copy(s)
    __h_copy(t)
    return __h_finish(first)
)"},
    {"times", R"(def __h_times(s, n):
    first = len(CHARS)
    for k in range(n):
        __h_copy(s)
    return __h_finish(first)
)"},
    {"char", R"(def __h_char(s, k):
    n = __h_length(s)
    if k < -n or k >= n:
        raise IndexError("string index out of range")
    return -1 - __h_point(s, k if k >= 0 else k + n)
)"},
    {"slice", R"(def __h_slice(s, begin, step, count):
    if count == 1:
        return -1 - __h_point(s, begin)
    first = len(CHARS)
    if s >= 0 and step == 1:
        first = BEGIN[s] + begin
    else:
        for k in range(count):
            CHARS.append(CHARS[BEGIN[s] + begin + k * step])
    BEGIN.append(first)
    SIZE.append(count)
    ROOM.append(count)
    return len(SIZE) - 1
)"},
    {"equal", R"(def __h_equal(s, t):
    same = s == t
    if not same and s >= 0 and t >= 0:
        same = SIZE[s] == SIZE[t]
        for k in range(SIZE[s]):
            if same:
                same = CHARS[BEGIN[s] + k] == CHARS[BEGIN[t] + k]
    return same
)"},
    {"compare", R"(def __h_compare(s, t):
    n = __h_length(s)
    m = __h_length(t)
    k = 0
    result = 0
    while k < n and k < m and result == 0:
        result = __h_point(s, k) - __h_point(t, k)
        k += 1
    if result == 0:
        result = n - m
    return result
)"},
    {"search", R"(def __h_search(s, t, start):
    n = __h_length(s)
    m = __h_length(t)
    at = -1
    i = start
    while i + m <= n and at < 0:
        k = 0
        while k < m:
            if __h_point(s, i + k) != __h_point(t, k):
                break
            k += 1
        if k == m:
            at = i
        i += 1
    return at
)"},
    {"searchlast", R"(def __h_searchlast(s, t):
    at = -1
    found = __h_search(s, t, 0)
    while found >= 0:
        at = found
        found = __h_search(s, t, found + 1)
    return at
)"},
    {"occurrences", R"(def __h_occurrences(s, t):
    m = __h_length(t)
    n = 0
    if m == 0:
        n = __h_length(s) + 1
    else:
        found = __h_search(s, t, 0)
        while found >= 0:
            n += 1
            found = __h_search(s, t, found + m)
    return n
)"},
    {"starts", R"(def __h_starts(s, t, at):
    m = __h_length(t)
    same = at >= 0 and at + m <= __h_length(s)
    for k in range(m):
        if same:
            same = __h_point(s, at + k) == __h_point(t, k)
    return same
)"},
    {"replace", R"(def __h_replace(s, old, new):
    n = __h_length(s)
    m = __h_length(old)
    if m == 0:
        raise NotImplementedError("compiled code replaces no empty text")
    first = len(CHARS)
    i = 0
    while i < n:
        if __h_starts(s, old, i):
            __h_copy(new)
            i += m
        else:
            c = __h_point(s, i)
            CHARS.append(c)
            i += 1
    return __h_finish(first)
)"},
    {"ascii", R"(def __h_ascii(c):
    if c > 127:
        raise NotImplementedError("compiled code knows no letters beyond ASCII")
    return c
)"},
    {"kind", R"(def __h_kind(s, letters, digits, spaces):
    n = __h_length(s)
    fits = n > 0
    for k in range(n):
        c = __h_ascii(__h_point(s, k))
        letter = (65 <= c and c <= 90) or (97 <= c and c <= 122)
        digit = 48 <= c and c <= 57
        space = c == 32 or (9 <= c and c <= 13) or (28 <= c and c <= 31)
        if not ((letters and letter) or (digits and digit) or (spaces and space)):
            fits = False
    return fits
)"},
    {"cased", R"(def __h_cased(s, begin):
    any = False
    fits = True
    for k in range(__h_length(s)):
        c = __h_ascii(__h_point(s, k))
        if (65 <= c and c <= 90) or (97 <= c and c <= 122):
            any = True
            if c < begin or c >= begin + 26:
                fits = False
    return any and fits
)"},
    {"recased", R"(def __h_recased(s, upper, lower):
    first = len(CHARS)
    for k in range(__h_length(s)):
        c = __h_ascii(__h_point(s, k))
        d = c
        if upper and 97 <= c and c <= 122:
            d = c - 32
        if lower and 65 <= c and c <= 90:
            d = c + 32
        CHARS.append(d)
    return __h_finish(first)
)"},
    {"space", R"(def __h_space(c):
    if c >= 5760:
        raise NotImplementedError("compiled code knows no spaces beyond Latin-1")
    return c == 32 or (9 <= c and c <= 13) or (28 <= c and c <= 31) or c == 133 or c == 160
)"},
    {"strip", R"(def __h_strip(s, left, right):
    begin = 0
    end = __h_length(s)
    while left and begin < end:
        if not __h_space(__h_point(s, begin)):
            break
        begin += 1
    while right and begin < end:
        if not __h_space(__h_point(s, end - 1)):
            break
        end -= 1
    return __h_slice(s, begin, 1, end - begin)
)"},
    {"trim", R"(def __h_trim(s, of, left, right):
    begin = 0
    end = __h_length(s)
    while left and begin < end:
        if not __h_has(of, __h_point(s, begin)):
            break
        begin += 1
    while right and begin < end:
        if not __h_has(of, __h_point(s, end - 1)):
            break
        end -= 1
    return __h_slice(s, begin, 1, end - begin)
)"},
    {"has", R"(def __h_has(of, c):
    for k in range(__h_length(of)):
        if __h_point(of, k) == c:
            return True
    return False
)"},
    {"words", R"(def __h_words(s):
    n = __h_length(s)
    BEGIN.append(0)
    SIZE.append(0)
    ROOM.append(0)
    all = len(SIZE) - 1
    i = 0
    while i < n:
        while i < n:
            if not __h_space(__h_point(s, i)):
                break
            i += 1
        begin = i
        while i < n:
            if __h_space(__h_point(s, i)):
                break
            i += 1
        if i > begin:
            TEXTS_append(all, __h_slice(s, begin, 1, i - begin))
    return all
)"},
    {"split", R"(def __h_split(s, by):
    n = __h_length(s)
    m = __h_length(by)
    if m == 0:
        raise ValueError("empty separator")
    BEGIN.append(0)
    SIZE.append(0)
    ROOM.append(0)
    all = len(SIZE) - 1
    begin = 0
    at = __h_search(s, by, 0)
    while at >= 0:
        TEXTS_append(all, __h_slice(s, begin, 1, at - begin))
        begin = at + m
        at = __h_search(s, by, begin)
    TEXTS_append(all, __h_slice(s, begin, 1, n - begin))
    return all
)"},
    {"join", R"(def __h_join(by, all):
    first = len(CHARS)
    for k in range(SIZE[all]):
        if k > 0:
            __h_copy(by)
        __h_copy(HANDLES[BEGIN[all] + k])
    return __h_finish(first)
)"},
    {"digits", R"(def __h_digits(n, base):
    first = len(CHARS)
    if n < 0:
        CHARS.append(45)
    m = abs(n)
    if base != 10:
        CHARS.append(48)
        CHARS.append(98 if base == 2 else 111 if base == 8 else 120)
    size = 1
    power = 1
    while m // power >= base:
        power *= base
        size += 1
    for k in range(size):
        d = m // power % base
        CHARS.append(48 + d if d < 10 else 87 + d)
        power //= base
    return __h_finish(first)
)"},
    {"chr", R"py(def __h_chr(n):
    if n < 0 or n > 1114111:
        raise ValueError("chr() arg not in range(0x110000)")
    return -1 - n
)py"},
    {"ord", R"(def __h_ord(s):
    if s >= 0:
        raise TypeError("ord() expected a character")
    return -1 - s
)"},
    {"real", R"py(def __h_real(s):
    if s >= 0:
        return __h_parsed(CHARS, BEGIN[s], SIZE[s])
    if s > -49 or s < -58:
        raise ValueError("could not convert string to float")
    return float(-49 - s)
)py"},
    {"parse", R"py(def __h_parse(s, base):
    if base == 0:
        raise NotImplementedError("compiled code asks no digits for their base")
    if base < 2 or base > 36:
        raise ValueError("int() base must be >= 2 and <= 36, or 0")
    value = 0
    negative = False
    state = 0
    fits = True
    zero = -1
    for k in range(__h_length(s)):
        c = __h_point(s, k)
        if c > 127:
            raise NotImplementedError("compiled code knows no digits beyond ASCII")
        digit = 99
        if 48 <= c and c <= 57:
            digit = c - 48
        elif 97 <= c and c <= 122:
            digit = c - 87
        elif 65 <= c and c <= 90:
            digit = c - 55
        if digit < base:
            if state == 4:
                fits = False
            if state < 2 and digit == 0:
                zero = k
            if fits:
                value = base * value - digit
            state = 2
        elif state == 2 and zero >= 0 and zero == k - 1 and ((base == 16 and digit == 33) or (base == 8 and digit == 24) or (base == 2 and digit == 11)):
            state = 5
        elif state == 0 and (c == 43 or c == 45):
            negative = c == 45
            state = 1
        elif c == 95 and (state == 2 or state == 5):
            state = 3
        elif c == 32 or (9 <= c and c <= 13) or (28 <= c and c <= 31):
            if state == 1 or state == 3 or state == 5:
                fits = False
            if state == 2:
                state = 4
        else:
            fits = False
    if not fits or (state != 2 and state != 4):
        if base == 10:
            raise ValueError("invalid literal for int() with base 10")
        raise ValueError("invalid literal for int()")
    return value if negative else -value
)py"},
    {"pad", R"(def __h_pad(s, width, fill, left):
    n = __h_length(s)
    first = len(CHARS)
    if not left:
        __h_copy(s)
    for k in range(width - n):
        CHARS.append(-1 - fill)
    if left:
        __h_copy(s)
    return __h_finish(first)
)"},
    {"center", R"(def __h_center(s, width, fill):
    n = __h_length(s)
    first = len(CHARS)
    for k in range((width - n) // 2):
        CHARS.append(-1 - fill)
    __h_copy(s)
    for k in range(width - n - max(0, (width - n) // 2)):
        CHARS.append(-1 - fill)
    return __h_finish(first)
)"},
    {"node", R"(def __h_node(parent, c):
    at = __h_find(NODES, (parent, c))
    if at == len(NODES):
        NODES.append((parent, c))
    return at
)"},
    {"number", R"(def __h_number(s):
    node = s
    if s >= 0:
        node = -9000000000000000000
        for k in range(SIZE[s]):
            node = __h_node(node, CHARS[BEGIN[s] + k])
    return node
)"},
    {"new", R"(def __h_new():
    BEGIN.append(0)
    SIZE.append(0)
    ROOM.append(0)
    return len(SIZE) - 1
)"},
    {"bound", R"(def __h_bound(k, n):
    return (k + n if k + n > 0 else 0) if k < 0 else (k if k < n else n)
)"},
    {"boundback", R"(def __h_boundback(k, n):
    return (k + n if k + n > -1 else -1) if k < 0 else (k if k < n - 1 else n - 1)
)"},
    {"bits", R"(def __h_bits(n):
    m = abs(n)
    count = 0
    while m > 0:
        m //= 2
        count += 1
    return count
)"},
    {"ones", R"(def __h_ones(n):
    m = abs(n)
    count = 0
    while m > 0:
        count += m % 2
        m //= 2
    return count
)"},
    {"powmod", R"(def __h_powmod(a, b, m):
    if m == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    base = a % m
    e = b
    if b < 0:
        r = abs(m)
        s = base % r
        t = 0
        u = 1
        while s > 0:
            q = r // s
            v = t - q * u
            w = r - q * s
            t = u
            u = v
            r = s
            s = w
        if r != 1:
            raise ValueError("base is not invertible for the given modulus")
        base = t % m
        e = -b
    result = 1 % m
    while e > 0:
        if e % 2 == 1:
            result = result * base % m
        base = base * base % m
        e //= 2
    return result
)"},
};

}  // namespace sluice::frontend
