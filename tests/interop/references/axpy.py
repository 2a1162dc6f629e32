"""Y = a * X + Y."""


def cases(random):
    yield dict(a=random.random(), X=random.random(37), Y=random.random(37), N=37)


def run(a, X, Y, **_):
    Y[:] = a * X + Y
