#!/bin/sh
# Fuzzes the parsers and the server's requests, all at once.
#   tools/fuzz.sh replay            every file of test/fuzz/corpus and fixed mutations of them, the same each time: for `make test`
#   tools/fuzz.sh explore SECONDS   libFuzzer with random seeds for so long each (default 300): for `make fuzz`; what it finds
#                                   interesting is kept in build-fuzz/corpus for the next time
# An input that breaks one becomes a file of test/fuzz/corpus, so that `make test` fails until its cause is mended. The exit
# status is 1 then.
set -eu
cd "$(dirname "$0")/.."
mode=${1:-explore}
seconds=${2:-300}
case $mode in
replay) kind=replay ;;
explore) kind=fuzz ;;
*)
    echo "usage: tools/fuzz.sh replay | explore [SECONDS]" >&2
    exit 2
    ;;
esac

# Each target has a folder of the corpus.
names=$(ls test/fuzz/corpus)
targets=""
for name in $names; do targets="$targets ${kind}_$name"; done
mkdir -p build-fuzz
cmake --preset fuzz >build-fuzz/configure.log 2>&1 || { cat build-fuzz/configure.log; exit 1; }
cmake --build build-fuzz -j "${JOBS:-$(nproc)}" --target $targets -- --no-print-directory >build-fuzz/fuzz.log 2>&1 ||
    { cat build-fuzz/fuzz.log; exit 1; }

# How many mutations take about 10 s on one core.
count_runs() {
    case $1 in
    mesh) echo 6000 ;;
    request) echo 500 ;;
    moordyn) echo 10000 ;;
    tables) echo 10000 ;;
    *) echo 30000 ;;
    esac
}

# assimp loses memory over bad files. Our own code, all C, has no operator new.
echo "leak:operator new" >build-fuzz/leaks.txt
export LSAN_OPTIONS="suppressions=$PWD/build-fuzz/leaks.txt:print_suppressions=0"
running=""
for name in $names; do
    found=build-fuzz/found/$name
    rm -rf "$found"
    mkdir -p "$found" "build-fuzz/corpus/$name"
    if [ "$mode" = replay ]; then
        build-fuzz/test/replay_$name "$(count_runs "$name")" "test/fuzz/corpus/$name" >"build-fuzz/fuzz_$name.log" 2>&1 &
    else
        build-fuzz/test/fuzz_$name -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=16384 \
            -artifact_prefix="$found/" "build-fuzz/corpus/$name" "test/fuzz/corpus/$name" >"build-fuzz/fuzz_$name.log" 2>&1 &
    fi
    running="$running $name:$!"
done
failed=0
for entry in $running; do
    name=${entry%%:*}
    if wait "${entry##*:}"; then
        echo "fuzz_$name: $(grep -aoE '^(Done [0-9]* runs|[0-9]* files and .*)' "build-fuzz/fuzz_$name.log" || echo 'no runs counted'), nothing found"
        continue
    fi
    failed=1
    echo "fuzz_$name: FAILED"
    tail -n 60 "build-fuzz/fuzz_$name.log"
    [ "$mode" = explore ] || mv "build-fuzz/test/replay_$name.input" "build-fuzz/found/$name/" 2>/dev/null || true
    for input in "build-fuzz/found/$name"/*; do
        [ -f "$input" ] || continue
        file=test/fuzz/corpus/$name/found-$(sha1sum "$input" | cut -c 1-12)
        cp "$input" "$file"
        echo "The input is now $file: give it a name that says what it shows, and mend the cause."
    done
done
exit $failed
