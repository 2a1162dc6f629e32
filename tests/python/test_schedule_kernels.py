"""The benchmarks of bench/schedule, on small data, each beside its reference in NumPy."""
import importlib.util
import inspect
import pathlib

import numpy as np
import pytest

KERNELS = sorted((pathlib.Path(__file__).resolve().parents[2] / "bench" / "schedule" / "kernels").glob("*.py"))


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_kernel(path):
    spec = importlib.util.spec_from_file_location("kernel_" + path.stem, path)
    kernel = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kernel)
    arrays = kernel.data(np.random.default_rng(0), True)
    expected = kernel.reference(**{name: arrays[name].copy() for name in inspect.signature(kernel.reference).parameters})
    kernel.schedule()(**arrays)
    for name, values in expected.items():
        np.testing.assert_allclose(arrays[name], values, rtol=2e-4, atol=1e-4, err_msg=name)
