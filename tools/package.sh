#!/bin/sh
# Packs a build as .deb and .tar.gz: tools/package.sh BUILD OUTPUT.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
output=${2:-build/packages}
mkdir -p "$output"
output=$(cd "$output" && pwd)
rm -f "$output"/hawser*.deb "$output"/hawser*.tar.gz
(cd "$build" && cpack -B "$output" >"$output/cpack.log" 2>&1) || { cat "$output/cpack.log"; exit 1; }
rm -rf "$output/_CPack_Packages"
ls -1 "$output"/hawser*.deb "$output"/hawser*.tar.gz
