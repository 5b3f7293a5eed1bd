#!/bin/sh
# Fuzzes the parsers and the server's requests.
#   tools/fuzz.sh replay NAME PROGRAM   every file of test/fuzz/corpus/NAME and fixed mutations of them, the same each time, with the
#                                       replay program of a build with sanitizers: the tests fuzz.NAME there (check.sanitized)
#   tools/fuzz.sh explore [SECONDS]     libFuzzer on all targets at once, random seeds, so long each (default 300): for `make fuzz`; what
#                                       it finds interesting is kept in build-fuzz/corpus for the next time
# An input that breaks one becomes a file of test/fuzz/corpus, so that `make test` fails until its cause is mended. The exit
# status is 1 then.
set -eu
cd "$(dirname "$0")/.."
mode=${1:-}

# keep_input NAME FILE
keep_input() {
    file=test/fuzz/corpus/$1/found-$(sha1sum "$2" | cut -c 1-12)
    cp "$2" "$file"
    echo "The input is now $file: give it a name that says what it shows, and mend the cause."
}

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
leaks=$(mktemp)
trap 'rm -f "$leaks"' EXIT
echo "leak:operator new" >"$leaks"
export LSAN_OPTIONS="suppressions=$leaks:print_suppressions=0"

case "$mode $#" in
"replay 3")
    name=$2
    program=$3
    rm -f "$program.input"
    if "$program" "$(count_runs "$name")" "test/fuzz/corpus/$name"; then exit 0; fi
    [ ! -f "$program.input" ] || keep_input "$name" "$program.input"
    exit 1
    ;;
"explore 1" | "explore 2") seconds=${2:-300} ;;
*)
    echo "usage: tools/fuzz.sh replay NAME PROGRAM | explore [SECONDS]" >&2
    exit 2
    ;;
esac

# Each target has a folder of the corpus.
names=$(ls test/fuzz/corpus)
targets=""
for name in $names; do targets="$targets fuzz_$name"; done
mkdir -p build-fuzz
cmake --preset fuzz >build-fuzz/configure.log 2>&1 || { cat build-fuzz/configure.log; exit 1; }
cmake --build build-fuzz -j "${JOBS:-$(nproc)}" --target $targets -- --no-print-directory >build-fuzz/fuzz.log 2>&1 ||
    { cat build-fuzz/fuzz.log; exit 1; }

running=""
for name in $names; do
    found=build-fuzz/found/$name
    rm -rf "$found"
    mkdir -p "$found" "build-fuzz/corpus/$name"
    build-fuzz/test/fuzz_$name -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=16384 \
        -artifact_prefix="$found/" "build-fuzz/corpus/$name" "test/fuzz/corpus/$name" >"build-fuzz/fuzz_$name.log" 2>&1 &
    running="$running $name:$!"
done
failed=0
for entry in $running; do
    name=${entry%%:*}
    if wait "${entry##*:}"; then
        echo "fuzz_$name: $(grep -aoE '^Done [0-9]* runs' "build-fuzz/fuzz_$name.log" || echo 'no runs counted'), nothing found"
        continue
    fi
    failed=1
    echo "fuzz_$name: FAILED"
    tail -n 60 "build-fuzz/fuzz_$name.log"
    for input in "build-fuzz/found/$name"/*; do
        [ ! -f "$input" ] || keep_input "$name" "$input"
    done
done
exit $failed
