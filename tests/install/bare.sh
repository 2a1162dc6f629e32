#!/usr/bin/env bash
# The README's two commands and the wheel on a bare Debian 12, made by debootstrap (as root, with Debian's mirror reachable): an hour.
. "$(dirname "$0")/common.sh"

command -v debootstrap > /dev/null || { echo "bare: debootstrap is not installed: apt-get install debootstrap" >&2; exit 77; }
[ "$(id -u)" -eq 0 ] || { echo "bare: chroot needs root" >&2; exit 77; }
debootstrap --variant=minbase bookworm "$WORK/root" > debootstrap.log || { tail debootstrap.log; exit 1; }
mkdir "$WORK/root/sluice"
git -C "$SOURCE" archive HEAD | tar x -C "$WORK/root/sluice"
cp /etc/resolv.conf "$WORK/root/etc/resolv.conf"
mount -t proc proc "$WORK/root/proc"  # Zig looks there for itself.
trap 'umount "$WORK/root/proc"; rm -rf --one-file-system "$WORK"' EXIT
inside() { chroot "$WORK/root" /bin/bash -c "$1"; }
inside "apt-get update -qq && apt-get install -y -qq --no-install-recommends make ca-certificates npm > /dev/null"
inside "cd /sluice && make demo && make test"
inside "cd /sluice && apt-get install -y -qq pkg-config > /dev/null && build/release/bin/sluice doctor"
echo "bare: ok"
