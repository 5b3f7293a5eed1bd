#!/bin/sh
# The reference manual from the public headers, the validation page and the pictures. Anything undocumented is an error.
set -eu
cd "$(dirname "$0")/.."

if ! command -v doxygen >/dev/null 2>&1; then
    if [ "$(id -u)" != 0 ]; then
        echo "Doxygen is missing. Install it with: sudo apt-get install -y --no-install-recommends doxygen" >&2
        exit 1
    fi
    echo "Installing: doxygen"
    log=$(mktemp)
    if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends doxygen; } \
        >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        exit 1
    fi
    rm -f "$log"
fi

mkdir -p build/docs
HAWSER_VERSION=$(build/hawser --version | cut -d ' ' -f 2)
export HAWSER_VERSION
doxygen Doxyfile
echo "reference manual: build/docs/reference/index.html"

# A case that fails makes a page that says so, and this script fail.
build/hawser validate --markdown -o docs/validation.md
build/examples/example_impact docs/impact.svg >build/docs/impact.txt
echo "validation page:  docs/validation.md and impact.svg"
PYTHONPATH=build/python /usr/bin/python3 tools/tether_figures.py docs/images/tether_figures.svg
tools/pictures.sh
echo "pictures:         docs/images"
