"""Functions that are C's: compiled in both precisions, alone and in vector lanes, for both targets that take them, and interpreted."""
import math
import pathlib
import re
import subprocess

import numpy as np
import pytest

import sluice

COMMAND = pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/sluice"
OF_ONE = {"cbrt": np.cbrt, "erf": np.vectorize(math.erf), "erfc": np.vectorize(math.erfc)}
OF_TWO = {"atan2": np.arctan2, "hypot": np.hypot, "copysign": np.copysign}

PROGRAM = """
import math, sluice

@sluice.program({options})
def applied(x: sluice.{of}[40], y: sluice.{of}[40], result: sluice.{of}[40]):
    for i in sluice.map[0:40]:
        result[i] = math.{call}
"""


def program(name, of, tmp_path, options=""):
    call = f"{name}(x[i])" if name in OF_ONE else f"{name}(x[i], y[i])"
    source = tmp_path / "applied.py"
    source.write_text(PROGRAM.format(call=call, of=of, options=options))
    namespace = {}
    exec(compile(source.read_text(), str(source), "exec"), namespace)
    return namespace["applied"]


@pytest.mark.parametrize("of", ["float64", "float32"])
@pytest.mark.parametrize("name", [*OF_ONE, *OF_TWO])
def test_what_it_computes(name, of, tmp_path):
    x, y = np.linspace(-4, 9, 40).astype(of), np.linspace(3, -2, 40).astype(of)
    x[:3] = np.inf, np.nan, -0.0
    wanted = (OF_ONE[name](x.astype("float64")) if name in OF_ONE else OF_TWO[name](x, y)).astype(of)
    outcomes = []
    for options in ("strict=True", "strict=True, target='c99'"):
        result = np.empty(40, of)
        program(name, of, tmp_path, options)(x, y, result)
        outcomes.append(result)
    sdfg = program(name, of, tmp_path).to_sdfg()
    result = np.empty(40, of)
    sdfg.apply("Vectorization", vector_len=4)
    sdfg.compile()(x=x, y=y, result=result)
    outcomes.append(result)
    for got in outcomes:
        np.testing.assert_allclose(got, wanted, rtol=4 * np.finfo(of).eps)


@pytest.mark.parametrize("of", ["float64", "float32"])
@pytest.mark.parametrize("name", [*OF_ONE, *OF_TWO])
def test_the_interpreter_computes_the_same(name, of, tmp_path):
    program(name, of, tmp_path)
    sums = []
    for command in ("run", "interpret"):
        printed = subprocess.run([COMMAND, command, tmp_path / "applied.py"], capture_output=True, text=True, check=True).stdout
        sums.append(float(re.search(r"result .*: sum ([^,]+),", printed)[1]))
    assert sums[0] == pytest.approx(sums[1], rel=1e-6)
