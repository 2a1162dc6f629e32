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


# What programs mean is their subject, in hundreds of programs: compiled in half the time. What -O3 makes of the same constructs the others test.
COMPILED_QUICKLY = set("""
    test_carried_arrays test_changed_arguments test_data_sizes test_extremes test_growing_lists test_linear_systems test_lists test_number_types
    test_numpy_surface test_one_memory test_prelude test_python_library test_rare_branches test_recursion test_rolls test_signatures test_sorting
    test_spectra test_strided_arguments test_types_by_path test_weak_numbers
""".split())


@pytest.fixture(scope="module", autouse=True)
def flags(request):
    patch = pytest.MonkeyPatch()
    if request.module.__name__ in COMPILED_QUICKLY:
        patch.setenv("SLUICE_CXXFLAGS", "-O1")
    yield
    patch.undo()


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory):
    """The libraries of one test run stay in one temporary cache, which its workers share: each has a folder of its own in that of the run."""
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.getbasetemp()
    patch.setenv("SLUICE_CACHE", str((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "cache"))
    patch.setenv("SLUICE_STRICT", "1")  # what is refused is an error, but where a test asks for Python to go on
    yield
    patch.undo()
