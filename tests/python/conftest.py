"""Tests run against the package of this checkout, or the installed one where SLUICE_INSTALLED is set (tests/install/wheel.sh), with a cache of
their own, and without falling back to Python."""
import os
import pathlib
import signal
import sys

import pytest

# Who starts the tests in the background may have interrupts ignored, which children would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = pathlib.Path(__file__).resolve().parents[2]
if not os.environ.get("SLUICE_INSTALLED"):
    sys.path.insert(0, str(ROOT / "python"))
sys.path.insert(0, str(ROOT / "examples"))
sys.path.insert(0, str(ROOT / "tests" / "python"))


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory):
    """The libraries of one test run stay in one temporary cache, which its workers share: each has a folder of its own in that of the run."""
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.getbasetemp()
    patch.setenv("SLUICE_CACHE", str((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "cache"))
    patch.setenv("SLUICE_STRICT", "1")  # what is refused is an error, but where a test asks for Python to go on
    yield
    patch.undo()
