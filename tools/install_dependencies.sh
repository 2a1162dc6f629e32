#!/usr/bin/env bash
# Installs the Debian packages that the build and the tests need, if any is missing.
set -euo pipefail

packages=(cmake ninja-build ccache g++ make git clang-format python3-venv python3-dev
          libfmt-dev nlohmann-json3-dev libcli11-dev zlib1g-dev libgtest-dev libgmock-dev libbenchmark-dev libxxhash-dev libopenblas-dev liblapacke-dev graphviz libisl-dev libgmp-dev)

# A device for the target opencl, and a checker of its kernels; two MPIs for the target mpi: tests that need them are skipped where
# they are not.
optional=(ocl-icd-libopencl1 pocl-opencl-icd oclgrind openmpi-bin libopenmpi-dev mpich libmpich-dev)

# Those of the packages that are not installed, one on a line.
missing_of() {
    local package
    for package in "$@"; do
        dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || echo "$package"
    done
}
mapfile -t missing < <(missing_of "${packages[@]}")
mapfile -t wished < <(missing_of "${optional[@]}")
[ ${#missing[@]} -eq 0 ] && [ ${#wished[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        [ ${#missing[@]} -eq 0 ] && exit 0
        echo "run as root (or install sudo): apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "installing: ${missing[*]} ${wished[*]}"
export DEBIAN_FRONTEND=noninteractive
install="apt-get install -y -qq --no-install-recommends"
"${as_root[@]}" apt-get update -qq || [ ${#missing[@]} -eq 0 ]
[ ${#missing[@]} -eq 0 ] || "${as_root[@]}" $install "${missing[@]}"
[ ${#wished[@]} -eq 0 ] || "${as_root[@]}" $install "${wished[@]}" || echo "without ${wished[*]} some programs on OpenCL or MPI do not run here"
