#!/bin/sh
# Units for Windows: windows_fmu_check.sh WINE MASTER.exe LIBRARY.dll NATIVE. Packs scenes with both libraries, steps them with wine and here
# by the same master, saves and restores on the way: what the two print is the same to the bit.
set -eu
cd "$(dirname "$0")/.."
wine=$1
master=$2
library=$3
native=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
    echo "$*"
    exit 1
}
cc -std=gnu17 test/windows/fmu_master.c -o "$scratch/master" -ldl || fail "the master does not build here"
if "$native" fmu scenes/sinking_sphere.yaml -o "$scratch/x.fmu" --windows tools/windows.sh >"$scratch/log" 2>&1; then fail "a script is taken for a library"; fi
for scene in load_on_a_wire palfinger_crane; do
    for version in 2 3; do
        unit=$scratch/$scene$version
        "$native" fmu scenes/$scene.yaml --fmi $version -o "$unit.fmu" --windows "$library" >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
        grep -q 'for Linux and Windows' "$scratch/log" || fail "it does not say for what: $(cat "$scratch/log")"
        mkdir "$unit"
        (cd "$unit" && cmake -E tar xf "$unit.fmu")
        linux=$unit/binaries/linux64/$scene.so
        windows=$unit/binaries/win64/$scene.dll
        place=file://$unit/resources
        windowsPlace=file:///Z:$unit/resources
        if [ $version = 3 ]; then
            linux=$unit/binaries/x86_64-linux/$scene.so
            windows=$unit/binaries/x86_64-windows/$scene.dll
            place=$unit/resources
            windowsPlace=Z:$unit/resources
        fi
        token=$(sed -n 's/.*\(guid\|instantiationToken\)="\([^"]*\)".*/\2/p' "$unit/modelDescription.xml" | head -n 1)
        outputs=$(grep 'causality="output"' "$unit/modelDescription.xml" | sed -n 's/.*valueReference="\([0-9]*\)".*/\1/p' | head -n 40)
        [ -n "$token" ] && [ -n "$outputs" ] || fail "nothing to read in the description of $scene, FMI $version"
        "$scratch/master" "$linux" "$place" "$token" $version 0.01 40 $outputs >"$scratch/here" || fail "here: $(tail -n 3 "$scratch/here")"
        "$wine" "$master" "$windows" "$windowsPlace" "$token" $version 0.01 40 $outputs >"$scratch/there" || fail "Windows: $(tail -n 3 "$scratch/there")"
        cmp "$scratch/here" "$scratch/there" || fail "$scene, FMI $version: Windows gives other bits"
        # a row before, 40 steps, and the second half again from the saved state
        [ "$(wc -l <"$scratch/there")" = 61 ] || fail "there are $(wc -l <"$scratch/there") rows"
        sed -n 22,41p "$scratch/there" >"$scratch/first"
        sed -n 42,61p "$scratch/there" >"$scratch/second"
        cmp "$scratch/first" "$scratch/second" || fail "$scene, FMI $version: the restored state goes another way"
    done
done
