"""Calls of NumPy's functions as programs write them: what is not refused means what NumPy means, and docs/numpy-names.md says which is which."""
import pathlib
import re
import subprocess
import sys

import pytest

import numpy_surface
from against_numpy import differences

ROOT = pathlib.Path(__file__).resolve().parents[2]
CALLS = [call for table in numpy_surface.SECTIONS.values() for calls in table.values() for call in calls]
# test_sorting.py, test_spectra.py and test_linear_systems.py run these calls, and more like them.
ELSEWHERE = re.compile(r"^np\.(sort|argsort|digitize|interp|lexsort|median|percentile|quantile|nanmedian|histogram2d|histogram_bin_edges)\("
                       r"|^np\.(searchsorted|histogram)\((s, [xh]|x, )|^np\.linalg\.(det|eigh|eigvalsh|inv|lstsq|matrix_rank|pinv|slogdet|solve|svd|svdvals|cond\(S\))")
READING = [call for call in CALLS if not numpy_surface.WRITES.search(call) and not ELSEWHERE.search(call)]
BATCH = 24


def disagreements(calls, folder):
    calls = [call for call in calls if numpy_surface.translates(call, folder)]
    if not calls:
        return []
    right = numpy_surface.wanted(calls)
    counts = [len(one) if isinstance(one, (list, tuple)) else 0 for one in right]
    got = iter(numpy_surface.program(calls, folder, counts)(*numpy_surface.arguments()))
    found = []
    for call, wanted, count in zip(calls, right, counts):
        for one in wanted if count else [wanted]:
            found += differences(one, next(got), call)
    assert next(got, None) is None
    return found


def test_tuples_that_are_returned_alone(tmp_path):
    for call in ("np.nonzero(A > 0)", "np.meshgrid(x, v)", "np.linalg.slogdet(S)"):
        found = differences(tuple(numpy_surface.wanted([call])[0]), tuple(numpy_surface.program([call], tmp_path)(*numpy_surface.arguments())[0]), call)
        assert not found, "\n".join(found)


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
