#!/bin/sh
# Packs a build and tries the packages in empty roots: the program runs there with nothing but the libraries it names, a program of a
# user builds against them with find_package and with pkg-config.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
quiet() {
    "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; echo "FAILED: $*"; exit 1; }
}

quiet tools/package.sh "$build" "$scratch/packages"
deb=$(ls "$scratch"/packages/hawser*.deb)
mkdir "$scratch/deb" "$scratch/tar"
dpkg-deb -x "$deb" "$scratch/deb"
tar -xzf "$scratch"/packages/hawser*.tar.gz -C "$scratch/tar" --strip-components=1
[ -d "$scratch/tar/usr" ] || { mkdir "$scratch/tar/usr" && (cd "$scratch/tar" && for entry in bin include lib share; do [ ! -e $entry ] || mv $entry usr/; done); }

# Its dependencies are named: at least the C library, the server's and the reader of JSON.
depends=$(dpkg-deb -f "$deb" Depends)
for package in libc6 libwebsockets libjansson4; do
    case $depends in *"$package"*) ;; *) echo "the .deb does not depend on $package: $depends"; exit 1 ;; esac
done
if dpkg-deb -c "$deb" | grep -E 'hawser-dev|/test/'; then
    echo "that does not belong into a package"
    exit 1
fi

# A root that holds the package and the shared libraries that it needs, and nothing else.
run_inside() {
    root=$1
    shift
    if [ "$(id -u)" = 0 ] && chroot / /bin/true 2>/dev/null; then
        for library in $(ldd "$root/usr/bin/hawser" | grep -o '/[^ ]*'); do
            [ -e "$root$library" ] || { mkdir -p "$root$(dirname "$library")" && cp -L "$library" "$root$library"; }
        done
        mkdir -p "$root/tmp"
        chroot "$root" "$@"
    else
        program=$1
        shift
        "$root$program" "$@"
    fi
}
for root in "$scratch/deb" "$scratch/tar"; do
    quiet run_inside "$root" /usr/bin/hawser --version
    grep -q "$(sed -n 's/.*VERSION \([0-9.]*\) LANG.*/\1/p' CMakeLists.txt)" "$scratch/log"
    scene=/usr/share/hawser/scenes/sinking_sphere.yaml
    [ -d "$root/tmp" ] || scene=$root$scene
    quiet run_inside "$root" /usr/bin/hawser check "$scene"
    cp test/install/CMakeLists.txt test/install/main.c "$scratch/"
    rm -rf "$scratch/consumer"
    quiet cmake -S "$scratch" -B "$scratch/consumer" -DCMAKE_PREFIX_PATH="$root/usr"
    quiet cmake --build "$scratch/consumer"
    quiet "$scratch/consumer/consumer"
    PKG_CONFIG_PATH=$(find "$root/usr" -name pkgconfig -type d)
    export PKG_CONFIG_PATH
    quiet cc "$scratch/main.c" $(pkg-config --cflags --libs hawser) -o "$scratch/with_pkg_config"
    quiet "$scratch/with_pkg_config"
    # Scenes from C++.
    cp bindings/cpp/example.cpp "$scratch/"
    quiet c++ -std=c++17 "$scratch/example.cpp" $(pkg-config --cflags --libs hawser-io) -o "$scratch/with_scenes"
    quiet "$scratch/with_scenes"
    # A processor without AVX.
    if [ "$(uname -m)" = x86_64 ] && command -v qemu-x86_64-static >/dev/null; then
        quiet qemu-x86_64-static -cpu Nehalem "$scratch/with_pkg_config"
    fi
done
ls "$scratch/packages" | grep hawser
echo "installed and tried in empty roots"
