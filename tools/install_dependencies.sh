#!/usr/bin/env bash
# Installs the Debian packages that the build and the tests need, if any is missing.
set -euo pipefail

packages=(cmake ninja-build ccache g++ make git clang-format python3-venv python3-dev
          libfmt-dev nlohmann-json3-dev libcli11-dev zlib1g-dev libgtest-dev libgmock-dev libbenchmark-dev libxxhash-dev libopenblas-dev liblapacke-dev graphviz libisl-dev)

missing=()
for package in "${packages[@]}"; do
    dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "installing: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "run as root (or install sudo): apt-get install ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
fi
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
