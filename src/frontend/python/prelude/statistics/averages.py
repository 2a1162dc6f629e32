"""Averages and spreads of floats. Python computes with fractions and rounds once; here sums are exact and the last steps are rounded."""


def fmean(data):
    items = list(data)
    assert len(items) > 0, statistics.StatisticsError("fmean requires at least one data point")
    return math.fsum(items) / len(items)


def mean(data):
    """Of the type of the data; of integers Python's type depends on their sum."""
    items = list(data)
    assert np.array(items).dtype.kind == 'f', "statistics.mean of integers is an integer or a float: use statistics.fmean"
    assert len(items) > 0, statistics.StatisticsError("mean requires at least one data point")
    return math.fsum(items) / len(items) + 0.0 * items[0]


def median(data):
    items = sorted(data)
    n = len(items)
    assert n > 0, statistics.StatisticsError("no median for empty data")
    if np.array(items).dtype.kind == 'f':
        return items[n // 2] if n % 2 == 1 else (items[n // 2 - 1] + items[n // 2]) / 2
    if n % 2 == 1:
        return items[n // 2]
    return (items[n // 2 - 1] + items[n // 2]) / 2


def _squares(data, least, empty):
    """The sum of squared distances from the mean."""
    items = [float(x) for x in data]
    assert len(items) >= least, statistics.StatisticsError(empty)
    middle = math.fsum(items) / len(items)
    apart = [x - middle for x in items]
    return math.fsum([d * d for d in apart]) - math.fsum(apart) ** 2 / len(items)


def pvariance(data):
    items = list(data)
    assert np.array(items).dtype.kind == 'f', "the variance of integers is an integer or a float: use statistics.pstdev, or floats"
    return statistics._squares(items, 1, "pvariance requires at least one data point") / len(items) + 0.0 * items[0]


def variance(data):
    items = list(data)
    assert np.array(items).dtype.kind == 'f', "the variance of integers is an integer or a float: use statistics.stdev, or floats"
    return statistics._squares(items, 2, "variance requires at least two data points") / (len(items) - 1) + 0.0 * items[0]


def pstdev(data):
    items = list(data)
    return math.sqrt(statistics._squares(items, 1, "pstdev requires at least one data point") / len(items))


def stdev(data):
    items = list(data)
    return math.sqrt(statistics._squares(items, 2, "stdev requires at least two data points") / (len(items) - 1))
