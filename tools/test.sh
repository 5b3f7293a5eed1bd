#!/bin/sh
# Every test. CTest prints the closing line.
set -eu
cd "$(dirname "$0")/.."
exec ctest --test-dir build --output-on-failure -j "${JOBS:-$(nproc)}"
