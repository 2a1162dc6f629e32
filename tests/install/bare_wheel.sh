#!/usr/bin/env bash
# The wheel on a bare Debian 12 with nothing but Python, made by debootstrap: it imports; without a compiler the message says both ways out,
# and both of them work.
. "$(dirname "$0")/common.sh"

bare_root python3-venv ca-certificates
python3 -m venv venv
CXX=${CXX:-c++} venv/bin/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$WORK/root/wheels" "$SOURCE"
cat > "$WORK/root/scale.py" <<'END'
import numpy as np
import sluice

@sluice.program
def scale(x: sluice.float64[1000]):
    x *= 2
    return np.sum(np.exp(-x))

x = np.ones(1000)
assert np.isclose(scale(x), 1000 * np.exp(-2))
print(x.sum(), sluice.__version__)
END
inside "python3 -m venv /venv && /venv/bin/pip install --quiet --disable-pip-version-check /wheels/*.whl"
expect "imported" inside "/venv/bin/python -c \"import sluice; print('imported')\""
expect "pip install 'sluice[compiler]'" inside "/venv/bin/python /scale.py"
expect "Programs cannot be compiled." inside "/venv/bin/sluice doctor"
inside 'wheel=$(ls /wheels/*.whl); /venv/bin/pip install --quiet --disable-pip-version-check "$wheel[compiler]"'
expect "2000.0 0." inside "/venv/bin/python /scale.py"
expect "ziglang/zig" inside "/venv/bin/sluice doctor"
inside "apt-get install -y -qq --no-install-recommends g++ > /dev/null"
expect "2000.0 0." inside "SLUICE_CACHE=/cache /venv/bin/python /scale.py"
expect "Programs can be compiled." inside "/venv/bin/sluice doctor"
expect "float64[1000]" inside "SLUICE_CACHE=/cache /venv/bin/sluice run /scale.py"
echo "bare_wheel: ok"
