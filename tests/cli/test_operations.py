"""sluice verify-operation, and operations from shared libraries."""
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def cubed(tmp_path_factory):
    library = tmp_path_factory.mktemp("plugin") / "cubed.so"
    subprocess.run(["g++", "-std=c++20", "-fPIC", "-shared", f"-I{ROOT / 'src'}", str(ROOT / "examples/operations/cubed.cpp"), "-o", str(library)],
                   check=True)
    return library


def test_an_operation_of_ours(run):
    done = run("verify-operation", "Axpy")
    assert done.returncode == 0, done.stderr
    assert "native" in done.stdout and "as the reference" in done.stdout and "_x[N], _y[N] -> _res[N]" in done.stdout
    for among_ranks in ("MPI_MatMul", "MPI_Send"):
        done_together = run("verify-operation", among_ranks)
        assert done_together.returncode == 0 and "ranks do it together" in done_together.stdout
    unknown = run("verify-operation", "Nothing")
    assert unknown.returncode == 1 and "B001" in unknown.stderr and "Gemm" in unknown.stderr
    assert run("verify-operation").returncode == 1


def test_a_users_library(run, cubed):
    done = run("verify-operation", "--load", cubed)
    assert done.returncode == 0, done.stderr
    assert "Cubed" in done.stdout and "one_map" in done.stdout and "einsum" in done.stdout and "differ" not in done.stdout
    refused = run("verify-operation", "--load", ROOT / "README.md")
    assert refused.returncode == 1 and "E009" in refused.stderr


def test_a_program_uses_it(run, cubed, tmp_path):
    (tmp_path / "g.txt").write_text("""sdfg g(A, B) {
  symbol N: int64
  array A: float64[N]
  array B: float64[N]
  state main {
    n0 = access A
    n1 = library Cubed cube (_x) -> (_out)
    n2 = access B
    n0 -> n1._x : A[0:N]
    n1._out -> n2 : B[0:N]
  }
}
""")
    for chosen in ("one_map", "einsum"):
        done = run("opt", "g.txt", "--operations", cubed, "--apply", f'ExpandLibraryNode @ main(node=cube) implementation="{chosen}"', "-o", "h.txt")
        assert done.returncode == 0, done.stderr
        assert "library" not in (tmp_path / "h.txt").read_text()


PRODUCT = """sdfg g(A, B, C) {
  symbol N: int64
  array A: float64[N, N]
  array B: float64[N, N]
  array C: float64[N, N]
  state main {
    n0 = access A
    n1 = access B
    n2 = library MatMul product (_a, _b) -> (_c)
    n3 = access C
    n0 -> n2._a : A[0:N, 0:N]
    n1 -> n2._b : B[0:N, 0:N]
    n2._c -> n3 : C[0:N, 0:N]
  }
}
"""


def steps(run, tmp_path, *before, **environment):
    """Lines of the trace: `MatMul -> specialize, by ...`."""
    (tmp_path / "product.txt").write_text(PRODUCT)
    done = run(*before, "run", "product.txt", "N=8", "-O0", "--trace", XDG_CONFIG_HOME=str(tmp_path / "home"), **environment)
    assert done.returncode == 0, done.stderr
    return [line.split(": ", 1)[1] for line in done.stderr.splitlines() if " -> " in line]


def test_settings_choose_expansions_and_the_trace_says_who_did(run, tmp_path):
    own = steps(run, tmp_path, SLUICE_WITHOUT_LIBRARIES="all")
    assert own[0] == "MatMul -> specialize, by the operation's own order"
    assert own[1].startswith("Gemm -> native, by the operation's own order; not NumPy: it counts as not installed; not OpenBLAS: it counts")
    general = steps(run, tmp_path, SLUICE_EXPANSIONS="native")
    assert general == ["MatMul -> native, by the setting expansions (environment SLUICE_EXPANSIONS)"]
    (tmp_path / "sluice.config").write_text("expansions = native; MatMul: specialize\n")
    for_one = steps(run, tmp_path)
    assert for_one == ["MatMul -> specialize, by the setting expansions (file sluice.config:1)",
                       "Gemm -> native, by the setting expansions (file sluice.config:1)"]
    argument = steps(run, tmp_path, "--config", "expansions=cpu/MatMul: native", SLUICE_EXPANSIONS="specialize")
    assert argument == ["MatMul -> native, by the setting expansions (argument)"]


def test_a_nodes_wish_stands_before_the_setting(run, tmp_path):
    (tmp_path / "product.txt").write_text(PRODUCT.replace("-> (_c)", '-> (_c) implementation="native"'))
    done = run("run", "product.txt", "N=8", "--trace", SLUICE_EXPANSIONS="MatMul: specialize")
    assert done.returncode == 0, done.stderr
    assert "MatMul -> native, by the node" in done.stderr


@pytest.mark.parametrize("variable, value, code, words", [
    ("SLUICE_EXPANSIONS", "natif", "B004", "no implementation natif, which the setting expansions (environment SLUICE_EXPANSIONS) names"),
    ("SLUICE_EXPANSIONS", "Gem: native", "B001", "a list for Gem, which is neither an operation nor a target"),
    ("SLUICE_EXPANSIONS", "Gemm:", "D012", "is no value for `expansions`"),
    ("SLUICE_WITHOUT_LIBRARIES", "openblass", "D012", "names `openblass`, which nobody knows"),
    ("SLUICE_VERIFY_OPERATIONS", "no", "D012", "give 0 or 1"),
])
def test_mistakes_in_settings_of_operations_are_refused(run, tmp_path, variable, value, code, words):
    (tmp_path / "product.txt").write_text(PRODUCT)
    done = run("compile", "product.txt", **{variable: value})
    found = done.stderr if variable != "SLUICE_VERIFY_OPERATIONS" else run("config", **{variable: value}).stderr
    assert code in found and words in found, found


def test_every_command_that_takes_programs_takes_operations(run, cubed, tmp_path):
    (tmp_path / "g.txt").write_text("""sdfg g(A, B) {
  array A: float64[4]
  array B: float64[4]
  state main {
    n0 = access A
    n1 = library Cubed cube (_x) -> (_out)
    n2 = access B
    n0 -> n1._x : A[0:4]
    n1._out -> n2 : B[0:4]
  }
}
""")
    for words in (["run", "g.txt", "A=2"], ["interpret", "g.txt", "A=2"]):
        assert "B001" in run(*words).stderr or "I007" in run(*words).stderr
        done = run(*words, "--operations", cubed)
        assert done.returncode == 0 and "min 8, max 8" in done.stdout, done.stdout + done.stderr
    for words in (["compile", "g.txt"], ["show", "g.txt", "--cpp"], ["opt", "g.txt", "--expand", "--trace"]):
        done = run(*words, "--operations", cubed)
        assert done.returncode == 0, done.stderr
    assert "Cubed -> one_map, by the operation's own order" in done.stderr
