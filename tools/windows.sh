#!/bin/sh
# Cross-builds the core library for Windows and runs its unit tests and examples with wine.
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
mkdir -p build-windows
export WINEPREFIX="$PWD/build-windows/wine" WINEDEBUG=-all
cmake -S . -B build-windows -DCMAKE_TOOLCHAIN_FILE=cmake/mingw.cmake -DCMAKE_BUILD_TYPE=Release -DHAWSER_TOOLS=OFF -DBUILD_TESTING=ON \
    -DHAWSER_ARCH= >build-windows/configure.log 2>&1 || { cat build-windows/configure.log; exit 1; }
cmake --build build-windows -j "$jobs"
ctest --test-dir build-windows --output-on-failure -j "$jobs"
