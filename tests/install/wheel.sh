#!/usr/bin/env bash
# `pip install .` into an empty environment: package and command work outside of the clone, and the package imports without a compiler.
. "$(dirname "$0")/common.sh"

python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check "$SOURCE"
cat > scale.py <<'END'
import numpy as np
import sluice

@sluice.program
def scale(x: sluice.float64[10]):
    x *= 2

x = np.ones(10)
scale(x)
print(x.sum(), sluice.__version__)
END
expect "20.0 0." venv/bin/python scale.py
expect "site-packages" venv/bin/python -c "import sluice; print(sluice.__file__)"
expect "Programs can be compiled." venv/bin/sluice doctor
expect "float64[10]" venv/bin/sluice run scale.py
expect "commit" venv/bin/sluice --version --verbose

# Nothing but Python on the path.
export PATH=$WORK/venv/bin SLUICE_CACHE=$WORK/empty
expect "imported" venv/bin/python -c "import sluice; print('imported')"
expect "apt-get install g++" venv/bin/python scale.py
expect "pip install 'sluice[compiler]'" venv/bin/python scale.py
expect "Programs cannot be compiled." venv/bin/sluice doctor
export PATH=/usr/bin:/bin
echo "wheel: ok"
