# Sourced by the scripts beside it: SOURCE is the clone, WORK an empty folder that goes away, BUILD what `make build` left.
set -euo pipefail
SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BUILD=$SOURCE/build/release
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
export SLUICE_CACHE=$WORK/cache
cd "$WORK"

# The snippet in this language of a section of the README.
snippet() {
    sed -n "/^## $1\$/,/^## /p" "$SOURCE/README.md" | sed -n "/^\`\`\`$2\$/,/^\`\`\`\$/p" | sed '1d;$d'
}
# expect TEXT COMMAND...: its output, standard error included, holds the text.
expect() {
    local text=$1 output
    shift
    output=$("$@" 2>&1) || true
    [[ $output == *"$text"* ]] || { printf 'expected "%s" from: %s\n%s\n' "$text" "$*" "$output" >&2; exit 1; }
}
# Makes a bare Debian 12 in $WORK/root, with these packages (as root, with Debian's mirror reachable; else the script ends with 77).
bare_root() {
    command -v debootstrap > /dev/null || { echo "debootstrap is not installed: apt-get install debootstrap" >&2; exit 77; }
    [ "$(id -u)" -eq 0 ] || { echo "chroot needs root" >&2; exit 77; }
    debootstrap --variant=minbase bookworm "$WORK/root" > debootstrap.log || { tail debootstrap.log; exit 1; }
    cp /etc/resolv.conf "$WORK/root/etc/resolv.conf"
    mount -t proc proc "$WORK/root/proc"  # Zig looks there for itself,
    mount -t sysfs -o ro sysfs "$WORK/root/sys"  # and OpenCL on a CPU for its caches.
    trap 'umount "$WORK/root/proc" "$WORK/root/sys"; rm -rf --one-file-system "$WORK"' EXIT
    inside "apt-get update -qq && apt-get install -y -qq --no-install-recommends $* > /dev/null"
    local file  # what this machine's network asks of pip
    for file in /etc/pip.conf "${PIP_CERT:-}" "${SSL_CERT_FILE:-}"; do
        if [ -f "$file" ]; then install -D -m 644 "$file" "$WORK/root$file"; fi
    done
}
# inside COMMANDS: by a shell in that root.
inside() {
    env -u CXX -u SLUICE_CACHE HOME=/root DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$WORK/root" /bin/bash -c "$1"
}
