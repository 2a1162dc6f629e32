"""Methods of numpy.random.Generator, and of RandomState, that draw from distributions: NumPy's streams, bit for bit. Draws share their
parameters or have one of each."""


def _shape_of_draws(a, size):
    if size is None:
        return np.shape(a)
    assert np.shape(a + np.zeros(size)) == np.shape(np.zeros(size)), "Output size is not compatible with broadcast dimensions of inputs."
    return np.shape(np.zeros(size))


def _of_one(operation, name, generator, p, size):
    if np.ndim(p) > 0:
        a = np.asarray(p).astype(np.float64)
        shape = np.random._shape_of_draws(a, size)
        a = np.ravel(np.copy(np.broadcast_to(a, shape)))
        return np._operation(operation, (generator, a), ((a.shape[0],),), name).reshape(shape)
    if size is None:
        return np._operation(operation, (generator, float(p)), ((),), name)
    return np._operation(operation, (generator, float(p)), ((np.random._draws_of(size),),), name).reshape(size)


def _of_two(operation, name, generator, p, q, size):
    if np.ndim(p) + np.ndim(q) > 0:
        a = np.asarray(p).astype(np.float64)
        b = np.asarray(q).astype(np.float64)
        shape = np.random._shape_of_draws(a + b, size)
        a = np.ravel(np.copy(np.broadcast_to(a, shape)))
        b = np.ravel(np.copy(np.broadcast_to(b, shape)))
        return np._operation(operation, (generator, a, b), ((a.shape[0],),), name).reshape(shape)
    if size is None:
        return np._operation(operation, (generator, float(p), float(q)), ((),), name)
    return np._operation(operation, (generator, float(p), float(q)), ((np.random._draws_of(size),),), name).reshape(size)


def _variates(name, generator, p, size):
    if size is None and np.ndim(p) == 0:
        return float(np.random._of_one('RandomVariates', name, generator, p, size))
    return np.random._of_one('RandomVariates', name, generator, p, size)


def _variates_of_two(name, generator, p, q, size):
    if size is None and np.ndim(p) + np.ndim(q) == 0:
        return float(np.random._of_two('RandomVariates', name, generator, p, q, size))
    return np.random._of_two('RandomVariates', name, generator, p, q, size)


def _triangular(generator, left, mode, right, size=None):
    assert np.ndim(left) + np.ndim(mode) + np.ndim(right) == 0, "programs draw from triangles of one shape"
    assert left <= mode, "left > mode"
    assert mode <= right, "mode > right"
    assert left != right, "left == right"
    if size is None:
        return float(np._operation('RandomVariates', (generator, float(left), float(mode), float(right)), ((),), 'triangular'))
    draws = np.random._draws_of(size)
    return np._operation('RandomVariates', (generator, float(left), float(mode), float(right)), ((draws,),), 'triangular').reshape(size)


def _standard_cauchy(generator, size=None):
    return np.random._variates('standard_cauchy', generator, 0.0, size)


def _standard_gamma(generator, shape, size=None):
    return np.random._gamma(generator, shape, 1.0, size)


def _chisquare(generator, df, size=None):
    assert np.all(np.asarray(df) > 0), "df <= 0"
    return np.random._variates('chisquare', generator, df, size)


def _standard_t(generator, df, size=None):
    assert np.all(np.asarray(df) > 0), "df <= 0"
    return np.random._variates('standard_t', generator, df, size)


def _pareto(generator, a, size=None):
    assert np.all(np.asarray(a) > 0), "a <= 0"
    return np.random._variates('pareto', generator, a, size)


def _weibull(generator, a, size=None):
    assert np.all(np.asarray(a) >= 0), "a < 0"
    return np.random._variates('weibull', generator, a, size)


def _power(generator, a, size=None):
    assert np.all(np.asarray(a) > 0), "a <= 0"
    return np.random._variates('power', generator, a, size)


def _rayleigh(generator, scale=1.0, size=None):
    assert np.all(np.asarray(scale) >= 0), "scale < 0"
    return np.random._variates('rayleigh', generator, scale, size)


def _gamma(generator, shape, scale=1.0, size=None):
    assert np.all(np.asarray(shape) >= 0), "shape < 0"
    assert np.all(np.asarray(scale) >= 0), "scale < 0"
    return np.random._variates_of_two('gamma', generator, shape, scale, size)


def _beta(generator, a, b, size=None):
    assert np.all(np.asarray(a) > 0), "a <= 0"
    assert np.all(np.asarray(b) > 0), "b <= 0"
    return np.random._variates_of_two('beta', generator, a, b, size)


def _f(generator, dfnum, dfden, size=None):
    assert np.all(np.asarray(dfnum) > 0), "dfnum <= 0"
    assert np.all(np.asarray(dfden) > 0), "dfden <= 0"
    return np.random._variates_of_two('f', generator, dfnum, dfden, size)


def _lognormal(generator, mean=0.0, sigma=1.0, size=None):
    assert np.all(np.asarray(sigma) >= 0), "sigma < 0"
    return np.random._variates_of_two('lognormal', generator, mean, sigma, size)


def _laplace(generator, loc=0.0, scale=1.0, size=None):
    assert np.all(np.asarray(scale) >= 0), "scale < 0"
    return np.random._variates_of_two('laplace', generator, loc, scale, size)


def _gumbel(generator, loc=0.0, scale=1.0, size=None):
    assert np.all(np.asarray(scale) >= 0), "scale < 0"
    return np.random._variates_of_two('gumbel', generator, loc, scale, size)


def _logistic(generator, loc=0.0, scale=1.0, size=None):
    assert np.all(np.asarray(scale) >= 0), "scale < 0"
    return np.random._variates_of_two('logistic', generator, loc, scale, size)


def _counts(name, generator, p, size):
    if size is None and np.ndim(p) == 0:
        return int(np.random._of_one('RandomCounts', name, generator, p, size))
    return np.random._of_one('RandomCounts', name, generator, p, size)


def _counts_of_two(name, generator, p, q, size):
    if size is None and np.ndim(p) + np.ndim(q) == 0:
        return int(np.random._of_two('RandomCounts', name, generator, p, q, size))
    return np.random._of_two('RandomCounts', name, generator, p, q, size)


def _poisson(generator, lam=1.0, size=None):
    assert np.all(np.asarray(lam) >= 0), "lam < 0 or lam is NaN"
    assert np.all(np.asarray(lam) <= 9.223372006484771e+18), "lam value too large"
    return np.random._counts('poisson', generator, lam, size)


def _geometric(generator, p, size=None):
    assert np.all(np.asarray(p) > 0) and np.all(np.asarray(p) <= 1), "p <= 0, p > 1 or p contains NaNs"
    return np.random._counts('geometric', generator, p, size)


def _binomial(generator, n, p, size=None):
    assert np.all(np.asarray(n) >= 0), "n < 0"
    assert np.all(np.asarray(p) >= 0) and np.all(np.asarray(p) <= 1), "p < 0, p > 1 or p is NaN"
    return np.random._counts_of_two('binomial', generator, n, p, size)


def _negative_binomial(generator, n, p, size=None):
    assert np.all(np.asarray(n) > 0), "n <= 0"
    assert np.all(np.asarray(p) > 0) and np.all(np.asarray(p) <= 1), "p <= 0, p > 1 or p contains NaNs"
    return np.random._counts_of_two('negative_binomial', generator, n, p, size)
