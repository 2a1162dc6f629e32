"""Comparisons, and questions about elements."""


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether elements are equal within tolerances; infinities if they are the same."""
    near = (np.abs(np.subtract(a, b)) <= atol + rtol * np.abs(b)) & np.isfinite(b) | np.equal(a, b)
    if equal_nan:
        return near | (np.isnan(a) & np.isnan(b))
    return near


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements are equal within tolerances."""
    return bool(np.all(np.isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a1, a2, equal_nan=False):
    """Whether shapes and elements are equal."""
    if np.ndim(a1) != np.ndim(a2):
        return False
    for d in np._each(np.ndim(a1)):
        if np.shape(a1)[d] != np.shape(a2)[d]:
            return False
    if equal_nan:
        return bool(np.all((np.asarray(a1) == np.asarray(a2)) | (np.isnan(a1) & np.isnan(a2))))
    return bool(np.all(np.asarray(a1) == np.asarray(a2)))


def array_equiv(a1, a2):
    """Whether elements are equal where one array is broadcast to the other."""
    return bool(np.all(np.asarray(a1) == np.asarray(a2)))


def isin(element, test_elements, assume_unique=False, invert=False, kind=None):
    """Whether each element is one of some others."""
    other = np.ravel(np.asarray(test_elements))
    if invert:
        return np.all(np.asarray(element)[..., None] != other, axis=-1)
    return np.any(np.asarray(element)[..., None] == other, axis=-1)


def isposinf(x, out=None):
    """Whether elements are positive infinity."""
    return np.equal(x, np.inf, out=out)


def isneginf(x, out=None):
    """Whether elements are negative infinity."""
    return np.equal(x, -np.inf, out=out)


def iscomplex(x):
    """Whether elements have an imaginary part."""
    return np.imag(x) != 0


def isreal(x):
    """Whether elements have no imaginary part."""
    return np.imag(x) == 0


def iscomplexobj(x):
    """Whether the element type is complex."""
    if np.asarray(x).dtype.kind == 'c':
        return True
    return False


def isrealobj(x):
    """Whether the element type is not complex."""
    if np.asarray(x).dtype.kind == 'c':
        return False
    return True


def isscalar(element):
    """Whether the value is a number."""
    return np.ndim(element) == 0
