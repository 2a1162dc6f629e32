"""Programs whose paths return values of several structures: None beside values, more values or fewer, a number or an array. Compared with Python."""
import numpy as np
import pytest

import sluice


def pair(a):
    if a[0] > 0:
        return a * 2, None
    return a * 2, a[0]


def greatest(x):
    best = place = None
    for i in range(len(x)):
        if x[i] > 0 and (best is None or x[i] > best):
            best = x[i]
            place = i
    return best, place


def one_or_two(x):
    if x[0] > 0:
        return x, 1
    return x


def number_or_array(x):
    if x[0] > 0:
        return 0.0
    return x * 2


def nested(x):
    if x[0] > 0:
        return {"a": x, "b": None}, 1
    return {"a": x, "b": [x[0], x * 2]}, 1


def sizes_of_data(x):
    if x[0] > 0:
        return None, x[x > 0]
    y = x[x < 0]
    return y, y[1:]


def three_ways(x):
    if x[0] > 0:
        return None
    if x[0] < 0:
        return x, x[1:]
    return x[:2], None


def many(x):
    if x[0] > 0:
        return x[0], x[1], x[2], x[1:], x[0], 1, 2.0, x[::-1], x * 2, x.sum(), x.max(), True
    return x[0], x[1], x[2], x[1:], x[0], 1, 2.0, x[::-1], x * 2, None, x.max(), False


def nothing(x):
    x[0] = 7.0
    return (), [], None


def called_in_place(x):
    def inner(y):
        if y[0] > 0:
            return y, None
        return y, y.sum()
    a, s = inner(x)
    return a if s is None else a * s


def called(x):
    first, second = pair(x)
    if second is None:
        return first
    return first * second


def called_in_a_loop(x):
    total = 0.0
    for _ in range(3):
        first, second = pair(x)
        if second is not None:
            total += second
        total += first[0]
    return total


def handed_on(x):
    return pair(x)


def called_for_nothing(x):
    empty, also_empty, none = nothing(x)
    return x.sum() if none is None else 0.0


def assert_same(ours, theirs):
    assert type(ours) is type(theirs)
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs)
        ours, theirs = list(ours.values()), list(theirs.values())
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs):
            assert_same(one, other)
    else:
        assert np.shape(ours) == np.shape(theirs)
        assert ours == theirs if theirs is None or isinstance(theirs, str) else np.allclose(ours, theirs, rtol=1e-12, atol=1e-14)


FUNCTIONS = [pair, greatest, one_or_two, number_or_array, nested, sizes_of_data, three_ways, many, nothing, called_in_place, called,
             called_in_a_loop, handed_on, called_for_nothing]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_each_path_returns_its_own(function):
    program = sluice.program(strict=True)(function)
    for values in ([1.0, 3, 2], [-1.0, -3, -2], [0.0, 0, 0]):
        ours, theirs = np.array(values), np.array(values)
        assert_same(program(ours), function(theirs))
        assert np.array_equal(ours, theirs)


def test_views_stay_views():
    x = np.array([-1.0, 2, 3])
    whole, part = sluice.program(strict=True)(three_ways)(x)
    assert whole is x or np.shares_memory(whole, x)
    part[0] = 9
    assert x[1] == 9


def test_a_graph_without_a_caller_in_python_has_one_structure(tmp_path):
    """Nobody would read which it is."""
    import subprocess
    from pathlib import Path
    (tmp_path / "p.py").write_text("import sluice\nN = sluice.symbol('N')\n@sluice.program\ndef p(a: sluice.float64[N]):\n"
                                   "    if a[0] > 0:\n        return a, None\n    return a, a[0]\n")
    command = Path(sluice.__file__).parents[2] / "build/release/bin/sluice"
    done = subprocess.run([command, "compile", "p.py", "-o", "out"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0 and "F008" in done.stderr and "Traceback" not in done.stderr
