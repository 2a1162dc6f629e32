"""A refusal of an illegal schedule names commands near to it that make it legal, and they do."""
import random
import re

import numpy as np
import pytest

import sluice
from seeds import seeds
from sluice.schedule import Computation, Constant, Input, Var, codegen, init, repair

SIZE = 9


def declared(steps):
    """x, a two-dimensional recurrence b over x, and c, which looks at neighbours of b; all by their names."""
    init("random")
    N = Constant("N")
    i, j = Var("i", 1, N - 1), Var("j", 1, N - 1)
    x = Input("x", [N, N])
    b = Computation("b", [Var("i", 0, N), Var("j", 0, N)], 0.0)
    b[Var("i"), Var("j")] = f"x[i, j] if i == 0 else b[i - 1, {'j' if steps[0] == 0 else f'min(max(j + {steps[0]}, 0), N - 1)'}] + x[i, j]"
    c = Computation("c", [i, j], b[i + steps[1], j] + 2.0 * b[i, j + steps[2]])
    return {"b": b, "c": c}


def expected(x, steps):
    b = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(len(x)):
            b[i, j] = x[i, j] if i == 0 else b[i - 1, min(max(j + steps[0], 0), len(x) - 1)] + x[i, j]
    c = np.zeros_like(x)
    for i in range(1, len(x) - 1):
        for j in range(1, len(x) - 1):
            c[i, j] = b[i + steps[1], j] + 2.0 * b[i, j + steps[2]]
    return c


def command(draw):
    level = draw.choice(["i", "j"])
    return draw.choice([
        'c.after(b, "i")', 'c.after(b, "j")', 'b.interchange("i", "j")', f'b.reverse("{level}", "{level}")', f'b.parallelize("{level}")',
        'c.after(b, "i").interchange("i", "j")', f'c.after(b, "j").shift("{level}", -1)', 'b.store_in(["i % 2", "j"])',
        'b.store_in(["i % 2", "j"]).parallelize("j")', 'c.after(b, "i").shift("i", -2)', f'c.after(b, "i").reverse("{level}", "{level}")',
    ])


def test_random_illegal_schedules_have_legal_ones_near_to_them():
    illegal = mended = 0
    for seed in seeds(30):
        draw = random.Random(seed)
        steps = (draw.choice([-1, 0, 0]), draw.choice([-1, 0, 1]), draw.choice([-1, 0, 1]))
        text = command(draw)
        names = declared(steps)
        eval(text, dict(names))
        try:
            codegen([names["c"]])
            continue
        except sluice.CompileError as refusal:
            message = str(refusal)
        illegal += 1
        done = repair([names["c"]])
        if done is None:
            assert "no legal alternative was found near to it" in message, message
            continue
        assert f"legal instead: {done}" in message, message
        graph = codegen([names["c"]])
        x = np.random.default_rng(seed).random((SIZE, SIZE))
        c = np.zeros((SIZE - 1, SIZE - 1))
        graph(x=x, c=c, N=SIZE)
        np.testing.assert_allclose(c, expected(x, steps)[:-1, :-1])
        mended += 1
        if " in the place of " in done:
            continue
        # The text is Python.
        names = declared(steps)
        eval(text, dict(names))
        eval(done, dict(names))
        codegen([names["c"]])
    assert illegal > 10
    assert mended >= 0.8 * illegal, f"{mended} of {illegal}"


def test_a_shift_that_a_stencil_needs_is_named():
    names = declared((0, 1, 0))
    names["c"].after(names["b"], "i")
    with pytest.raises(sluice.CompileError) as refusal:
        codegen([names["c"]])
    assert re.search(r'legal instead: c\.(after\(b, "root"\)|shift\("i", 1\))', str(refusal.value))


def test_where_nothing_near_is_legal_the_refusal_says_so():
    init("cycle")
    N = Constant("N")
    i = Var("i", 0, N)
    x = Input("x", [N])
    a = Computation("a", [i], x[i])
    b = Computation("b", [i], a[i])
    a.after(b, "root")
    b.parallelize("i")
    with pytest.raises(sluice.CompileError) as refusal:
        codegen([b])
    assert "legal" in str(refusal.value)
