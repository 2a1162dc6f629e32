#!/usr/bin/env bash
# `pip install '.[compiler]'`: with nothing but Python's packages on the path, programs are compiled by the compiler that came with them,
# without a word, with threads, and right; an interpreter that has loaded many of their libraries ends as it should.
. "$(dirname "$0")/common.sh"

python3 -m venv venv
CXX=${CXX:-c++} venv/bin/pip install --quiet --disable-pip-version-check "$SOURCE[compiler]"  # by the name of `make build`: ccache knows its objects
cat > programs.py <<'END'
import numpy as np
import sluice

N = sluice.symbol("N")

@sluice.program(strict=True)
def wave(x: sluice.float64[N]):
    return np.exp(np.sin(x)) * 2

@sluice.program(strict=True)
def jacobi(A: sluice.float64[N, N], B: sluice.float64[N, N]):
    for t in range(5):
        B[1:-1, 1:-1] = 0.25 * (A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = B[1:-1, 1:-1]

@sluice.program(strict=True)
def ordered(x: sluice.float64[N]):
    return np.sort(x), np.cumsum(x), np.argmax(x)

x, A = np.random.default_rng(1).random(200_000), np.random.default_rng(2).random((600, 600))
assert np.allclose(wave(x), np.exp(np.sin(x)) * 2, rtol=1e-14)
mine, theirs = A.copy(), A.copy()
jacobi(mine, A.copy())
jacobi.f(theirs, A.copy())
assert np.allclose(mine, theirs, rtol=1e-14)
values, sums, best = ordered(x)
assert (values == np.sort(x)).all() and np.allclose(sums, np.cumsum(x)) and best == np.argmax(x)
print("right")
END
export PATH=$WORK/venv/bin
for round in first cached; do
    [ "$(venv/bin/python programs.py 2>&1)" = right ] || { venv/bin/python programs.py; exit 1; }
done
expect "ziglang/zig" venv/bin/sluice doctor
expect "Programs can be compiled." venv/bin/sluice doctor
expect "jacobi" venv/bin/sluice run programs.py --program jacobi N=100
export PATH=/usr/bin:/bin
echo "compiler: ok"
