#!/bin/sh
# Installs into a scratch folder and builds a program against it, with find_package and with pkg-config.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
cp test/install/CMakeLists.txt test/install/main.c "$scratch/"
cmake -S "$scratch" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
cmake --build "$scratch/build" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
"$scratch/build/consumer"
PKG_CONFIG_PATH=$(find "$scratch/prefix" -name pkgconfig -type d)
export PKG_CONFIG_PATH
cc "$scratch/main.c" $(pkg-config --cflags --libs hawser) -o "$scratch/consumer"
"$scratch/consumer"
"$scratch/prefix/bin/hawser" --version
