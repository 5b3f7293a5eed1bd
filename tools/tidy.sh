#!/bin/sh
# clang-tidy with the checks of .clang-tidy over all C files of the library and the programs but those for Windows, or those named.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build-tidy
cmake -S . -B build-tidy -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ >build-tidy/configure.log 2>&1 ||
    { cat build-tidy/configure.log; exit 1; }
[ $# -gt 0 ] || set -- $(git ls-files 'src/*.c' 'io/*.c' 'live/*.c' 'reference/*.c' 'apps/*.c' ':!*/windows/*')
printf '%s\n' "$@" | xargs -P "${JOBS:-$(nproc)}" -n 4 clang-tidy -p build-tidy --quiet --warnings-as-errors='*' 2>build-tidy/tidy.log ||
    { grep -v 'warnings generated' build-tidy/tidy.log | head -40; exit 1; }
echo "clang-tidy: $# files are good"
