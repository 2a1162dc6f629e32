"""The `sluice` command and `sdfgcc` as a user calls them."""
import pathlib
import subprocess
import textwrap

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
AXPY = ROOT / "examples" / "axpy.py"
COMMANDS = ["compile", "run", "check", "show", "convert", "diff", "explain", "opt", "config", "version"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help(run, command):
    result = run(command, "--help")
    assert result.returncode == 0
    if command != "version":
        assert "Example:" in result.stdout or "Examples:" in result.stdout


def test_overview(run):
    result = run("--help")
    assert result.returncode == 0 and all(command in result.stdout for command in COMMANDS)
    assert run().returncode == 1
    assert run("version").stdout.startswith("sluice ")


def test_compile_and_call_from_c(run, tmp_path):
    result = run("compile", AXPY, "-o", "out")
    assert result.returncode == 0, result.stderr
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"libaxpy.so", "axpy.h", "axpy.cpp", "axpy.sdfg"}
    header = (tmp_path / "out" / "axpy.h").read_text()
    (tmp_path / "user.c").write_text('#include "axpy.h"\nint main(void) { return 0; }\n')
    subprocess.run(["cc", "user.c", "-Iout", "-Lout", "-laxpy", "-o", "user"], cwd=tmp_path, check=True)
    assert "int64_t" in header


def test_check(run):
    result = run("check", AXPY)
    assert result.returncode == 0 and result.stdout.startswith("axpy: valid"), result.stderr


def test_check_warns_of_maps_that_race(run, tmp_path):
    source = ["import sluice", "N = sluice.symbol('N')", "", "@sluice.program", "def f(x: sluice.float64[N], s: sluice.float64[1]):",
              "    for i in sluice.map[0:N]:", "        s[0] = x[i]", ""]
    (tmp_path / "racing.py").write_text("\n".join(source))
    result = run("check", tmp_path / "racing.py")
    assert result.returncode == 0 and "f: valid" in result.stdout
    assert "warning L043" in result.stderr and "racing.py:7" in result.stderr and "i=0" in result.stderr


def test_show(run):
    text = run("show", AXPY)
    assert text.returncode == 0 and "axpy" in text.stdout
    dot = run("show", AXPY, "--dot")
    assert dot.returncode == 0 and dot.stdout.startswith('digraph "axpy" {') and dot.stdout.count("{") == dot.stdout.count("}")


def test_parameters_of_an_inner_map_are_no_symbols(run):
    """DaCe takes every declared symbol of a nested SDFG for one that the outside must give."""
    text = run("show", ROOT / "examples/spmv.py").stdout
    assert "map_entry map_j [j=" in text and "symbol i: int64" in text and "symbol j" not in text


@pytest.mark.parametrize("target, options", [("a.sdfg", []), ("a.sdfg", ["--dialect", "legacy", "--readable"]), ("a.sdfgz", []),
                                             ("a.txt", [])])
def test_convert_there_and_back(run, tmp_path, target, options):
    assert run("convert", AXPY, "-o", target, *options).returncode == 0
    direct, back = run("show", AXPY), run("show", target)
    assert back.returncode == 0 and back.stdout == direct.stdout, back.stderr
    assert [path.name for path in tmp_path.iterdir()] == [target]


def test_run_on_files(run, tmp_path):
    x, y = np.random.rand(20), np.random.rand(20)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    result = run("run", AXPY, "a=2", "x=x.npy", "y=y.npy", "-o", "z.npy", "--repeat", "3")
    assert result.returncode == 0, result.stderr
    assert "median of 3" in result.stdout and "y float64[20]: sum" in result.stdout
    np.testing.assert_allclose(np.load(tmp_path / "z.npy"), 2 * x + y)


def test_run_on_an_empty_array(run, tmp_path):
    source = tmp_path / "twice.py"
    source.write_text("import sluice\nN = sluice.symbol('N')\n\n\n@sluice.program\ndef twice(A: sluice.float64[N]):\n    return A * 2.0\n")
    assert "__return float64[0]: empty" in run("run", source, "N=0").stdout


def test_run_on_made_arrays(run, tmp_path):
    result = run("run", AXPY, "N=10", "a=3", "x=ones", "y=0.5", "-o", "y=y.npy")
    assert result.returncode == 0, result.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), np.full(10, 3.5))
    first, second = (run("run", AXPY, "N=10", "a=1", "--seed", seed).stdout.splitlines()[1:] for seed in (4, 4))
    assert first == second
    assert first != run("run", AXPY, "N=10", "a=1", "--seed", "5").stdout.splitlines()[1:]


@pytest.mark.parametrize("arguments, text", [
    (["a=1"], "N"),
    (["N=ten", "a=1"], "N=ten"),
    (["N=3"], "argument a is missing"),
    (["N=3", "a=1", "z=1"], "no argument named z"),
    (["N=3", "a=1", "x=missing.npy"], "missing.npy"),
    (["N=3", "a=1", "x=somehow"], "x=somehow"),
    (["N=3", "a=1", "nonsense"], "nonsense"),
    (["N=3", "a=1", "--program", "other"], "no program named other"),
])
def test_run_mistakes(run, arguments, text):
    result = run("run", AXPY, *arguments)
    assert result.returncode == 1
    assert text in result.stderr and "help:" in result.stderr


def source(tmp_path, text):
    path = tmp_path / "source.py"
    path.write_text("import sluice\nN = sluice.symbol('N')\n" + textwrap.dedent(text))
    return path


@pytest.mark.parametrize("text, line", [
    ("@sluice.program\ndef f(x: sluice.float64[N]:\n    x += 1\n", 4),
    ("@sluice.program\ndef f(x: sluice.float64[N]):\n    global y\n    x += 1\n", 5),
    ("@sluice.program\ndef f(x: sluice.float64[10]):\n    x[12] = 1\n", 5),
])
def test_mistakes_in_a_source_show_their_line(run, tmp_path, text, line):
    path = source(tmp_path, text)
    result = run("compile", path, "-o", "out")
    assert result.returncode == 1
    assert f"{path}:{line}:" in result.stderr and "^" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_source_without_programs_or_file(run, tmp_path):
    assert run("check", "nowhere.py").returncode == 1
    assert "nowhere.py" in run("check", "nowhere.py").stderr
    (tmp_path / "cut.sdfg").write_text('{"type": "SDFG", "attr')
    result = run("check", "cut.sdfg")
    assert result.returncode == 1 and "error" in result.stderr


def test_a_failing_compiler_leaves_nothing(run, tmp_path):
    result = run("compile", AXPY, "-o", "out", CXX="/bin/false", SLUICE_CACHE=str(tmp_path / "fresh"))
    assert result.returncode == 1 and "error" in result.stderr
    assert not (tmp_path / "out").exists() or not any((tmp_path / "out").iterdir())
    missing = run("compile", AXPY, "-o", "out", CXX="no-such-compiler", SLUICE_CACHE=str(tmp_path / "fresh"))
    assert missing.returncode == 1 and "no-such-compiler" in missing.stderr


def test_an_output_that_cannot_be_written(run):
    result = run("convert", AXPY, "-o", "missing/folder/a.sdfg")
    assert result.returncode == 1 and "missing/folder/a.sdfg" in result.stderr
    assert run("convert", AXPY, "-o", "a.pdf").returncode == 1


def test_simplify_is_recorded_like_any_recipe(run, tmp_path):
    cg = ROOT / "examples" / "cg.py"
    result = run("opt", cg, "--simplify", "--save-recipe", "cg.recipe", "-o", "simple.txt")
    assert result.returncode == 0, result.stderr
    assert "StateFusion @" in (tmp_path / "cg.recipe").read_text()
    assert run("opt", cg, "--recipe", "cg.recipe", "-o", "again.txt").returncode == 0
    assert (tmp_path / "again.txt").read_text() == (tmp_path / "simple.txt").read_text()
    assert "simplifies" in run("opt", "--describe", "StateFusion").stdout


def test_sdfgcc(run, sdfgcc, tmp_path):
    run("convert", AXPY, "-o", "axpy.sdfg")
    assert run("--help", command=sdfgcc).returncode == 0
    result = run("-O", "-o", "libmine.so", "axpy.sdfg", command=sdfgcc)
    assert result.returncode == 0, result.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"axpy.sdfg", "libmine.so", "axpy.h"}
    (tmp_path / "libmine.so").unlink(), (tmp_path / "axpy.h").unlink()
    assert run("axpy.sdfg", command=sdfgcc).stdout == "libaxpy.so\n"
    assert {path.name for path in tmp_path.iterdir()} == {"axpy.sdfg", "libaxpy.so", "axpy.h"}
    whole = run("-o", "out/", "axpy.sdfg", command=sdfgcc)
    assert whole.stdout == "out/libaxpy.so\n" and (tmp_path / "out" / "axpy.cpp").exists()
