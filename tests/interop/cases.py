"""The arguments and the expected results of a sample, from its module in references/."""
import copy
import importlib.util
import pathlib
import sys
import unittest.mock

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
REFERENCES = HERE / "references"
EXAMPLES = HERE.parents[1] / "examples"


def load(file):
    specification = importlib.util.spec_from_file_location(f"case_{file.stem}", file)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def module_of(program):
    """The reference module, or None. `example.NAME` is the example, whose body is plain NumPy where it has no reference."""
    if program.startswith("example."):
        name = program.partition(".")[2]
        with unittest.mock.patch.dict(sys.modules, sluice=unittest.mock.MagicMock(program=lambda function: function)):
            module = load(EXAMPLES / f"{name}.py")
        module.run = getattr(module, "reference", getattr(module, name))
        module.cases = lambda random: [module.inputs("small")]
        return module
    file = REFERENCES / f"{program}.py"
    module = load(file) if file.exists() else None
    return module if hasattr(module, "run") else None


def copied(arguments):
    """Copies of the arrays with the same strides."""
    result = {}
    for name, value in arguments.items():
        if isinstance(value, np.ndarray) and not value.flags.c_contiguous:
            span = 1 + sum((size - 1) * stride // value.itemsize for size, stride in zip(value.shape, value.strides))
            memory = np.lib.stride_tricks.as_strided(value, (span,), (value.itemsize,)).copy()
            value = np.lib.stride_tricks.as_strided(memory, value.shape, value.strides)
        else:
            value = copy.copy(value)
        result[name] = value
    return result


def cases_of(program):
    """(arguments, the same after the program) for each case."""
    module = module_of(program)
    for arguments in module.cases(np.random.default_rng(20)):
        expected = copied(arguments)
        returned = module.run(**expected)
        if isinstance(returned, np.ndarray):
            arguments["__return"], expected["__return"] = np.zeros_like(returned), returned
        yield arguments, expected


def difference(actual, expected):
    """What differs between two sets of arguments; empty: nothing beyond rounding."""
    for name, value in expected.items():
        if not isinstance(value, np.ndarray):
            continue
        single = value.dtype in (np.float32, np.complex64)
        with np.errstate(all="ignore"):
            same = np.isclose(actual[name], value, rtol=2e-5 if single else 1e-11, atol=1e-5 if single else 1e-12, equal_nan=True)
        if not np.all(same):
            at = tuple(int(i) for i in np.argwhere(~same)[0])
            return f"{name}{list(at)} is {actual[name][at]}, not {value[at]}"
    return ""
