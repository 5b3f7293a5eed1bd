#!/bin/sh
# Starts the trainer and prints its address; with a scene's file: runs that with a progress bar, a summary and a report.
set -eu
cd "$(dirname "$0")/.."

if [ $# -gt 0 ] && [ -n "$1" ]; then
    out=results/$(basename "$1" .yaml)
    build/hawser run "$1" --out "$out" --report
    echo
    echo "The report is in $out/report.html: open it in a browser."
    exit
fi

# Nobody can press Ctrl-C without a terminal: then it ends by itself some time after the last page has gone.
idle=""
[ -t 1 ] || idle="--idle 900"
[ -z "${CI:-}" ] || idle="--idle 5"
exec build/hawser train $idle
