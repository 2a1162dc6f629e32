"""Texts that are made for an exception in a statement of their own, as linters ask for, and causes of exceptions."""
import pytest

import sluice


def checked(n, m):
    if n < 0:
        msg = f"{n} is negative, beside {m}"
        raise ValueError(msg)
    for k in range(m):
        if k == n:
            msg = f"{k} is met"
            raise IndexError(msg) from None
    return n


def said_otherwise(n):
    msg = "none"
    if n < 0:
        msg = f"{n} is negative"
        raise ValueError(msg)
    return msg


def around(n):
    def inner(k):
        if k > 3:
            text = f"{k} is large"
            raise OverflowError(text)
        return k + 1
    return inner(n) + inner(n + 1)


@pytest.mark.parametrize("function, arguments", [
    (checked, (-3, 2)), (checked, (1, 4)), (checked, (5, 4)), (said_otherwise, (1,)), (around, (1,)), (around, (3,)), (around, (7,))])
def test_as_in_python(function, arguments):
    try:
        wanted = function(*arguments)
    except Exception as error:
        with pytest.raises(type(error)) as raised:
            sluice.program(function, strict=True)(*arguments)
        assert str(error) in str(raised.value)
    else:
        assert sluice.program(function, strict=True)(*arguments) == wanted


def test_another_cause_is_refused():
    @sluice.program(strict=True)
    def f(n: int):
        if n < 0:
            raise ValueError("negative") from KeyError("key")
        return n
    with pytest.raises(sluice.CompileError, match="causes of exceptions"):
        f(1)
