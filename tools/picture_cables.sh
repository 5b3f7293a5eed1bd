#!/bin/sh
# Draws docs/cables.svg: one line in five models, halfway through its motion. Usage: tools/picture_cables.sh build/hawser
set -e
cd "$(dirname "$0")/.."
program=${1:-build/hawser}
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
"$program" run scenes/cables/models_side_by_side.yaml --duration 7.5 --csv "$rows" --quiet
awk -F, '
  NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i }
  { last = $0 }
  END {
    split(last, value, ",")
    count = split("dynamic pid catenary vee line", model, " ")
    split("#1d6fa5 #c4512d #2e8b67 #6a4c93 #b98500", color, " ")
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 620 250\" font-family=\"sans-serif\" font-size=\"13\">"
    print "<rect width=\"620\" height=\"250\" fill=\"#fbfaf5\"/>"
    for (m = 1; m <= count; ++m) {
      path = ""
      for (i = 0; (name = model[m] ".node[" i "].position.x") in column; ++i) {
        if (value[column[name]] !~ /^[-+.0-9eE]+$/) break # room for a part that may be cut off
        x = 20 + 11 * value[column[name]]
        z = 30 - 12 * (value[column[model[m] ".node[" i "].position.z"]] + 10)
        path = path sprintf("%s%.1f,%.1f", i ? " " : "", x, z)
      }
      printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", path, color[m]
      printf "<text x=\"545\" y=\"%d\" fill=\"%s\">%s</text>\n", 40 + 20 * m, color[m], model[m]
    }
    print "</svg>"
  }' "$rows" > docs/cables.svg
