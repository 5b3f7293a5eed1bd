#!/bin/sh
# Tries hawser.exe with wine: windows_check.sh WINE PROGRAM [NATIVE]. With the program of this machine rows and texts are compared.
set -eu
cd "$(dirname "$0")/.."
wine=$1
program=$2
native=${3:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
    echo "$*"
    exit 1
}
hawser() {
    "$wine" "$program" "$@"
}

hawser check scenes/load_on_a_wire.yaml >"$scratch/check" || fail "a scene is not good: $(cat "$scratch/check")"
grep -q 'load_on_a_wire.yaml: good' "$scratch/check" || fail "check says: $(cat "$scratch/check")"
for scene in load_on_a_wire palfinger_crane launch_and_recovery; do
    hawser run scenes/$scene.yaml --set duration=1 --csv "$scratch/windows.csv" -q >"$scratch/log" 2>&1 || fail "$scene does not run: $(cat "$scratch/log")"
    [ -n "$native" ] || continue
    "$native" run scenes/$scene.yaml --set duration=1 --csv "$scratch/native.csv" -q >"$scratch/log" 2>&1 || fail "$scene: $(cat "$scratch/log")"
    cmp "$scratch/windows.csv" "$scratch/native.csv" || fail "the rows of $scene differ"
done
# Over a file that is there, and with results of every kind that needs no library.
hawser run scenes/sinking_sphere.yaml --set duration=1 --csv "$scratch/windows.csv" --mcap "$scratch/rows.mcap" -q || fail "no rows over a file"
hawser channels scenes/load_on_a_wire.yaml >"$scratch/log" 2>&1
grep -q 'wire.a.tension' "$scratch/log" || fail "no channels"
hawser modes scenes/load_on_a_wire.yaml >"$scratch/log" 2>&1 || fail "no modes: $(cat "$scratch/log")"
printf 'hawser: 1\nduration: 1\noutput: {interval: 0.1}\nbodies: [{name: box, mass: 10, inertia: [1, 1, 1]}]\n' >"$scratch/drop.yaml"
printf 'hawser_study: 1\nscene: drop.yaml\nparameters: [{path: environment.gravity, values: [1, 2, 5, 9.81]}]\nkeep: {statistics: [box.position.z]}\n' \
    >"$scratch/study.yaml"
hawser study "$scratch/study.yaml" --out "$scratch/study" -j 2 >"$scratch/log" 2>&1 || fail "no study: $(cat "$scratch/log")"
hawser fit examples/fit/fit.yaml --out "$scratch/fit" >"$scratch/log" 2>&1 || fail "no fit: $(cat "$scratch/log")"
if [ -n "$native" ]; then
    "$native" study "$scratch/study.yaml" --out "$scratch/native" -q >"$scratch/log" 2>&1 || fail "no study: $(cat "$scratch/log")"
    cmp "$scratch/study/table.csv" "$scratch/native/table.csv" || fail "the tables of the study differ"
    "$native" fit examples/fit/fit.yaml --out "$scratch/native_fit" >"$scratch/log" 2>&1 || fail "no fit: $(cat "$scratch/log")"
    cmp "$scratch/fit/fit.csv" "$scratch/native_fit/fit.csv" || fail "the numbers of the fit differ"
fi

# says WORDS arguments...: it fails with these words
says() {
    words=$1
    shift
    if hawser "$@" >"$scratch/log" 2>&1; then fail "this should be refused: $*"; fi
    grep -q -- "$words" "$scratch/log" || fail "$*: $(cat "$scratch/log")"
}
printf 'hawser: 1\nduration: 1\nbodies: [{name: box, mas: 10}]\n' >"$scratch/bad.yaml"
says 'bad.yaml:3:' check "$scratch/bad.yaml"
says 'does not exist' check "$scratch/nowhere.yaml"
says 'built without HDF5' run scenes/sinking_sphere.yaml --out "$scratch/rows.h5"
says 'built without jansson' train
says 'built without functional mock-up units' fmu scenes/sinking_sphere.yaml -o "$scratch/x.fmu"
