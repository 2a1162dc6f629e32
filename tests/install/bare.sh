#!/usr/bin/env bash
# The README's two commands on a bare Debian 12, made by debootstrap: an hour.
. "$(dirname "$0")/common.sh"

bare_root make ca-certificates npm
mkdir "$WORK/root/sluice"
git -C "$SOURCE" archive HEAD | tar x -C "$WORK/root/sluice"
inside "cd /sluice && make demo && make test"
inside "cd /sluice && apt-get install -y -qq pkg-config > /dev/null && build/release/bin/sluice doctor"
echo "bare: ok"
