#!/bin/sh
# The core takes nothing from the C library whose result differs from one library or compiler to the next
# (docs/design.md, Determinism): no elementary function of libm, no complex arithmetic, no fused multiply-add but where
# src/env/kernels.h asks for it by name.
# Usage: imports_check.sh LIBRARY|OBJECT...
set -eu
library="the core"
# Not named here is what IEEE 754 fixes to the bit: sqrt, fma, floor, remainder, nextafter and the like.
transcendental="sin cos sincos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10
    log1p pow cbrt hypot erf erfc tgamma lgamma j0 j1 jn y0 y1 yn fmin fmax fdim scalb significand
    __muldc3 __divdc3 __mulsc3 __divsc3 __powidf2"
imported=$(nm "$@" 2>/dev/null | awk '$1 == "U" { sub(/@.*/, "", $2); print $2 }' | sort -u)
bad=""
for symbol in $imported; do
    for name in $transcendental; do
        case $symbol in
        "$name" | "${name}f" | "${name}l" | "__${name}_finite" | _ZGV*_"$name") bad="$bad $symbol" ;;
        esac
    done
done
if [ -n "$bad" ]; then
    echo "$library imports$bad: use hawser/elementary.h" >&2
    exit 1
fi
if command -v objdump >/dev/null 2>&1; then
    fused=$(objdump -d --no-show-raw-insn "$@" 2>/dev/null |
        awk '/file format/ { asked = $1 ~ /(^|\/)(waves|wave_cells|gust)\.c\.o:$/ } /^[0-9a-f]+ <.*>:$/ { name = $2 } !asked && $2 ~ /^vf(n?m(add|sub)|maddsub|msubadd)|^f(n?m(add|sub)|ml[as])$/ { print name }' | sort -u | head -n 5)
    if [ -n "$fused" ]; then
        echo "$library has fused multiply-adds in" $fused >&2
        exit 1
    fi
fi
echo "imports are good"
