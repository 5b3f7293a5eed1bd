#!/bin/sh
# The same bits everywhere: builds the core and the worlds of test/bits with other compilers, optimisation levels, vector
# widths and for AArch64 (under qemu), and compares the hashes of their states with test/bits/golden.txt, with one thread
# and with two; hashes of the whole states must agree among all of them. Usage: bits.sh [CONFIGURATION...]; all without one but
# gcc-O3-avx2, which the release build is itself (bits.golden_1 and _2): `make bits` has that one too.
# After a change that is meant to change results: build/test/bits_golden | cut -d " " -f 1,2 > test/bits/golden.txt
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
usual="gcc-O0 gcc-O2 clang-O0 clang-O2-avx2 aarch64-O2"
all="$usual gcc-O3-avx2"
flags="-std=c17 -fno-math-errno -fno-trapping-math -ffp-contract=off -w -Wno-psabi -Iinclude -Isrc"
failed=0
first=""

for name in ${*:-$usual}; do
    runner=""
    link=""
    case $name in
    gcc-O0) compile="gcc -O0" ;;
    gcc-O2) compile="gcc -O2" ;;
    gcc-O3-avx2) compile="gcc -O3 -DNDEBUG -mavx2 -mno-fma" ;;
    clang-O0) compile="clang -O0" ;;
    clang-O2-avx2) compile="clang -O2 -mavx2 -mno-fma" ;;
    aarch64-O2) compile="aarch64-linux-gnu-gcc -O2" runner=qemu-aarch64-static link=-static ;;
    *) echo "no configuration $name; there are $all" >&2 && exit 2 ;;
    esac
    case $name in
    *avx2) grep -qw avx2 /proc/cpuinfo || { echo "left out $name: this machine has no AVX2" && continue; } ;;
    esac
    command -v "${compile%% *}" >/dev/null || { echo "FAILED $name: ${compile%% *} is missing; tools/setup.sh installs it" && exit 1; }
    [ -z "$runner" ] || command -v $runner >/dev/null || { echo "FAILED $name: $runner is missing; tools/setup.sh installs it" && exit 1; }
    folder=build-bits/$name
    mkdir -p "$folder"
    rm -f "$folder"/*.o "$folder/golden"
    # one compiler process a file; the object is named after the file's path
    if ! ls src/*/*.c src/parts/*/*.c test/bits/golden.c test/bits/scenes.c | xargs -P "$jobs" -I{} sh -c \
        'object=$(echo "$1" | tr / _); exec '"$compile $flags"' -c "$1" -o "'"$folder"'/$object.o"' _ {} ||
        ! ${compile%% *} $link "$folder"/*.o -lm -lpthread -o "$folder/golden"; then
        echo "FAILED $name: does not build"
        failed=1
        continue
    fi
    for threads in 1 2; do
        { $runner "$folder/golden" --threads $threads >"$folder/hashes$threads" || true; } &
    done
    wait
    for threads in 1 2; do
        [ -n "$first" ] || first=$folder/hashes$threads
        if cut -d " " -f 1,2 "$folder/hashes$threads" | diff test/bits/golden.txt - && diff "$first" "$folder/hashes$threads"; then
            echo "good   $name, threads: $threads"
        else
            echo "FAILED $name, threads: $threads"
            failed=1
        fi
    done
done
[ "$failed" = 0 ]
