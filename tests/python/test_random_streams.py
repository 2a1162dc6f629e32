"""numpy.random.default_rng in compiled programs: the same streams as NumPy, to the last bit."""
import numpy as np
import pytest

import sluice

RNG = "def f(seed, n):\n    rng = np.random.default_rng(seed)\n"


def same(wanted, got, label):
    if isinstance(wanted, tuple):
        assert isinstance(got, tuple) and len(got) == len(wanted), label
        for w, g in zip(wanted, got):
            same(w, g, label)
        return
    assert isinstance(got, np.ndarray) == isinstance(wanted, np.ndarray), (label, type(got), type(wanted))
    w, g = np.asarray(wanted), np.asarray(got)
    assert w.dtype == g.dtype and w.shape == g.shape, (label, g.dtype, w.dtype, g.shape, w.shape)
    assert w.tobytes() == g.tobytes(), (label, got, wanted)


def both(tmp_path, lines, *arguments):
    """A function of these lines, as Python runs it and compiled whole, each in calls of its own."""
    path = tmp_path / "drawn.py"
    path.write_text("import numpy as np\n\n\n" + lines)
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)  # noqa: S102
    program = sluice.program(scope["f"], strict=True)
    for given in arguments:
        copies = [np.copy(one) if isinstance(one, np.ndarray) else one for one in given]
        same(scope["f"](*copies), program(*given), f"{lines} {given}")
        for one, other in zip(given, copies):
            if isinstance(one, np.ndarray):
                same(other, one, f"argument of {lines}")


CALLS = ["rng.random(n)", "rng.random()", "rng.random((3, n))", "rng.random(size=(n, 2, 3))", "rng.standard_normal(n)", "rng.standard_normal()",
         "rng.normal(size=n)", "rng.normal(2.0, 0.5, n)", "rng.normal(3, 2)", "rng.normal(np.arange(n), 0.25)", "rng.normal(1.0, np.arange(n) * 0.25, (2, n))",
         "rng.uniform(size=(n, 2))", "rng.uniform(-1.0, 1.0, n)", "rng.uniform(2, 5)", "rng.uniform(np.zeros(n), np.arange(n))", "rng.exponential(2.0, n)", "rng.exponential()",
         "rng.standard_exponential((2, n))", "rng.integers(10, size=n)", "rng.integers(-5, 5, n)", "rng.integers(6)", "rng.integers(0, n + 3, (2, n))",
         "rng.integers(1, 6, endpoint=True, size=n)", "rng.integers(0, 2**40, n)", "rng.integers(0, 2**32, n)", "rng.integers(0, 2**32 - 1, n)", "rng.integers(-2**62, 2**62, n)",
         "rng.integers(0, 100, n, dtype=np.int32)", "rng.integers(4, 5, n)", "rng.permutation(n)", "rng.permutation(np.arange(n) * 0.5)",
         "rng.permutation(np.arange(2 * n).reshape(n, 2))", "rng.choice(n, 5)", "rng.choice(n)", "rng.choice(np.arange(n) * 0.5, (2, 3))", "rng.choice(n, n // 2, replace=False)",
         "rng.choice(20000, n, replace=False)", "rng.choice(20000, 19000, replace=False)", "rng.choice(3, n, p=[0.2, 0.5, 0.3])", "rng.choice(np.array([1.5, 2.5]), p=np.array([0.25, 0.75]))"]


@pytest.mark.parametrize("at", range(0, len(CALLS), 8))
def test_each_method_draws_what_numpy_draws(tmp_path, at):
    calls = CALLS[at:at + 8]
    lines = RNG + "".join(f"    r{k} = {call}\n" for k, call in enumerate(calls)) + "    return " + ", ".join(f"r{k}" for k in range(len(calls))) + ", rng.random()\n"
    both(tmp_path, lines, (0, 7), (42, 40), (2**40 + 3, 9))


def test_halves_of_words_that_are_left_over(tmp_path):
    both(tmp_path, RNG + "    a = rng.integers(0, 5, 3)\n    x = rng.random()\n    b = rng.integers(0, 5)\n    c = rng.integers(0, 2**50)\n    d = rng.integers(0, 5, 2)\n    return a, x, b, c, d\n", (1, 1), (5, 1))


def test_long_streams_reach_the_tails(tmp_path):
    both(tmp_path, RNG + "    return rng.standard_normal(n), rng.exponential(size=n)\n", (12, 400000))


def test_draws_that_python_may_not_reach(tmp_path):
    """Metropolis: the second condition is drawn for where the first one does not hold alone."""
    both(tmp_path, """def f(seed, n):
    rng = np.random.default_rng(seed)
    spins = rng.choice(np.array([-1, 1]), size=(n, n))
    accepted = 0
    for _ in range(50 * n):
        i = rng.integers(n)
        j = rng.integers(0, n)
        cost = 2 * spins[i, j] * (spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % n] + spins[i, j - 1])
        if cost <= 0 or rng.random() < np.exp(-0.4 * cost):
            spins[i, j] = -spins[i, j]
            accepted += 1
    return spins, accepted, rng.random() if accepted > 10 else 0.0
""", (3, 6), (4, 9))


def test_generators_in_functions_loops_and_conditions(tmp_path):
    both(tmp_path, """def jump(rng, x, scale=1.0):
    step = rng.normal(0.0, scale)
    return x + step if step > -1.0 else x


def f(seed, n):
    total = 0.0
    ends = np.zeros(n)
    for k in range(n):
        rng = np.random.default_rng(seed + k)
        x = 0.0
        while rng.random() < 0.9:
            x = jump(rng, x, 0.5)
        ends[k] = x
        total += rng.uniform()
    other = rng
    last = [other.random() for _ in range(3)]
    return ends, total, last[0], last[2], rng.integers(100)
""", (7, 5))


def test_two_generators_do_not_mix(tmp_path):
    both(tmp_path, """def f(seed, n):
    a, b = np.random.default_rng(seed), np.random.default_rng(seed)
    c = a
    x = a.random() - b.random()
    y = c.random(n) + a.random(n)
    return x, y, b.random(n)
""", (9, 4))


def test_a_generator_chosen_by_the_path(tmp_path):
    both(tmp_path, """def f(seed, n):
    rng = np.random.default_rng(seed)
    if n > 3:
        rng = np.random.default_rng(n)
    return rng.random(2), rng.normal()
""", (9, 4), (9, 2))


def test_shuffles_stay_in_place(tmp_path):
    both(tmp_path, """def f(a, m, seed):
    rng = np.random.default_rng(seed)
    rng.shuffle(a)
    rng.shuffle(m)
    b = a[2:]
    rng.shuffle(b)
    return b[0], rng.random()
""", (np.arange(17.0), np.arange(30).reshape(10, 3), 3))


def test_what_draws_alone_is_a_number_of_pythons():
    def f(x, seed):
        rng = np.random.default_rng(seed)
        return x * rng.random() + rng.normal(), rng.random(), rng.integers(3)

    x = np.ones(4, dtype=np.float32)
    wanted, got = f(x, 1), sluice.program(f, strict=True)(x, 1)
    assert got[0].dtype == wanted[0].dtype == np.float32
    np.testing.assert_allclose(got[0], wanted[0], rtol=1e-6)
    assert type(got[1]) is float and type(got[2]) is type(wanted[2])


@pytest.mark.parametrize("call, error, words", [("rng.integers(5, 5)", ValueError, "low >= high"), ("rng.integers(0, n - 9)", ValueError, "high <= 0"), ("rng.normal(0.0, 3.0 - n)", ValueError, "scale < 0"),
                                                ("rng.integers(5, 4, endpoint=True)", ValueError, "low > high"), ("rng.random(3 - n).sum()", ValueError, "negative dimensions"),
                                                ("rng.choice(3, n, replace=False)", ValueError, "larger sample than population"), ("rng.choice(2, p=[0.5, 0.6])", ValueError, "Probabilities do not sum to 1")])
def test_bad_arguments_raise_as_in_numpy(tmp_path, call, error, words):
    path = tmp_path / "bad.py"
    path.write_text("import numpy as np\n\n\n" + RNG + f"    return {call}\n")
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)  # noqa: S102
    with pytest.raises(error, match=words):
        scope["f"](1, 4)
    with pytest.raises(error, match=words):
        sluice.program(scope["f"], strict=True)(1, 4)


def test_a_negative_seed_raises_and_none_is_refused():
    def drawn(seed):
        return np.random.default_rng(seed).random()

    with pytest.raises(ValueError, match="expected non-negative integer"):
        sluice.program(drawn, strict=True)(-1)

    def unseeded(n):
        return np.random.default_rng().random(n)

    with pytest.raises(Exception, match="a generator without a seed is another one in each run"):
        sluice.program(unseeded, strict=True)(3)
    assert sluice.program(unseeded, strict=False)(3).shape == (3,)


def test_a_generator_is_not_returned_and_has_no_other_methods():
    def returned(seed):
        return np.random.default_rng(seed)

    with pytest.raises(Exception, match="F0"):
        sluice.program(returned, strict=True)(1)

    def other(seed):
        return np.random.default_rng(seed).wald(1.0, 1.0)

    with pytest.raises(Exception, match="generators have no method wald"):
        sluice.program(other, strict=True)(1)
    with pytest.warns(Warning):
        assert sluice.program(other, strict=False)(1) == other(1)


def test_generators_are_arguments_that_the_call_advances():
    def walk(rng, n, other=None):
        x = rng.normal(size=n).cumsum()
        k = rng.integers(0, 5, 3)
        if other is not None:
            x = x + other.random()
        return x, k, rng.random()

    program = sluice.program(walk, strict=True)
    mine, theirs = np.random.default_rng(4), np.random.default_rng(4)
    for n in (3, 5, 4):
        same(walk(theirs, n), program(mine, n), "walk")
        assert mine.bit_generator.state == theirs.bit_generator.state
    more, others = np.random.default_rng(9), np.random.default_rng(9)
    same(walk(theirs, 2, others), program(mine, 2, more), "walk with another")
    assert more.bit_generator.state == others.bit_generator.state
    with pytest.raises(sluice.CompileError):  # One generator under two names.
        program(mine, 2, mine)
    same(walk(theirs, 2, theirs), sluice.program(walk, strict=False)(mine, 2, mine), "walk with itself")

    def fails(rng, n):
        x = rng.random()
        if n > 1:
            raise ValueError("n")
        return x

    for _ in range(2):
        with pytest.raises(ValueError):
            sluice.program(fails, strict=True)(mine, 2)
        with pytest.raises(ValueError):
            fails(theirs, 2)
    assert mine.bit_generator.state == theirs.bit_generator.state


def test_what_python_draws_later_or_not_at_all_is_refused():
    def some(seed):
        rng = np.random.default_rng(seed)
        return any(rng.random() > 0.5 for _ in range(20)), rng.random()

    def later(seed):
        rng = np.random.default_rng(seed)
        total = 0.0
        for x in (rng.random() for _ in range(3)):
            total = total * rng.random() + x
        return total

    def mapped(seed):
        rng = np.random.default_rng(seed)
        total = 0.0
        for x in map(lambda a: a * rng.random(), [1.0, 2.0, 3.0]):
            total = total * rng.random() + x
        return total

    same(later(3), sluice.program(later, strict=True)(3), "a loop asks the generator for each element")
    for program in (some, mapped):
        with pytest.raises(sluice.CompileError, match="random numbers"):
            sluice.program(program, strict=True)(3)
        same(program(3), sluice.program(program, strict=False)(3), program.__name__)


def test_numbers_that_are_arguments_and_elements():
    def drawn(seed, low, high, n, scale, x):
        rng = np.random.default_rng(seed)
        return rng.integers(low, high), rng.integers(low, high, n), rng.choice(n, 2, replace=False), rng.normal(x[0], scale), rng.uniform(low, high), rng.choice(x)

    x = np.array([1.5, 2.5])
    for seed in (3, np.int64(3), np.uint32(3)):
        same(drawn(seed, 2, 90, 5, 0.5, x), sluice.program(drawn, strict=True)(seed, 2, 90, 5, 0.5, x), "arguments")
