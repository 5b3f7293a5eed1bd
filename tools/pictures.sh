#!/bin/sh
# The pictures of README and docs (docs/images), taken in a browser from flights flown for them. With names: those only.
set -eu
cd "$(dirname "$0")/../web"
HAWSER_PROGRAM=../build/hawser exec npm run --silent pictures -- "$@"
