"""The files of the package import one another without a circle, wherever the import stands."""
import ast
import pathlib

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "python" / "sluice"


def imported(file):
    """Names of the package's modules that the file imports, in functions as well."""
    modules = {path.stem for path in PACKAGE.glob("*.py")}
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found |= {node.module} if node.module else {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "sluice":
            found |= {node.module.partition(".")[2] or "__init__"}
        elif isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[2] or "__init__" for alias in node.names if alias.name.split(".")[0] == "sluice"}
    return found & modules


def test_no_circle():
    imports = {path.stem: imported(path) for path in PACKAGE.glob("*.py")}
    assert imports["sdfg"], "the imports are found"
    done, order = set(), []
    while len(done) < len(imports):
        ready = sorted(name for name in imports if name not in done and imports[name] <= done)
        assert ready, "a circle among " + ", ".join(f"{name} -> {sorted(imports[name] - done)}" for name in sorted(set(imports) - done))
        done |= set(ready)
        order += ready
    assert order[-1] == "__init__"
