#!/bin/sh
# Names includes that the map in docs/design.md does not allow:
# - a part (src/parts/X) includes another part, or the world or the table of channels one;
# - the world or a part includes more of src/api than the headers by which it tells what happens;
# - a physics module includes another physics module, a part or the world;
# - io, live, connect, apps, bindings and reference include private headers.
set -eu
cd "$(dirname "$0")/.."
bad=$(mktemp)
trap 'rm -f "$bad"' EXIT

# includes FILE...: prints "file:line: header" of every include in quotes
includes() {
    grep -n '^#include "' "$@" /dev/null | sed 's/^\([^:]*:[0-9]*\):#include "\([^"]*\)".*/\1 \2/'
}

for part in src/parts/*/; do
    name=$(basename "$part")
    includes "$part"*.[ch] | grep ' parts/' | grep -v " parts/$name/" >>"$bad" || true
done
includes src/world/*.[ch] src/record/*.[ch] | grep ' parts/' >>"$bad" || true
# The conductor and the parts tell src/api what happens; they ask nothing of it.
includes src/world/*.[ch] | grep -E ' (record|api)/' | grep -Ev ' api/(profile|signature|step_events)\.h$' >>"$bad" || true
includes src/parts/*/*.[ch] | grep ' api/' | grep -v ' api/step_events\.h$' >>"$bad" || true

# Physics modules and what each may include besides the public headers, from docs/design.md.
check_module() {
    module=$1
    allowed=$2
    includes src/"$module"/*.[ch] | grep -Ev " (hawser/|$module/)" |
        grep -Ev " ($(echo "$allowed" | sed 's/ /|/g'))/" >>"$bad" || true
}
check_module base "none"
check_module math "base"
check_module geom "base math"
check_module control "base math"
check_module env "base math geom control"
check_module hydro "base math geom env"
check_module mech "base math"
check_module cable "base math"
check_module contact "base math geom"
check_module tether "base math geom"
check_module vehicle "base math control"
check_module lesson "base math"
check_module statistics "base math"

for folder in io live connect apps bindings reference; do
    find "$folder" -name '*.[ch]' -print | while read -r file; do
        includes "$file" | grep -E ' (base|math|geom|control|env|hydro|mech|cable|contact|tether|vehicle|statistics|parts|world|record|api)/' || true
    done >>"$bad"
done

if [ -s "$bad" ]; then
    echo "includes that docs/design.md does not allow:" >&2
    sort -u "$bad" >&2
    exit 1
fi
