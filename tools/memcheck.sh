#!/bin/sh
# The quick tests under valgrind's memcheck: no invalid access, no leak.
set -eu
cd "$(dirname "$0")/.."
cd "${1:-build}"

failed=0
count=0
for program in test/*_*; do
    [ -x "$program" ] && [ -f "$program" ] || continue
    name=$(basename "$program")
    # Programs of others, children and signals are not what this is about.
    case $name in cli_* | record_killed) continue ;; esac
    # Memcheck makes programs some thirty times slower: what takes longer than this by itself is left out.
    timeout 0.5 "$program" >/dev/null 2>&1 || [ $? != 124 ] || continue
    count=$((count + 1))
    log=$(mktemp)
    if timeout 600 valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
        --show-leak-kinds=definite "$program" >"$log" 2>&1; then
        echo "good   $name"
    else
        echo "FAILED $name"
        cat "$log"
        failed=$((failed + 1))
    fi
    rm -f "$log"
done
echo "memcheck: $((count - failed)) of $count test programs are good"
[ "$count" -gt 0 ] && [ "$failed" = 0 ]
