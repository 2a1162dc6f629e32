"""Functions of whole numbers. What does not fit into 64 bits raises OverflowError, for Python's integers would grow."""


def gcd(a, b):
    """The greatest common divisor, after Euclid."""
    assert a.dtype.kind != 'f' and b.dtype.kind != 'f', TypeError("'float' object cannot be interpreted as an integer")
    assert int(a) >= -9223372036854775807 and int(b) >= -9223372036854775807, OverflowError("an integer of Python's does not fit into 64 bits")
    x = abs(int(a))
    y = abs(int(b))
    while y != 0:
        rest = x % y
        x = y
        y = rest
    return x


def lcm(a, b):
    """The least common multiple."""
    assert a.dtype.kind != 'f' and b.dtype.kind != 'f', TypeError("'float' object cannot be interpreted as an integer")
    assert int(a) >= -9223372036854775807 and int(b) >= -9223372036854775807, OverflowError("an integer of Python's does not fit into 64 bits")
    first = abs(int(a))
    second = abs(int(b))
    x = first
    y = second
    while y != 0:
        rest = x % y
        x = y
        y = rest
    many = first // max(x, 1)
    assert 1.0 * many * second < 9.2e18, OverflowError("an integer of Python's does not fit into 64 bits")
    return many * second


def isqrt(n):
    """The whole part of the square root."""
    assert n.dtype.kind != 'f', TypeError("'float' object cannot be interpreted as an integer")
    assert n >= 0, "isqrt() argument must be nonnegative"
    most = 3037000499
    root = min(int(np.sqrt(n)), most)
    while root * root > n:
        root -= 1
    while root < most and (root + 1) * (root + 1) <= n:
        root += 1
    return root


def factorial(n):
    """n!"""
    assert n.dtype.kind != 'f', TypeError("'float' object cannot be interpreted as an integer")
    assert n >= 0, "factorial() not defined for negative values"
    assert n <= 20, OverflowError("an integer of Python's does not fit into 64 bits")
    product = 1
    for i in range(2, n + 1):
        product = product * i
    return product


def comb(n, k):
    """The ways to choose k things of n."""
    assert n.dtype.kind != 'f' and k.dtype.kind != 'f', TypeError("'float' object cannot be interpreted as an integer")
    assert n >= 0, "n must be a non-negative integer"
    assert k >= 0, "k must be a non-negative integer"
    ways = 1
    fewer = min(int(k), int(n) - int(k))
    for i in range(fewer):
        assert 1.0 * ways * (n - i) < 9.2e18, OverflowError("an integer of Python's does not fit into 64 bits")
        ways = ways * (n - i) // (i + 1)
    return ways if fewer >= 0 else 0


def perm(n, k=None):
    """The ways to choose k things of n, one behind the other; n! without k."""
    if k is None:
        return math.factorial(n)
    assert n.dtype.kind != 'f' and k.dtype.kind != 'f', TypeError("'float' object cannot be interpreted as an integer")
    assert n >= 0, "n must be a non-negative integer"
    assert k >= 0, "k must be a non-negative integer"
    ways = 1
    for i in range(int(k) if k <= n else 0):
        assert 1.0 * ways * (n - i) < 9.2e18, OverflowError("an integer of Python's does not fit into 64 bits")
        ways = ways * (n - i)
    return ways if k <= n else 0
