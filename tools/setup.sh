#!/bin/sh
# Installs what a purpose needs and is missing: tools/setup.sh run|test|bench|tidy|python|windows. Without root: names it and stops.
set -eu
cd "$(dirname "$0")/.."
purpose=${1:-test}

# Building and running the program and its page.
run="gcc make cmake pkg-config libc6-dev libjansson-dev libhdf5-dev libassimp-dev libqhull-dev libexpat1-dev libsundials-dev libwebsockets-dev"
# What only benchmarks compare with.
peers="libmujoco-dev libccd-dev libode-dev libfcl-dev"
# Cross compiler and emulator: the same bits on AArch64 (tools/bits.sh).
arm="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static"
# The Python package: its extension, its wheel, its tests' tables and figures.
python="python3-dev python3-numpy python3-setuptools python3-wheel python3-pip python3-venv binutils"
# DDS: federates and topics of ROS 2 (docs/federates.md), and another maker's, which reads them in a test.
dds="cyclonedds-dev cyclonedds-tools libfastrtps-dev"
# Tests, checkers, a browser; MPI for studies on many machines; libyaml, with which our reader of YAML is compared.
test="g++ binutils libyaml-dev clang clang-format libclang-rt-14-dev valgrind libcmocka-dev libopenmpi-dev openmpi-bin chromium git $python python3-pandas python3-matplotlib $dds"

case $purpose in
run) packages=$run ;;
bench) packages="$run g++ libcmocka-dev $peers" ;;
test) packages="$run $peers $test $arm" ;;
tidy) packages="$run g++ libcmocka-dev clang clang-tidy git" ;;
python) packages="$run $python" ;;
windows) packages="make cmake pkg-config gcc-mingw-w64-x86-64 wine64" ;;
*)
    echo "usage: tools/setup.sh run | test | bench | tidy | python | windows" >&2
    exit 2
    ;;
esac
if [ "$purpose" != windows ]; then
    command -v node >/dev/null 2>&1 || packages="$packages nodejs"
    command -v npm >/dev/null 2>&1 || packages="$packages npm"
fi

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
[ "$purpose" != windows ] || exit 0

# npm packages: the versions of the lock file, once per lock file and purpose. Not `npm ci`, which refuses a lock without the
# builds for every other platform. test/peers holds programs of others that tests talk to.
folders=web
[ "$purpose" != test ] || folders="web test/peers"
for folder in $folders; do
    mark=$folder/node_modules/.hawser-lock
    if ! cmp -s "$folder/package-lock.json" "$mark" 2>/dev/null; then
        echo "Installing npm packages of $folder"
        (cd "$folder" && npm install --no-save --no-audit --no-fund --loglevel=error)
        cp "$folder/package-lock.json" "$mark"
    fi
done
