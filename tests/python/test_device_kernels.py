"""The scoreboard's kernels (PolyBench, NPBench) by GPUTransformSDFG alone, against NumPy."""
import copy
import importlib.util
import inspect
import pathlib

import numpy as np
import pytest
from devices import has_gpu, needs_opencl, on

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "bench" / "scoreboard" / "kernels"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def flat(value):
    return [] if value is None else [one for part in value for one in flat(part)] if isinstance(value, (tuple, list)) else [np.asarray(value)]


NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
ON_CUDA = NAMES[::1 if has_gpu() else 2]  # What stands in for a GPU runs a half; test_cuda_kernels.py compiles all.


@pytest.mark.parametrize("name, target", [pytest.param(name, "opencl", marks=needs_opencl) for name in NAMES] + [(name, "cuda") for name in ON_CUDA])
def test_kernel(name, target):
    reference, compiled = load(name), load(name)
    inputs = reference.inputs(np.random.default_rng(0), *reference.SIZES["tiny"])
    for key, value in list(vars(compiled).items()):
        if inspect.isfunction(value) and value.__module__ == name and key != "inputs":
            setattr(compiled, key, on(target, value))
    ours, theirs = copy.deepcopy(inputs), copy.deepcopy(inputs)
    returned, expected = getattr(compiled, name)(**ours), getattr(reference, name)(**theirs)
    results = flat(returned) + [ours[key] for key, value in theirs.items() if isinstance(value, np.ndarray)]
    wanted = flat(expected) + [value for value in theirs.values() if isinstance(value, np.ndarray)]
    assert len(results) == len(wanted)
    for one, other in zip(results, wanted):
        single = other.dtype == np.float32
        np.testing.assert_allclose(one, other, rtol=2e-4 if single else 1e-8, atol=1e-5 if single else 1e-10)
