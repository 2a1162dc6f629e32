"""Every example on its small input, against NumPy."""
import copy
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "examples"))
import demo  # noqa: E402


@pytest.mark.parametrize("name", demo.NAMES)
def test_example_agrees_with_numpy(name):
    module, program = demo.load(name)
    arguments = module.inputs("small")
    ours, expected = copy.deepcopy(arguments), copy.deepcopy(arguments)
    returned = program(**ours)
    expected_return = demo.run_reference(module, program, expected)
    error, good = demo.check(module, demo.results(module, ours, returned), demo.results(module, expected, expected_return))
    assert good, f"relative error {error}"
