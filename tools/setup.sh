#!/bin/sh
# Installs what the build needs and is missing. Without root: names it and stops.
set -eu
cd "$(dirname "$0")/.."

packages="gcc g++ make cmake pkg-config clang libclang-rt-14-dev valgrind libyaml-dev libjansson-dev libhdf5-dev libassimp-dev libqhull-dev libexpat1-dev libmujoco-dev libccd-dev libode-dev libfcl-dev libsundials-dev libwebsockets-dev libcmocka-dev chromium"
command -v node >/dev/null 2>&1 || packages="$packages nodejs"
command -v npm >/dev/null 2>&1 || packages="$packages npm"

missing=""
for package in $packages; do
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || missing="$missing $package"
done
if [ -n "$missing" ]; then
    if [ "$(id -u)" != 0 ]; then
        echo "These Debian packages are missing:$missing" >&2
        echo "Install them with: sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing" >&2
        exit 1
    fi
    echo "Installing:$missing"
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp)
    if ! { apt-get update && apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        exit 1
    fi
    rm -f "$log"
fi

# npm packages: the versions of the lock file, once per lock file. Not `npm ci`, which refuses a lock without the
# builds for every other platform.
if [ -f web/package-lock.json ]; then
    mark=web/node_modules/.hawser-lock
    if ! cmp -s web/package-lock.json "$mark" 2>/dev/null; then
        echo "Installing npm packages"
        (cd web && npm install --no-save --no-audit --no-fund --loglevel=error)
        cp web/package-lock.json "$mark"
    fi
fi
