"""Bodies that stand in several places, functions that bind names around them and generators: what each copy does is its own."""
import pytest

import sluice


def yielded(n):
    def numbers():
        yield 1.0 * n
        yield 2.0 * n
        yield 3.0 * n
    kept = []
    for v in numbers():
        if v > 4:
            kept.append(v)
    return kept


def pushed(n):
    kept = []
    s = 0

    def push(v):
        nonlocal s
        if v > 1:
            kept.append(v)
            s += v
    push(n)
    push(1)
    push(2 * n)
    push(3 * n)
    return kept, s


def in_comprehensions(n):
    calls = 0

    def step(k):
        nonlocal calls
        calls += k
        return calls
    all_of_them = [step(k) for k in range(n) if k != 1]
    found = any(step(k) > 12 for k in range(n))
    after = calls
    k = 7
    return all_of_them, sum(step(i) for i in range(2) for _ in range(2)), found, after, all(step(k) > 0 for k in range(1, 3)), k, calls


@pytest.mark.parametrize("function", [yielded, pushed, in_comprehensions])
@pytest.mark.parametrize("n", [0, 4, 5])
def test_answers_are_pythons(function, n):
    expected, answer = function(n), sluice.program(function, strict=True)(n)
    assert answer == expected and repr(answer) == repr(expected)


def by_position(n):
    calls = 0

    def step(k, *, by=1):
        nonlocal calls
        calls += k * by
    step(n, 2)
    return calls


def test_parameters_that_are_given_by_name_alone():
    with pytest.raises(sluice.CompileError, match="F011.*by position"):
        sluice.program(by_position, strict=True)(3)
