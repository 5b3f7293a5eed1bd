#!/bin/sh
# The main job: the flagship scene with a progress bar, a summary and a report.
set -eu
cd "$(dirname "$0")/.."

scene=${1:-scenes/flagship.yaml}
out=results/$(basename "$scene" .yaml)
build/hawser run "$scene" --out "$out" --report
echo
echo "The report is in $out/report.html: open it in a browser."
