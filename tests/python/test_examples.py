"""Every example on its small size against NumPy, as it is and after each pipeline."""
import copy

import demo
import pytest


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("name", demo.NAMES)
def test_example(name, level):
    module, program = demo.load(name)
    arguments = module.inputs("small")
    ours, expected = copy.deepcopy(arguments), copy.deepcopy(arguments)
    returned = program.compile(optimize=level)(**ours)
    reference = demo.run_reference(module, program, expected)
    error, good = demo.check(module, demo.results(module, ours, returned), demo.results(module, expected, reference))
    assert good, f"largest relative error {error}"
