"""Calls of NumPy's functions as programs write them: what is not refused means what NumPy means, and docs/numpy-names.md says which is which."""
import pathlib
import subprocess
import sys

import pytest

import numpy_surface
from against_numpy import differences

ROOT = pathlib.Path(__file__).resolve().parents[2]
CALLS = [call for table in numpy_surface.SECTIONS.values() for calls in table.values() for call in calls]
READING = [call for call in CALLS if not numpy_surface.WRITES.search(call)]
BATCH = 24


def as_tuple(value):
    return tuple(as_tuple(one) for one in value) if isinstance(value, (list, tuple)) else value


def disagreements(calls, folder):
    calls = [call for call in calls if numpy_surface.translates(call, folder)]
    if not calls:
        return []
    # A tuple is a value of a program only where it is unpacked or returned alone.
    several = [call for call in calls if isinstance(numpy_surface.wanted([call])[0], (list, tuple))]
    found = []
    for some in [[call for call in calls if call not in several], *([call] for call in several)]:
        if not some:
            continue
        got, right = numpy_surface.program(some, folder)(*numpy_surface.arguments()), numpy_surface.wanted(some)
        found += [d for call, w, g in zip(some, right, got, strict=True) for d in differences(as_tuple(w), as_tuple(g), call)]
    return found


@pytest.mark.parametrize("start", range(0, len(READING), BATCH))
def test_means_what_numpy_means(tmp_path, start):
    found = disagreements(READING[start:start + BATCH], tmp_path)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("call", [call for call in CALLS if numpy_surface.WRITES.search(call)])
def test_writes_what_numpy_writes(tmp_path, call):
    if numpy_surface.translates(call, tmp_path):
        found = differences(numpy_surface.wanted([call]), numpy_surface.program([call], tmp_path)(*numpy_surface.arguments()), call)
        assert not found, "\n".join(found)


def test_the_page_of_names_is_true():
    check = subprocess.run([sys.executable, str(ROOT / "tools" / "numpy_names_page.py"), "--check"], capture_output=True, text=True)
    assert check.returncode == 0, check.stderr
