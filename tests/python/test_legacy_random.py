"""numpy.random's generator that a process shares, RandomState, and the distributions of both kinds of generators: NumPy's streams, to
the last bit."""
import numpy as np
import pytest

import sluice

from test_random_streams import both, same

STATE = "def f(seed, n):\n    rng = np.random.RandomState(seed)\n"
LEGACY = ["rng.rand(n)", "rng.rand()", "rng.rand(2, n)", "rng.random_sample((n, 2))", "rng.random_sample()", "rng.randn(n)", "rng.randn()", "rng.randn(3, n)", "rng.randint(10)",
          "rng.randint(0, 6, n)", "rng.randint(-5, 5, size=(2, n))", "rng.randint(0, 2**40, n)", "rng.randint(0, 2**32, n)", "rng.randint(0, 9, n, dtype=np.int32)", "rng.uniform(-1, 1, n)",
          "rng.uniform(2.0, 5.0)", "rng.normal(2.0, 0.5, n)", "rng.normal(0.0, np.arange(n) * 0.5)", "rng.standard_normal(n)", "rng.exponential(2.0, n)", "rng.permutation(n)",
          "rng.permutation(np.arange(2 * n).reshape(n, 2))", "rng.choice(n, 5)", "rng.choice(n)", "rng.choice(np.arange(n) * 0.5, n)", "rng.choice(n, n // 2, replace=False)",
          "rng.choice(3, n, p=[0.2, 0.5, 0.3])", "rng.choice([-1, 1], size=(n, n))"]
DRAWS = ["gamma(2.5, 2.0, n)", "gamma(0.3, 1.0, n)", "gamma(1.0, size=n)", "standard_gamma(3.0)", "beta(2.0, 3.0, n)", "beta(0.5, 0.4, n)", "chisquare(3, n)", "f(3.0, 4.0, n)", "standard_t(4, n)",
         "standard_cauchy(n)", "lognormal(0.5, 0.25, n)", "lognormal()", "pareto(3.0, n)", "weibull(1.5, n)", "power(2.0, n)", "laplace(1.0, 2.0, n)", "gumbel(0.5, 1.5, n)", "logistic(0.0, 2.0, n)",
         "rayleigh(2.0, n)", "triangular(-1.0, 0.5, 2.0, n)", "triangular(0, 1, 3)", "poisson(3.0, n)", "poisson(60.0, n)", "poisson(4)", "poisson(np.arange(n) * 1.5)", "poisson(np.arange(n), (2, n))",
         "negative_binomial(4, 0.3, n)", "geometric(0.2, n)", "geometric(0.6, n)", "binomial(10, 0.4, n)", "binomial(200, 0.4, n)", "binomial(1000, 0.7, n)", "binomial(5, np.arange(n) / n)",
         "binomial(n, 0.5)", "binomial(0, 0.5, n)", "binomial(5, 0.0, n)"]
SEEDS = (0, 7), (42, 40), (2**32 - 1, 9)


def drawn(calls):
    return "".join(f"    r{k} = {call}\n" for k, call in enumerate(calls)) + "    return " + ", ".join(f"r{k}" for k in range(len(calls))) + ", rng.uniform(0.0, 1.0)\n"


@pytest.mark.parametrize("at", range(0, len(LEGACY), 10))
def test_each_method_of_random_state(tmp_path, at):
    both(tmp_path, STATE + drawn(LEGACY[at:at + 10]), *SEEDS)


@pytest.mark.parametrize("kind", ["default_rng", "RandomState"])
@pytest.mark.parametrize("at", range(0, len(DRAWS), 9))
def test_each_distribution(tmp_path, kind, at):
    begin = f"def f(seed, n):\n    rng = np.random.{kind}(seed)\n"
    both(tmp_path, begin + drawn(["rng." + one for one in DRAWS[at:at + 9]]), (5, 40), (9, 3000))


def both_shared(tmp_path, lines, *arguments):
    """The same of functions that draw from the shared generator: it is left where NumPy leaves it."""
    path = tmp_path / "drawn.py"
    path.write_text("import numpy as np\nfrom numpy.random import randn\n\n\n" + lines)
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)  # noqa: S102
    program = sluice.program(scope["f"], strict=True)
    for given in arguments:
        np.random.seed(11)
        np.random.randn()  # The next one is kept.
        wanted, behind = scope["f"](*given), (np.random.randn(), np.random.rand())
        np.random.seed(11)
        np.random.randn()
        got = program(*given)
        same(wanted, got, lines)
        assert behind == (np.random.randn(), np.random.rand()), lines


def test_the_shared_generator(tmp_path):
    both_shared(tmp_path, "def f(n):\n    a = np.random.rand(n)\n    return a, np.random.randint(0, 9, n), np.random.normal(size=3), randn(2, 2), np.random.poisson(3.0, n)\n", (3,), (700,))
    both_shared(tmp_path, "def f(seed, n):\n    np.random.seed(seed)\n    return np.random.permutation(n), np.random.choice(n, 3), np.random.random(), np.random.random(n)\n", (1, 5), (2, 50))


def test_draws_that_the_run_decides(tmp_path):
    both_shared(tmp_path, """def step(x, width):
    return x + width * np.random.randn()


def f(n, width):
    x, accepted = 0.0, 0
    trace = np.zeros(n)
    for i in range(n):
        proposal = step(x, width)
        if proposal * proposal < x * x or np.random.rand() < np.exp(0.5 * (x * x - proposal * proposal)):
            x = proposal
            accepted += 1
        trace[i] = x
    np.random.shuffle(trace)
    return trace, accepted
""", (100, 1.0))


def test_errors_are_numpys():
    def few(lam):
        return np.random.poisson(lam)

    def wide(n):
        return np.random.RandomState(n).rand()

    for function, bad, message in ((few, -1.0, "lam < 0 or lam is NaN"), (wide, -1, "Seed must be between 0 and 2\\*\\*32 - 1")):
        with pytest.raises(ValueError, match=message):
            function(bad)
        with pytest.raises(ValueError, match=message):
            sluice.program(function, strict=True)(bad)


def test_what_one_kind_of_generator_has_not():
    def of_state(n):
        return np.random.RandomState(3).integers(n)

    def of_generator(n):
        return np.random.default_rng(3).randn(n)

    for function in (of_state, of_generator):
        with pytest.raises(sluice.CompileError, match="F006"):
            sluice.program(function, strict=True)(3)
