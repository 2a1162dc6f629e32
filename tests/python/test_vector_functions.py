"""Elementary functions in vector lanes: within 4 ulp of NumPy, special values included."""
import math
import pathlib
import subprocess
import warnings

import numpy as np
import pytest

import sluice

N = sluice.symbol("N")
ONE = ["sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "exp", "exp2", "expm1",
       "log", "log2", "log10", "log1p", "cbrt"]
TWO = ["arctan2", "hypot", "power"]
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1e-30, -1e-30, 0.5, -0.5, 2.0, -2.0, 80.0, -80.0, 1e30, -1e30]


def program(source, dtype):
    space = {"sluice": sluice, "np": np, "N": N, "t": dtype}
    text = f"def each(x: t[N], y: t[N], out: t[N]):\n    out[:] = {source}\n"
    import linecache
    file = f"<each {source}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), space)
    return sluice.program(space["each"])


@pytest.mark.parametrize("dtype, rtol", [(sluice.float64, 1e-15), (sluice.float32, 5e-7)], ids=["f64", "f32"])
@pytest.mark.parametrize("name", ONE + TWO)
def test_special_and_random_values(name, dtype, rtol):
    kind = np.float64 if dtype is sluice.float64 else np.float32
    rng = np.random.default_rng(5)
    x, y = (a.ravel().astype(kind) for a in np.meshgrid(SPECIAL + list(rng.normal(size=16)), SPECIAL + list(rng.uniform(-9, 9, 16))))
    out = np.zeros_like(x)
    source = f"np.{name}(x)" if name in ONE else f"np.{name}(x, y)"
    compiled = program(source, dtype)
    compiled(x, y, out)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = getattr(np, name)(x) if name in ONE else getattr(np, name)(x, y)
    assert "simd" in compiled.compile().source
    np.testing.assert_allclose(out, expected, rtol=4 * rtol, atol=0)
    np.testing.assert_array_equal(np.signbit(out[expected == 0]), np.signbit(expected[expected == 0]))


@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
def test_absolute_values_of_complex_numbers(dtype):
    def absolute(z):
        return np.abs(z)

    random = np.random.default_rng(5)
    with np.errstate(all="ignore"):
        z = (random.normal(size=2000) + 1j * random.normal(size=2000)) * 10.0 ** random.integers(-30, 30, 2000)
        odd = [0, 1e-300 + 1e-300j, 1e200 + 1e200j, complex(np.inf, np.nan), complex(np.nan, np.inf), np.nan, 1e-320j, 3 + 4j, -np.inf]
        z = np.concatenate([z, odd]).astype(dtype)
        wanted, got = np.abs(z), sluice.program(absolute)(z)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(wanted))
    np.testing.assert_array_equal(np.isinf(got), np.isinf(wanted))
    finite = np.isfinite(wanted)
    assert np.all(np.abs(got - wanted)[finite] <= 2 * np.spacing(wanted[finite]))


def test_where_the_library_has_no_variants(tmp_path):
    """Other compilers, older C libraries and other processors get the functions as they are; __clang__ chooses that branch."""
    names = ["sin", "cos", "exp", "log", "acos", "asin", "atan", "cbrt", "cosh", "erf", "erfc", "exp2", "expm1", "log10", "log1p", "log2", "sinh",
             "tan", "tanh", "asinh", "atanh"]
    lines = [f'std::printf("%.17g %.9g\\n", {name}(0.75), static_cast<double>({name}f(0.75f)));' for name in names]
    lines += [f'std::printf("%.17g %.9g\\n", {name}(0.75, 2.5), static_cast<double>({name}f(0.75f, 2.5f)));' for name in ("pow", "atan2", "hypot")]
    (tmp_path / "all.cpp").write_text('#include <cstdio>\n#include "vectorised.h"\nint main() {\n    using namespace sluice::vectorised;\n    '
                                      + "\n    ".join(lines) + "\n}\n")
    runtime = pathlib.Path(__file__).resolve().parents[2] / "src/runtime"
    subprocess.run(["c++", "-std=c++20", "-D__clang__", f"-I{runtime}", "all.cpp", "-o", "all"], cwd=tmp_path, check=True)
    printed = subprocess.run(["./all"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout.splitlines()
    expected = [getattr(math, name)(0.75) for name in names] + [0.75 ** 2.5, math.atan2(0.75, 2.5), math.hypot(0.75, 2.5)]
    for line, value in zip(printed, expected, strict=True):
        double, single = map(float, line.split())
        assert double == pytest.approx(value, rel=1e-15) and single == pytest.approx(value, rel=1e-6)


def test_loops_over_complex_numbers_have_lanes():
    """GCC makes none where OpenMP makes a struct private."""
    def rotated(z, w):
        w[:] = np.abs(z * (0.5 + 2j)) * z

    rng = np.random.default_rng(4)
    z, w = rng.random(1000) + 1j * rng.random(1000), np.zeros(1000, dtype=complex)
    program = sluice.program(rotated)
    graph = program.to_sdfg(z, w)
    graph.optimize(3)
    source = graph.compile().source
    assert "#pragma GCC ivdep" in source and "omp simd" not in source
    program(z, w)
    np.testing.assert_allclose(w, np.abs(z * (0.5 + 2j)) * z, rtol=1e-15)
    of_floats = sluice.program(lambda z: np.abs(z))(np.array([3 + 4j, 1e-44j, 1e38 + 1e38j, np.inf - np.inf * 1j, 0], dtype=np.complex64))
    np.testing.assert_allclose(of_floats, np.array([5, 1e-44, 1.4142135e38, np.inf, 0], dtype=np.float32), rtol=1e-6)
