"""docs/configuration.md shows the table of the source."""
import importlib.util
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_page_is_that_of_the_table():
    spec = importlib.util.spec_from_file_location("configuration_page", ROOT / "tools" / "configuration_page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text() == module.text(), "run `make pages`"
    assert "| `cache_size` | `SLUICE_CACHE_SIZE` | `4G` |" in module.text()
