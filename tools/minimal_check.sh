#!/bin/sh
# Tries a program that was linked without any optional library: it needs no more than it says, runs scenes, and says what it lacks.
# With `configure`: that configuring without them says what is lost.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
    echo "$*"
    exit 1
}

if [ "$1" = configure ]; then
    # says NAMES...: configured without them, it says so of each
    says_without() {
        cmake -S . -B "$scratch" -DBUILD_TESTING=OFF "-DHAWSER_WITHOUT=$(echo "$*" | tr ' ' ';')" >"$scratch/log" 2>&1 ||
            { cat "$scratch/log"; fail "it cannot be configured without optional libraries"; }
        for name in "$@"; do
            grep -q "Without $name (" "$scratch/log" || fail "nothing is said about $name"
        done
    }
    says_without dds hdf5 assimp qhull expat sundials uplot websockets
    # without jansson there is nothing that needs the libraries of connections
    says_without hdf5 assimp qhull expat jansson sundials uplot
    exit 0
fi

program=$1
needed=$(readelf -d "$program" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
for library in $needed; do
    case $library in
    libjansson.* | libm.* | libc.* | libpthread.* | libdl.* | ld-linux*) ;;
    *) fail "it needs $library" ;;
    esac
done

scene() {
    printf 'hawser: 1\nduration: 1\noutput: {interval: 0.1}\nbodies: [{name: box, mass: 10, %s}]\n' "$1"
}
scene "inertia: [1, 1, 1]" >"$scratch/drop.yaml"
"$program" run "$scratch/drop.yaml" --csv "$scratch/rows.csv" >"$scratch/log" 2>&1 || fail "a scene does not run: $(cat "$scratch/log")"
tail -n 1 "$scratch/rows.csv" | grep -q '^1,' || fail "the rows do not end at 1 s: $(tail -n 1 "$scratch/rows.csv" | cut -c1-80)"

# says WORDS arguments...: it fails with these words
says() {
    words=$1
    shift
    if "$program" "$@" >"$scratch/log" 2>&1; then fail "this should be refused: $*"; fi
    grep -q -- "$words" "$scratch/log" || fail "$*: $(cat "$scratch/log")"
}
says "built without HDF5" run "$scratch/drop.yaml" --out "$scratch/rows.h5"
says "built without SUNDIALS" run "$scratch/drop.yaml" --csv "$scratch/rows.csv" --set solver.mode=reference
says "built without libwebsockets" train
says "built without Cyclone DDS" serve "$scratch/drop.yaml" --dds 0
printf '<robot name="r"><link name="a"/></robot>' >"$scratch/r.urdf"
says "built without expat" convert "$scratch/r.urdf" "$scratch/r.yaml"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >"$scratch/t.obj"
scene "shapes: [{mesh: t.obj}]" >"$scratch/mesh.yaml"
says "built without assimp" check "$scratch/mesh.yaml"
scene "shapes: [{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}]" >"$scratch/hull.yaml"
says "built without qhull" check "$scratch/hull.yaml"
