"""Tests run against the package of this checkout and a cache of their own."""
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
sys.path.insert(0, str(ROOT / "examples"))
sys.path.insert(0, str(ROOT / "tests" / "python"))


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory):
    """The libraries of one test run stay in one temporary cache."""
    patch = pytest.MonkeyPatch()
    patch.setenv("SLUICE_CACHE", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()
