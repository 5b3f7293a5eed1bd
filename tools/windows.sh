#!/bin/sh
# Cross-builds the library and the program for Windows; runs unit tests, examples and worlds with known bits with wine, and tries the
# program: the rows of a scene are the same bytes as those of the program of this machine (build/hawser, where there is one), the outputs of FMUs too.
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
mkdir -p build-windows
export WINEPREFIX="$PWD/build-windows/wine" WINEDEBUG=-all
# An older program of this machine would give other rows.
[ ! -e build/hawser ] || cmake --build build -j "$jobs" --target hawser-cli >build-windows/native.log 2>&1 || { cat build-windows/native.log; exit 1; }
# Libraries of this machine are none of Windows'.
PKG_CONFIG_LIBDIR=/nowhere cmake -S . -B build-windows -DCMAKE_TOOLCHAIN_FILE=cmake/mingw.cmake -DCMAKE_BUILD_TYPE=Release -DHAWSER_TOOLS=ON \
    -DBUILD_TESTING=ON -DHAWSER_ARCH= "-DHAWSER_WITHOUT=dds;hdf5;assimp;qhull;expat;jansson;sundials;websockets" \
    >build-windows/configure.log 2>&1 || { cat build-windows/configure.log; exit 1; }
grep 'Without' build-windows/configure.log
cmake --build build-windows -j "$jobs"
ctest --test-dir build-windows --output-on-failure -j "$jobs"
