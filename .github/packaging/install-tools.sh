#!/bin/sh
# Installs what `bun run release` needs on Debian or Ubuntu, and what starts its executables for other
# machines: install-tools.sh
set -eu
missing=
need() { [ -e "$1" ] || missing="$missing $2"; }
need /usr/aarch64-linux-gnu/lib libc6-arm64-cross
need /usr/bin/qemu-aarch64-static qemu-user-static
need /lib/ld-musl-x86_64.so.1 musl
need /usr/bin/cc gcc
need /usr/bin/zip zip
need /usr/bin/unzip unzip
[ -n "$missing" ] || exit 0
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
as_root apt-get update -qq
# shellcheck disable=SC2086 # Several words.
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
