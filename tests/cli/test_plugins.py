"""Transformations from shared libraries, through the command and from Python."""
import pathlib
import re
import subprocess
import sys
import textwrap

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "examples" / "transformations" / "unit_stride_innermost.cpp"
PROGRAM = """
    import sluice
    N = sluice.symbol('N')

    @sluice.program
    def columns(x: sluice.float64[N, N], y: sluice.float64[N, N]):
        for j, i in sluice.map[0:N, 0:N]:
            y[j, i] = 2 * x[j, i]

    @sluice.program
    def rows(x: sluice.float64[N, N], y: sluice.float64[N, N]):
        for i, j in sluice.map[0:N, 0:N]:
            y[j, i] = 2 * x[j, i]
"""


def compiled(folder, source, name):
    library = folder / name
    subprocess.run(["g++", "-std=c++20", "-fPIC", "-shared", f"-I{ROOT / 'src'}", str(source), "-o", str(library)], check=True)
    return library


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("plugin"), SOURCE, "unit_stride_innermost.so")


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "source.py"
    path.write_text(textwrap.dedent(PROGRAM))
    return path


def test_the_command_uses_it_as_its_own(run, plugin, source):
    described = run("opt", "--load", plugin, "--describe", "UnitStrideInnermost")
    assert described.returncode == 0 and "U2" in described.stdout
    changed = run("opt", source, "--program", "rows", "--load", plugin, "--repeat", "UnitStrideInnermost", "--save-recipe", "r.txt", "-o", "rows.txt")
    assert changed.returncode == 0, changed.stderr
    assert re.search(r"map_entry \w+ \[j=0:N, i=0:N\]", (source.parent / "rows.txt").read_text())
    assert (source.parent / "r.txt").read_text().startswith("UnitStrideInnermost @ ")
    replayed = run("opt", source, "--program", "rows", "--load", plugin, "--recipe", "r.txt")
    assert replayed.stdout == (source.parent / "rows.txt").read_text()
    kept = run("opt", source, "--program", "columns", "--load", plugin, "--why-not", "UnitStrideInnermost")
    assert "U2" in kept.stdout and "i walks along" in kept.stdout
    unknown = run("opt", source, "--program", "rows", "--recipe", "r.txt")
    assert unknown.returncode == 1 and "E001" in unknown.stderr


def test_python_uses_it_as_its_own(plugin, source):
    program = f"""
import sys
sys.path[:0] = [{str(ROOT / 'python')!r}, {str(source.parent)!r}]
import numpy as np
import sluice
from source import rows
assert sluice.transformation.load({str(plugin)!r}) == ["UnitStrideInnermost"]
from sluice.transformation import UnitStrideInnermost
sdfg = rows.to_sdfg()
assert sdfg.apply_transformations_repeated(UnitStrideInnermost) == 1
assert sdfg.recipe.startswith("UnitStrideInnermost @ ")
x = np.random.default_rng(0).random((5, 5))
y = np.zeros_like(x)
sdfg(x=x, y=y, N=5)
assert (y == 2 * x).all()
"""
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr


def test_what_is_no_plugin(run, tmp_path):
    (tmp_path / "text.so").write_text("no library")
    (tmp_path / "plain.cpp").write_text("int nothing() { return 0; }")
    (tmp_path / "old.cpp").write_text(
        'extern "C" { const char* sluice_plugin_interface() { return "sluice 0.0.1"; } void sluice_register(void*) { __builtin_trap(); } }')
    for name in ("plain", "old"):
        compiled(tmp_path, tmp_path / f"{name}.cpp", f"{name}.so")
    for file, code, text in [("missing.so", "E009", "cannot be loaded"), ("text.so", "E009", "cannot be loaded"),
                             ("plain.so", "E009", "SLUICE_TRANSFORMATIONS"), ("old.so", "E010", "sluice 0.0.1")]:
        result = run("opt", "--load", file, "--describe", "all")
        assert result.returncode == 1 and result.stdout == ""
        assert f"error {code}: " in result.stderr and text in result.stderr, result.stderr


def test_the_interface_names_this_version():
    version = re.search(r"project\(sluice VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert f'"sluice {version}, compiler "' in (ROOT / "src/support/plugin.h").read_text()
