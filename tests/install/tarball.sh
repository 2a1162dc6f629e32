#!/usr/bin/env bash
# `make dist`: the archive of this commit builds where there is no git, and knows which commit it is.
. "$(dirname "$0")/common.sh"

make -C "$SOURCE" --no-print-directory dist
tar xf "$SOURCE"/build/sluice-*.tar.gz
mkdir bin
printf '#!/bin/sh\nexit 127\n' > bin/git
chmod +x bin/git
export PATH=$WORK/bin:$PATH
cd sluice-*
# Paths count from the build folder, as in `make build`: ccache knows its objects.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
cmake -S . -B build/release -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DSLUICE_TESTS=OFF > /dev/null
cmake --build build/release --target sluice > build.log || { tail build.log; exit 1; }
expect "commit $(/usr/bin/env PATH="${PATH#*:}" git -C "$SOURCE" rev-parse HEAD)" build/release/bin/sluice --version --verbose
expect "float64" build/release/bin/sluice run "$SOURCE/examples/axpy.py" N=10 a=2
echo "tarball: ok"
