"""The modules of the package import one another without a circle, wherever the import stands."""
import ast
import pathlib

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "python" / "sluice"


def modules():
    """Files of the package by their names: `sluice.sdfg`, `sluice.dace_compat.library`."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(name, path, known):
    """Names of the package's modules that a file imports, in functions as well: `from . import a` imports a, not what lies around it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            around = name.split(".")[:len(name.split(".")) - node.level + (path.name == "__init__.py")] if node.level else []
            module = ".".join([*around, *([node.module] if node.module else [])])
            for alias in node.names:
                found.add(f"{module}.{alias.name}" if f"{module}.{alias.name}" in known else module)
    return (found & known) - {name}


def test_no_circle():
    files = modules()
    known = {*files, "sluice._core"}  # which is a library
    imports = {name: imported(name, path, known) - {"sluice._core"} for name, path in files.items()}
    assert imports["sluice.sdfg"] and imports["sluice.dace_compat.library"], "the imports are found"
    done = set()
    while len(done) < len(imports):
        ready = {name for name in imports if name not in done and imports[name] <= done}
        assert ready, "a circle among " + ", ".join(f"{name} -> {sorted(imports[name] - done)}" for name in sorted(set(imports) - done))
        done |= ready
