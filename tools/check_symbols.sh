#!/bin/sh
# The shared libraries of a build export together what the public headers mark with HW_API, each name once and under its version,
# and nothing else; each has its SONAME.
set -eu
build=${1:-build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sed -n 's/^    \(hw[A-Za-z0-9_]*\);$/\1/p' "$build/hawser.map" | sort >"$scratch/promised"
[ -s "$scratch/promised" ] || { echo "no promised names in $build/hawser.map"; exit 1; }
version=$(sed -n 's/^\(HAWSER_[0-9.]*\) {$/\1/p' "$build/hawser.map")
for library in "$build"/shared/libhawser*.so; do
    name=$(basename "$library")
    soname=$(objdump -p "$library" | sed -n 's/^ *SONAME *//p')
    [ "$soname" = "$name.${version#HAWSER_}" ] || { echo "$name: its SONAME is $soname"; exit 1; }
    nm -D --defined-only "$library" | awk '$2 != "A" {print $3}' >"$scratch/names"
    grep -v "@@$version\$" "$scratch/names" && { echo "$name: exported without the version $version"; exit 1; }
    sed 's/@@.*//' "$scratch/names" >>"$scratch/exported"
done
sort "$scratch/exported" >"$scratch/sorted"
if ! diff "$scratch/promised" "$scratch/sorted" >"$scratch/diff"; then
    echo "promised by headers (<) and exported by libraries (>) differ:"
    cat "$scratch/diff"
    exit 1
fi
echo "$(wc -l <"$scratch/sorted") names, exported as $version"
