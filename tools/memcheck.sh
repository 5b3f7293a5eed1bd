#!/bin/sh
# The quick tests under valgrind's memcheck: no invalid access, no leak.
set -eu
cd "$(dirname "$0")/.."

build=${1:-build}
# Modules whose tests take seconds natively: memcheck makes them some thirty times slower.
modules="base math control geom io record"
# Tests that start other programs or run for long gain nothing here.
skip="record_killed record_numbers"

failed=0
count=0
for module in $modules; do
    for program in "$build"/test/"$module"_*; do
        [ -x "$program" ] || continue
        name=$(basename "$program")
        case " $skip " in *" $name "*) continue ;; esac
        count=$((count + 1))
        log=$(mktemp)
        if (cd "$build" && timeout 600 valgrind --quiet --error-exitcode=99 --leak-check=full \
            --errors-for-leak-kinds=definite --show-leak-kinds=definite "test/$name") >"$log" 2>&1; then
            echo "good   $name"
        else
            echo "FAILED $name"
            cat "$log"
            failed=$((failed + 1))
        fi
        rm -f "$log"
    done
done
echo "memcheck: $((count - failed)) of $count test programs are good"
[ "$count" -gt 0 ] && [ "$failed" = 0 ]
