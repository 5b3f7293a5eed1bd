#!/bin/sh
# What it takes to add something: the files outside of tests and docs in which an example that the project has is named, at most
# three of each (docs/design.md, "Files touched to add something"). What users add from outside names no file at all. And how
# large the conductor of the parts may be.
set -eu
cd "$(dirname "$0")/.."
failed=0
check() {
    what=$1 most=$2 pattern=$3
    shift 3
    [ $# -gt 0 ] || set -- src include io live connect reference apps
    files=$(git grep -lE "$pattern" -- "$@" || true)
    count=$(printf '%s' "$files" | grep -c . || true)
    echo "$what: $count" $files
    [ "$count" -le "$most" ] || { echo "FAILED: $what is named in more than $most files" && failed=1; }
    [ "$most" = 0 ] || [ "$count" -gt 0 ] || { echo "FAILED: nothing matches $pattern" && failed=1; }
}
check "a joint, gimbal" 3 'AXES_GIMBAL|"gimbal"'
check "a cable model, vee" 3 'HW_CABLE_VEE|"vee"'
check "the solution of cables without inertia" 3 '(->|\.)quasi\b' src
check "a sensor, altimeter" 3 'HW_INSTRUMENT_ALTIMETER|"altimeter"'
check "a scene key for what the library has, compensate" 3 '\bcompensate\b' io
check "a server's message, history" 3 'REQUEST_HISTORY|"history"'
# From outside, with the public headers alone.
for example in own_hydrodynamics own_parts fibre_rope altimeter; do
    [ -f "examples/$example.c" ] || { echo "FAILED: examples/$example.c is gone" && failed=1; }
    if grep -nE '#include "' "examples/$example.c" | grep -v '"hawser/'; then
        echo "FAILED: examples/$example.c includes a private header"
        failed=1
    fi
    echo "from outside, $example: 0"
done
# The conductor stays small: the step on one page, src/world at most a quarter of the core.
lines=$(wc -l <src/world/step.c)
echo "src/world/step.c: $lines lines"
[ "$lines" -le 250 ] || { echo "FAILED: src/world/step.c has more than 250 lines" && failed=1; }
world=$(cat src/world/*.[ch] | wc -l)
core=$(find src -name '*.[ch]' -exec cat {} + | wc -l)
echo "src/world: $world of $core lines"
[ $((4 * world)) -le "$core" ] || { echo "FAILED: src/world is more than a quarter of the core" && failed=1; }
exit $failed
