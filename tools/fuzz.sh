#!/bin/sh
# Fuzzes the parsers and the server's requests, all at once, for the given seconds each (default 60). What they find interesting is kept in
# build-fuzz/corpus for the next time; an input that breaks one is left in build-fuzz, and the exit status is 1.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}

cmake --preset fuzz >build-fuzz.log 2>&1 || { cat build-fuzz.log; rm -f build-fuzz.log; exit 1; }
rm -f build-fuzz.log
cmake --build build-fuzz -j "${JOBS:-$(nproc)}" --target fuzz_scene fuzz_ini fuzz_mesh fuzz_moordyn fuzz_results fuzz_request fuzz_head -- --no-print-directory >build-fuzz/fuzz.log 2>&1 ||
    { cat build-fuzz/fuzz.log; exit 1; }

running=""
for name in scene ini mesh moordyn results request head; do
    mkdir -p "build-fuzz/corpus/$name"
    build-fuzz/test/fuzz_$name -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=16384 \
        -artifact_prefix="build-fuzz/$name-" "build-fuzz/corpus/$name" "test/fuzz/corpus/$name" \
        >"build-fuzz/fuzz_$name.log" 2>&1 &
    running="$running $name:$!"
done
failed=0
for entry in $running; do
    name=${entry%%:*}
    if wait "${entry##*:}"; then
        echo "fuzz_$name: $(grep -ao '^Done [0-9]* runs' "build-fuzz/fuzz_$name.log" || echo 'no runs counted'), nothing found"
    else
        echo "fuzz_$name: FAILED"
        tail -n 60 "build-fuzz/fuzz_$name.log"
        failed=1
    fi
done
exit $failed
