#!/bin/sh
# Packs the Python package into a wheel, installs it into an environment of its own that sees the system's packages, and runs its
# tests and examples there. tools/python_check.sh PYTHON FOLDER
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
python=$1
package=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
quiet() {
    "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; echo "FAILED: $*"; exit 1; }
}

quiet "$root/tools/python_wheel.sh" "$python" "$package" "$scratch/dist"
quiet "$python" -m venv --system-site-packages "$scratch/env"
quiet "$scratch/env/bin/python" -m pip install --no-index --no-deps --disable-pip-version-check "$scratch"/dist/hawser-*.whl
cd "$scratch"
export PYTHONDONTWRITEBYTECODE=1 HAWSER_SOURCE="$root" HAWSER_FIGURES="$scratch"
"$scratch/env/bin/python" -W error::ResourceWarning -m unittest discover -s "$root/bindings/python/tests" -t "$root/bindings/python/tests"
for example in "$root"/bindings/python/examples/*.py; do
    [ "$(basename "$example")" = figures.py ] || quiet "$scratch/env/bin/python" "$example"
done
if "$python" -c "import matplotlib" 2>/dev/null; then
    [ -s "$scratch/tether_in_current.svg" ] || { echo "the example made no figure"; exit 1; }
fi
"$scratch/env/bin/python" -m hawser --version | grep -q '^hawser ' || { echo "python -m hawser does not run the program"; exit 1; }
