"""numpy.random.default_rng and the methods of its Generator, the array of PCG64's state their first argument: NumPy's streams,
bit for bit. A number that is drawn alone is a number of Python's, as in NumPy, where it is real."""


def default_rng(seed=None):
    assert seed is not None, "a generator without a seed is another one in each run: pass a seed"
    number = np.asarray(seed)
    assert np.ndim(number) == 0 and (number.dtype.kind == 'i' or number.dtype.kind == 'u'), "programs seed a generator with one integer"
    assert number >= 0, "expected non-negative integer"
    return np.random._generator(np._operation('RandomSeed', (number.astype(np.uint64),), ((6,),)))


def _draws_of(size):
    """How many draws fill an array of this size."""
    if isinstance(size, tuple):
        for i in np._each(len(size)):
            assert size[i] >= 0, "negative dimensions are not allowed"
        return np._elements_of(size)
    assert size >= 0, "negative dimensions are not allowed"
    return size


def _random(generator, size=None):
    return np.random._uniform(generator, 0.0, 1.0, size)


def _uniform(generator, low=0.0, high=1.0, size=None):
    if np.ndim(low) + np.ndim(high) > 0:
        return np.random._with_own('RandomUniform', generator, low, high, size)
    if size is None:
        return float(np._operation('RandomUniform', (generator, float(low), float(high)), ((),)))
    return np._operation('RandomUniform', (generator, float(low), float(high)), ((np.random._draws_of(size),),)).reshape(size)


def _standard_normal(generator, size=None):
    return np.random._normal(generator, 0.0, 1.0, size)


def _normal(generator, loc=0.0, scale=1.0, size=None):
    assert np.all(np.asarray(scale) >= 0), "scale < 0"
    if np.ndim(loc) + np.ndim(scale) > 0:
        return np.random._with_own('RandomNormal', generator, loc, scale, size)
    if size is None:
        return float(np._operation('RandomNormal', (generator, float(loc), float(scale)), ((),)))
    return np._operation('RandomNormal', (generator, float(loc), float(scale)), ((np.random._draws_of(size),),)).reshape(size)


def _with_own(name, generator, first, second, size):
    """Draws of which each has parameters of its own."""
    a = np.asarray(first).astype(np.float64)
    b = np.asarray(second).astype(np.float64)
    if size is None:
        shape = np.shape(a + b)
    else:
        shape = np.shape(a + b + np.zeros(size))
        assert np._elements_of(shape) == np.random._draws_of(size), "Output size is not compatible with broadcast dimensions of inputs."
    a = np.ravel(np.copy(np.broadcast_to(a, shape)))
    b = np.ravel(np.copy(np.broadcast_to(b, shape)))
    return np._operation(name, (generator, a, b), ((a.shape[0],),)).reshape(shape)


def _standard_exponential(generator, size=None):
    return np.random._exponential(generator, 1.0, size)


def _exponential(generator, scale=1.0, size=None):
    assert np.ndim(scale) == 0, "programs draw from exponential distributions of one scale"
    assert scale >= 0, "scale < 0"
    if size is None:
        return float(np._operation('RandomExponential', (generator, float(scale)), ((),)))
    return np._operation('RandomExponential', (generator, float(scale)), ((np.random._draws_of(size),),)).reshape(size)


def _integers(generator, low, high=None, size=None, dtype=int, endpoint=False):
    if high is None:
        return np.random._integers(generator, 0, low, size, dtype, endpoint)
    some = np.zeros(1, dtype=dtype)
    assert (some.dtype.kind == 'i' or some.dtype.kind == 'u') and some.itemsize >= 4, "programs draw integers of 32 and 64 bits"
    a = np.asarray(low)
    b = np.asarray(high)
    assert np.ndim(a) == 0 and np.ndim(b) == 0, "programs draw integers between two numbers"
    assert a.dtype.kind == 'i' and b.dtype.kind == 'i', "programs draw integers between integers"
    first = a.astype(np.int64)
    if endpoint:
        last = b.astype(np.int64)
        assert np.random._draws_nothing(size) or a != 0 or b >= 0, "high < 0"
        assert np.random._draws_nothing(size) or a <= b, "low > high"
    else:
        last = b.astype(np.int64) - 1
        assert np.random._draws_nothing(size) or a != 0 or b > 0, "high <= 0"
        assert np.random._draws_nothing(size) or a < b, "low >= high"
    if size is None:
        return np._operation('RandomIntegers', (generator, first, last), ((),)).astype(dtype)
    drawn = np._operation('RandomIntegers', (generator, first, last), ((np.random._draws_of(size),),))
    return drawn.reshape(size).astype(dtype, copy=False)


def _draws_nothing(size):
    """NumPy compares the bounds of no number."""
    if size is None:
        return False
    return np.random._draws_of(size) == 0


def _permutation(generator, x):
    if np.ndim(x) == 0:
        return np._operation('RandomPermutation', (generator,), ((x,),))
    return np.asarray(x)[np._operation('RandomPermutation', (generator,), ((np.shape(x)[0],),))]


def _shuffle(generator, x):
    assert np.ndim(x) > 0, TypeError("object of type 'numpy.int64' has no len()")
    x[:] = np.array(x[np._operation('RandomPermutation', (generator,), ((x.shape[0],),))])


def _choice(generator, a, size=None, replace=True, p=None):
    if np.ndim(a) == 0:
        return np.random._places_of(generator, a, size, replace, p)
    return np.asarray(a)[np.random._places_of(generator, np.shape(a)[0], size, replace, p)]


def _places_of(generator, count, size, replace, p):
    assert count > 0 or (size is not None and np.random._draws_of(size) == 0), "a must be a positive integer unless no samples are taken"
    if p is not None:
        assert replace, "programs choose with probabilities and with replacement"
        chances = np.asarray(p).astype(np.float64)
        assert chances.ndim == 1, "p must be 1-dimensional"
        assert chances.shape[0] == count, "a and p must have same size"
        assert np.all(chances >= 0), "Probabilities are not non-negative"
        assert abs(np.sum(chances) - 1.0) <= 1.4901161193847656e-08, "Probabilities do not sum to 1. See Notes section of docstring for more information."
        up_to = np.cumsum(chances)
        up_to = up_to / up_to[-1]
        return np.searchsorted(up_to, np.random._random(generator, size), side='right')
    if replace:
        return np.random._integers(generator, 0, count, size)
    if size is None:
        return np.random._integers(generator, 0, count)
    draws = np.random._draws_of(size)
    assert draws <= count, "Cannot take a larger sample than population when replace is False"
    return np._operation('RandomSample', (generator, np.asarray(count).astype(np.int64)), ((draws,),)).reshape(size)
