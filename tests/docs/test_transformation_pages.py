"""docs/transformations says what the descriptors say and shows each transformation at work."""
import importlib.util
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def generator():
    spec = importlib.util.spec_from_file_location("transformation_pages", ROOT / "tools" / "transformation_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_those_of_the_descriptors():
    module = generator()
    texts = module.pages()
    assert {path.name for path in module.PAGES.glob("*.md")} == set(texts), "run tools/transformation_pages.py"
    for file, text in texts.items():
        assert (module.PAGES / file).read_text() == text, f"{file}: run tools/transformation_pages.py"


def test_every_transformation_is_shown():
    module = generator()
    shown = module.examples()
    for name in module.builtin():
        assert name in shown, f"{name} has no test case with a result"
        for word in ("before", "after"):
            picture = (module.PAGES / f"{name}.{word}.svg").read_text()
            assert "<svg" in picture
            assert f"&#10;{word}." in picture and "/tmp" not in picture, "a picture names its file by a path of one machine"
