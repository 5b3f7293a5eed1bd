#!/bin/sh
# The tests again, with the address and undefined-behaviour sanitizers: those that run compiled code of ours. What compares
# texts (style, abi) and the page's own tests give the same answer in the release build, which has them.
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
mkdir -p build-asan
cmake --preset asan -DHAWSER_CHECKS=OFF -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O2 -g1 -DNDEBUG" >build-asan/configure.log 2>&1 || { cat build-asan/configure.log; exit 1; }
cmake --build build-asan -j "$jobs" >build-asan/build.log 2>&1 || { tail -n 60 build-asan/build.log; exit 1; }
# What libwebsockets loses by itself when connections break is not ours.
echo "leak:libwebsockets" >build-asan/leaks.txt
LSAN_OPTIONS="suppressions=$PWD/build-asan/leaks.txt:print_suppressions=0" \
    ctest --test-dir build-asan --output-on-failure -j "$jobs" -LE "browser|slow|web|style|abi"
