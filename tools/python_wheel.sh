#!/bin/sh
# Packs the Python package that CMake has put together into a wheel: tools/python_wheel.sh PYTHON FOLDER TARGET
set -eu
python=$1
package=$2
target=$3
mkdir -p "$target"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -R "$package/." "$scratch/"
rm -rf "$scratch/dist"
strip --strip-unneeded "$scratch"/hawser/*.so "$scratch"/hawser/bin/hawser
cd "$scratch"
"$python" -m pip wheel --no-build-isolation --no-deps --no-index --disable-pip-version-check --quiet -w "$target" .
