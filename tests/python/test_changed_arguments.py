"""A short run of ordinary programs with changed arguments; longer ones by its command (docs/fuzzing.md)."""
import numpy as np
import pytest

import changed_arguments
from changed_arguments import programs


# In gaussian_mixture rounding decides whether a component that collapses to one point divides by zero; turbulence takes as long as all others.
@pytest.mark.parametrize("name", [name for name in programs.names()[::6] if name not in ("gaussian_mixture", "turbulence")])
def test_programs_of_the_gallery(name):
    outcomes, findings = changed_arguments.campaign(changed_arguments.gallery([name]), seed=2026, most=1, report=lambda text: None)
    assert not findings, "\n".join(findings)
    assert sum(outcomes.values()) > 0


def test_differences_are_seen():
    def scaled(x):
        return x * 2

    def other(x):
        x[:] = 0
        return x * 2

    given = [np.arange(3.0)]
    assert changed_arguments.compare(scaled, scaled, given)[0] == "ok"
    assert changed_arguments.compare(scaled, other, given)[0] == "WRONG"
    assert changed_arguments.compare(scaled, lambda x: (x * 2).astype(np.float32), given)[0] == "WRONG"
    assert changed_arguments.compare(scaled, lambda x: 1 / 0, given)[0] == "WRONG"

    def filled(x):
        x[0] = 5.0
        return np.zeros(-1)

    assert changed_arguments.compare(filled, filled, given)[0] == "ok"
    assert changed_arguments.compare(filled, lambda x: np.zeros(-1), given)[0] == "WRONG"


def test_layouts_are_kept():
    x = np.arange(12.0).reshape(3, 4)
    for view in (x[::-1], x[:, ::2], x.T, np.repeat(x[0], 2)[::2]):
        copy = changed_arguments.copied(view)
        assert np.array_equal(copy, view) and [s > 0 for s in copy.strides] == [s > 0 for s in view.strides]
        assert copy.flags.c_contiguous == view.flags.c_contiguous
