"""Every function by its signature: each keyword means what NumPy means by it, and what a signature does not have is refused."""
import textwrap

import numpy as np
import pytest

import sluice
from against_numpy import differences

HEADER = """
import math
import numpy as np
import sluice
N, M = sluice.symbol("N"), sluice.symbol("M")


@sluice.program
def f(A: sluice.float64[N, M], x: sluice.float64[M], I: sluice.int32[N, M], F: sluice.float32[N, M], z: sluice.complex128[M], k: sluice.int64):
"""
A = np.random.default_rng(3).uniform(-3, 3, (4, 5)).round(2)
ARGUMENTS = (A, A[1].copy(), (10 * A).astype(np.int32), A.astype(np.float32), A[0] + 1j * A[2], np.int64(2))


def compiled(tmp_path, *lines):
    path = tmp_path / "program.py"
    path.write_text(HEADER + textwrap.indent("\n".join(lines), "    ") + "\n")
    scope = {"__name__": "program", "__file__": str(path)}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    return scope["f"]


def wanted(lines):
    scope = {"np": np, "math": __import__("math"), "N": 4, "M": 5, **dict(zip("AxIFzk", (a.copy() for a in ARGUMENTS)))}
    body = textwrap.indent("\n".join(lines), "    ")
    exec(f"def f():\n{body}\n", scope)
    return scope["f"]()


GOOD = """
np.sum(A, axis=1)| np.sum(A, 1, np.float32)| np.sum(A, keepdims=True)| np.sum(A, initial=2.5)| np.sum(A, axis=0, where=A > 0)
np.sum(I)| np.sum(I, dtype=np.float32)| np.sum(F)| np.sum(F, axis=1)| np.sum(A, axis=(0, 1))| np.sum(A, axis=-1, keepdims=True, initial=1)
np.prod(A, axis=0)| np.prod(A, axis=0, initial=0.5)| np.prod(I, axis=0, where=I > 3)| A.prod(1)| A.sum(0, keepdims=True)| A.sum(axis=1, where=A < 0)
np.max(A, axis=0)| np.max(A, 1, keepdims=True)| np.max(A, initial=7.5)| np.min(A, axis=0, initial=0.0, where=A > 0)| A.max(1)| A.min(axis=0, keepdims=True)
np.amax(A)| np.amin(I, axis=1)| np.any(A > 2, axis=0)| np.all(A > -2, axis=1, keepdims=True)| np.any(A > 1, where=A < 2)| (A > 0).any(1)
np.mean(A)| np.mean(I, axis=0)| np.mean(F)| np.mean(A, axis=1, keepdims=True)| np.mean(A, axis=0, where=A > 0)| np.mean(I, dtype=np.float32)| A.mean(0)| np.mean(z)
np.std(A)| np.std(A, ddof=1)| np.std(A, axis=0, ddof=1)| A.std(1, ddof=1, keepdims=True)| np.var(A, axis=1, correction=1)| np.var(z)| np.std(z)| np.var(I)| np.var(F, axis=0)| np.var(A, ddof=20)
np.argmax(A)| np.argmax(A, axis=1)| np.argmin(A, axis=0, keepdims=True)| A.argmax(1)| np.argmax(A, keepdims=True)| np.argmin(I)
np.zeros((2, 3), dtype=np.int32)| np.ones(shape=4)| np.zeros(M, np.float32, order='C')| np.full((2, M), 7)| np.full(3, 1.5, dtype=np.float32)| np.full(shape=2, fill_value=k, dtype=np.int64)
np.zeros_like(A)| np.ones_like(A, dtype=np.int64)| np.ones_like(A, shape=3)| np.full_like(A, 2)| np.full_like(I, 2.7)| np.full_like(A, 1, shape=(2, 2))| np.zeros_like(a=F)
np.eye(3)| np.eye(3, 4)| np.eye(3, 4, 1)| np.eye(3, k=-1)| np.eye(4, M=2, k=k)| np.eye(2, dtype=np.int64)| np.identity(3)| np.identity(3, np.int32)| np.identity(n=2, dtype=np.float32)
np.arange(5)| np.arange(2, 7)| np.arange(2, 9, 3)| np.arange(N, dtype=np.float64)| np.arange(start=1, stop=4)| np.arange(5, 1, -2)
np.linspace(0, 1)| np.linspace(0.0, 2.0, 7)| np.linspace(0, 1, 5, False)| np.linspace(0, 1, endpoint=False, num=4)| np.linspace(1, 3, M)| np.linspace(0, 1, 3, dtype=np.float32)| np.linspace(2, 5, 1)| np.linspace(0, 10, N + 3)
np.copy(A)| np.array(A)| np.array(A, dtype=np.float32)| np.asarray(I, np.float64)| A.copy()| A.copy(order='C')| A.astype(np.int32)| A.astype(dtype=np.float32, copy=True)
np.transpose(A)| np.transpose(A, (1, 0))| np.transpose(A, axes=(0, 1))| A.transpose(1, 0)| A.transpose((1, 0))| A.T
np.reshape(A, (5, 4))| np.reshape(A, 20)| np.reshape(A, (-1, 2), order='F')| A.reshape(2, 10)| A.reshape((10, 2))| A.reshape(5, 4, order='F')| A.ravel()| A.ravel('F')| np.ravel(A, order='F')| A.flatten()| A.flatten('F')| A.T.flatten()| A.T.reshape(4, 5)
np.dot(A, x)| np.dot(x, x)| np.dot(I[0], I[1])| np.matmul(A, x)| A.dot(x)| np.outer(x, x)| np.outer(a=x, b=A[0])| A @ A.T| np.dot(3.0, x)
np.where(A > 0, A, 0.0)| np.clip(A, -1, 1)| np.clip(A, None, 1.5)| np.clip(A, a_min=0, a_max=None)| A.clip(-1, 1)| A.clip(max=1)| np.clip(A, min=-1, max=2)
np.round(A)| np.round(A, 1)| A.round(1)| np.around(A, decimals=1)| np.round(I)| np.add(A, 1.0)| np.maximum(A, x)| np.power(A, 2)| np.negative(A)| np.abs(I)| np.fabs(I)| np.angle(z)| np.angle(x)
np.conj(z)| z.conj()| x.conj()| np.sqrt(np.abs(A))| np.arctan2(A, x)| np.floor(A)| np.exp(F)| np.logical_and(A > 0, A < 1)| np.isnan(A)| np.square(I)| np.sign(A)
abs(x)| len(A)| sum(x)| sum(A)| sum(x, 2.0)| sum(I)| pow(x, 2)| divmod(k, 3)| any(x > 0)| all(x > 0)| round(x[0])| int(x[1])| float(k)| bool(k)
math.floor(x[0])| math.ceil(x[0])| math.sqrt(k)| math.exp(x[0])| math.trunc(x[1])| math.atan2(x[0], x[1])| math.pow(2, k)| math.fabs(k)
"""
EXPRESSIONS = [e.strip() for line in GOOD.strip().splitlines() for e in line.split("| ")]
# Each doubles what follows it: the data decide the type.
OF_EITHER_TYPE = ["max(k, 3)", "min(k, 2.5, 1)", "max(1.0, x[0])"]


@pytest.mark.parametrize("some", [*(EXPRESSIONS[start:start + 20] for start in range(0, len(EXPRESSIONS), 20)), OF_EITHER_TYPE])
def test_means_what_numpy_means(tmp_path, some):
    lines = [f"r{i} = {e}" for i, e in enumerate(some)] + ["return (" + ", ".join(f"r{i}" for i in range(len(some))) + ",)"]
    # A tuple is a value of a program only where it is unpacked.
    lines = [f"{line.split(' = ')[0]}, rest = {line.split(' = ')[1]}" if "divmod" in line and "return" not in line else line for line in lines]
    got, right = compiled(tmp_path, *lines)(*(a.copy() for a in ARGUMENTS)), wanted(lines)
    found = []
    for expression, w, g in zip(some, right, got, strict=True):
        found += differences(w, g, expression)
    assert not found, "\n".join(found)


CALLABLES = """np.sum(A| np.prod(A| np.max(A| np.min(A| np.any(A| np.all(A| np.mean(A| np.std(A| np.var(A| np.argmax(A| np.argmin(A| A.sum(| A.max(| A.mean(
np.zeros(3| np.ones(3| np.empty(3| np.full(3, 1.0| np.zeros_like(A| np.ones_like(A| np.empty_like(A| np.full_like(A, 1| np.eye(3| np.identity(3
np.arange(3| np.linspace(0, 1| np.copy(A| np.array(A| np.asarray(A| A.copy(| A.astype(np.float32| np.transpose(A| np.reshape(A, 20| np.ravel(A| A.flatten(
A.reshape(20| A.transpose(| np.dot(A, x| np.matmul(A, x| np.outer(x, x| np.where(A > 0, A, A| np.clip(A, 0, 1| np.round(A| np.sin(A| np.add(A, A| np.maximum(A, A
abs(x| len(x| sum(x| max(k, 1| round(x[0]| divmod(k, 2| math.sqrt(k| int(x[0]"""


@pytest.mark.parametrize("call", [c for line in CALLABLES.splitlines() for c in line.split("| ")])
def test_unknown_keywords_and_surplus_arguments_are_refused(tmp_path, call):
    joint = "" if call.endswith("(") else ", "
    for surplus in ("bogus=1", "*(1, 2)", ", ".join(["0"] * 12)):
        if "*" in surplus or (surplus.startswith("0") and (call.startswith("max") or "reshape(20" in call or "transpose(" in call or "maximum" in call)):
            continue
        with pytest.raises(sluice.CompileError) as error:
            compiled(tmp_path, f"r = {call}{joint}{surplus})", "return r").to_sdfg()
        assert error.value.code == "F005" and error.value.lineno == 10, str(error.value)


NOT_KNOWN = """np.sum(A, out=x, axis=0, where=1)| np.zeros(3, order='F')| np.array(A, ndmin=3)| np.copy(A, order='F')
np.std(A, mean=0.0)| np.max(A, where=A > 0)| A.ravel(order='K')| np.std(A, where=A > 0)| np.full_like(A, 1, order='F')
x.max(0, 1, 2)| np.sum(A, 0, axis=0)| np.sum()| np.arange()| math.sqrt(x)| np.sum(A, axis=(0, 0))| np.argmax(A, (0, 1))"""


@pytest.mark.parametrize("call", [c for line in NOT_KNOWN.splitlines() for c in line.split("| ")])
def test_what_is_not_known_is_refused(tmp_path, call):
    with pytest.raises(sluice.CompileError) as error:
        compiled(tmp_path, f"r = {call}", "return r").to_sdfg()
    assert error.value.code in ("F005", "F001") and error.value.lineno == 10 and error.value.remedy


def test_out(tmp_path):
    lines = ["B = np.zeros((N, M))", "np.add(A, 1.0, B)", "np.multiply(B, 2.0, out=B)", "np.sum(A, axis=0, out=x)", "np.matmul(A, x, out=A[:, 0])", "return B, x + 0, A + 0"]
    got = compiled(tmp_path, *lines)(*(a.copy() for a in ARGUMENTS))
    assert not differences(wanted(lines), got, "out")


def test_a_program_is_called_by_its_signature(tmp_path):
    text = HEADER.replace("def f(", "def g(x: sluice.float64[M], a: sluice.float64 = 2.0, b: sluice.float64 = 1.0):\n    return a * x + b\n\n\n@sluice.program\ndef f(")
    for call in ("g(x)", "g(x, 3.0)", "g(b=5.0, x=x)", "g(x, b=0.0, a=4.0)"):
        path = tmp_path / "called.py"
        path.write_text(text + f"    return {call}\n")
        scope = {"__name__": "program"}
        exec(compile(path.read_text(), str(path), "exec"), scope)
        plain = lambda x, a=2.0, b=1.0: a * x + b  # noqa: E731
        want = eval(call, {"g": plain, "x": ARGUMENTS[1]})
        np.testing.assert_allclose(scope["f"](*(a.copy() for a in ARGUMENTS)), want)
    for call in ("g()", "g(x, 1.0, 2.0, 3.0)", "g(x, c=1.0)", "g(x, 1.0, a=2.0)"):
        path.write_text(text + f"    return {call}\n")
        exec(compile(path.read_text(), str(path), "exec"), scope)
        with pytest.raises(sluice.CompileError) as error:
            scope["f"].to_sdfg()
        assert error.value.code == "F011"
