"""numpy.random.RandomState, the methods that its generator has alone, and those of the generator that all share: NumPy's legacy
streams, bit for bit. Their first argument is the array of MT19937's state."""


def RandomState(seed=None):
    state = np.zeros(627, dtype=np.uint64)
    np.random._legacy_seed(np.random._generator(state), seed)
    return np.random._generator(state)


def _legacy_seed(generator, seed=None):
    assert seed is not None, "a generator without a seed is another one in each run: pass a seed"
    number = np.asarray(seed)
    assert np.ndim(number) == 0 and (number.dtype.kind == 'i' or number.dtype.kind == 'u'), "programs seed a generator with one integer"
    assert number >= 0 and number <= 4294967295, "Seed must be between 0 and 2**32 - 1"
    np._operation('RandomSeedLegacy', (generator, number.astype(np.uint64)), ())


def _legacy_random_sample(generator, size=None):
    return np.random._uniform(generator, 0.0, 1.0, size)


def _legacy_ranf(generator, size=None):
    return np.random._uniform(generator, 0.0, 1.0, size)


def _legacy_sample(generator, size=None):
    return np.random._uniform(generator, 0.0, 1.0, size)


def _legacy_rand(generator, *size):
    if len(size) == 0:
        return np.random._uniform(generator, 0.0, 1.0)
    return np.random._uniform(generator, 0.0, 1.0, size)


def _legacy_randn(generator, *size):
    if len(size) == 0:
        return np.random._normal(generator, 0.0, 1.0)
    return np.random._normal(generator, 0.0, 1.0, size)


def _legacy_randint(generator, low, high=None, size=None, dtype=None):
    if high is None:
        return np.random._legacy_randint(generator, 0, low, size, dtype)
    if dtype is None and size is None:
        return int(np.random._integers(generator, low, high))
    if dtype is None:
        return np.random._integers(generator, low, high, size)
    assert size is not None, "programs draw a single integer without a dtype"
    return np.random._integers(generator, low, high, size, dtype)


def _legacy_choice(generator, a, size=None, replace=True, p=None):
    if np.ndim(a) > 0:
        return np.asarray(a)[np.random._legacy_places_of(generator, np.shape(a)[0], size, replace, p)]
    if size is None:
        return int(np.random._legacy_places_of(generator, a, size, replace, p))
    return np.random._legacy_places_of(generator, a, size, replace, p)


def _legacy_places_of(generator, count, size, replace, p):
    if p is not None or replace or size is None:
        return np.random._places_of(generator, count, size, replace, p)
    assert count > 0, "a must be greater than 0 unless no samples are taken"
    draws = np.random._draws_of(size)
    assert draws <= count, "Cannot take a larger sample than population when 'replace=False'"
    return np._operation('RandomPermutation', (generator,), ((count,),))[:draws].reshape(size)
