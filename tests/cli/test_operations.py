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
