"""Programs may be named as what the C library and the runtime of generated code declare."""
import importlib.util

import numpy as np
import pytest

import sluice


@pytest.mark.parametrize("name", ["flock", "madvise", "mmap"])
def test_a_program_of_such_a_name(name, tmp_path):
    (tmp_path / f"of_{name}.py").write_text(f"import numpy as np\ndef {name}(x):\n    return np.cumsum(x[x > 0]), x[::-1] * 2\n")
    spec = importlib.util.spec_from_file_location(f"of_{name}", tmp_path / f"of_{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    x = np.array([3.0, -1.0, 2.0])
    for got, wanted in zip(sluice.program(getattr(module, name), strict=True)(x), getattr(module, name)(x), strict=True):
        np.testing.assert_array_equal(got, wanted)
