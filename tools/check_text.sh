#!/bin/sh
# Text files as .editorconfig says: no tabs in sources, no spaces at ends of lines, a newline at the end, no carriage returns.
set -eu
cd "$(dirname "$0")/.."
failed=0
files=$(git ls-files '*.c' '*.h' '*.ts' '*.sh' '*.cmake' '*CMakeLists.txt' '*.yaml' '*.yml' | grep -v '^test/fuzz/corpus/')
tab=$(printf '\t')
for file in $files; do
    [ -f "$file" ] || continue
    if grep -nE "[ $tab]+\$|$tab|$(printf '\r')" "$file" /dev/null; then failed=1; fi
    [ -z "$(tail -c 1 "$file")" ] || { echo "$file: no newline at the end"; failed=1; }
done
[ "$failed" = 0 ] || echo "tabs, spaces at ends of lines, or no newline at the end"
exit $failed
