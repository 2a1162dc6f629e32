#!/usr/bin/env bash
# `pip install .` into an empty environment: package and command work outside of the clone, and the package imports without a compiler.
. "$(dirname "$0")/common.sh"

python3 -m venv venv
CXX=${CXX:-c++} venv/bin/pip install --quiet --disable-pip-version-check "$SOURCE" pytest  # by the name of `make build`: ccache knows its objects
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

# Libraries of others come with it; only what every Linux has beside Python is the system's.
package=$(venv/bin/python -c "import sluice, os; print(os.path.dirname(sluice.__file__))")
for program in venv/bin/sluice "$package"/_core*.so; do
    foreign=$(ldd "$program" | grep -v "${package#"$WORK/venv/"}/libraries/" | grep -vE "^\s*(linux-vdso|lib(c|m|dl|pthread|gcc_s|stdc\+\+)\.so|/lib64/ld-linux)" || true)
    [ -z "$foreign" ] || { printf '%s needs of the system:\n%s\n' "$program" "$foreign" >&2; exit 1; }
done

# Tests of the package and of the command against what is installed.
export SLUICE_INSTALLED=1 SLUICE_COMMAND=$WORK/venv/bin/sluice
expect "site-packages" venv/bin/python -c "import runpy, sys; runpy.run_path('$SOURCE/tests/python/conftest.py'); import sluice; print(sluice.__file__)"
for tests in "python/test_program.py python/test_desk.py python/test_examples.py python/test_numpy_agreement.py python/test_fields.py" "cli/test_cli.py cli/test_show.py cli/test_branches.py"; do
    (cd "$SOURCE/tests" && "$WORK/venv/bin/python" -m pytest -q -p no:cacheprovider $tests) > tests.log || { tail -50 tests.log; exit 1; }
    tail -1 tests.log
done

# Nothing but Python on the path.
export PATH=$WORK/venv/bin SLUICE_CACHE=$WORK/empty
expect "imported" venv/bin/python -c "import sluice; print('imported')"
expect "apt-get install g++" venv/bin/python scale.py
expect "pip install 'sluice[compiler]'" venv/bin/python scale.py
expect "Programs cannot be compiled." venv/bin/sluice doctor
export PATH=/usr/bin:/bin
echo "wheel: ok"
