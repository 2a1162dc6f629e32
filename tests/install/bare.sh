#!/usr/bin/env bash
# The README's commands on a bare Debian 12, made by debootstrap: an hour, or a quarter of one without the tests (`bare.sh demo`).
. "$(dirname "$0")/common.sh"

bare_root make ca-certificates npm
mkdir "$WORK/root/sluice"
git -C "$SOURCE" archive HEAD | tar x -C "$WORK/root/sluice"
inside "cd /sluice && make demo"
snippet "For the scientist" python > "$WORK/root/sluice/user.py"
expect "jacobi_2d: compiled" inside "cd /sluice && source .venv/bin/activate && python user.py"
expect "Programs can be compiled." inside "cd /sluice && source .venv/bin/activate && sluice doctor"
expect "MapTiling @" inside "cd /sluice && source .venv/bin/activate && sluice opt examples/jacobi_2d.py --list"
[ "${1:-}" = demo ] || inside "cd /sluice && make test"
echo "bare: ok"
