"""Reads one element and uses it nowhere: no argument changes."""


def cases(random):
    yield dict(A=random.random((20, 30)), N=4)


def run(**_):
    pass
