"""docs/adding.md names files that are there, and functions that are in them."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "adding.md").read_text()


def test_every_file_that_is_named_exists():
    named = set(re.findall(r"`((?:src|tests|docs|python|tools)/[\w./-]+)`", TEXT))
    assert len(named) > 15
    invented = {path for path in named if "my_transformation" in path or "MyTransformation" in path}
    assert not [path for path in sorted(named - invented) if not (ROOT / path).exists()]


def test_every_function_that_is_named_is_in_its_file():
    found = re.findall(r"`(\w+)` in `(src/[\w./]+)`", TEXT)
    assert found
    for function, path in found:
        assert re.search(rf"\b{function}\b", (ROOT / path).read_text()), f"{function} is not in {path}"
